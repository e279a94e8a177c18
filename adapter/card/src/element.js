import { sheet } from './style.js';
import { cardFor } from './kinds.js';
import { unsent } from './panel.js';
import { ours } from './subject.js';
import { expanded } from './schema.js';
import { forgetDraft, restoreDraft } from './drafts.js';
import { parse, same, stringify } from './kit.js';
import { isMissing, load, speak, t, tagOf } from './language.js';

const ATTRIBUTES = ['busy', 'compact', 'may-decide', 'may-withdraw', 'caller', 'lang'];
const HEARD = ['click', 'input', 'change', 'keydown', 'submit'];

/** What says texts, in the language of its attribute or of what it is in; `messages` are texts in the place of those of the package. */
export class Spoken extends (globalThis.HTMLElement ?? Object) {
  #messages;

  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    if (same(messages, this.#messages)) return;
    this.#messages = messages;
    this.sayAnew();
  }

  get voice() {
    return { lang: tagOf(this.closest('[lang]')?.lang || document.documentElement.lang || 'en'), messages: this.#messages };
  }

  /** Loads the language first, if that is still to be done: until then nothing is to be seen. */
  whenLoaded(then) {
    const { lang } = this.voice;
    const isLoading = isMissing(lang);
    this.shadowRoot.firstElementChild?.classList.toggle('loading', isLoading);
    if (isLoading) load(lang).then(then);
  }
}

/**
 * `<holdpoint-card>`: an open question of an agent, and everything that a person can answer.
 *
 * - `interrupt`: the AG-UI interrupt, as it came in the outcome of a run.
 * - `decide`, an event: the person has decided; its `detail` is the entry for `resume`. `reopen`: they have taken it back, before it was sent.
 *   `seen`: all of what is asked was on the screen. `expire`: the time for an answer is over.
 * - `busy`: nothing can be pressed, because a run is at work. `compact`: one line, until somebody opens it.
 * - `may-decide="false"`: somebody else decides; `may-withdraw="false"`: nor can this person withdraw it. `caller`: their id, to tell their own
 *   vote from others.
 * - `lang`: the language, or else the document's. `messages`: other texts, by the English ones.
 * - `planOf`: a function that gets an entry for `resume` which is not sent, and returns a promise of `{effect}`, what a call would do with its edits.
 * - `attend`: a function that gets `{interruptId, action}`, what somebody does with the question besides deciding it, and returns a promise of what
 *   `POST .../questions` answers. With it, more time can be given where the question says so. `people`: ids to choose from; with it the question can
 *   be handed to somebody. `lookedAt(id)` says that somebody else is looking at it.
 * - `error`: what went wrong with the answer. It is shown, and the question can be answered again.
 */
export class HoldpointCard extends Spoken {
  static observedAttributes = ATTRIBUTES;

  #interrupt;
  #error = '';
  #conversation;
  lookers = new Map(); // who else looks at it, and when they have said so last

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    for (const event of HEARD) this.shadowRoot.addEventListener(event, () => speak(this.voice), { capture: true });
  }

  get interrupt() {
    return this.#interrupt;
  }

  /** The same question again, with other votes perhaps, keeps what was filled in. */
  set interrupt(interrupt) {
    const before = this.card;
    const isOther = before !== undefined && before.interrupt.id !== interrupt?.id;
    const hadFocus = this.shadowRoot.activeElement !== null;
    const typed = isOther && !before.answer ? before.typed : '';
    if (isOther) {
      this.lookers.clear();
      this.#error = '';
      if (typed) forgetDraft(before);
    }
    this.#interrupt = interrupt;
    const isSame = before !== undefined && before.interrupt.id === interrupt?.id && before.wasFor === this.#who;
    if (isSame) before.tell(this.#asked);
    else this.#show();
    if (typed) {
      speak(this.voice);
      const kept = unsent(t('This was decided while you were at it: what you filled in was not sent.'), typed);
      this.shadowRoot.prepend(kept);
      if (hadFocus) kept.querySelector('textarea').focus();
    }
    const { refused } = ours(interrupt?.metadata); // an answer, for clients that show no error of a run
    if (refused && refused.message !== this.#error && (isSame || !interrupt.message?.includes(refused.message))) this.error = refused.message;
  }

  /** The entry for `resume`, or undefined before there is a decision. */
  get answer() {
    return this.card?.answer && plainNumbers(this.card.answer);
  }

  get error() {
    return this.#error;
  }

  set error(text) {
    this.#error = text ?? '';
    if (this.#error !== '') this.card?.reopen();
    this.card?.complain(this.#error);
  }

  get busy() {
    return this.hasAttribute('busy');
  }

  set busy(busy) {
    this.toggleAttribute('busy', busy);
  }

  get compact() {
    return this.hasAttribute('compact');
  }

  set compact(compact) {
    this.toggleAttribute('compact', compact);
  }

  get mayDecide() {
    return this.getAttribute('may-decide') !== 'false';
  }

  set mayDecide(may) {
    this.setAttribute('may-decide', may);
  }

  /** Whether the conversation is this person's own, who can withdraw what it waits for. */
  get mayWithdraw() {
    return this.getAttribute('may-withdraw') !== 'false';
  }

  set mayWithdraw(may) {
    this.setAttribute('may-withdraw', may);
  }

  /** Tells that somebody else is looking at the question, as the changes of questions say. */
  lookedAt(who) {
    this.card?.lookedAt(who);
  }

  /** What was filled in and not sent, as text. */
  get typed() {
    return this.card?.typed ?? '';
  }

  /** The messages of the conversation, of which the card shows who asked for this and what they said last. */
  get conversation() {
    return this.#conversation;
  }

  set conversation(messages) {
    this.#conversation = messages;
    this.card?.tellBefore();
  }

  get caller() {
    return this.getAttribute('caller') ?? undefined;
  }

  focus(options) {
    this.card?.heading.focus(options);
  }

  /** Makes the question answerable again, for instance because the answer was not taken. */
  reopen() {
    this.card?.reopen();
  }

  connectedCallback() {
    // what was set before this script was there
    for (const name of ['messages', 'conversation', 'interrupt', 'error', 'busy', 'compact', 'mayDecide', 'mayWithdraw']) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    if (this.card?.root.lang !== this.voice.lang) this.sayAnew();
    this.card?.start();
  }

  disconnectedCallback() {
    this.card?.stop();
  }

  attributeChangedCallback(name, before, now) {
    if (!this.card || before === now) return;
    if (name === 'lang') this.sayAnew();
    else if (name === 'busy') this.card.busy = this.busy;
    else if (name !== 'compact') {
      const { answer } = this.card;
      this.#show();
      if (answer) this.changed(); // it was decided with other rights
    } else if (!this.card.answer) this.compact ? this.card.foldUp() : this.card.reopen();
  }

  /** Called by the card: there is a decision, or none any more. */
  changed() {
    const { answer } = this;
    const event = answer ? new CustomEvent('decide', { detail: answer, bubbles: true, composed: true }) : new Event('reopen', { bubbles: true, composed: true });
    this.dispatchEvent(event);
  }

  get #asked() {
    const { metadata, responseSchema, toolCallId } = this.#interrupt;
    const call = callOf(toolCallId, this.#conversation);
    return {
      ...this.#interrupt,
      responseSchema: expanded(responseSchema ?? undefined),
      ...(call && ours(metadata).args === undefined ? { metadata: { ...metadata, langchain4j: { ...call, ...ours(metadata) } } } : {}),
    };
  }

  /** What decides about the buttons, besides the question itself. */
  get #who() {
    return `${this.mayDecide && this.#interrupt?.metadata?.langchain4j?.mayDecide !== false} ${this.mayWithdraw} ${this.caller}`;
  }

  /** Shows the same in another language, or with other texts. */
  sayAnew() {
    const before = this.card;
    if (!before) return;
    this.#show();
    if (before.answer) this.card.settleOn(before.answer, before.said, before.kind);
    else if (before.content.hidden) this.card.foldUp();
    this.dispatchEvent(new Event('spoken'));
  }

  #show() {
    const hadFocus = this.shadowRoot.activeElement !== null;
    this.card?.stop();
    speak(this.voice);
    this.card = this.#interrupt ? cardFor(this.#asked, this) : undefined;
    this.shadowRoot.replaceChildren(...(this.card ? [this.card.root] : []));
    if (!this.card) return;
    this.card.wasFor = this.#who;
    this.card.busy = this.busy;
    this.card.complain(this.#error);
    this.card.isRestored = true; // which takes no focus
    restoreDraft(this.card);
    this.card.isRestored = false;
    if (this.compact) this.card.foldUp();
    if (this.isConnected) this.card.start();
    if (hadFocus) this.card.heading.focus({ preventScroll: true });
    this.whenLoaded(() => this.sayAnew());
  }
}

/** What a server that says nothing of the call asks about, by the messages of the conversation. */
function callOf(toolCallId, conversation = []) {
  const call = conversation.flatMap(({ toolCalls }) => toolCalls ?? []).find(({ id }) => id !== undefined && id === toolCallId);
  try {
    return call && { toolName: call.function.name, args: parse(call.function.arguments || '{}') };
  } catch {
    return undefined; // it is not whole yet
  }
}

/** The page of somebody else writes it with JSON.stringify, which knows no number that keeps its digits. */
export const plainNumbers = (answer) => JSON.parse(stringify(answer));

if (globalThis.customElements && !customElements.get('holdpoint-card')) customElements.define('holdpoint-card', HoldpointCard);
