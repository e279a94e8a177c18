'use client';

import { createElement } from 'react';
import { HttpAgent, useInterrupt } from '@copilotkit/react-core/v2';
import { HoldpointCards } from './react.js';
import { orAskedAgain, remember } from './lost.js';

/** CopilotKit calls `connect` when it opens a thread: it gets the history, with the open questions. */
export class HoldpointAgent extends HttpAgent {
  connect(input) {
    return new HttpAgent({ url: `${this.url}/history`, headers: this.headers }).run(input);
  }

  run(input) {
    return orAskedAgain(super.run(input), input);
  }
}

/** Shows the open questions in the chat: one of its provider's children. CopilotKit sends the answers when all are there. */
export function HoldpointInterrupts(options) {
  useInterrupt({
    render: ({ interrupts, resolve, cancel }) => {
      remember(interrupts);
      const answer = ({ interruptId, status, payload }) => (status === 'cancelled' ? cancel(interruptId) : resolve(payload, interruptId));
      return createElement(HoldpointCards, { ...options, interrupts, onAnswers: (answers) => Promise.all(answers.map(answer)) });
    },
  });
  return null;
}
