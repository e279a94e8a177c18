import { Batch, Readings, ago, button, byId, cardsOf, duration, el, focused, icon, inSight, newId, short, stringify, visible } from './kit.js';
import { alike, callOf, inLine } from './alike.js';
import { pieces, say } from './language.js';
import { Many } from './many.js';
import { inPeoplesWords, server } from './server.js';
import { haltInWords } from './people.js';
import { History } from './history.js';
import { keepUnsent } from './unsent.js';
import { nameOf } from './transcript.js';

/** From here on what is open is read beside the list. */
const WIDE = matchMedia('(min-width: 70rem)');

/** The keys, which are on the keyboard in each language. */
const KEYS = ['j', 'k', 'a', 'e', 'd', 'x', 'g', 'h', 'Enter'];

/** What waits for whom, in this order. */
const GROUPS = [['mine', 'Mine to decide'], ['others', 'Others decide'], ['unfinished', 'Unfinished: a run has died']];

const isForMe = ({ interrupt }) => interrupt.metadata?.langchain4j?.mayDecide !== false;
const isHandedTo = ({ to, audience }, { me, roles }) => to === me || roles.includes(audience);

/**
 * What waits for somebody, across conversations: one entry for each conversation, whose questions are answered together and in
 * place. Letters move and decide: j and k go to an entry, a goes to its approving button, e edits, d denies, Enter opens; x chooses it, g the
 * like ones, and then a and d are about all that are chosen.
 */
export class Inbox {
  /** @param app tells `me`, and opens a thread */
  constructor(app) {
    Object.assign(this, { app, entries: [], dead: [], readings: new Readings() });
    this.groups = new Map();
    this.watched = new WeakMap();
    this.many = new Many(this);
    this.history = new History(app);
    byId('inbox-list').replaceChildren(...GROUPS.map(([group, title]) => el(
      'section',
      { id: `inbox-${group}`, 'aria-labelledby': `inbox-${group}-title`, hidden: true },
      el('h2', { id: `inbox-${group}-title` }, say(title)),
      el('ul', { class: 'inbox-list' }))));
    byId('inbox-keys').replaceChildren(...pieces(
      '{j} {k} move, {a} goes to Approve, {e} edits, {d} denies, {Enter} opens and presses, {x} chooses one, {g} the ones alike, {h} what was decided',
      Object.fromEntries(KEYS.map((key) => [key, el('kbd', {}, key)]))));
    byId('inbox-filter').addEventListener('input', () => this.filter());
    byId('inbox-kind').addEventListener('change', () => this.filter());
    byId('inbox-all').addEventListener('change', (event) => this.choose(event.target.checked));
    byId('inbox-deny').addEventListener('click', () => this.many.askToDeny(this.chosen));
    byId('inbox-approve').addEventListener('click', () => this.many.approve(this.approvable));
    WIDE.addEventListener('change', () => this.entries.forEach((entry) => entry.put()));
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
    const found = await this.readings.latest(() => this.readAll());
    if (!found) return;
    const { threads } = Object.assign(this, found);
    const count = [...threads.values()].flat().filter(isForMe).length;
    for (const id of ['inbox-link', 'inbox-short']) {
      byId(id).querySelector('.count').textContent = count > 0 ? String(count) : '';
      byId(id).setAttribute('aria-label', count > 0 ? say('Inbox, {n} question waiting|Inbox, {n} questions waiting', { n: count }) : say('Inbox, nothing waiting'));
    }
    document.title = `${count > 0 ? `(${count}) ` : ''}${say('Holdpoint demo')}`;
    this.waiting = new Set(threads.keys());
    this.app.inspector.showMails(count > 0);
    if (!this.shown) return;
    this.show(threads);
    this.history.read().then(() => this.filter(), () => {}); // which reads much, and nobody waits for it
  }

  async readAll() {
    const threads = new Map();
    const dead = [];
    let cursor;
    do {
      const page = await server.inbox(cursor);
      dead.push(...(page.unfinished ?? []));
      for (const item of page.interrupts) threads.set(item.threadId, [...(threads.get(item.threadId) ?? []), item]);
      cursor = page.next;
    } while (cursor);
    return { threads, dead };
  }

