import { lostInWords } from './src/batch.js';

const shown = new Map();

const answered = new Map();

/**
 * Remembers questions that are shown, in case that an answer to them does not arrive. One that is shown again as it was (a page renders it
 * while its answer is on the way, too) keeps its answer; one that comes again, as after a refusal, has none.
 */
export const remember = (interrupts) => interrupts.forEach((interrupt) => {
  if (shown.get(interrupt.id) === interrupt) return;
  shown.set(interrupt.id, interrupt);
  answered.delete(interrupt.toolCallId);
});

/** Remembers what somebody has answered on this page. */
export const rememberAnswers = (entries) => entries.forEach((entry) => answered.set(shown.get(entry.interruptId)?.toolCallId, entry));

/** What was answered about a call on this page. */
export const answerTo = (toolCallId) => answered.get(toolCallId);

/**
 * The events of a run, for a client that forgets its questions when it sends their answers: where the run never begins, because there is no
 * connection or somebody between refuses it, the client gets a run that ends with the same questions, which say so.
 *
 * @param events an observable
 */
export function orAskedAgain(events, { threadId, runId, resume }) {
  const asked = (resume ?? []).map(({ interruptId }) => shown.get(interruptId)).filter((interrupt) => interrupt !== undefined);
  if (asked.length === 0) return events;
  return new events.constructor((client) => {
    let started = false;
    const askAgain = (why) => {
      const refused = { code: 'NO_ANSWER', message: lostInWords(why) };
      const interrupts = asked.map((each) => ({
        ...each, metadata: { ...each.metadata, langchain4j: { ...each.metadata?.langchain4j, refused } } }));
      client.next({ type: 'RUN_STARTED', threadId, runId });
      client.next({ type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts } });
      client.complete();
    };
    return events.subscribe({
      next(event) {
        started = true;
        client.next(event);
      },
      error: (failure) => (started ? client.error(failure) : askAgain(failure.message)),
      complete: () => (started ? client.complete() : askAgain()),
    });
  });
}
