'use client';

import { createElement, Fragment } from 'react';
import { HttpAgent, useInterrupt } from '@copilotkit/react-core/v2';
import { HoldpointCard } from './react.js';

/** CopilotKit calls `connect` when it opens a thread: it gets the history, with the open questions. */
export class HoldpointAgent extends HttpAgent {
  connect(input) {
    return new HttpAgent({ url: `${this.url}/history`, headers: this.headers }).run(input);
  }
}

/** Shows the open questions in the chat: one of its provider's children. CopilotKit sends the answers when all are there. */
export function HoldpointInterrupts(options) {
  useInterrupt({
    render: ({ interrupts, resolve, cancel }) => {
      const decided = ({ interruptId, status, payload }) => (status === 'cancelled' ? cancel(interruptId) : resolve(payload, interruptId));
      const cards = interrupts.map((interrupt) => createElement(HoldpointCard, { ...options, key: interrupt.id, interrupt, onDecide: decided }));
      return createElement(Fragment, null, ...cards);
    },
  });
  return null;
}
