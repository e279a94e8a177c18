import { button, el, freshId } from '../dom.js';
import { visible } from '../visible.js';
import { expiry } from './expiry.js';

/**
 * What every open interrupt looks like: a heading, its message, a body, actions, and the decision once there is one.
 * `onDecided` is called whenever the decision changes; `answer` is the resume entry or undefined.
 */
export class Card {
  constructor(interrupt, title, onDecided) {
    const id = freshId('card');
    this.interrupt = interrupt;
    this.onDecided = onDecided;
    this.heading = el('h3', { id, tabindex: '-1' }, ...title);
    this.body = el('div', { class: 'card-body' });
    this.actions = el('div', { class: 'actions' });
    this.panel = el('div', { class: 'panel', hidden: true });
    this.decision = el('div', { class: 'decision', hidden: true });
    this.choice = el('fieldset', { class: 'bare' }, this.actions, this.panel, this.decision);
    this.element = el(
      'article',
      { class: 'card', 'aria-labelledby': id },
      this.heading,
      interrupt.message ? el('p', { class: 'question', dir: 'auto' }, visible(interrupt.message)) : undefined,
      interrupt.expiresAt ? expiry(interrupt.expiresAt) : undefined,
      this.body,
      this.choice);
  }

  /** Opens the panel under the actions with the given content. */
  open(...content) {
    this.panel.replaceChildren(...content);
    this.panel.hidden = false;
    this.panel.querySelector('input, textarea, select')?.focus();
  }

  /** A button that closes the panel. */
  back() {
    return button('Back', () => {
      this.panel.replaceChildren();
      this.panel.hidden = true;
      this.focusChoice();
    });
  }

  /** Puts the focus on the first thing that can be done. */
  focusChoice() {
    (this.actions.querySelector('button') ?? this.panel.querySelector('input, textarea, select, button'))?.focus();
  }

  resolve(payload, words) {
    this.decide({ interruptId: this.interrupt.id, status: 'resolved', payload }, words);
  }

  cancel(words = 'Dismissed: nothing runs.') {
    this.decide(this.cancelled, words);
  }

  /** The entry that lets go of this interrupt. */
  get cancelled() {
    return { interruptId: this.interrupt.id, status: 'cancelled' };
  }

  decide(answer, words) {
    this.answer = answer;
    this.actions.hidden = true;
    this.panel.hidden = true;
    this.decision.hidden = false;
    const change = button('Change', () => {
      this.reopen();
      this.focusChoice();
    }, 'quiet');
    this.decision.replaceChildren(el('p', {}, visible(words)), change);
    change.focus();
    this.onDecided();
  }

  /** Forgets the decision. What was typed into the panel stays. */
  reopen() {
    this.answer = undefined;
    this.actions.hidden = false;
    this.panel.hidden = this.panel.childElementCount === 0;
    this.decision.hidden = true;
    this.onDecided();
  }

  set busy(busy) {
    this.choice.disabled = busy;
  }
}
