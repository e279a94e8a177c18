import { NUMBER, button, clock, counted, duration, el, freshId, icon, inWords, isNumber, isObject, labelOf, number, plain, short, stringify, visible } from './kit.js';
import { inOrder } from './difference.js';
import { forgetDraft, keepDraft } from './drafts.js';
import { FieldError } from './form.js';

const MARKS = { approved: 'done', 'approved with changes': 'edit', denied: 'no', cancelled: 'no' };

/**
 * What every open question looks like: a heading, what would run, and one row of actions, which changes with what is open, so
 * that each button says what it sends. `answer` is the resume entry or undefined, and the element's `changed` is called whenever it changes.
 * A card that is folded shows one line. Who may not decide sees what it waits for, and the owner, `mine`, can withdraw it.
 */
export class Card {
  /** @param person the element, whose attributes say who looks at it */
  constructor(interrupt, { title, mark = 'ask' }, person) {
    const id = freshId('card');
    const { toolName, delegatedBy } = ours(interrupt.metadata);
    this.element = person;
    this.mine = person.mayWithdraw;
    this.me = person.caller;
    this.people = el('p', { class: 'hint people' });
    this.times = el('p', { class: 'hint times-to-come' });
    this.tell(interrupt);
    this.title = this.mayDecide ? title : 'Waiting for others';
    this.mark = icon(mark);
    this.decisionMark = el('span', { class: 'decision-mark', hidden: true });
    this.words = el('span', {}, this.title);
    this.heading = el('h2', { id, tabindex: '-1' }, this.words, ...(typeof toolName === 'string' ? [' ', el('code', {}, visible(toolName))] : []));
    this.fold = button('Open', () => this.unfold(), 'quiet small');
    this.fold.hidden = true;
    this.gist = el('p', { class: 'gist', hidden: true });
    this.body = el('div', { class: 'card-body', part: 'body' });
    this.panel = el('div', { class: 'panel', part: 'panel', hidden: true });
    for (const event of ['input', 'change', 'click']) this.panel.addEventListener(event, ({ target }) => this.worked(event, target));
    this.actions = el('div', { class: 'actions', part: 'actions' });
    this.actions.addEventListener('click', ({ target }) => (this.pressedLast = target.textContent), { capture: true });
    this.more = button('', () => this.end.scrollIntoView({ block: 'end' }), 'more small');
    this.more.hidden = true;
    this.foot = el('div', { class: 'foot' }, this.more, el('slot', { name: 'footer' }), this.actions);
    this.end = el('div', { class: 'end' });
    this.tick = el('span', { class: 'tick', hidden: true }, icon('done'), 'Viewed');
    this.problem = el('p', { class: 'field-error', role: 'alert', hidden: true });
    const question = interrupt.message ? el('p', { class: 'question', part: 'question', dir: 'auto' }, visible(interrupt.message)) : undefined;
    const context = el('slot', { name: 'context' });
    this.content = el(
      'fieldset', { class: 'bare', 'aria-labelledby': id },
      context, question, ...agentInWords(delegatedBy), this.body, this.people, this.times, this.panel, this.problem, this.foot, this.end);
    this.left = interrupt.expiresAt ? deadline(interrupt.expiresAt, () => this.expire()) : undefined;
    this.root = el(
      'article',
      { class: 'card', part: 'card', 'aria-labelledby': id, onkeydown: (event) => this.pressed(event) },
      el('header', { class: 'card-head', part: 'head' }, this.mark, this.decisionMark, this.heading, this.tick, this.left?.element, this.fold),
      this.gist,
      this.content);
  }

  /** Begins to watch the time, and whether the end of what is asked was on the screen. Called when the card is put on a page. */
  start() {
    this.left?.start();
    clearInterval(this.clock);
    this.clock = setInterval(() => this.showTimes(), 1000);
    if (this.seen) return;
    this.watch = new AbortController();
    const { signal } = this.watch;
    const observer = new IntersectionObserver((changes) => (changes.at(-1).isIntersecting ? this.see() : this.measure()));
    observer.observe(this.end);
    signal.addEventListener('abort', () => observer.disconnect());
    document.addEventListener('scroll', () => this.measure(), { capture: true, passive: true, signal });
    window.addEventListener('resize', () => this.measure(), { signal });
  }