  show(threads) {
    const before = focused();
    const wasHere = byId('inbox').contains(document.activeElement);
    const kept = new Map(this.entries.map((entry) => [entry.threadId, entry]));
    const entries = [...threads].map(([id, items]) => kept.get(id)?.tell(items) ?? new Entry(items, this));
    for (const { threadId, batch } of this.entries) if (batch && !batch.isBusy && !threads.has(threadId)) keepUnsent(threadId, batch, [], this.app.scene);
    for (const entry of this.entries) if (!entries.includes(entry)) entry.place.remove();
    this.entries = [];
    for (const [group] of GROUPS) {
      const sets = alike(entries.filter((entry) => entry.group === group).sort(byUrgency));
      const list = byId(`inbox-${group}`).querySelector('ul');
      const wanted = sets.map((set) => this.elementOf(`${group} ${set.key}`, set));
      if (group === 'unfinished') wanted.push(...this.dead.map((thread) => this.deadLine(thread)));
      place(list, wanted);
      this.entries.push(...sets.flatMap(({ members }) => members));
    }
    byId('inbox-pane').hidden = this.entries.length === 0;
    this.filter();
    if (wasHere && before !== focused()) (before.isConnected ? before : this.visible[0]?.opener ?? byId('inbox-filter')).focus({ preventScroll: true });
  }

  /** One line, or several like ones under what they share. */
  elementOf(key, set) {
    if (set.members.length === 1) {
      set.members[0].tellAlike(undefined);
      return set.members[0].element;
    }
    if (!this.groups.has(key)) this.groups.set(key, new Alike(this));
    return this.groups.get(key).tell(set);
  }

  /** A conversation in which nobody is asked; it goes on when it is opened. */
  deadLine({ threadId, owner, since }) {
    const { title } = this.app.threads.find(threadId) ?? {};
    return el(
      'li', { class: 'inbox-entry dead' },
      el('span', {}, ...pieces('{who}: {what}, {time}. It goes on when it is opened.', {
        who: visible(nameOf(owner, this.app)), what: visible(title ?? say('a conversation')), time: ago(since) })),
      button(say('Open the conversation'), () => this.app.openThread(threadId), 'quiet small'));
  }

  filter() {
    const text = byId('inbox-filter').value.toLowerCase();
    const kind = byId('inbox-kind').value;
    for (const entry of this.entries) entry.element.hidden = !entry.matches(text, kind);
    this.groups.forEach((group) => (group.element.hidden = group.members.every(({ element }) => element.hidden)));
    this.history.filter(text);
    for (const [group] of GROUPS) byId(`inbox-${group}`).hidden = !this.visible.some((entry) => entry.group === group);
    if (this.dead.length > 0) byId('inbox-unfinished').hidden = false;
    const shown = this.visible.length;
    byId('inbox-empty').hidden = shown > 0 || this.dead.length > 0;
    byId('inbox-empty').textContent = this.entries.length === 0 ? say('Nothing waits for you.') : say('Nothing of what waits matches the filter.');
    this.countChosen();
  }

  get visible() {
    return this.entries.filter((entry) => !entry.element.hidden);
  }

  choose(all) {
    this.visible.forEach((entry) => (entry.box.checked = all));
    this.countChosen();
  }

  /** Whether the person is in what is open, or in a field. */
  get isAtWork() {
    const { activeElement } = document;
    return activeElement.matches('input, textarea, select') || this.entries.some(({ place }) => place.contains(activeElement));
  }

  get chosen() {
    return this.visible.filter(({ box }) => box.checked);
  }

  /** What one press approves: what a line shows whole, was on the screen, and is not unlike the others. */
  get approvable() {
    return this.chosen.filter((entry) => entry.call && !entry.isOdd && entry.isForMe && entry.wasSeen && (entry.alike === undefined || entry.alike.wasSeen));
  }

