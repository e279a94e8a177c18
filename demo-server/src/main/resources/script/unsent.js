import { button, byId, copyButton, el, visible } from './kit.js';
import { say } from './language.js';
import { server } from './server.js';
import { fateInWords, livesOf } from './transcript.js';

/** Somebody else has answered what this person was at work on: what they typed stays to be copied, with who it was. */
export async function keepUnsent(threadId, batch, interrupts, scene) {
  const isSent = (card) => card.answer && !batch.holdsBack(card);
  const gone = batch.cards.filter((card) => card.isWorkedOn && card.typed !== '' && !isSent(card) && !interrupts.some(({ id }) => id === card.interrupt.id));
  if (gone.length === 0) return;
  const lives = livesOf(await server.audit(threadId).catch(() => []));
  byId('unsent').replaceChildren(
    ...gone.flatMap(({ interrupt, typed }) => [
      el('p', {}, visible(say('{fate} while you were at work on it, and what you typed was not used: {question}', {
        fate: fateInWords(lives.get(interrupt.toolCallId), scene), question: interrupt.message ?? '' }))),
      el('pre', {}, visible(typed)),
      copyButton(() => typed)]),
    button(say('Close'), () => (byId('unsent').hidden = true), 'quiet small'));
  byId('unsent').hidden = false;
}
