import { button, byId, el, heldBack, short, stringify, visible } from './kit.js';
import { say } from './language.js';
import { inPeoplesWords, lists, server } from './server.js';

const TO_UNDO = 5_000;

/** What is larger, in bytes, may not arrive from a page that is left. */
const MOST_LEFT = 50_000;

const REASON = 'Reason, for the agent (optional)';
const REASONS = ['Not needed any more', 'The amount is wrong', 'Ask again, and say what it is for'];
const MOST_REASONS = 5;

/**
 * One answer for the chosen questions. It is held back for a while, in sight in every view, and can be undone; it is sent when that is over, or
 * when the page is left. Each is judged alone, and what was not taken is named.
 */
export class Many {
  /** @param inbox tells what is chosen */
  constructor(inbox) {
    this.inbox = inbox;
    addEventListener('pagehide', () => this.leave());
  }

  /** Says how it stands, with what can be done about it; nothing, to end it. */
  tell(words, ...actions) {
    byId('inbox-denying').hidden = words === undefined;
    byId('inbox-denying').replaceChildren(el('p', { role: 'status' }, visible(words ?? '')), ...actions);
    for (const id of ['inbox-deny', 'inbox-approve']) byId(id).hidden = words !== undefined;
  }

  /** Asks once, with a reason for all. */
  askToDeny(entries) {
    if (this.pending) return; // which has to be in sight, with its button
    const count = entries.length;
    const reason = el('input', { type: 'text', 'aria-label': say(REASON), placeholder: say(REASON) });
    const deny = button(say('Deny all {n}', { n: count }), () => {
      const text = reason.value.trim();
      if (text !== '') this.remember(text);
      this.later(entries.flatMap((entry) => entry.denials(text)), say('Denied in {s} seconds: what waits in {n} conversation.|Denied in {s} seconds: what waits in {n} conversations.', { s: TO_UNDO / 1000, n: count }), '{taken} of {n} denied.', 'inbox-deny');
    }, 'danger filled');
    const close = () => {
      this.tell();
      byId('inbox-deny').focus();
    };
    const presets = this.reasons.map((text) => button(visible(text), () => {
      reason.value = text;
      deny.focus();
    }, 'small'));
    this.tell(
      say('Deny what waits in {n} conversation? None of it will run.|Deny what waits in {n} conversations? None of it will run.', { n: count }),
      reason, deny, button(say('Keep it|Keep them', { n: count }), close),
      el('div', { class: 'presets', role: 'group', 'aria-label': say('Reasons') }, ...presets));
    reason.focus();
    this.asking = reason;
  }

  /** What was not pressed is not asked about in other views. */
  close() {
    if (this.asking?.isConnected) this.tell();
  }

  get reasons() {
    return [...new Set([...this.ownReasons, ...REASONS.map((text) => say(text))])].slice(0, MOST_REASONS);
  }

  /** What this person gave as a reason before, the last one first. */
  get ownReasons() {
    return JSON.parse(localStorage.getItem(this.keyOfReasons) ?? '[]');
  }

  get keyOfReasons() {
    return `reasons-${this.inbox.app.me}`;
  }

  remember(text) {
    const isShort = text.length <= 60;
    if (isShort) localStorage.setItem(this.keyOfReasons, stringify([...new Set([text, ...this.ownReasons])].slice(0, 3)));
  }

  /** Approves what was on the screen. */
  approve(entries) {
    if (this.pending) return;
    const tools = [...new Set(entries.map(({ call }) => call.tool))].join(', ');
    this.later(entries.flatMap((entry) => entry.approvals), say('Approved in {s} seconds: {n} call of {tools}.|Approved in {s} seconds: {n} calls of {tools}.', { s: TO_UNDO / 1000, n: entries.length, tools }), '{taken} of {n} approved.', 'inbox-approve');
  }

  /** One answer is held back, which can be undone from here too. */
  offerUndo(what, undo) {
    if (this.pending || this.asking?.isConnected) return;
    this.undo = button(say('Undo'), () => {
      this.tell();
      undo();
    });
    const soon = say('Sent in {n} second|Sent in {n} seconds', { n: this.inbox.app.undo });
    this.tell(`${soon}: ${short(what, 80)}`, this.undo);
    this.offered = what;
    for (const id of ['inbox-deny', 'inbox-approve']) byId(id).hidden = false;
  }

  endOffer(what) {
    if (this.offered === what && !this.pending && this.undo?.isConnected) this.tell();
  }

  later(decisions, words, done, from) {
    this.pending = { decisions, done };
    this.ask = (event) => new Blob([stringify([decisions, heldBack()])]).size > MOST_LEFT && event.preventDefault();
    addEventListener('beforeunload', this.ask);
    const timer = setTimeout(() => this.send(), TO_UNDO);
    this.undo = button(say('Undo'), () => {
      clearTimeout(timer);
      removeEventListener('beforeunload', this.ask);
      this.pending = undefined;
      this.tell();
      this.inbox.app.announce(say('Undone. Nothing was sent.'));
      byId(from).focus();
    });
    this.pending.timer = timer;
    this.tell(words, this.undo);
    this.undo.focus();
  }

  /** The page is left: what was pressed is sent, without its answer. */
  leave() {
    if (!this.pending) return;
    const { decisions, timer } = this.pending;
    clearTimeout(timer);
    this.pending = undefined;
    server.decideAndLeave(decisions);
  }

  async send() {
    const { decisions, done } = this.pending;
    this.pending = undefined;
    this.tell(say('Sending…'));
    const told = [];
    let problem;
    try {
      for (const list of lists(decisions)) told.push(...(await server.decideMany(list)).decisions);
    } catch (error) {
      problem = inPeoplesWords(error);
    }
    removeEventListener('beforeunload', this.ask);
    const refused = told.filter(({ status }) => status === 'refused');
    const missing = decisions.length - told.length;
    const words = say(done, { taken: told.length - refused.length, n: decisions.length });
    const names = this.inbox.namesOf(refused.map(({ interruptId }) => interruptId));
    await this.inbox.app.refresh();
    this.inbox.app.announce(words);
    const stays = this.inbox.isAtWork; // what is typed stays where it is
    if (refused.length === 0 && missing === 0) {
      this.tell();
      if (!stays) byId('inbox-filter').focus();
      return;
    }
    const why = refused.map((each) => {
      const { title, text, isKnown } = inPeoplesWords(each);
      return el('li', {}, visible(`${short(names.get(each.interruptId) ?? '', 80)}: ${isKnown ? title : text}`));
    });
    const close = this.tellEnd(words, el('ul', { class: 'not-taken' }, ...why, missing > 0 ? el('li', {}, say('{n} may not have arrived ({why}). What is still open can be decided again.', { n: missing, why: problem?.title ?? '' })) : undefined));
    if (!stays) close.focus();
  }

  /** Says what came of it until somebody closes that, and gives the button. */
  tellEnd(words, ...more) {
    const close = button(say('Close'), () => {
      this.tell();
      byId('inbox-filter').focus();
    }, 'quiet small');
    this.tell(words, ...more, close);
    return close;
  }
}