  countChosen() {
    const { chosen, approvable } = this;
    byId('inbox-deny').disabled = chosen.length === 0 || haltInWords() !== '';
    byId('inbox-deny').textContent = chosen.length === 0 ? say('Deny the chosen ones') : say('Deny {n}', { n: chosen.length });
    byId('inbox-approve').disabled = approvable.length === 0 || haltInWords() !== '';
    byId('inbox-approve').textContent = approvable.length === 0 ? say('Approve the chosen ones') : say('Approve {n}', { n: approvable.length });
    const left = chosen.length - approvable.length;
    byId('inbox-left-out').hidden = left === 0;
    byId('inbox-left-out').textContent = left === 0 ? '' : say('{n} of the chosen has to be opened, or scrolled to, before anybody approves it.|{n} of the chosen have to be opened, or scrolled to, before anybody approves them.', { n: left });
    byId('inbox-all').checked = chosen.length > 0 && chosen.length === this.visible.length;
    this.groups?.forEach((group) => group.count());
  }

  /** What questions are about, by their ids, as they were shown. */
  namesOf(ids) {
    return new Map(this.entries.flatMap(({ items }) => items).filter(({ interrupt }) => ids.includes(interrupt.id)).map(({ interrupt }) => [interrupt.id, interrupt.message ?? interrupt.reason]));
  }

  /** A denial that was not pressed is not asked about in other views. */
  leave() {
    this.many.close();
  }

  /** Notes which lines were on the screen, all of them and not under the row of buttons. */
  get observer() {
    this.watching ??= new IntersectionObserver((changes) => {
      for (const { target, intersectionRatio } of changes) if (intersectionRatio >= 0.99 && this.shown) this.watched.get(target).wasSeen = true;
      this.countChosen();
    }, { root: byId('inbox'), rootMargin: `-${byId('inbox-tools').offsetHeight}px 0px 0px 0px`, threshold: [0, 0.5, 0.99] });
    return this.watching;
  }

  /** Begins anew to watch a line: what it shows is another thing than before. */
  watch(element, of) {
    of.wasSeen = false;
    this.watched.set(element, of);
    this.observer.unobserve(element);
    this.observer.observe(element);
  }

  /** Closes what was read beside the list before. */
  closeOthers(entry) {
    for (const other of this.entries) if (other !== entry && !other.place.hidden) other.open(false);
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.composedPath()[0].closest('input, textarea, select, [contenteditable]')) return;
    if (this.shown ? this.history.pressed(event.key) : this.app.batch.pressed(event.key)) event.preventDefault();
    if (!this.shown || event.defaultPrevented) return;
    const list = this.visible;
    const at = list.findIndex((entry) => entry.element.contains(document.activeElement) || entry.place.contains(document.activeElement));
    const isChosen = this.chosen.length > 0 && !list[at]?.place.contains(document.activeElement);
    if (event.key === 'j' || event.key === 'k') {
      const next = list[Math.max(0, Math.min(list.length - 1, event.key === 'j' ? at + 1 : at - 1))];
      next?.opener.focus();
      if (WIDE.matches) next?.open(true);
    } else if (event.key === 'x' && at >= 0) list[at].box.click();
    else if (event.key === 'g' && list[at]?.alike) list[at].alike.box.click();
    else if (event.key === 'u' && this.many.undo?.isConnected) this.many.undo.click();
    else if (isChosen && event.key === 'a') byId('inbox-approve').focus();
    else if (isChosen && event.key === 'd') byId('inbox-deny').click();
    else if (['a', 'e', 'd'].includes(event.key) && at >= 0) {
      list[at].open(true);
      list[at].batch.cards.find((card) => !card.answer)?.shortcut(event.key);
    } else return;
    event.preventDefault();
  }
}

/** Puts these into a list, and moves nothing that is there already. */
function place(list, wanted) {
  if (wanted.length !== list.children.length || wanted.some((element, index) => list.children[index] !== element)) list.replaceChildren(...wanted);
}

/** What ends first comes first, then what has waited longest; what is too late comes last. */
const byUrgency = (one, other) => one.urgency - other.urgency || new Date(one.items[0].askedAt) - new Date(other.items[0].askedAt);

