import { button, byId, copyButton, el, visible } from './kit.js';
import { server } from './server.js';
import { fateInWords, livesOf } from './transcript.js';

/** Somebody else has answered what this person was at work on: what they typed stays to be copied, with who it was. */
export async function keepUnsent(threadId, { cards }, interrupts, scene) {
  const gone = cards.filter((card) => card.isWorkedOn && !interrupts.some(({ id }) => id === card.interrupt.id));
  const typed = gone.map(({ interrupt, panel }) => ({ interrupt, text: typedInto(panel) }));
  if (typed.length === 0) return;
  const lives = livesOf(await server.audit(threadId).catch(() => []));
  byId('unsent').replaceChildren(
    ...typed.flatMap(({ interrupt, text }) => [
      el('p', {}, visible(`${fateInWords(lives.get(interrupt.toolCallId), scene)} while you were at work on it, and what you typed was not used: ${interrupt.message ?? ''}`)),
      el('pre', {}, visible(text)),
      copyButton(() => text)]),
    button('Close', () => (byId('unsent').hidden = true), 'quiet small'));
  byId('unsent').hidden = false;
}

/** What the fields of a form say, a line for each. */
const typedInto = (panel) =>
  [...panel.querySelectorAll('input:not([type="checkbox"], [type="radio"]), textarea, select')]
    .map((input) => `${input.labels?.[0]?.textContent ?? ''}: ${input.value}`)
    .join('\n');