  stop() {
    this.left?.stop();
    clearInterval(this.clock);
    this.watch?.abort();
  }

  see() {
    this.seen = true;
    this.watch.abort();
    this.more.hidden = true;
    this.element.dispatchEvent(new Event('seen', { bubbles: true, composed: true }));
  }

  /** Says how much is below the row of buttons, which covers it. */
  measure() {
    const hidden = this.end.getBoundingClientRect().bottom - this.foot.getBoundingClientRect().bottom;
    const lines = Math.floor(hidden / parseFloat(getComputedStyle(this.body).lineHeight));
    this.more.hidden = !(lines > 0);
    this.more.textContent = `${counted(lines, 'more line')} ↓`;
  }

  /** Something in the panel was changed, or an entry of a list added or removed. */
  worked(event, target) {
    if (event !== 'click' || target.closest('button')) keepDraft(this);
  }

  /** Shows who has approved, who has to, and what time will do, as the server says it at present. */
  tell(interrupt) {
    this.interrupt = interrupt;
    const { approvals } = ours(interrupt.metadata);
    this.people.replaceChildren(visible(votesInWords(approvals)));
    this.showTimes();
  }

  /** Says what time was to do until now, and what it will do. */
  showTimes() {
    const words = stepsInWords(ours(this.interrupt.metadata).timeline);
    if (words === this.timesInWords) return;
    this.timesInWords = words;
    this.times.replaceChildren(visible(words));
  }

  get mayDecide() {
    return this.element.mayDecide && ours(this.interrupt.metadata).mayDecide !== false;
  }

  /** Whether one answer may not be enough, or is not this person's to give: then each question is answered by itself. */
  get isForOthers() {
    return !this.mine || !this.mayDecide || ours(this.interrupt.metadata).approvals?.needed > 1;
  }

  /** What somebody can do who may not approve: who has approved can deny, and the owner can withdraw. */
  waiting(buttons) {
    const voted = this.approve !== undefined && ours(this.interrupt.metadata).approvals?.have?.some(({ by }) => by === this.me);
    this.approve = undefined;
    this.deny = voted ? this.deny : undefined;
    this.panel.hidden = true;
    this.stays = false;
    this.suggested?.remove();
    return [
      el('p', { class: 'waits' }, voted ? 'You have approved. Waits for another approver' : 'Waits for an approver'),
      ...(voted ? buttons.filter(({ dataset }) => dataset.key === 'd') : []),
      ...(this.mine ? [button('Withdraw', () => this.cancel('Withdrawn: it does not run.'), 'danger')] : []),
    ];
  }

  /** What can be done while nothing is open. */
  offer(...buttons) {
    this.offers = this.expired ? this.offers : this.mayDecide ? buttons : this.waiting(buttons);
    this.showRepeat(true);
    this.actions.replaceChildren(...this.offers);
  }

  /** Opens a panel: its actions take the place of all others. `instead` hides the arguments, which the panel shows as well. */
  open(panel, buttons, instead = false) {
    this.panel.replaceChildren(panel);
    this.panel.hidden = false;
    this.body.hidden = instead;
    this.actions.replaceChildren(...buttons);
    this.opener = this.pressedLast;
    this.showRepeat(instead);
    if (this.isRestored) return;
    const first = this.panel.querySelector('input, textarea, select');
    first?.focus();
    (first ?? this.actions).scrollIntoView({ block: 'nearest' }); // a field has a margin for the row of buttons over it
  }

  /** Closes the panel, and puts the focus on the first thing that can be done. */
  close() {
    if (this.panel.hidden) return;
    forgetDraft(this);
    this.panel.hidden = true;
    this.body.hidden = false;
    this.showRepeat(true);
    this.actions.replaceChildren(...this.offers);
    this.focusFirst();
  }

  /** What has to be repeated to approve is asked for where something can be approved. */
  showRepeat(approves) {
    if (this.repeat) this.repeat.hidden = !approves || this.approve === undefined;
  }

