import { Batch, ago, button, byId, cardsOf, counted, duration, el, newId, short, visible } from './kit.js';
import { inPeoplesWords, server } from './server.js';
import { haltInWords } from './people.js';
import { decidedLine, livesOf } from './transcript.js';
import { keepUnsent } from './unsent.js';

const MOST_TRAILS = 10;
const MOST_DECIDED = 20;
const TO_UNDO = 5_000;
const LONG_AGO = 60_000;
const REASON = 'Reason, for the agent (optional)';

/** What waits for whom, in this order. */
const GROUPS = [['mine', 'Mine to decide'], ['others', 'Others decide'], ['unfinished', 'Unfinished: a run has died']];

const isForMe = ({ interrupt }) => interrupt.metadata?.langchain4j?.mayDecide !== false;

/**
 * What waits for somebody, across conversations: one entry for each conversation, whose questions are answered together and in
 * place. Letters move and decide: j and k choose an entry, a goes to its approving button, e edits, d denies, Enter opens.
 */
export class Inbox {
  /** @param app tells `me`, and opens a thread */
  constructor(app) {
    this.app = app;
    this.entries = [];
    byId('inbox-list').replaceChildren(...GROUPS.map(([group, title]) => el(
      'section',
      { id: `inbox-${group}`, 'aria-labelledby': `inbox-${group}-title`, hidden: true },
      el('h2', { id: `inbox-${group}-title` }, title),
      el('ul', { class: 'inbox-list' }))));
    byId('inbox-filter').addEventListener('input', () => this.filter());
    byId('inbox-kind').addEventListener('change', () => this.filter());
    byId('inbox-all').addEventListener('change', (event) => this.choose(event.target.checked));
    byId('inbox-deny').addEventListener('click', () => this.askToDeny());
    document.addEventListener('keydown', (event) => this.pressed(event));
  }

  get shown() {
    return !byId('inbox').hidden;
  }

  /** The open questions of a conversation, as they were read last. */
  of(threadId) {
    return (this.threads?.get(threadId) ?? []).map(({ interrupt }) => interrupt);
  }

  /** Whether a conversation belongs to whoever has signed in, as far as is known: what waits nowhere is of no other. */
  isMine(threadId) {
    return (this.threads?.get(threadId)?.[0].owner ?? this.app.me) === this.app.me;
  }

  /** Reads everything, and keeps the entries that somebody is at work on. */
  async read() {
    const threads = new Map();
    this.dead = [];
    let cursor;
    do {
      const page = await server.inbox(cursor);
      this.dead.push(...(page.unfinished ?? []));
      for (const item of page.interrupts) threads.set(item.threadId, [...(threads.get(item.threadId) ?? []), item]);
      cursor = page.next;
    } while (cursor);
    this.threads = threads;
    const count = [...threads.values()].flat().filter(isForMe).length;
    for (const id of ['inbox-link', 'inbox-short']) {
      byId(id).querySelector('.count').textContent = count > 0 ? String(count) : '';
      byId(id).setAttribute('aria-label', count > 0 ? `Inbox, ${counted(count, 'question')} waiting` : 'Inbox, nothing waiting');
    }
    document.title = `${count > 0 ? `(${count}) ` : ''}Holdpoint demo`;
    this.waiting = new Set(threads.keys());
    this.app.inspector.showMails(count > 0);
    this.resumeDenial();
    if (!this.shown) return;
    this.show(threads);
    this.showDecided(); // which reads much, and nobody waits for it
  }

  /** Shows what was decided lately in the conversations that this browser knows, newest first. */
  async showDecided() {
    const trails = await Promise.all(this.app.threads.all.slice(0, MOST_TRAILS).map(async ({ id }) => {
      const lives = [...livesOf(await server.audit(id).catch(() => [])).values()];
      const endOf = ({ DECIDED, EXPIRED, askedAgain }) => DECIDED ?? EXPIRED ?? askedAgain;
      return lives.filter((life) => life.PROPOSED && endOf(life)).map((life) => ({ id, life, at: endOf(life).at }));
    }));
    const decided = trails.flat().sort((one, other) => new Date(other.at) - new Date(one.at)).slice(0, MOST_DECIDED);
    const key = decided.map(({ life, at }) => `${life.PROPOSED.toolCallId} ${at} ${life.count}`).join();
    if (key !== this.decidedKey) byId('decided-list').replaceChildren(...decided.map(({ id, life }) => el('li', {}, this.decidedOf(id, life))));
    this.decidedKey = key;
    byId('decided').hidden = decided.length === 0;
    this.filter();
  }

  decidedOf(id, life) {
    const line = decidedLine(life, this.app.scene);
    line.append(button('Open the conversation', () => this.app.openThread(id), 'quiet small'));
    return line;
  }

