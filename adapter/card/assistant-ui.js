'use client';

import { createElement } from 'react';
import { ExportedMessageRepository } from '@assistant-ui/react';
import { fromAgUiMessages, useAgUiInterrupts, useAgUiSubmitInterruptResponses } from '@assistant-ui/react-ag-ui';
import { HttpAgent } from '@ag-ui/client';
import { HoldpointCall as Call, HoldpointCards } from './react.js';
import { answerTo, orAskedAgain, remember, rememberAnswers } from './lost.js';

/** Makes the server speak as to the client that react-ag-ui brings, also with `@ag-ui/client` 1.0.0. */
export class HoldpointAgent extends HttpAgent {
  get maxProtocolVersion() {
    return '0.0.58';
  }

  run(input) {
    return orAskedAgain(super.run(input), input);
  }
}

/** An adapter `history`: a page that is opened again shows the thread as the server has it, with its open questions. */
export function holdpointHistory({ url = '/agent', threadId, headers, onLoaded = () => {} }) {
  const load = async () => {
    const body = JSON.stringify({ threadId, runId: crypto.randomUUID() });
    const response = await fetch(`${url}/history`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });
    if (!response.ok) return { messages: [] };
    const frames = (await response.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
    const events = frames.map((frame) => JSON.parse(frame.slice(6)));
    const messages = fromAgUiMessages(events.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT')?.messages ?? []);
    const interrupts = events.at(-1)?.outcome?.interrupts;
    const last = messages.at(-1);
    if (interrupts && last?.role === 'assistant') {
      const custom = { ...last.metadata?.custom, agui: { interrupts } };
      const status = { type: 'requires-action', reason: 'interrupt' };
      messages[messages.length - 1] = { ...last, status, metadata: { ...last.metadata, custom } };
    }
    return ExportedMessageRepository.fromArray(messages);
  };
  return { load: () => load().finally(onLoaded), async append() {} };
}

/** Shows the open questions. react-ag-ui sends the answers together; what went wrong is on the cards, and in its `onError`. */
export function HoldpointInterrupts(options) {
  const interrupts = useAgUiInterrupts();
  const submit = useAgUiSubmitInterruptResponses();
  remember(interrupts);
  const onAnswers = (entries) => {
    rememberAnswers(entries);
    return submit(entries);
  };
  return createElement(HoldpointCards, { ...options, interrupts, onAnswers });
}

/** Shows what was decided about a call: a `Fallback` for tools. */
export function HoldpointCall({ toolCallId, toolName, argsText, result, isError }) {
  const content = typeof result === 'string' || result === undefined ? result : JSON.stringify(result);
  const message = content === undefined ? undefined : { role: 'tool', toolCallId, content, ...(isError ? { error: content } : {}) };
  return createElement(Call, { call: { id: toolCallId, function: { name: toolName, arguments: argsText } }, result: message, answer: answerTo(toolCallId) });
}