/** Like questions of one person and one tool: what they share is said once, and each line shows what differs, the odd ones first. */
class Alike {
  constructor(inbox) {
    this.inbox = inbox;
    this.members = [];
    this.box = el('input', { type: 'checkbox', onchange: () => this.choose(this.box.checked) });
    this.words = el('span', {});
    this.label = el('label', { class: 'check' }, this.box, this.words);
    this.head = el('div', { class: 'alike-head' });
    this.list = el('ul', {});
    this.element = el('li', { class: 'alike' }, this.head, this.label, this.list);
  }

  tell({ members, shared, varied, odd }) {
    Object.assign(this, { members, odd });
    const [{ call, owner }] = members;
    const key = stringify([call.tool, shared]);
    if (key !== this.key) {
      this.key = key;
      this.head.replaceChildren(icon('wait'), el('strong', {}, visible(owner)), ' ', el('code', {}, visible(call.tool)), ' ', ...inLine(shared));
      this.inbox.watch(this.head, this);
    }
    members.forEach((entry) => entry.tellAlike(this, call.rows.filter(({ name }) => varied.includes(name)).map(({ name }) => entry.call.rows.find((row) => row.name === name)), odd.has(entry)));
    place(this.list, members.map(({ element }) => element));
    this.count();
    return this.element;
  }

  get like() {
    return this.members.filter((entry) => !entry.element.hidden && entry.wasSeen && !this.odd.has(entry));
  }

  choose(all) {
    this.like.forEach(({ box }) => (box.checked = all));
    this.inbox.countChosen();
  }

  count() {
    const { like } = this;
    this.words.textContent = say('Choose the {n} alike that were on the screen, of {all}', { n: like.length, all: this.members.length });
    this.box.checked = like.length > 0 && like.every(({ box }) => box.checked);
    this.box.disabled = like.length === 0;
  }
}

/** A conversation in the inbox. */
class Entry {
  constructor(items, inbox) {
    this.inbox = inbox;
    const [{ threadId, owner }] = items;
    this.threadId = threadId;
    this.box = el('input', { type: 'checkbox', onchange: () => inbox.countChosen() });
    this.words = el('span', { dir: 'auto' });
    this.of = el('span', { class: 'inbox-of' });
    this.age = el('span', { class: 'inbox-age' });
    this.left = el('span', { class: 'inbox-left' });
    this.lookers = el('span', { class: 'inbox-lookers' });
    this.opener = el(
      'button',
      { type: 'button', class: 'inbox-row', 'aria-expanded': 'false', onclick: () => this.pressed() },
      el('span', { class: 'inbox-who' }, visible(nameOf(owner, inbox.app))),
      el('span', { class: 'inbox-what' }, this.words, this.of, this.lookers),
      this.age,
      this.left);
    this.place = el('div', { class: 'inbox-place', hidden: true });
    this.error = el('p', { class: 'field-error', role: 'alert', hidden: true });
    this.element = el('li', { class: 'inbox-entry' }, this.box, this.opener, this.place);
    this.isMine = owner === inbox.app.me;
    this.owner = nameOf(owner, inbox.app);
    this.tell(items);
  }

  get isForMe() {
    return this.items.some(isForMe);
  }

  /** The time at which it ends; what is too late has none. */
  get urgency() {
    const ends = this.items.map(({ interrupt }) => interrupt.expiresAt).filter((at) => at !== undefined).map((at) => new Date(at).getTime());
    const first = Math.min(...ends);
    return ends.length === 0 ? Number.MAX_SAFE_INTEGER - 1 : first < Date.now() ? Number.MAX_SAFE_INTEGER : first;
  }

  /** Shows what differs from the like ones that it stands among, or, alone, what is asked. */
  tellAlike(alikes, rows = [], isOdd = false) {
    const key = stringify([this.fingerprint, rows]);
    const others = this.alike;
    this.alike = alikes;
    this.isOdd = isOdd;
    this.element.classList.toggle('odd', isOdd);
    if (key === this.shownAs && others === alikes) return;
    this.shownAs = key;
    const alone = this.call && !alikes ? [visible(this.what), ' ', ...inLine(this.call.rows)] : [visible(this.what)];
    this.words.replaceChildren(...(alikes ? inLine(rows) : alone), ...(isOdd ? [el('span', { class: 'badge' }, say('unlike the others'))] : []));
    this.inbox.watch(this.opener, this);
  }