  show(threads) {
    const kept = new Map(this.entries.map((entry) => [entry.threadId, entry]));
    const entries = [...threads].map(([id, items]) => kept.get(id)?.tell(items) ?? new Entry(items, this));
    for (const { threadId, batch } of this.entries) if (batch && !batch.isBusy && !threads.has(threadId)) keepUnsent(threadId, batch, [], this.app.scene);
    this.entries = GROUPS.flatMap(([group]) => entries.filter((entry) => entry.group === group));
    for (const [group] of GROUPS) {
      const list = byId(`inbox-${group}`).querySelector('ul');
      const wanted = entries.filter((entry) => entry.group === group).map((entry) => entry.element);
      if (group === 'unfinished') wanted.push(...this.dead.map((thread) => this.deadLine(thread)));
      if (wanted.length !== list.children.length || wanted.some((element, index) => list.children[index] !== element)) list.replaceChildren(...wanted);
    }
    this.filter();
  }

  /** A conversation in which nobody is asked; it goes on when it is opened. */
  deadLine({ threadId, owner, since }) {
    const { title } = this.app.threads.find(threadId) ?? {};
    return el(
      'li', { class: 'inbox-entry dead' },
      el('span', {}, visible(`${owner === this.app.me ? 'you' : owner}: ${title ?? 'a conversation'}, ${ago(since)}. It goes on when it is opened.`)),
      button('Open the conversation', () => this.app.openThread(threadId), 'quiet small'));
  }

  filter() {
    const text = byId('inbox-filter').value.toLowerCase();
    const kind = byId('inbox-kind').value;
    for (const entry of this.entries) entry.element.hidden = !entry.matches(text, kind);
    for (const line of byId('decided-list').children) line.hidden = !line.textContent.toLowerCase().includes(text);
    for (const [group] of GROUPS) byId(`inbox-${group}`).hidden = !this.visible.some((entry) => entry.group === group);
    if (this.dead?.length > 0) byId('inbox-unfinished').hidden = false;
    const shown = this.visible.length;
    byId('inbox-empty').hidden = shown > 0 || this.dead?.length > 0;
    byId('inbox-empty').textContent = this.entries.length === 0
      ? 'Nothing waits for you.'
      : 'Nothing of what waits matches the filter.';
    this.countChosen();
  }

  get visible() {
    return this.entries.filter((entry) => !entry.element.hidden);
  }

  choose(all) {
    this.visible.forEach((entry) => (entry.box.checked = all));
    this.countChosen();
  }

  get chosen() {
    return this.visible.filter(({ box }) => box.checked);
  }

  countChosen() {
    const { chosen } = this;
    byId('inbox-deny').disabled = chosen.length === 0;
    byId('inbox-deny').textContent = chosen.length === 0 ? 'Deny the chosen ones' : `Deny ${chosen.length}`;
    byId('inbox-all').checked = chosen.length > 0 && chosen.length === this.visible.length;
  }

  /** Asks once, with a reason for all. What was pressed is sent after a while, in which it can be undone. */
  askToDeny() {
    const { chosen } = this;
    const count = chosen.length;
    const ids = chosen.flatMap(({ items }) => items.map(({ interrupt: { id } }) => id));
    const reason = el('input', { type: 'text', 'aria-label': REASON, placeholder: REASON });
    const close = () => {
      this.tellOfDenial();
      byId('inbox-deny').focus();
    };
    const wait = () => this.denyLater({ ids, count, reason: reason.value.trim(), at: Date.now() });
    this.tellOfDenial(
      `Deny what waits in ${counted(count, 'conversation')}? None of it will run.`,
      reason, button(`Deny all ${count}`, wait, 'danger filled'), button(count === 1 ? 'Keep it' : 'Keep them', close));
    reason.focus();
    this.reason = reason;
  }

  /** A denial that was not pressed is not asked about in other views. */
  leave() {
    if (this.reason?.isConnected) this.tellOfDenial();
  }

  get keyOfDenial() {
    return `denial-${this.app.me}`;
  }

  /** Waits in sight, in every view, and goes on waiting after a reload. */
  denyLater(denial) {
    sessionStorage.setItem(this.keyOfDenial, JSON.stringify(denial));
    const ended = () => sessionStorage.removeItem(this.keyOfDenial);
    const timer = setTimeout(() => {
      ended();
      this.denyAll(denial);
    }, TO_UNDO);
    this.undo = button('Undo', () => {
      clearTimeout(timer);
      ended();
      this.tellOfDenial();
      byId('inbox-deny').focus();
    });
    this.tellOfDenial(`Denied in ${TO_UNDO / 1000} seconds: what waits in ${counted(denial.count, 'conversation')}.`, this.undo);
    this.undo.focus();
  }

