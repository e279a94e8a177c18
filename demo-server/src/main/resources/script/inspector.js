import {
  argumentList, button, byId, clock, clockSeconds, copyButton, details, el, inWords, isObject, plain, short, stringify, visible,
} from './kit.js';
import { grouped, pieces, say } from './language.js';
import { server } from './server.js';
import { livesOf } from './transcript.js';

const MOST = 50;
const MOST_EVENTS = 400;

/** A value of more than this has only its first lines: the panel shows about 25 characters in a line. */
const LONG = 300;
const MANY_LINES = 8;

const TABS = ['effects', 'audit', 'events', 'state'];

/** Beside the conversation: what really happened, who decided what, what was sent, and what is shared. */
export class Inspector {
  constructor() {
    this.events = [];
    this.pending = [];
    for (const name of TABS) {
      const tab = byId(`tab-${name}`);
      tab.addEventListener('click', () => this.choose(name));
      tab.addEventListener('keydown', (event) => this.move(event, name));
    }
    byId('events-clear').addEventListener('click', () => this.clearEvents());
    byId('events-tools').append(copyButton(() => this.events.map((event) => stringify(event)).join('\n'), say('Copy all')));
    server.onframe = (event) => this.heard(event);
    this.choose('effects');
  }

  choose(name) {
    for (const each of TABS) {
      const chosen = each === name;
      byId(`tab-${each}`).setAttribute('aria-selected', String(chosen));
      byId(`tab-${each}`).tabIndex = chosen ? 0 : -1;
      byId(`panel-${each}`).hidden = !chosen;
    }
  }

  move(event, name) {
    const towards = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (towards === undefined) return;
    const step = document.documentElement.dir === 'rtl' ? -towards : towards;
    const next = TABS[(TABS.indexOf(name) + step + TABS.length) % TABS.length];
    this.choose(next);
    byId(`tab-${next}`).focus();
  }

  /** Reads what the tools did and shows it, newest first. */
  async showEffects() {
    const list = byId('effects');
    try {
      const effects = await server.effects();
      const newest = effects.length === 0 ? '' : keyOf(effects.at(-1));
      if (newest === this.newest) return; // or what has the focus would lose it
      this.newest = newest;
      list.replaceChildren(...effects.reverse().slice(0, MOST).map(effectOf));
      if (effects.length === 0) list.replaceChildren(el('li', { class: 'hint' }, say('Nothing has run yet.')));
    } catch (error) {
      if (error instanceof TypeError) return; // the page says that there is no connection
      this.newest = undefined;
      list.replaceChildren(el('li', { class: 'hint' }, visible(say('What happened could not be read: {why}', { why: error.message }))));
    }
  }

  /** Shows the links that a person would get by mail about what waits. */
  async showMails(waits) {
    const mails = waits ? await server.mails().catch(() => []) : [];
    byId('mail-list').replaceChildren(...mails.slice(0, MOST).map(({ subject, link }) =>
      el('li', {}, el('a', { href: link, dir: 'auto', target: '_blank', rel: 'noreferrer' }, visible(subject)))));
    byId('mails').hidden = mails.length === 0;
  }

