'use client';

import { createElement, useEffect, useRef, useState } from 'react';
import { Batch, lostInWords } from './src/batch.js';
import { plainNumbers } from './src/element.js';

/** `<holdpoint-card>` in React 18 and 19. `onDecide` gets the entry for `resume`; children go to the slots `context` and `footer`. */
export function HoldpointCard({
  interrupt, onDecide, onReopen, onSeen, onElement, busy = false, compact = false, mayDecide = true, mayWithdraw = true, error = '', children, ...attributes
}) {
  const element = useRef(null);
  const handlers = useRef({});
  handlers.current = { decide: onDecide, reopen: onReopen, seen: onSeen };
  useEffect(() => {
    const listening = new AbortController();
    const heard = ({ type, detail }) => handlers.current[type]?.(...(type === 'decide' ? [detail] : []));
    for (const event of ['decide', 'reopen', 'seen']) element.current.addEventListener(event, heard, { signal: listening.signal });
    return () => listening.abort();
  }, []);
  useEffect(() => {
    onElement?.(element.current); // for the cards of a run
  });
  useEffect(() => {
    Object.assign(element.current, { mayDecide, mayWithdraw, compact, interrupt, busy });
  }, [interrupt, busy, compact, mayDecide, mayWithdraw]);
  const shown = useRef('');
  useEffect(() => {
    if (busy || (error === '' && shown.current === '')) return; // what was said before an answer counts again after it
    shown.current = error;
    element.current.error = error;
  }, [error, busy]);
  return createElement('holdpoint-card', { ...attributes, ref: element }, children);
}

/**
 * All open questions of a run, which are answered together: a single one at once, several when somebody presses the button that sends them.
 * `onAnswers` gets the entries for `resume`. Until the promise that it may return is settled the cards are busy, and if it is rejected they
 * show why.
 */
export function HoldpointCards({ interrupts, onAnswers, busy = false, error = '', ...options }) {
  const elements = useRef(new Map());
  const bar = useRef(null);
  const batch = useRef(undefined);
  const sends = useRef(undefined);
  const [sent, setSent] = useState({ ids: [], busy: false, error: '' });
  sends.current = async (entries) => {
    const ids = entries.map(({ interruptId }) => interruptId);
    setSent({ ids, busy: true, error: '' });
    batch.current.sending = true;
    let problem = '';
    try {
      await onAnswers(entries);
    } catch (failure) {
      problem = isLost(failure) ? lostInWords(failure.message) : failure.message;
    }
    batch.current.sending = false;
    setSent({ ids, busy: false, error: problem });
  };
  useEffect(() => {
    const isShown = batch.current?.shows(interrupts) && batch.current.cards.every(({ element }) => element.isConnected);
    if (interrupts.length === 0 || isShown) return;
    const shown = interrupts.map(({ id }) => elements.current.get(id));
    batch.current = new Batch(shown, (entries) => sends.current(entries.map(plainNumbers)), { before: batch.current });
    bar.current.replaceChildren(batch.current.bar);
  });
  const isBusy = busy || interrupts.some(({ id }) => sent.busy && sent.ids.includes(id));
  useEffect(() => {
    if (batch.current) batch.current.busy = isBusy;
  }, [isBusy]);
  const cards = interrupts.map((interrupt) =>
    createElement(HoldpointCard, {
      ...options,
      key: interrupt.id,
      interrupt,
      busy: isBusy,
      error: error || (sent.ids.includes(interrupt.id) ? sent.error : ''), // not of questions that came later
      onElement: (element) => elements.current.set(interrupt.id, element),
    }));
  return interrupts.length === 0 ? null : [...cards, createElement('div', { key: '', ref: bar })];
}

/** Whether nobody knows if an answer arrived: there was no connection, or somebody between said so. */
const isLost = ({ name, status }) => name === 'TypeError' || status >= 500;