  /** What somebody had pressed before they loaded the page again, unless that is long ago. */
  resumeDenial() {
    const denial = JSON.parse(sessionStorage.getItem(this.keyOfDenial));
    if (denial === null || this.undo?.isConnected) return;
    if (Date.now() - denial.at < LONG_AGO) this.denyLater(denial);
    else sessionStorage.removeItem(this.keyOfDenial);
  }

  /** Says how a denial of many stands, with what can be done about it; nothing, to end it. */
  tellOfDenial(words, ...actions) {
    byId('inbox-denying').hidden = words === undefined;
    byId('inbox-denying').replaceChildren(el('p', { role: 'status' }, words ?? ''), ...actions);
    byId('inbox-deny').hidden = words !== undefined;
  }

  /** Denies what was in sight when it was pressed, and nothing that was asked since. */
  async denyAll({ ids, reason }) {
    this.show(this.threads);
    const entries = this.entries.filter(({ items }) => items.some(({ interrupt }) => ids.includes(interrupt.id)));
    let done = 0;
    for (const entry of entries) {
      this.tellOfDenial(`${done} of ${entries.length} denied…`);
      if (await entry.denyAll(ids, reason)) done++;
    }
    this.tellOfDenial();
    await this.app.refresh();
    this.app.announce(`${done} of ${entries.length} denied.`);
    byId('inbox-filter').focus();
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.composedPath()[0].closest('input, textarea, select, [contenteditable]')) return;
    if (!this.shown) {
      if (this.app.batch.pressed(event.key)) event.preventDefault();
      return;
    }
    const list = this.visible;
    const at = list.findIndex((entry) => entry.element.contains(document.activeElement));
    if (event.key === 'j' || event.key === 'k') {
      const next = list[Math.max(0, Math.min(list.length - 1, event.key === 'j' ? at + 1 : at - 1))];
      next?.opener.focus();
    } else if (['a', 'e', 'd'].includes(event.key) && at >= 0) {
      list[at].open(true);
      list[at].batch.cards.find((card) => !card.answer)?.shortcut(event.key);
    } else return;
    event.preventDefault();
  }
}

/** A conversation in the inbox. */
class Entry {
  constructor(items, inbox) {
    this.inbox = inbox;
    const [{ threadId, owner }] = items;
    this.threadId = threadId;
    this.box = el('input', { type: 'checkbox', onchange: () => inbox.countChosen() });
    this.words = el('span');
    this.of = el('span', { class: 'inbox-of' });
    this.age = el('span', { class: 'inbox-age' });
    this.left = el('span', { class: 'inbox-left' });
    this.opener = el(
      'button',
      { type: 'button', class: 'inbox-row', 'aria-expanded': 'false', onclick: () => this.open(this.place.hidden) },
      el('span', { class: 'inbox-who' }, visible(owner === inbox.app.me ? 'you' : owner)),
      el('span', { class: 'inbox-what' }, this.words, this.of),
      this.age,
      this.left);
    this.place = el('div', { class: 'inbox-place', hidden: true });
    this.error = el('p', { class: 'field-error', role: 'alert', hidden: true });
    this.element = el('li', { class: 'inbox-entry' }, this.box, this.opener, this.place);
    this.tell(items);
  }

  get group() {
    if (this.items.some(({ interrupt }) => interrupt.reason === 'langchain4j:outcome_unknown')) return 'unfinished';
    return this.items.some(isForMe) ? 'mine' : 'others';
  }

  /** The questions that there are now, with their votes and rights; it stays open as long as one of them was there before, or one about the same call. */
  tell(items) {
    this.items = items;
    this.words.replaceChildren(visible(this.what));
    const tools = new Set(items.map(({ interrupt }) => interrupt.metadata?.langchain4j?.toolName ?? 'question'));
    const title = this.inbox.app.threads.find(this.threadId)?.title;
    this.of.replaceChildren(visible([[...tools].join(', '), ...(title && title !== this.title ? [`“${title}”`] : [])].join(' · ')));
    this.box.setAttribute('aria-label', `Choose: ${short(this.what, 60)}`);
    this.tick();
    const interrupts = items.map(({ interrupt }) => interrupt);
    if (!this.batch || this.batch.shows(interrupts)) return this;
    const isAbout = ({ id, toolCallId }) => this.batch.cards.some(({ interrupt }) => interrupt.id === id || (toolCallId !== undefined && interrupt.toolCallId === toolCallId));
    keepUnsent(this.threadId, this.batch, interrupts, this.inbox.app.scene);
    if (interrupts.some(isAbout)) this.showBatch();
    else {
      this.open(false);
      this.batch = undefined;
    }
    return this;
  }

  get what() {
    const [{ interrupt }] = this.items;
    const others = this.items.length - 1;
    return `${interrupt.message ?? interrupt.reason}${others > 0 ? ` (and ${others} more)` : ''}`;
  }