  /** Shows what need not be asked about in this conversation at present, with a way to take it back. */
  async showGrants(threadId) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const grants = threadId ? await server.grants(threadId).catch(() => []) : [];
    if (turn !== this.turn) return; // another conversation is shown
    const revoke = async (id) => {
      const { turn } = this;
      await server.revoke(threadId, id);
      if (turn === this.turn) await this.showGrants(threadId);
    };
    byId('grants').replaceChildren(...grants.map((grant) => grantOf(grant, () => revoke(grant.id))));
    byId('remembered').hidden = grants.length === 0;
  }

  showAudit(trail) {
    const list = byId('audit');
    const lives = livesOf(trail);
    list.replaceChildren(...trail.map((event) => auditOf(event, lives.get(event.toolCallId))));
    if (trail.length === 0) list.replaceChildren(el('li', { class: 'hint' }, say('No tool was called in this conversation yet.')));
  }

  showState(state) {
    const text = state === undefined ? '' : stringify(state, 2);
    if (text === this.state) return;
    const before = new Set((this.state ?? '').split('\n').map((line) => line.replace(/,$/, '')));
    const changed = this.state !== undefined && this.state !== '';
    this.state = text;
    byId('state').replaceChildren(
      ...(text === '' || text === '{}'
        ? [el('p', { class: 'hint' }, say('Nothing is shared yet. Say “Add milk to my list”.'))]
        : [el('pre', { tabindex: '0' }, ...text.split('\n').map((line) =>
            el(changed && !before.has(line.replace(/,$/, '')) ? 'mark' : 'span', {}, visible(`${line}\n`))))]));
  }

  heard(event) {
    this.events.push(event);
    if (this.events.length > MOST_EVENTS) this.events.shift();
    this.pending.push({ event, at: Date.now() });
    this.frame ??= requestAnimationFrame(() => this.showEvents());
  }

  showEvents() {
    this.frame = undefined;
    const list = byId('events');
    const following = list.scrollTop + list.clientHeight > list.scrollHeight - 40 && !byId('events-pause').checked;
    for (const { event, at } of this.pending.splice(0)) this.addEvent(list, event, at);
    while (list.childElementCount > MOST_EVENTS) list.firstElementChild.remove();
    if (following) list.scrollTop = list.scrollHeight;
  }

  /** Pieces of one text are one line. */
  addEvent(list, event, at) {
    const key = [event.type, event.messageId, event.toolCallId].join();
    if (this.last?.key === key && event.delta !== undefined && list.lastElementChild) this.last.add(event);
    else {
      this.last = { key, ...eventOf(event, at) };
      list.append(this.last.element);
    }
  }

  clearEvents() {
    this.events = [];
    this.last = undefined;
    byId('events').replaceChildren();
  }
}

const keyOf = ({ toolCallId, at, kind }) => `${toolCallId} ${at} ${kind}`;

/** The long values that somebody has unfolded: they stay so when their list is made anew. */
const unfolded = new Set();

/** The arguments of a call; of a long value the first lines, until somebody wants all of it. */
function foldedList(args, labels, of) {
  const list = argumentList(args, labels, undefined, false);
  list.querySelectorAll('dd').forEach((value, index) => {
    const key = `${of} ${index}`;
    const { length } = value.textContent;
    const lines = value.textContent.trimEnd().split('\n').length;
    if (length <= LONG && lines <= MANY_LINES) return;
    const text = el('div', {}, ...value.childNodes);
    const more = button('', () => {
      if (!unfolded.delete(key)) unfolded.add(key);
      show();
    }, 'quiet small');
    const show = () => {
      const open = unfolded.has(key);
      text.classList.toggle('cut', !open);
      more.setAttribute('aria-expanded', String(open));
      more.textContent = open ? say('Show less')
        : lines > MANY_LINES ? say('Show all {n} lines', { n: lines }) : say('Show all {count} characters', { n: length, count: grouped(length) });
    };
    show();
    value.append(text, more);
  });
  return list;
}

function effectOf(effect) {
  return el(
    'li',
    {},
    el('p', { class: 'entry' }, el('code', {}, visible(effect.tool)), el('time', { datetime: effect.at }, clockSeconds(effect.at))),
    foldedList(effect.args, effect, keyOf(effect)));
}

const SCOPES = { same_call: 'exactly the call that was approved', tool: 'any call of this tool', within: 'calls of this tool within bounds' };

function grantOf(grant, revoke) {
  return el(
    'li',
    {},
    el('p', { class: 'entry' }, el('code', {}, visible(grant.tool)), el('time', {}, say('until {time}', { time: clock(grant.expiresAt) }))),
    el('p', { class: 'hint' }, Object.hasOwn(SCOPES, grant.scope) ? say(SCOPES[grant.scope]) : ''),
    button(say('Ask again'), revoke, 'small'));
}

