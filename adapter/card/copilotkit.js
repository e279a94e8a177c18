'use client';

import { createElement } from 'react';
import { HttpAgent, useAgent, useDefaultRenderTool, useInterrupt } from '@copilotkit/react-core/v2';
import { HoldpointCall, HoldpointCards } from './react.js';
import { answerTo, orAskedAgain, remember, rememberAnswers } from './lost.js';

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
      const onAnswers = (entries) => {
        rememberAnswers(entries);
        return Promise.all(entries.map(answer));
      };
      return createElement(HoldpointCards, { ...options, interrupts, onAnswers });
    },
  });
  return null;
}

function Call({ name, toolCallId, parameters, options }) {
  const { messages } = useAgent().agent;
  const known = messages.flatMap(({ toolCalls }) => toolCalls ?? []).find(({ id }) => id === toolCallId);
  const call = known ?? { id: toolCallId, function: { name, arguments: JSON.stringify(parameters ?? {}) } };
  const result = messages.find((message) => message.role === 'tool' && message.toolCallId === toolCallId);
  return createElement(HoldpointCall, { ...options, call, result, answer: answerTo(toolCallId) });
}

/** Shows what was decided about each call, in the place of CopilotKit's own line: one of its provider's children. */
export function HoldpointCalls(options) {
  useDefaultRenderTool({ render: ({ name, toolCallId, parameters }) => createElement(Call, { name, toolCallId, parameters, options }) });
  return null;
}
