import { button, el, freshId, icon, inSight, markOf, parse, short, stringify, visible } from './kit.js';
import { isRightToLeft, speak, t } from './language.js';
import { deadline } from './deadline.js';
import { forgetDraft, keepDraft } from './drafts.js';
import { filledIn, handPanel, unsent } from './panel.js';
import { ours } from './subject.js';
import { saidBefore, stepsInWords, storyOf, votesInWords } from './story.js';
import { MOMENT, pauseAll, unwatch, watch } from './watch.js';

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
    const asked = freshId('question');
    const said = ours(interrupt.metadata);
    const { toolName } = said;
    this.element = person;
    this.mine = person.mayWithdraw;
    this.me = person.caller;
    this.story = el('div', { class: 'events' });
    this.before = el('div', { class: 'said', role: 'group', 'aria-label': t('What was said before') });
    this.people = el('p', { class: 'hint people' });
    this.times = el('p', { class: 'hint times-to-come' });
    this.presence = el('span', { class: 'lookers' });
    this.interrupt = interrupt;
    this.title = this.mayDecide ? title : t('Waiting for others');
    this.mark = icon(mark === 'wait' && typeof toolName === 'string' ? markOf(toolName) : mark);
    this.decisionMark = el('span', { class: 'decision-mark', hidden: true });
    this.words = el('span', {}, this.title);
    const name = interrupt.message ? `${id} ${asked}` : id; // or two calls of a tool could not be told apart by name
    this.heading = el('h2', { id, tabindex: '-1', 'aria-labelledby': name }, this.words, ...(typeof toolName === 'string' ? [' ', el('code', {}, visible(toolName))] : []));
    this.fold = button(t('Open'), () => this.unfold(), 'quiet small');
    this.fold.hidden = true;
    this.gist = el('p', { class: 'gist', hidden: true });
    this.body = el('div', { class: 'card-body', part: 'body' });
    this.panel = el('div', { class: 'panel', part: 'panel', hidden: true });
    for (const event of ['input', 'change', 'click']) this.panel.addEventListener(event, ({ target }) => this.worked(event, target));
    this.actions = el('div', { class: 'actions', part: 'actions', role: 'group', 'aria-label': t('Your decision') });
    this.more = button('', () => this.readOn(), 'more');
    this.asked = interrupt.message ? asked : id;
    this.news = el('p', { class: 'sr-only', role: 'status' });
    this.moreTime = button(t('More time'), () => this.giveTime(), 'small');
    this.hand = button(t('Hand to…'), () => this.open(handPanel(this)), 'small');
    this.foot = el('div', { class: 'foot' }, el('slot', { name: 'footer' }), el('p', { class: 'aside' }, this.moreTime, this.hand), this.actions);
    this.foot.addEventListener('click', ({ target }) => (this.pressedLast = this.buttons.indexOf(target)), { capture: true });
    this.end = el('div', { class: 'end' });
    this.spot = el('div', { class: 'spot' });
    this.viewed = [];
    this.tick = el('span', { class: 'tick', hidden: true }, icon('done'), t('Viewed'));
    this.problem = el('p', { class: 'field-error', role: 'alert', hidden: true });
    const question = interrupt.message ? el('p', { class: 'question', part: 'question', dir: 'auto', id: asked }, visible(interrupt.message)) : undefined;
    const context = el('slot', { name: 'context' });
    this.rest = el('div', { class: 'rest' }, this.story, this.body, this.people, this.times, this.panel, this.problem, this.foot); // over which the row may be
    this.content = el(
      'fieldset', { class: 'bare', 'aria-labelledby': this.asked }, context, this.before, question, ...whoseInWords(said), this.rest, this.end, this.spot, this.news);
    this.content.addEventListener('click', (event) => this.take(event), { capture: true });
    this.left = interrupt.expiresAt ? deadline(interrupt.expiresAt, () => this.expire(), (seconds) => this.warn(seconds)) : undefined;
    this.root = el(
      'article',
      { class: 'card', part: 'card', lang: person.voice.lang, dir: isRightToLeft(person.voice.lang) ? 'rtl' : undefined, 'aria-labelledby': name, onkeydown: (event) => this.pressed(event) },
      el('header', { class: 'card-head', part: 'head' }, this.mark, this.decisionMark, this.heading, this.presence, this.tick, this.left?.element, this.fold),
      this.gist,
      this.content);
    this.tell(interrupt);
    this.showLookers();
  }

  /** Begins to watch the time, and what of the question is on the screen. Called when the card is put on a page. */
  start() {
    clearInterval(this.clock);
    this.clock = setInterval(() => this.passed(), 1000);
    this.passed();
    this.pause();
    watch(this);
  }

  stop() {
    clearInterval(this.clock);
    clearTimeout(this.settling);
    unwatch(this);
  }

  /** Takes no press of a pointer for a moment, because the row may just have come under it. */
  pause() {
    this.actions.setAttribute('aria-disabled', 'true');
    this.suggested?.setAttribute('aria-disabled', 'true');
    clearTimeout(this.settling);
    this.settling = this.place && setTimeout(() => this.settle(), MOMENT);
  }

  settle() {
    this.settling = undefined;
    this.actions.removeAttribute('aria-disabled');
    this.suggested?.removeAttribute('aria-disabled');
  }

  /** A press of a pointer counts if the card has stood still; one of a key is meant, but not for a button that the focus was just put on. */
  take(event) {
    const isPointer = event.detail > 0;
    const row = event.target.closest('.actions, .suggestions');
    if (!row || !event.isTrusted) return;
    if (!isPointer && (event.target !== this.landed?.on || performance.now() - this.landed.at >= MOMENT)) return;
    this.news.textContent = '';
    if (isPointer && !row.hasAttribute('aria-disabled') && isNear(placeOf(this.foot), this.place)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isPointer) this.pause();
    this.news.textContent = t('Not taken, because this has just moved or changed. Press again.');
  }

  /** Whether the row of buttons stands still, where it was seen. */
  get isStill() {
    return !this.actions.hasAttribute('aria-disabled') && isNear(placeOf(this.foot), this.place);
  }

  /** Which part of the text is on the screen, above the row of buttons; reads only, because many cards are measured at once. */
  measure({ boundingClientRect: all, intersectionRect: seen, isIntersecting }) {
    const row = this.foot.offsetHeight;
    const length = all.height - row;
    const from = seen.top - all.top;
    const to = seen.bottom - all.top;
    const isCovered = to < all.height - 1 && to - from > 2 * row;
    const end = isCovered ? Math.max(Math.min(to, this.rest.offsetTop), to - row) : Math.min(to, length);
    this.lineHeight ??= parseFloat(getComputedStyle(this.body).lineHeight);
    return { place: isIntersecting ? placeOf(this.foot) : undefined, width: all.width, length, part: isIntersecting && seen.width > 0 && end > from ? [from, end] : undefined };
  }

  placed({ place, width, length, part }) {
    if (!isNear(place, this.place)) {
      this.place = place;
      this.pause();
    }
    if (place === undefined || this.seen) return;
    if (this.width !== width) this.viewed = [];
    this.width = width;
    if (part) this.viewed = merged([...this.viewed, part]);
    const unseen = length - this.viewed.reduce((sum, [from, to]) => sum + Math.min(to, length) - Math.min(from, length), 0);
    this.unseen = unseen > SLACK ? Math.ceil(unseen / this.lineHeight) : 0;
    if (this.unseen === 0) {
      this.seen = true;
      this.tellPage('seen');
    }
    this.gate();
  }

  /** What approves waits until what has come was on the screen, too. */
  lookAnew() {
    this.seen = false;
    this.viewed = [];
    this.unseen = undefined;
    this.gate();
  }

  tellPage(type) {
    this.element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }

  /** What approves is not there before everything was on the screen; in its place is how much was not. */
  gate() {
    speak(this.element.voice);
    const gated = [...this.actions.children].filter(approves);
    const isClosed = !this.seen && gated.length > 0;
    this.more.textContent = this.unseen === undefined ? '…' : t('{n} more line ↓|{n} more lines ↓', { n: this.unseen });
    if (this.more.hidden === !isClosed && gated.every(({ hidden }) => hidden === isClosed)) return;
    const hadFocus = this.focused === this.more || gated.includes(this.focused);
    this.more.hidden = !isClosed;
    gated.forEach((each) => (each.hidden = isClosed));
    this.pause();
    if (hadFocus) this.land(isClosed ? this.more : gated[0].querySelector('button') ?? gated[0], { preventScroll: true });
  }

  /** Puts the focus on a button that was not there, or not where the person was. */
  land(on, how) {
    this.landed = { on, at: performance.now() };
    on?.focus(how);
  }

  /** The buttons of the row, in any language. */
  get buttons() {
    return [...this.foot.querySelectorAll('button:not(.more)')];
  }

  get focused() {
    return this.root.getRootNode().activeElement;
  }

  /** Goes to the first line that was not on the screen. */
  readOn() {
    const [first] = this.viewed;
    this.spot.style.insetBlockStart = `${first && first[0] <= SLACK ? first[1] : 0}px`;
    this.spot.scrollIntoView({ block: 'start' });
  }

  /** Puts these into the row of actions. */
  row(...buttons) {
    this.more.hidden = true;
    buttons.forEach((each) => [each, ...each.querySelectorAll('button')].filter(({ tagName }) => tagName === 'BUTTON').forEach((one) => one.setAttribute('aria-describedby', this.asked)));
    this.actions.replaceChildren(...(!this.seen && buttons.some(approves) ? [this.more] : []), ...buttons);
    this.gate();
  }

  /** Something in the panel was changed, or an entry of a list added or removed. */
  worked(event, target) {
    if (event !== 'click' || target.closest('button')) keepDraft(this);
  }

  /** Shows who has approved, who has to, and what time will do, as the server says it at present. */
  tell(interrupt) {
    speak(this.element.voice);
    this.interrupt = interrupt;
    this.left?.until(interrupt.expiresAt);
    this.tellBefore();
    this.shownTimes = undefined;
    this.showAside();
    const { approvals } = ours(interrupt.metadata);
    this.people.replaceChildren(visible(votesInWords(approvals)));
    this.showTimes();
  }

  /** Shows what was said before this was asked. */
  tellBefore() {
    this.before.replaceChildren(...saidBefore(this.interrupt, this.element.conversation));
  }

  /** Says what has happened, and what time will do. */
  showTimes() {
    speak(this.element.voice);
    const words = stepsInWords(ours(this.interrupt.metadata).timeline);
    if (words === this.shownTimes) return; // when a step has come, they are others
    this.shownTimes = words;
    this.times.replaceChildren(visible(words));
    this.story.replaceChildren(...storyOf(this.interrupt, this.me));
  }

  /** A second has passed; what is not on the screen shows that when it comes there. */
  passed() {
    speak(this.element.voice);
    if (!this.answer || !this.content.disabled) this.left?.show(); // what is on its way is in time if the server says so
    if (!this.place) return;
    this.showTimes();
    this.showAside();
    this.showLookers();
    if (document.hidden || Date.now() - (this.lookedLast ?? 0) < LOOK) return;
    this.lookedLast = Date.now();
    this.element.attend?.({ interruptId: this.interrupt.id, action: 'look' })?.catch(() => {}); // nobody waits for it
  }

  /** Somebody else looks at this. */
  lookedAt(who) {
    const { lookers } = this.element;
    const isNew = !lookers.has(who);
    lookers.set(who, Date.now());
    this.showLookers();
    if (isNew) this.news.textContent = this.presence.textContent;
  }

  /** Who looks at this, and has said so lately. */
  showLookers() {
    const { lookers } = this.element;
    for (const [who, at] of lookers) if (Date.now() - at > FORGOTTEN) lookers.delete(who);
    const n = lookers.size;
    speak(this.element.voice);
    this.presence.replaceChildren(n > 0 ? visible(t('{who} is looking at this|{who} are looking at this', { n, who: [...lookers.keys()].join(', ') })) : '');
  }

  /** What can be done besides deciding, where the page takes that. */
  showAside() {
    const { moreTime, delegatedBy } = ours(this.interrupt.metadata);
    const may = this.element.attend && this.mayDecide && !this.expired && !delegatedBy; // of that the other agent has the say
    this.moreTime.hidden = !may || !(moreTime?.left > 0) || !this.left;
    this.hand.hidden = !may || !this.element.people || !this.panel.hidden;
  }

  giveTime() {
    const left = ours(this.interrupt.metadata).moreTime.left - 1; // a page that was told of it meanwhile has counted it
    this.attend({ action: 'moreTime' }, ({ expiresAt }) => {
      const now = parse(stringify(this.element.interrupt));
      now.expiresAt = expiresAt;
      now.metadata.langchain4j.moreTime.left = left;
      this.element.interrupt = now;
      this.news.textContent = this.left.element.title;
      if (this.moreTime.hidden) this.focusFirst();
    });
  }

  /** Has the page do something with the question that decides nothing, once at a time. */
  attend(what, done, failed = ({ message }) => this.complain(message)) {
    if (this.attending) return;
    this.attending = true;
    this.complain('');
    const then = (tell) => (answer) => {
      this.attending = false;
      if (this.element.interrupt?.id !== this.interrupt.id) return; // another question is in its place
      speak(this.element.voice);
      tell(answer);
    };
    this.element.attend({ interruptId: this.interrupt.id, ...what }).then(then(done), then(failed));
  }

  get mayDecide() {
    return this.element.mayDecide && ours(this.interrupt.metadata).mayDecide !== false;
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
      el('p', { class: 'waits' }, voted ? t('You have approved. Waits for another approver') : t('Waits for an approver')),
      ...(voted ? buttons.filter(({ dataset }) => dataset.key === 'd') : []),
      ...(this.mine ? [button(t('Withdraw'), () => this.cancel(t('Withdrawn: it does not run.')), 'danger')] : []),
    ];
  }

  /** What can be done while nothing is open. */
  offer(...buttons) {
    this.offers = this.expired ? this.offers : this.mayDecide ? buttons : this.waiting(buttons);
    this.showRepeat(true);
    this.row(...this.offers);
  }

  /** Opens a panel: its actions take the place of all others. `instead` hides the arguments, which the panel shows as well. */
  open({ form, buttons }, instead = false) {
    this.panel.replaceChildren(form);
    this.panel.hidden = false;
    this.body.hidden = instead;
    this.row(...buttons);
    if (instead) this.viewed = [];
    this.filled = filledIn(form);
    this.pause();
    this.showAside();
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
    this.viewed = [];
    this.showAside();
    this.showRepeat(true);
    this.row(...this.offers);
    this.focusFirst();
  }

  /** What has to be repeated to approve is asked for where something can be approved. */
  showRepeat(approves) {
    if (this.repeat) this.repeat.hidden = !approves || this.approve === undefined;
  }

  /** Escape goes back, and Ctrl+Enter sends what is open. Enter alone approves nothing that is filled in: it goes to the button that does. */
  pressed(event) {
    const isEnter = event.key === 'Enter';
    const send = this.actions.querySelector('button[type="submit"]');
    if (isEnter && event.repeat) event.preventDefault();
    else if (isEnter && (event.ctrlKey || event.metaKey) && !this.panel.hidden) {
      event.preventDefault();
      if (!send?.hidden) send?.click();
    } else if (isEnter && event.target.matches('input, select')) {
      event.preventDefault();
      this.land([send, this.actions.querySelector('[data-key="a"]'), this.more].find((each) => each && !each.disabled && each.offsetParent));
    }
    const back = this.actions.querySelector('.back');
    if (event.key !== 'Escape' || this.panel.hidden || !back) return;
    event.preventDefault();
    back.click();
  }

  focusFirst() {
    if (!this.panel.hidden && this.stays) this.panel.querySelector('input, textarea, select, button')?.focus();
    else [...this.actions.querySelectorAll('button')].find((each) => each.offsetParent)?.focus();
  }

  resolve(payload, words, kind = 'answered') {
    this.decide(this.entry(payload), words, kind);
  }

  /** The entry that answers this interrupt. */
  entry(payload) {
    return { interruptId: this.interrupt.id, status: 'resolved', payload };
  }

  cancel(words = t('Cancelled: no answer is given.')) {
    this.decide(this.cancelled, words, 'cancelled');
  }

  /** The entry that cancels this interrupt. */
  get cancelled() {
    return { interruptId: this.interrupt.id, status: 'cancelled' };
  }

  decide(answer, words, kind) {
    if (this.isRestored) return; // what opened a panel once may be another button now
    this.settleOn(answer, words, kind);
    pauseAll();
    this.element.changed();
  }

  /** Shows a decision, of which the page knows. */
  settleOn(answer, words, kind) {
    this.answer = answer;
    this.kind = kind;
    this.said = words;
    this.complain('');
    this.words.replaceChildren(visible(words));
    this.decisionMark.replaceChildren(icon(MARKS[kind] ?? 'person'));
    const hadFocus = this.content.contains(this.focused);
    this.foldTo(t('Change'), t('Change: {what}', { what: this.inShort }));
    if (hadFocus) this.heading.focus({ preventScroll: true });
  }

  /** Until the server has the decision, it is none. */
  set sending(sending) {
    speak(this.element.voice);
    this.words.replaceChildren(sending ? t('Sending…') : visible(this.said));
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
    speak(this.element.voice);
    this.foldTo(t('Open'), t('Open: {what}', { what: this.inShort }));
  }

  get inShort() {
    return inSight(short(this.interrupt.message ?? this.heading.textContent, 60));
  }

  foldTo(label, name) {
    this.content.hidden = true;
    this.gist.hidden = false;
    this.gist.replaceChildren(visible(short(this.interrupt.message ?? '', 120)));
    this.fold.hidden = false;
    this.fold.textContent = label;
    this.fold.setAttribute('aria-label', name);
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
    this.pause();
  }

  showMark() {
    this.root.classList.toggle('decided', this.answer !== undefined);
    this.mark.toggleAttribute('hidden', this.answer !== undefined);
    this.decisionMark.hidden = this.answer === undefined;
  }

  /** The time for an answer is over: it can only be cancelled. What was filled in can be copied. */
  expire() {
    speak(this.element.voice);
    const hadFocus = this.content.contains(this.focused);
    const typed = this.answer ? '' : this.typed;
    this.expired = true;
    this.title = t('Too late');
    this.left.element.hidden = true;
    this.showAside();
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
      el('p', { class: 'over' }, t('Nobody answered in time, so this cannot be approved any more. It has not run.')),
      keyed('d', button(t('Cancel it'), () => this.cancel(t('Cancelled: it was too late.')))),
    ];
    this.row(...this.offers);
    if (typed) this.rest.insertBefore(unsent(t('The time ended while you were at it: what you filled in was not sent.'), typed), this.foot);
    if (this.answer && this.answer.status !== 'cancelled') this.unfold();
    if (hadFocus) this.heading.focus({ preventScroll: true });
    this.news.textContent = t('The time for an answer is over.');
    this.tellPage('expire');
  }

  /** Says that time runs out, or does not any more, and that there can be more. */
  warn(seconds) {
    if (this.answer || !this.mayDecide) return;
    speak(this.element.voice);
    this.news.textContent = seconds === Infinity ? '' : seconds === 60 ? t('One minute left to answer.') : t('{n} seconds left to answer.', { n: seconds });
    if (seconds < Infinity && !this.moreTime.hidden) this.news.append(' ', t('You can give it more time.'));
  }

  /** What was filled in and not sent, as text. */
  get typed() {
    if (this.panel.hidden || !this.filled) return '';
    const now = filledIn(this.panel);
    return now.filter(([, value], i) => value !== this.filled[i]?.[1]).map(([label, value]) => `${label}: ${value}`).join('\n');
  }

  set busy(busy) {
    if (busy && this.root.contains(this.focused) && this.focused !== this.heading) this.heading.focus({ preventScroll: true });
    this.content.disabled = busy;
    this.fold.disabled = busy;
    this.root.toggleAttribute('data-busy', busy);
  }

  /** What a single key does: `a` goes to the approving button without pressing it, the others open their panels. */
  shortcut(key) {
    const target = this.actions.querySelector(`[data-key="${key}"]`);
    if (key === 'a') (this.more.hidden ? target : this.more)?.focus();
    else target?.click();
    return target !== null;
  }
}