  /** Escape goes back, and Ctrl+Enter sends what is open; it approves nothing that is only shown. */
  pressed(event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !this.panel.hidden) {
      event.preventDefault();
      this.actions.querySelector('button[type="submit"]')?.click();
    }
    const back = [...this.actions.children].find((action) => action.textContent === 'Back');
    if (event.key !== 'Escape' || this.panel.hidden || !back) return;
    event.preventDefault();
    back.click();
  }

  focusFirst() {
    if (!this.panel.hidden && this.stays) this.panel.querySelector('input, textarea, select, button')?.focus();
    else this.actions.querySelector('button')?.focus();
  }

  resolve(payload, words, kind = 'answered') {
    this.decide({ interruptId: this.interrupt.id, status: 'resolved', payload }, words, kind);
  }

  cancel(words = 'Cancelled: no answer is given.') {
    this.decide(this.cancelled, words, 'cancelled');
  }

  /** The entry that cancels this interrupt. */
  get cancelled() {
    return { interruptId: this.interrupt.id, status: 'cancelled' };
  }

  decide(answer, words, kind) {
    this.answer = answer;
    this.kind = kind;
    this.said = words;
    this.complain('');
    this.words.replaceChildren(visible(words));
    this.decisionMark.replaceChildren(icon(MARKS[kind] ?? 'person'));
    this.foldTo('Change');
    this.element.changed();
  }

  /** Until the server has the decision, it is none. */
  set sending(sending) {
    this.words.replaceChildren(sending ? 'Sending…' : visible(this.said));
    this.decisionMark.hidden = sending;
  }

  /** Says what went wrong with the answer; nothing, if the text is empty. */
  complain(text) {
    this.problem.hidden = text === '';
    this.problem.replaceChildren(visible(text));
  }

  /** Whether somebody has opened a panel, and what is in it must not be lost to a decision about all. */
  get isWorkedOn() {
    return !this.panel.hidden && !this.stays;
  }

  /** Shows one line, without a decision. */
  foldUp() {
    this.foldTo('Open');
  }

  foldTo(label) {
    this.content.hidden = true;
    this.gist.hidden = false;
    this.gist.replaceChildren(visible(short(this.interrupt.message ?? '', 120)));
    this.fold.hidden = false;
    this.fold.textContent = label;
    this.fold.setAttribute('aria-label', `${label}: ${short(this.interrupt.message ?? this.heading.textContent, 60)}`);
    this.root.classList.add('folded');
    this.showMark();
  }

  unfold() {
    const changed = this.answer !== undefined;
    this.reopen();
    if (changed) this.element.changed();
    this.focusFirst();
  }

  /** Forgets the decision and shows everything. What was typed into a panel stays. */
  reopen() {
    this.answer = undefined;
    this.words.replaceChildren(this.title);
    this.content.hidden = false;
    this.gist.hidden = true;
    this.fold.hidden = true;
    this.root.classList.remove('folded');
    this.showMark();
  }

  showMark() {
    this.root.classList.toggle('decided', this.answer !== undefined);
    this.mark.toggleAttribute('hidden', this.answer !== undefined);
    this.decisionMark.hidden = this.answer === undefined;
  }

  /** The time for an answer is over: it can only be cancelled. */
  expire() {
    this.expired = true;
    this.title = 'Too late';
    this.left.element.hidden = true;
    const clock = icon('clock');
    this.mark.replaceWith(clock);
    this.mark = clock;
    if (!this.answer) this.words.replaceChildren(this.title);
    forgetDraft(this);
    this.approve = undefined;
    this.suggested?.remove();
    this.panel.hidden = true;
    this.panel.replaceChildren();
    this.body.hidden = false;
    this.stays = false;
    this.showRepeat(false);
    this.offers = [
      el('p', { class: 'over' }, 'Nobody answered in time, so this cannot be approved any more. It has not run.'),
      keyed('d', button('Cancel it', () => this.cancel('Cancelled: it was too late.'))),
    ];
    this.actions.replaceChildren(...this.offers);
    if (this.answer && this.answer.status !== 'cancelled') this.unfold();
    this.element.dispatchEvent(new Event('expire', { bubbles: true, composed: true }));
  }

  set busy(busy) {
    this.content.disabled = busy;
    this.fold.disabled = busy;
    this.root.toggleAttribute('data-busy', busy);
  }

  /** What a single key does: `a` goes to the approving button without pressing it, the others open their panels. */
  shortcut(key) {
    const target = this.actions.querySelector(`[data-key="${key}"]`);
    if (key === 'a') target?.focus();
    else target?.click();
    return target !== null;
  }
}