const AUDIT = {
  PROPOSED: 'the model proposed',
  WOULD_ASK: 'a policy on trial would ask',
  WOULD_DENY: 'a policy on trial would deny it',
  HELD: 'held for a person',
  PRESENTED: 'shown again to {who}',
  VOTED: 'approved, and needs further people, by {who}',
  VOIDED: 'earlier approvals are void',
  DECIDED: 'decided by {who}',
  REMINDED: 'still waits: a reminder',
  WARNED: 'a warning that time runs out',
  ESCALATED: 'others are asked as well',
  GRANTED: 'remembered for a while by {who}',
  ALLOWED: 'let through unasked',
  REVOKED: 'no longer remembered, says {who}',
  EXPIRED: 'nobody answered in time',
  CLAIMED: 'about to run',
  EXECUTED: 'ran',
  FAILED: 'failed',
  NOT_EXECUTED: 'did not run',
  DISCARDED: 'removed unread',
  REPLAYED: 'answered once more by {who}',
  LEASE_LOST: 'lost to another server',
  CUT: 'replaced by something else',
};

/** What somebody answered of a call that did not come to an end, or how else a question was closed. */
const ANSWERS = {
  retry: 'Try again', give_up: 'Given up', done: 'It was done', not_done: 'It was not done', CANCELLED: 'Cancelled', STEERED_AWAY: 'Cancelled by another message',
};
const answerInWords = (name) => (Object.hasOwn(ANSWERS, name) ? say(ANSWERS[name]) : inWords(name));

/** An answer as a person would say it; its details have it as it came. */
function inPeoplesWords(payload) {
  if (typeof payload === 'boolean') return say(payload ? 'yes' : 'no');
  if (!isObject(payload)) return plain(payload);
  const { approved, editedArgs, remember, response, reason, action, note, confirm, ...others } = payload;
  if (Object.keys(others).some((name) => !ALSO.has(name))) return plain(payload);
  const approval = editedArgs === undefined ? 'approved' : 'approved with changes';
  const what = typeof action === 'string' ? answerInWords(action)
    : response !== undefined ? say('answered instead: {answer}', { answer: plain(response) })
      : approved === true ? (remember === undefined ? say(approval) : say('{approved}, and not to be asked again for a while', { approved: say(approval) }))
        : approved === false ? say('denied') : undefined;
  return what === undefined ? plain(payload) : [what, reason ?? note].filter((each) => each !== undefined).join(': ');
}

const ALSO = new Set(['rememberMinutes', 'bounds']);

function auditOf(event, life) {
  const { kind, at, caller, toolName, detail } = event;
  const { arguments: args, argumentsSha256, error, payload, how, audience, ...more } = detail;
  const words = [audience, how === undefined || how === 'RESOLVED' ? undefined : answerInWords(how), payload === undefined ? undefined : inPeoplesWords(payload), error].filter((each) => each !== undefined);
  return el(
    'li',
    { class: `audit-${kind.toLowerCase()}` },
    el(
      'p',
      { class: 'entry' },
      el('span', {}, toolName ? el('code', {}, visible(toolName)) : '', ' ', ...pieces(AUDIT[kind] ?? inWords(kind), { who: el('strong', {}, visible(caller)) })),
      el('time', { datetime: at }, clockSeconds(at))),
    ...(isObject(args) ? [foldedList(args, life, keyOf(event))] : []),
    ...words.map((each) => el('p', { class: 'hint', dir: 'auto' }, visible(short(each, 160)))),
    ...(Object.keys(detail).length === 0 ? [] : [details(short([say('Details'), ...Object.keys(more).map((name) => (isObject(more[name]) ? name : `${name} ${plain(more[name])}`))].join(' · '), 60), detail)]));
}

function eventOf(event, at) {
  const events = [event];
  const count = el('span', { class: 'times' });
  const line = el('details', {}, el('summary', {}, el('code', {}, visible(event.type), count), el('time', {}, clockSeconds(at))));
  // thousands of them may come: their content is made when somebody looks
  line.addEventListener('toggle', () => {
    if (line.open) line.replaceChildren(line.firstElementChild, ...events.map((each) => el('pre', { tabindex: '0' }, visible(stringify(each, 2)))));
  });
  const add = (more) => {
    events.push(more);
    count.textContent = ` ×${events.length}`;
  };
  return { element: el('li', {}, line), add };
}