/** How often the page says that somebody looks at this, and after which time it is forgotten of others, in milliseconds. */
const LOOK = 20_000;
const FORGOTTEN = 30_000;

/** Less than this of a line is not worth saying, in pixels. */
const SLACK = 4;

const approves = (each) => each.matches('.primary, .split');

/** What moves by less than a button is under the same pointer, in pixels. */
const BUTTON = 24;

function placeOf(row) {
  const { left, top, width, height } = row.getBoundingClientRect();
  return [left, top, width, height];
}

const isNear = (one, other) => one === other || (one !== undefined && other !== undefined && one.every((each, i) => Math.abs(each - other[i]) < BUTTON));

/** Parts of a length, in order, those that meet as one. */
function merged(parts) {
  const all = [];
  for (const [from, to] of parts.sort(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && from <= last[1] + SLACK) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/**
 * Whose question it is, if an agent asks that works as a tool of the one that the person talks to, and who has proposed the call, if no model of
 * this agent did. Of a client that speaks MCP no more is known than the name that it gives itself.
 */
const whoseInWords = ({ delegatedBy, proposedBy }) => [
  ['Asked by {agent}, an agent that works for this one.', delegatedBy?.toolName],
  /^mcp:/.test(proposedBy)
    ? ['Proposed by an assistant ({caller}, as it calls itself), or by its user.', proposedBy.slice(4)]
    : ['Proposed by {caller}, not by a model.', proposedBy],
].flatMap(([words, who]) => (typeof who === 'string' ? el('p', { class: 'hint' }, visible(t(words, { agent: who, caller: who }))) : []));
