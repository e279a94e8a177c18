'use client';

import { createElement, useEffect, useRef, useState } from 'react';
import './src/element.js';

/** `<holdpoint-card>` in React 18 and 19. `onDecide` gets the entry for `resume`; children go to the slots `context` and `footer`. */
export function HoldpointCard({
  interrupt, onDecide, onReopen, onSeen, busy = false, compact = false, mayDecide = true, mayWithdraw = true, error = '', children, ...attributes
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
 * All open questions of a run, which are answered together: `onAnswers` gets the entries for `resume` once each question has one. Until the
 * promise that it may return is settled the cards are busy, and if it is rejected they show why.
 */
export function HoldpointCards({ interrupts, onAnswers, busy = false, error = '', ...options }) {
  const [answers, setAnswers] = useState({});
  const [sent, setSent] = useState({ ids: [], busy: false, error: '' });
  const decided = async (entry) => {
    const all = { ...answers, [entry.interruptId]: entry };
    const ids = interrupts.map(({ id }) => id);
    const isLast = ids.every((id) => all[id]);
    setAnswers(isLast ? {} : all);
    if (!isLast) return;
    setSent({ ids, busy: true, error: '' });
    try {
      await onAnswers(ids.map((id) => all[id]));
      setSent({ ids, busy: false, error: '' });
    } catch (failure) {
      setSent({ ids, busy: false, error: failure.message });
    }
  };
  const reopened = (id) => setAnswers(({ [id]: _, ...others }) => others);
  return interrupts.map((interrupt) => {
    const own = sent.ids.includes(interrupt.id) ? sent : undefined; // not of questions that came later
    return createElement(HoldpointCard, {
      ...options,
      key: interrupt.id,
      interrupt,
      busy: busy || own?.busy === true,
      error: error || own?.error || '',
      onDecide: decided,
      onReopen: () => reopened(interrupt.id),
    });
  });
}
