import { button, capital, counted, el, same } from './kit.js';
import { cardFor } from './kinds.js';

/**
 * The open questions of a thread. All of them are answered at once: a single one as soon as it is decided, several with one
 * button when each has a decision. Where other people have to decide as well, each is answered by itself. `onAnswers` gets the
 * entries; `bar` is shown where there are several. What was filled in `before` stays, where the question is the same.
 */
export class Batch {
  constructor(interrupts, onAnswers, { me, mine = true, before } = {}) {
    this.onAnswers = onAnswers;
    this.cards = interrupts.map((interrupt) => {
      const kept = before?.cards.find((card) => card.interrupt.id === interrupt.id && card.mayDecide === (interrupt.metadata?.langchain4j?.mayDecide !== false));
      const card = kept ?? cardFor(interrupt, { mine, me });
      card.tell({ ...interrupt, responseSchema: interrupt.responseSchema ?? undefined });
      card.decided = () => this.decided(card);
      return card;
    });
    this.oneByOne = this.cards.some((card) => card.isForOthers);
    this.state = el('p', { class: 'batch-state' });
    this.send = button('', () => this.answer(), 'primary');
    this.all = [
      button('Approve all', () => this.each((card) => card.approve?.())),
      button('Deny all', () => this.each((card) => (card.expired ? card.cancel() : card.deny?.()))),
    ];
    this.bar = el('div', { class: 'batch', role: 'group', 'aria-label': 'All questions', hidden: this.size < 2 || this.oneByOne }, this.state, ...this.all, this.send);
    if (!this.oneByOne) this.cards.slice(1).filter((card) => !before?.cards.includes(card)).forEach((card) => card.foldUp());
    this.reopenUnsent();
    this.count();
  }

  get size() {
    return this.cards.length;
  }

  /** The entries that let go of every open interrupt. */
  get cancelled() {
    return this.cards.map((card) => card.cancelled);
  }

  /** Whether these are the same questions, with the same votes. */
  shows(interrupts) {
    return same(interrupts.map(({ id, metadata }) => [id, metadata]), this.cards.map(({ interrupt: { id, metadata } }) => [id, metadata]));
  }

  focus() {
    (this.cards.find((card) => !card.answer) ?? this.cards[0])?.heading.focus();
  }

  /** The answers did not get through: everything can be decided again. With several cards the decisions are kept. */
  reopen() {
    this.reopenUnsent();
    this.focus();
  }

  /** Without the button that sends all, a decision that was not sent would have none. */
  reopenUnsent() {
    if (this.size === 1 || this.oneByOne) this.cards.filter((card) => card.answer).forEach((card) => card.reopen());
  }

  set busy(busy) {
    this.cards.forEach((card) => (card.busy = busy));
    this.isBusy = busy;
    this.count();
  }

  each(decide) {
    this.together = true;
    this.cards.filter((card) => !card.answer && !card.isWorkedOn).forEach(decide);
    this.together = false;
    this.count();
    this.goOn();
  }

  decided(card) {
    this.count();
    if (this.size === 1 || this.oneByOne) {
      if (card.answer) this.onAnswers([card.answer], this.oneByOne);
    } else if (card.answer && !this.together) this.goOn();
  }

  /** Opens what is to be decided next, or goes to the button that sends everything. */
  goOn() {
    const next = this.cards.find((card) => !card.answer);
    if (!next) {
      this.send.focus();
      return;
    }
    next.reopen();
    next.heading.focus();
  }

  count() {
    const kinds = new Map();
    for (const { kind, answer } of this.cards) if (answer) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const summary = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ');
    const open = this.cards.filter((card) => !card.answer).length;
    this.send.disabled = open > 0 || this.isBusy === true;
    this.send.textContent = `Send ${counted(this.size, 'answer')}`;
    this.all.forEach((each) => (each.hidden = open === 0));
    this.all[0].hidden ||= !this.cards.some((card) => !card.answer && card.approve);
    this.state.textContent = open === 0
      ? `${capital(summary)}. Nothing was sent yet.`
      : `${this.size - open} of ${this.size} decided. Nothing is sent before all are.`;
  }

  answer() {
    this.onAnswers(this.cards.map((card) => card.answer), false);
  }
}
