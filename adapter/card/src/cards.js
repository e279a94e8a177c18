import { Batch, lostInWords } from './batch.js';
import { plainNumbers } from './element.js';
import { speak } from './language.js';

const SHARED = ['caller', 'compact', 'may-decide', 'may-withdraw'];

/**
 * `<holdpoint-cards>`: all open questions of a run, which are answered together. A single one is answered as soon as it is decided; of several
 * each says that it is not sent, until somebody presses the button below them, and what was decided survives a reload.
 *
 * - `interrupts`: the AG-UI interrupts, as they came in the outcome of a run.
 * - `answers`, an event: the entries for `resume` are its `detail`.
 * - `undo`: for so many seconds an answer is held back and can be undone; without it, none is. `leave`, an event: the page is left, or the element
 *   removed, meanwhile: the entries in its `detail` are to be sent now, by `fetch` with `keepalive` for instance.
 * - `busy`, `error`, `messages`, `conversation`, `planOf`, `attend`, `people` and the attributes of a card: those of all of them.
 */
export class HoldpointCards extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = [...SHARED, 'busy', 'lang', 'undo'];

  #batch;
  #sent = [];
  #error = '';
  #interrupts = [];
  #shared = {};

  get interrupts() {
    return this.#interrupts;
  }

  /** What is in the list again keeps what was filled in and decided. */
  set interrupts(interrupts) {
    this.#interrupts = interrupts ?? [];
    if (this.isConnected) this.#show();
  }

  get messages() {
    return this.#shared.messages;
  }

  set messages(messages) {
    this.#share({ messages });
  }

  get planOf() {
    return this.#shared.planOf;
  }

  set planOf(planOf) {
    this.#share({ planOf });
  }

  get attend() {
    return this.#shared.attend;
  }

  set attend(attend) {
    this.#share({ attend });
  }

  get people() {
    return this.#shared.people;
  }

  set people(people) {
    this.#share({ people });
  }

  get conversation() {
    return this.#shared.conversation;
  }

  set conversation(conversation) {
    this.#share({ conversation });
  }

  get busy() {
    return this.hasAttribute('busy');
  }

  set busy(busy) {
    this.toggleAttribute('busy', busy);
  }

  get error() {
    return this.#error;
  }

  /** What went wrong with the answers: what they were for says so, and can be answered again. */
  set error(error) {
    this.#error = error ?? '';
    const about = this.#cards.filter(({ interrupt }) => this.#sent.length === 0 || this.#sent.includes(interrupt.id));
    if (this.#error !== '') this.#sending = false;
    about.forEach((card) => (card.error = this.#error));
  }

  /** Nobody knows whether the answers arrived, for instance because there is no connection: the cards say so. */
  lost(why) {
    if (this.#batch) speak(this.#batch.cards[0].element.voice);
    this.error = lostInWords(why);
  }

  /** Tells that somebody else is looking at a question. */
  lookedAt(interruptId, who) {
    this.#cards.find(({ interrupt }) => interrupt.id === interruptId)?.lookedAt(who);
  }

  connectedCallback() {
    for (const name of ['messages', 'conversation', 'planOf', 'attend', 'people', 'interrupts', 'busy', 'error']) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#show();
  }

  /** What is held back is sent before nobody can undo it any more; an element that is only moved holds it back still. */
  disconnectedCallback() {
    queueMicrotask(() => !this.isConnected && this.#batch?.leave());
  }

  attributeChangedCallback(name, before, now) {
    if (before === now) return;
    if (name === 'undo') this.#batch && (this.#batch.undo = this.#undo);
    else if (name === 'lang') this.#cards.forEach((card) => card.sayAnew());
    else if (name !== 'busy') this.#cards.forEach((card) => this.#copy(name, card));
    else if (this.#batch) {
      this.#batch.busy = this.busy;
      if (!this.busy) this.#sending = false;
    }
  }

  get #undo() {
    return Number(this.getAttribute('undo') ?? 0);
  }

  get #cards() {
    return [...this.querySelectorAll(':scope > holdpoint-card')];
  }

  set #sending(sending) {
    if (this.#batch) this.#batch.sending = sending;
  }

  #share(values) {
    Object.assign(this.#shared, values);
    this.#cards.forEach((card) => Object.assign(card, values));
  }

  #copy(name, card) {
    if (this.hasAttribute(name)) card.setAttribute(name, this.getAttribute(name));
    else card.removeAttribute(name);
  }

  #show() {
    const before = new Map(this.#cards.map((card) => [card.interrupt.id, card]));
    if (this.#batch?.shows(this.#interrupts) && before.size === this.#interrupts.length) return;
    this.#sent = this.#sent.filter((sent) => this.#interrupts.some(({ id }) => id === sent));
    const cards = this.#interrupts.map((interrupt) => {
      const card = before.get(interrupt.id) ?? document.createElement('holdpoint-card');
      before.delete(interrupt.id);
      SHARED.forEach((name) => this.#copy(name, card));
      return Object.assign(card, { ...this.#shared, interrupt });
    });
    before.forEach((card) => card.remove());
    cards.filter((card) => !card.isConnected).forEach((card) => this.insertBefore(card, this.#batch?.bar.parentNode === this ? this.#batch.bar : null));
    const bar = this.#batch?.bar;
    if (cards.length === 0) this.#batch?.leave();
    this.#batch = cards.length === 0 ? undefined : new Batch(cards, (entries) => this.#answer(entries), {
      before: this.#batch, undo: this.#undo, onLeave: (entries) => this.#tell('leave', entries) });
    bar?.remove();
    if (!this.#batch) return;
    this.append(this.#batch.bar);
    this.#batch.busy = this.busy;
  }

  #answer(entries) {
    this.#sent = entries.map(({ interruptId }) => interruptId);
    this.#error = '';
    this.#sending = true;
    this.#tell('answers', entries);
  }

  #tell(type, entries) {
    this.dispatchEvent(new CustomEvent(type, { detail: entries.map(plainNumbers), bubbles: true, composed: true }));
  }
}

if (globalThis.customElements && !customElements.get('holdpoint-cards')) customElements.define('holdpoint-cards', HoldpointCards);