  matches(text, kind) {
    const kinds = {
      approvals: (interrupt) => interrupt.reason === 'tool_call',
      questions: (interrupt) => interrupt.reason !== 'tool_call',
      late: (interrupt) => interrupt.expiresAt !== undefined && new Date(interrupt.expiresAt) < new Date(),
    };
    const words = this.items.map(({ owner, interrupt }) => `${owner} ${interrupt.message} ${interrupt.metadata?.langchain4j?.toolName}`).join(' ');
    return words.toLowerCase().includes(text) && (kind === 'all' || this.items.some(({ interrupt }) => kinds[kind](interrupt)));
  }

  tick() {
    this.age.textContent = ago(this.items[0].askedAt);
    const ends = this.items.map(({ interrupt }) => interrupt.expiresAt).filter((at) => at !== undefined).sort();
    const seconds = ends.length > 0 ? Math.ceil((new Date(ends[0]) - Date.now()) / 1000) : undefined;
    this.left.textContent = seconds === undefined ? '' : seconds > 0 ? `${duration(seconds)} left` : 'too late';
    this.left.classList.toggle('over', seconds !== undefined && seconds <= 60);
  }

  open(open) {
    if (open && !this.batch) this.showBatch();
    this.place.hidden = !open;
    this.opener.setAttribute('aria-expanded', String(open));
  }

  showBatch() {
    const { app } = this.inbox;
    const elements = cardsOf(this.items.map(({ interrupt }) => interrupt), { me: app.me, mine: this.items[0].owner === app.me, before: this.batch });
    this.batch = new Batch(elements, (answers, oneByOne) => this.answer(answers, oneByOne), { before: this.batch, apart: true });
    this.batch.halted = haltInWords();
    const toThread = button('Open the conversation', () => app.openThread(this.threadId), 'quiet small');
    this.place.replaceChildren(...this.batch.cards.map((card) => card.element), this.batch.bar, this.error, toThread);
  }

  /** Nothing that approves: what can be denied is, and everything else is cancelled, except what only others may decide. */
  async denyAll(ids, reason) {
    if (!this.batch) this.showBatch();
    const payload = { approved: false, reason: reason === '' ? undefined : reason };
    const cards = this.batch.cards.filter((card) => ids.includes(card.interrupt.id) && (card.deny || card.mayDecide || card.mine));
    const entries = cards.map((card) =>
      card.deny && !card.expired ? { interruptId: card.interrupt.id, status: 'resolved', payload } : card.cancelled);
    return entries.length === 0 || this.deliver(entries, this.batch.oneByOne);
  }

  /** The run that the answers start, as far as it can be seen. */
  async *send(answers, oneByOne, taken) {
    const { threadId } = this;
    const runId = newId();
    if (!oneByOne) {
      yield* server.run({ threadId, runId, messages: [], tools: [], context: [], forwardedProps: {}, resume: answers });
      return;
    }
    for (const answer of answers) {
      const { status } = await server.decide(threadId, answer);
      taken();
      if (status === 'runs') yield* server.look({ threadId, runId });
    }
  }

  /** Remembers the conversation, in which this person has decided. */
  keep() {
    const { threads } = this.inbox.app;
    if (!threads.find(this.threadId)) threads.keep(this.threadId, { title: this.title });
  }

  /** What the conversation is called in the browser of somebody who has only decided in it. */
  get title() {
    return short(this.what, 60);
  }

  async answer(answers, oneByOne) {
    this.opener.focus(); // nothing of the card can have it while that is sent
    if (!(await this.deliver(answers, oneByOne, () => this.keep()))) return;
    this.inbox.app.announce('Sent.');
    const next = this.inbox.visible[this.inbox.visible.indexOf(this) + 1];
    await this.inbox.app.refresh();
    (next?.element.isConnected ? next.opener : this.inbox.visible[0]?.opener ?? byId('inbox-filter')).focus();
  }

  /** Sends answers, and tells whether the server took them; if not, the entry says why. */
  async deliver(answers, oneByOne, taken = () => {}) {
    this.batch.busy = true;
    this.batch.sending = true;
    this.error.hidden = true;
    try {
      for await (const event of this.send(answers, oneByOne, taken)) {
        this.batch.sending = false;
        taken();
        if (event.type === 'RUN_ERROR') throw event;
      }
      this.batch.busy = false;
      return true;
    } catch (error) {
      const { title, text, detail } = inPeoplesWords(error);
      this.open(true);
      this.error.textContent = `${title}. ${text} ${detail}`;
      this.error.dataset.code = error.code;
      this.error.hidden = false;
      this.batch.busy = false;
      this.batch.reopen();
      if (error instanceof TypeError) this.batch.missed(answers);
      return false;
    }
  }
}
