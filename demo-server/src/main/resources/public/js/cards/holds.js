import { byId } from '../dom.js';
import { cardFor } from './kinds.js';

/**
 * The open interrupts of the thread. All of them are answered at once: a single one as soon as it is decided, several with
 * one button when each has a decision. `onAnswers` gets the resume entries.
 */
export class Holds {
  constructor(onAnswers) {
    this.onAnswers = onAnswers;
    this.cards = [];
    byId('send-answers').addEventListener('click', () => this.send());
  }

  get size() {
    return this.cards.length;
  }

  /** The entries that let go of every open interrupt. */
  get cancelled() {
    return this.cards.map((card) => card.cancelled);
  }

  show(interrupts) {
    this.cards = interrupts.map((interrupt) => cardFor(interrupt, () => this.decided()));
    byId('cards').replaceChildren(...this.cards.map((card) => card.element));
    byId('holds').hidden = this.size === 0;
    byId('answers').hidden = this.size < 2;
    this.count();
    this.cards[0]?.heading.focus();
  }

  clear() {
    this.show([]);
  }

  /** The answers did not get through: everything can be decided again. With several cards the decisions are kept. */
  reopen() {
    if (this.size === 1) this.cards[0].reopen();
    this.cards[0]?.heading.focus();
  }

  set busy(busy) {
    this.cards.forEach((card) => (card.busy = busy));
    this.isBusy = busy;
    this.count();
  }

  decided() {
    this.count();
    if (this.size === 1 && this.cards[0].answer) this.send();
  }

  count() {
    const open = this.cards.filter((card) => !card.answer).length;
    byId('send-answers').disabled = open > 0 || this.isBusy === true;
    byId('answers-state').textContent = open === 0
      ? 'All are decided. The answers are sent together.'
      : `${this.size - open} of ${this.size} decided. The answers are sent together when all are.`;
  }

  send() {
    this.onAnswers(this.cards.map((card) => card.answer));
  }
}