const PARTS = { a: 'approve', e: 'edit', d: 'deny' };

export const keyed = (key, node) => {
  node.dataset.key = key;
  node.setAttribute('part', PARTS[key]);
  return node;
};

/** Whose question it is, if an agent asks that works as a tool of the one that the person talks to. */
function agentInWords(delegatedBy) {
  if (typeof delegatedBy?.toolName !== 'string') return [];
  return [el('p', { class: 'hint' }, 'Asked by ', el('code', {}, visible(delegatedBy.toolName)), ', an agent that works for this one.')];
}

/** Whom a question needs, and who of them has approved. One person whom nobody names needs no words. */
function votesInWords({ needed, groups = [], have = [] } = {}) {
  if (needed === undefined || (needed === 1 && groups.length === 0)) return '';
  const who = groups.map((group) => `${group.needed} from ${group.audience ?? 'anybody who may decide'}`).join(' and ');
  const votes = have.map(({ by, at }) => `${by}, ${clock(at)}`).join('; ');
  return `${have.length} of ${counted(needed, 'approval')}${votes && `: ${votes}`}.${who && ` Needs ${who}.`}`;
}

const STEPS = {
  remind: () => 'a reminder',
  warn: () => 'a warning that time runs out',
  escalate: ({ audience }) => `${audience} is asked as well`,
  give_up: () => 'over, without an approval: it does not run',
  go_on: () => 'over, without an approval: the agent goes on without it',
};

/** Whom time was to ask as well, which a halted agent does not do, and what it will do. */
function stepsInWords(timeline = []) {
  const known = timeline.filter(({ step }) => Object.hasOwn(STEPS, step));
  const toCome = known.filter(({ at }) => new Date(at) > new Date());
  const asked = known.filter((each) => each.step === 'escalate' && !toCome.includes(each));
  return [
    ...asked.map(({ at, audience }) => `${audience} was to be asked as well at ${clock(at)}.`),
    ...(toCome.length === 0 ? [] : [`If nobody decides: ${toCome.map((each) => `${clock(each.at)} ${STEPS[each.step](each)}`).join('; ')}.`]),
  ].join(' ');
}

/** Until when an answer is accepted. Only a help: the server decides. `over` is called once; nothing is shown before `start()`. */
function deadline(expiresAt, over) {
  const at = new Date(expiresAt);
  const element = el('time', { class: 'deadline', part: 'deadline', datetime: expiresAt, title: `Answer until ${at.toLocaleString()}` });
  let timer;
  let isOver = false;
  const stop = () => clearInterval(timer);
  const show = () => {
    const seconds = Math.ceil((at - Date.now()) / 1000);
    element.textContent = seconds > 0 ? `${duration(seconds)} left` : 'too late';
    element.classList.toggle('over', seconds <= 60);
    if (seconds > 0 || isOver) return;
    isOver = true;
    stop();
    over();
  };
  const start = () => {
    show();
    if (!isOver) timer = setInterval(show, 1000);
  };
  return { element, start, stop };
}

/** A panel whose button is in the row of actions. What cannot be read says so itself; the first of it gets the focus. */
export function panel({ submit, label, className = 'primary', others = [] }, ...content) {
  const id = freshId('form');
  const problem = el('p', { class: 'sr-only', role: 'alert', hidden: true });
  const onsubmit = (event) => {
    event.preventDefault();
    try {
      problem.hidden = true;
      submit();
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problem.textContent = error.message;
      problem.hidden = false;
      error.input?.focus();
    }
  };
  const form = el('form', { id, onsubmit, novalidate: true }, ...content, problem);
  const send = el('button', { type: 'submit', form: id, class: className }, label);
  return { form, send, buttons: [send, ...others] };
}

/** What the server says in its own part of the metadata. */
export const ours = (metadata) => (isObject(metadata?.langchain4j) ? metadata.langchain4j : {});

const OF_THE_CALL = ['args', 'argsOrder', 'preview', 'previewError'];

