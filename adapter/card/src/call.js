import { el, icon, isNumber, isObject, parse, plain, short, stringify, visible } from './kit.js';
import { inLocale, isRightToLeft, speak, t } from './language.js';
import { difference, differences, rowsShown } from './difference.js';
import { argumentList, ours } from './subject.js';
import { sheet } from './style.js';
import { Spoken } from './element.js';

const callSheet = globalThis.CSSStyleSheet && new CSSStyleSheet();
callSheet?.replaceSync(`
:host { margin-block: 4px; }
summary { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 8px; padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; color: var(--text); }
summary::-webkit-details-marker { display: none; }
.state { font-weight: 600; }
.gist { min-width: 0; overflow-wrap: anywhere; }
.by { margin-inline-start: auto; color: var(--soft); }
.done .icon { color: var(--done); }
.no .icon, .alert .icon { color: var(--danger); }
.detail { display: grid; gap: 8px; padding: 8px 12px; }
.result { white-space: pre-wrap; overflow-wrap: anywhere; }
`);

/** How a call stands, as far as AG-UI's messages say it: its drawing, and the words. */
function fateOf(result, answer) {
  const { edited, suppliedBy } = ours(result?.metadata);
  const { status, payload } = answer ?? {};
  if (status === 'cancelled') return ['no', t('Cancelled')];
  if (payload?.approved === false && payload.response === undefined) return ['no', t('Denied')];
  if (!result) return answer ? ['clock', t('Sent, not run yet')] : ['clock', t('Not run yet')];
  if (suppliedBy === 'person') return ['person', t('Answered by a person')];
  if (result.error !== undefined) return ['alert', t('Not executed, or failed')];
  return edited || payload?.editedArgs ? ['edit', t('Executed with changes')] : ['done', t('Executed')];
}

/**
 * `<holdpoint-call>`: a tool call after somebody has decided about it, on one line that can be opened: what ran, with which changes, by whom.
 *
 * - `call`: the tool call of the assistant's message, as in AG-UI's messages. `result`: the message with its result, if there is one.
 * - `answer`: the entry of `resume`, if it was decided on this page. `by`, an attribute: who has decided; `you` where there is an `answer`.
 */
export class HoldpointCall extends Spoken {
  static observedAttributes = ['by', 'lang'];

  #shown = {};

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet, callSheet];
  }

  get call() {
    return this.#shown.call;
  }

  set call(call) {
    this.#set({ call });
  }

  get result() {
    return this.#shown.result;
  }

  set result(result) {
    this.#set({ result });
  }

  get answer() {
    return this.#shown.answer;
  }

  set answer(answer) {
    this.#set({ answer });
  }

  connectedCallback() {
    for (const name of ['messages', 'call', 'result', 'answer']) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.sayAnew();
  }

  attributeChangedCallback() {
    this.sayAnew();
  }

  #set(values) {
    Object.assign(this.#shown, values);
    this.sayAnew();
  }

  sayAnew() {
    const { call, result, answer } = this.#shown;
    if (!call) return this.shadowRoot.replaceChildren();
    speak(this.voice);
    const isOpen = this.shadowRoot.querySelector('details')?.open ?? false;
    const [mark, words] = fateOf(result, answer);
    const args = argumentsOf(call);
    const ran = ours(result?.metadata).executedArgs ?? (isObject(args) && answer?.payload?.editedArgs ? { ...args, ...answer.payload.editedArgs } : undefined);
    const by = this.getAttribute('by') ?? (answer ? t('you') : undefined);
    const { approvalComment } = ours(result?.metadata);
    const reason = answer?.payload?.reason ?? approvalComment;
    const content = typeof result?.content === 'string' && mark !== 'no' ? result.content : '';
    const line = el(
      'details', { class: mark, open: isOpen, lang: this.voice.lang, dir: isRightToLeft(this.voice.lang) ? 'rtl' : undefined },
      el('summary', {}, icon(mark), el('span', { class: 'state' }, words), el('code', {}, visible(call.function.name)), el('span', { class: 'gist' }, ...gist(args, ran)),
        by === undefined ? undefined : el('span', { class: 'by' }, visible(t('by {who}', { who: by })))),
      el('div', { class: 'detail' },
        typeof reason === 'string' ? el('p', { class: 'hint' }, el('q', {}, el('bdi', {}, visible(reason)))) : undefined,
        isObject(args) ? argumentList(ran ?? args) : el('pre', {}, visible(call.function.arguments)),
        ...(ran ? rowsShown(differences(args, ran)) : []),
        content ? el('p', { class: 'result', dir: 'auto' }, visible(content)) : undefined));
    this.shadowRoot.replaceChildren(line);
    this.whenLoaded(() => this.sayAnew());
  }
}

/** As they were proposed; undefined if they are no JSON. */
function argumentsOf(call) {
  try {
    return parse(call.function.arguments || '{}');
  } catch {
    return undefined;
  }
}

/** What was changed, from what to what, or else the first of the arguments. */
function gist(args, ran) {
  if (!isObject(args)) return [];
  if (isObject(ran)) return [difference(args, ran)];
  return [visible(short(Object.values(args).filter((value) => !isObject(value) && !Array.isArray(value)).map((value) => (isNumber(value) ? inLocale(stringify(value)) : plain(value))).join(' · '), 80))];
}

if (globalThis.customElements && !customElements.get('holdpoint-call')) customElements.define('holdpoint-call', HoldpointCall);