  /** What its questions were when they were shown. */
  get fingerprint() {
    return this.items.map(({ fingerprint }) => fingerprint).join();
  }

  decision(item, answer) {
    return { threadId: this.threadId, interruptId: item.interrupt.id, fingerprint: item.fingerprint, ...answer };
  }

  get approvals() {
    return this.items.map((item) => this.decision(item, { status: 'resolved', payload: { approved: true } }));
  }

  /** Nothing that approves: what can be denied is, and everything else is cancelled, except what only others may decide. */
  denials(reason) {
    const payload = { approved: false, reason: reason === '' ? undefined : reason };
    return this.items.filter((item) => isForMe(item) || this.isMine).map((item) => {
      const { responseSchema } = item.interrupt;
      const isDenied = isForMe(item) && !item.expired && responseSchema?.properties?.approved?.type === 'boolean';
      return this.decision(item, isDenied ? { status: 'resolved', payload } : { status: 'cancelled' });
    });
  }

  get group() {
    if (this.items.some(({ interrupt }) => interrupt.reason === 'langchain4j:outcome_unknown')) return 'unfinished';
    return this.items.some(isForMe) ? 'mine' : 'others';
  }

  /** The questions that there are now, with their votes and rights; it stays open as long as one of them was there before, or one about the same call. */
  tell(items) {
    this.items = items;
    this.call = callOf(items);
    const tools = new Set(items.map(({ interrupt }) => interrupt.metadata?.langchain4j?.toolName ?? say('question')));
    const title = this.inbox.app.threads.find(this.threadId)?.title;
    this.of.replaceChildren(el('bdi', {}, visible([...this.handed, [...tools].join(', '), ...(title && title !== this.title ? [`“${title}”`] : [])].join(' · '))));
    this.box.setAttribute('aria-label', inSight(say('Choose: {what}', { what: short(this.what, 60) })));
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

  /** Who has handed what to whom. */
  get handed() {
    const { me } = this.inbox.app;
    const handed = this.items.flatMap(({ interrupt }) => interrupt.metadata?.langchain4j?.handed ?? []);
    return handed.map(({ audience, to = audience, by }) => (
      to === me ? say('handed to you by {by}', { by }) : by === me ? say('handed to {to} by you', { to }) : say('handed to {to} by {by}', { to, by })));
  }

  get what() {
    const [{ interrupt }] = this.items;
    const others = this.items.length - 1;
    const asked = interrupt.message ?? interrupt.reason;
    return others > 0 ? say('{asked} (and {n} more)', { asked, n: others }) : asked;
  }

  matches(text, kind) {
    const kinds = {
      approvals: (interrupt) => interrupt.reason === 'tool_call',
      questions: (interrupt) => interrupt.reason !== 'tool_call',
      handed: ({ metadata }) => isHandedTo(metadata?.langchain4j?.handed ?? {}, this.inbox.app),
      late: (interrupt) => interrupt.expiresAt !== undefined && new Date(interrupt.expiresAt) < new Date(),
    };
    const said = this.items.map(({ owner, interrupt }) => `${owner} ${interrupt.message} ${interrupt.metadata?.langchain4j?.toolName}`);
    return [this.words.textContent, ...said].join(' ').toLowerCase().includes(text) && (kind === 'all' || this.items.some(({ interrupt }) => kinds[kind](interrupt)));
  }

  tick() {
    this.age.textContent = ago(this.items[0].askedAt);
    const others = this.inbox.app.attention.lookersOf(this.items.map(({ interrupt }) => interrupt));
    this.lookers.replaceChildren(visible(others.length === 0 ? '' : say('{who} is looking at this|{who} are looking at this', { who: others.join(', '), n: others.length })));
    const ends = this.items.map(({ interrupt }) => interrupt.expiresAt).filter((at) => at !== undefined).sort();
    const seconds = ends.length > 0 ? Math.ceil((new Date(ends[0]) - Date.now()) / 1000) : undefined;
    this.left.textContent = seconds === undefined ? '' : seconds > 0 ? say('{time} left', { time: duration(seconds) }) : say('too late');
    this.left.classList.toggle('over', seconds !== undefined && seconds <= 60);
  }

  /** Opens or closes it; what is read beside the list stays there, and gets the focus. */
  pressed() {
    if (!WIDE.matches || this.place.hidden) this.open(this.place.hidden);
    else this.batch.focus();
  }

  /** Puts what is open where it is read. */
  put() {
    const place = WIDE.matches ? byId('inbox-pane') : this.element;
    if (this.place.parentNode !== place) place.append(this.place);
  }

  open(open) {
    if (open && this.isGone) return;
    if (open && !this.batch) this.showBatch();
    if (open) this.put();
    if (open && WIDE.matches) this.inbox.closeOthers(this);
    this.element.classList.toggle('read', open);
    this.place.hidden = !open;
    this.opener.setAttribute('aria-expanded', String(open));
  }

  /** Whether the inbox shows it no more: what was asked was decided. */
  get isGone() {
    return !this.inbox.entries.includes(this);
  }

  showBatch() {
    const { app } = this.inbox;
    const elements = cardsOf(this.items.map(({ interrupt }) => interrupt), { ...app.attention.forCards(this.threadId), before: this.batch });
    this.batch = new Batch(elements, (answers, oneByOne) => this.answer(answers, oneByOne), {
      before: this.batch, apart: true, undo: app.undo, onLeave: (answers) => server.leave(this.threadId, answers), onHeld: () => this.heldBack() });
    this.batch.halted = haltInWords();
    app.attention.tell(this.batch);
    const toThread = button(say('Open the conversation'), () => app.openThread(this.threadId), 'quiet small');
    this.place.replaceChildren(...this.batch.cards.map((card) => card.element), this.batch.bar, this.error, toThread);
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

  /** An answer can still be undone, wherever the person is by then. */
  heldBack() {
    this.goOn(1);
    this.inbox.many.offerUndo(this.what, () => {
      this.open(true);
      this.batch.undoHeld();
    });
  }

  /** Goes to the next conversation, which is opened where that is read beside the list. */
  goOn(from) {
    const { visible } = this.inbox;
    const next = visible[visible.indexOf(this) + from] ?? visible[0];
    if (next === this) return;
    (next?.opener ?? byId('inbox-filter')).focus();
    if (WIDE.matches) next?.open(true);
  }

  async answer(answers, oneByOne) {
    if (this.inbox.app.undo > 0) { // the person is elsewhere already
      this.inbox.many.endOffer(this.what);
      if (await this.deliver(answers, oneByOne, () => this.keep())) await this.inbox.app.refresh();
      return;
    }
    this.opener.focus(); // nothing of the card can have it while that is sent
    if (!(await this.deliver(answers, oneByOne, () => this.keep()))) return;
    this.inbox.app.announce(say('Sent.'));
    const after = this.inbox.visible[this.inbox.visible.indexOf(this) + 1];
    await this.inbox.app.refresh();
    if (this.inbox.isAtWork) return; // what is typed stays where it is
    const next = after?.element.isConnected ? after : this.inbox.visible[0];
    (next?.opener ?? byId('inbox-filter')).focus();
    if (WIDE.matches) next?.open(true);
  }

  /** Sends answers, and tells whether the server took them; if not, the entry says why. */
  async deliver(answers, oneByOne, taken = () => {}) {
    const { batch } = this; // others may be asked meanwhile
    batch.busy = true;
    batch.sending = true;
    this.error.hidden = true;
    try {
      for await (const event of this.send(answers, oneByOne, taken)) {
        batch.sending = false;
        taken();
        if (event.type === 'RUN_ERROR') throw event;
      }
      batch.busy = false;
      return true;
    } catch (error) {
      const { title, text, detail } = inPeoplesWords(error);
      if (this.isGone) {
        this.inbox.many.tellEnd(`${short(this.what, 80)}: ${title}. ${text}`);
        return false;
      }
      this.open(true);
      this.error.replaceChildren(visible(`${title}. ${text} ${detail}`));
      this.error.dataset.code = error.code;
      this.error.hidden = false;
      this.batch.busy = false;
      this.batch.reopen();
      if (error instanceof TypeError) this.batch.missed(answers);
      return false;
    }
  }
}