/** What is asked about: for a question of an agent on another server, its own call, beside what our server says of ours. */
export function about(metadata) {
  const said = withDigits(ours(metadata));
  if (!isObject(metadata?.remoteAgent)) return said;
  const theirs = about(metadata.remoteAgent.metadata);
  return { ...theirs, ...said, ...Object.fromEntries(Object.entries(theirs).filter(([name]) => OF_THE_CALL.includes(name))) };
}

/** With the digits of the arguments that a page has lost which reads numbers as doubles. */
const withDigits = ({ argsDigits, ...said }) => (isObject(argsDigits) && said.args !== undefined ? { ...said, args: exact(said.args, argsDigits) } : said);

function exact(value, digits, path = '') {
  if (Array.isArray(value)) return value.map((item, i) => exact(item, digits, `${path}/${i}`));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) =>
      [name, exact(item, digits, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)]));
  }
  const written = Object.hasOwn(digits, path) ? digits[path] : undefined;
  return isNumber(value) && NUMBER.test(written) ? number(written) : value;
}

export const requiresOnly = ({ required = [] }, names) => Array.isArray(required) && required.every((name) => names.includes(name));

/**
 * All arguments of a call, nothing shortened: text as text, everything else as JSON, and the whole as JSON below, as given.
 *
 * @param schema the schema of the arguments, if there is one: its order is the one in which a person knows them
 * @param left names of arguments that are shown elsewhere
 * @param json whether the whole is there as JSON, too
 */
export function argumentList(args, schema, left = new Set(), json = true) {
  const names = isObject(args) ? inOrder(args, schema).filter((name) => !left.has(name)) : [];
  const rows = names.flatMap((name) => [
    el('dt', { 'data-name': name }, visible(labelOf(name, schema?.properties?.[name]).label)),
    typeof args[name] === 'string'
      ? el('dd', { class: 'string' }, args[name] === '' ? el('em', {}, 'empty') : el('bdi', {}, visible(args[name])))
      : el('dd', { class: isScalar(args[name]) ? 'number' : 'code' }, visible(stringify(args[name], 2))),
  ]);
  const nothing = left.size > 0 ? undefined : el('p', { class: 'hint' }, 'Without arguments.');
  return el(
    'div',
    { class: 'arguments' },
    rows.length > 0 ? el('dl', {}, ...rows) : nothing,
    json ? details('As JSON', args) : undefined);
}

/** The schema of a call's arguments, or, where none of them can be edited, at least their order as the tool declares them. */
export function argumentsSchema({ metadata, responseSchema }) {
  const { argsOrder } = about(metadata);
  const order = Array.isArray(argsOrder) ? argsOrder : [];
  return responseSchema?.properties?.editedArgs ?? { properties: Object.fromEntries(order.map((name) => [name, {}])) };
}

/** A value as JSON. */
export function details(summary, value) {
  return el('details', {}, el('summary', {}, summary), el('pre', { tabindex: '0' }, visible(stringify(value, 2))));
}

/** Deeper than this, and with more columns, JSON is easier to read. */
const MAX_DEPTH = 2;
const MAX_COLUMNS = 8;

/**
 * What the server says that a call would do, or that it could not find out: rows as a table, named values under their names,
 * anything else as text or JSON. All of it is text of somebody's data.
 */
export function previewOf({ preview, previewError }) {
  if (preview === undefined && previewError === undefined) return [];
  const id = freshId('preview');
  const shown = previewError === undefined ? view(preview, 0) : el('p', { class: 'field-error' }, visible(plain(previewError)));
  return [el('section', { class: 'preview', 'aria-labelledby': id }, el('h3', { id }, 'What it would do'), shown)];
}

function view(value, depth) {
  if (isScalar(value)) return el('p', { class: 'value', dir: 'auto' }, visible(plain(value)));
  if (depth < MAX_DEPTH && isTable(value)) return table(value);
  if (depth < MAX_DEPTH && isObject(value) && Object.keys(value).length > 0) return named(value, depth);
  return el('pre', {}, visible(stringify(value, 2)));
}

function named(value, depth) {
  const entries = Object.keys(value).flatMap((name) => [
    el('dt', { 'data-name': name }, visible(inWords(name))),
    el('dd', {}, view(value[name], depth + 1)),
  ]);
  return el('dl', {}, ...entries);
}

