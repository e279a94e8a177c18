'use client';

import { createElement, useEffect, useRef, useState } from 'react';
import './src/cards.js';
import './src/call.js';

/** Listens to these events of the element, with the newest of the handlers. */
function useEvents(element, handlers) {
  const newest = useRef(handlers);
  newest.current = handlers;
  useEffect(() => {
    const listening = new AbortController();
    const heard = (event) => event.target === element.current && newest.current[event.type]?.(...(event.detail ? [event.detail] : []));
    for (const event of Object.keys(handlers)) element.current.addEventListener(event, heard, { signal: listening.signal });
    return () => listening.abort();
  }, []);
}

/** What was said before an answer counts again after it. */
function useError(element, error, busy) {
  const shown = useRef('');
  useEffect(() => {
    if (busy || (error === '' && shown.current === '')) return;
    shown.current = error;
    element.current.error = error;
  }, [error, busy]);
}

/** `<holdpoint-card>` in React 18 and 19. `onDecide` gets the entry for `resume`; children go to the slots `context` and `footer`. */
export function HoldpointCard({
  interrupt, onDecide, onReopen, onSeen, messages, conversation, planOf, attend, people, busy = false, compact = false, mayDecide = true, mayWithdraw = true, error = '', children, ...attributes
}) {
  const element = useRef(null);
  useEvents(element, { decide: onDecide, reopen: onReopen, seen: onSeen });
  useEffect(() => {
    Object.assign(element.current, { messages, conversation, planOf, attend, people, mayDecide, mayWithdraw, compact, interrupt, busy });
  }, [messages, conversation, planOf, attend, people, interrupt, busy, compact, mayDecide, mayWithdraw]);
  useError(element, error, busy);
  return createElement('holdpoint-card', { ...attributes, ref: element }, children);
}

/**
 * `<holdpoint-cards>`: all open questions of a run, which are answered together: a single one at once, several when somebody presses the button
 * that sends them. `onAnswers` gets the entries for `resume`. Until the promise that it may return is settled the cards are busy, and if it is
 * rejected they show why. With `undo`, seconds, an answer is held back as long; `onLeave` gets the entries if the page is left meanwhile.
 */
export function HoldpointCards({ interrupts, onAnswers, onLeave, messages, conversation, planOf, attend, people, busy = false, mayDecide = true, mayWithdraw = true, error = '', ...attributes }) {
  const element = useRef(null);
  const [sending, setSending] = useState(0);
  const answers = async (entries) => {
    setSending((count) => count + 1);
    let failure;
    try {
      await onAnswers(entries);
    } catch (reason) {
      failure = reason;
    }
    setSending((count) => count - 1);
    if (!failure || !element.current) return;
    element.current.busy = busy;
    if (isLost(failure)) element.current.lost(failure.message);
    else element.current.error = failure.message;
  };
  useEvents(element, { answers, leave: onLeave });
  useEffect(() => {
    Object.assign(element.current, { messages, conversation, planOf, attend, people, interrupts });
  }, [messages, conversation, planOf, attend, people, interrupts]);
  useEffect(() => {
    element.current.busy = busy || sending > 0;
  }, [busy, sending]);
  useError(element, error, busy || sending > 0);
  const may = { 'may-decide': mayDecide ? undefined : 'false', 'may-withdraw': mayWithdraw ? undefined : 'false' };
  return createElement('holdpoint-cards', { ...attributes, ...may, ref: element });
}

/** `<holdpoint-call>`: a call after somebody has decided about it. */
export function HoldpointCall({ call, result, answer, messages, ...attributes }) {
  const element = useRef(null);
  useEffect(() => {
    Object.assign(element.current, { messages, answer, result, call });
  }, [messages, answer, result, call]);
  return createElement('holdpoint-call', { ...attributes, ref: element });
}

/** Whether nobody knows if an answer arrived: there was no connection, or somebody between said so. */
const isLost = ({ name, status }) => name === 'TypeError' || status >= 500;