function table(rows) {
  const names = columns(rows);
  const cell = (row, name) => el('td', { dir: 'auto' }, Object.hasOwn(row, name) ? visible(plain(row[name])) : '');
  return el(
    'table',
    {},
    el('thead', {}, el('tr', {}, ...names.map((name) => el('th', { scope: 'col' }, visible(name))))),
    el('tbody', {}, ...rows.map((row) => el('tr', {}, ...names.map((name) => cell(row, name))))));
}

/** Rows whose cells are single values. */
function isTable(value) {
  return Array.isArray(value)
    && value.length > 0
    && value.every((row) => isObject(row) && Object.values(row).every(isScalar))
    && columns(value).length > 0
    && columns(value).length <= MAX_COLUMNS;
}

const columns = (rows) => [...new Set(rows.flatMap((row) => Object.keys(row)))];
const isScalar = (value) => !Array.isArray(value) && !isObject(value);

const CLASSES = {
  read_only: 'It changes nothing.',
  reversible: 'It can be taken back.',
  externally_reversible: 'Only somebody else can take it back.',
  irreversible: 'It cannot be taken back.',
};

/** Whether what runs can be taken back, and whether something beside it cannot. */
export function reversibilityOf(own, all) {
  const stricter = all !== own && all === 'irreversible' ? ' Something that would run with it cannot be taken back.' : '';
  const words = `${Object.hasOwn(CLASSES, own) ? CLASSES[own] : ''}${stricter}`.trim();
  return words === '' ? [] : [el('p', { class: `reversibility ${own === 'irreversible' || stricter ? 'over' : 'hint'}` }, words)];
}

const CONCERNS = {
  none: 'A second opinion has no concern.',
  some: 'A second opinion has a concern.',
  serious: 'A second opinion has a serious concern.',
  unknown: 'There is no second opinion.',
};

/** What another model says of the call; a text, whatever it says. */
export function opinionOf(opinion) {
  if (!isObject(opinion) || !Object.hasOwn(CONCERNS, opinion.concern)) return [];
  const reason = typeof opinion.reason === 'string' && opinion.reason !== '' ? [' ', el('q', {}, el('bdi', {}, visible(opinion.reason)))] : [];
  return [el('p', { class: `opinion ${opinion.concern === 'serious' ? 'over' : 'hint'}` }, CONCERNS[opinion.concern], ...reason)];
}

/** Whether a sentence has a text as a whole: Bob is not in Bobby, nor 5 in 5.50. */
function isSaid(message, text) {
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    const goesOn = /[\p{L}\p{M}\p{N}][.,]?$/u.test(message.slice(0, at)) || /^[.,]?[\p{L}\p{M}\p{N}]/u.test(message.slice(at + text.length));
    if (!goesOn) return true;
  }
  return false;
}

/** What a question is about: the arguments of the call, and all that comes with it and is not shown elsewhere. */
export function subject(interrupt, shown = new Set(), optionsShown = false) {
  const { metadata, message = '' } = interrupt;
  const { toolName, args, argsSha256, argsOrder, preview, previewError, approvals, timeline, mayDecide, decideByLink, delegatedBy, reversibility, batchReversibility, secondOpinion, ...more } = withDigits(ours(metadata));
  const others = Object.entries(metadata ?? {}).filter(([name]) => name !== 'langchain4j' && !shown.has(name));
  const rest = { ...Object.fromEntries(others), ...(Object.keys(more).length > 0 ? { langchain4j: more } : {}) };
  const repeated = isObject(args)
    ? Object.keys(args).filter((name) => (name === 'options' && optionsShown)
        || (typeof args[name] === 'string' && args[name] !== '' && isSaid(message, args[name])))
    : [];
  return [
    ...reversibilityOf(reversibility, batchReversibility),
    ...(args === undefined ? [] : [argumentList(args, argumentsSchema(interrupt), new Set(repeated), false)]),
    ...previewOf({ preview, previewError }),
    ...opinionOf(secondOpinion),
    ...(Object.keys(rest).length > 0 ? [details('More about this', rest)] : []),
  ];
}

