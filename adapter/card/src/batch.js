import { button, capital, el, parse, same, stringify, visible } from './kit.js';
import { speak, t } from './language.js';
import { draftOf, storeDraft } from './drafts.js';
import { ours } from './subject.js';
import { sheet } from './style.js';

/** What somebody is told whose answer may not have arrived. */
export const lostInWords = (why) => (why
  ? t('No answer came ({why}): yours may not have arrived. If this is still open, press again.', { why })
  : t('No answer came: yours may not have arrived. If this is still open, press again.'));

const DECISIONS = {
  approved: '{n} approved', 'approved with changes': '{n} approved with changes', denied: '{n} denied', cancelled: '{n} cancelled', answered: '{n} answered',
};

const barSheet = globalThis.CSSStyleSheet && new CSSStyleSheet();
barSheet?.replaceSync(`
:host { display: block; container-type: inline-size; margin: 0; }
:host([hidden]) { display: none; }
.batch { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin-top: 8px; padding: 8px 8px 8px 16px; border: 1px solid var(--wait-edge); border-radius: 12px; background: var(--wait-ground); }
.batch-state { flex: 1 1 192px; color: var(--wait); font-size: var(--small); font-weight: 600; }
@container (max-width: 640px) { .batch-state { flex-basis: 100%; } }
@media (max-height: 512px) { .batch { margin-top: 2px; padding-block: 2px; } .batch-state { flex-basis: 160px; } }
`);

/** Remembers a decision that waits to be sent together with others. */
const keepDecision = (card) => storeDraft(card, { ...draftOf(card), decision: stringify({ answer: card.answer, words: card.said, kind: card.kind }) });

const forgetDecision = (card) => storeDraft(card, { ...draftOf(card), decision: undefined });

/** Decides again as it was remembered, if this person can still decide about it. */
function restoreDecision(card) {
  const { decision } = draftOf(card) ?? {};
  if (decision === undefined || card.expired || !card.mayDecide) return;
  const { answer, words, kind } = parse(decision);
  card.decide(answer, words, kind);
}

/** Whether one answer may not be enough, or is not this person's to give: then each question is answered by itself. */
const isForOthers = (card) => !card.mine || !card.mayDecide || ours(card.interrupt.metadata).approvals?.needed > 1;

/** Names the button with which a decision is taken back. */
function label(card, text, what) {
  speak(card.element.voice);
  card.fold.textContent = text;
  card.fold.setAttribute('aria-label', t(what, { what: card.inShort }));
}

/** The decision is sent after these seconds, and is none before. */
function holdBack(card, seconds) {
  label(card, t('Undo'), 'Undo: {what}');
  card.words.replaceChildren(t('Sent in {n} second|Sent in {n} seconds', { n: seconds }), el('span', { class: 'hint' }, ' · ', visible(card.said)));
  card.decisionMark.hidden = true;
}

/** So many bytes of all answers together are held back: a browser sends little more than that of a page that is left. */
const MOST_HELD = 50_000;
const sizeOf = (entries) => new Blob([stringify(entries)]).size;

/** What holds something back while the page is left. */
const leaving = new Set();
globalThis.addEventListener?.('pagehide', () => [...leaving].forEach((batch) => batch.leave()));

/** What is held back on this page. */
export const heldBack = () => [...leaving].map((batch) => batch.held.entries);

/** Asks before the page is left: what is on its way is too large for a browser to send it then. */
const askFirst = (event) => event.preventDefault();
const onTheirWay = new Set();

function isOnItsWay(batch, isSo) {
  if (isSo) onTheirWay.add(batch);
  else onTheirWay.delete(batch);
  if (onTheirWay.size > 0) globalThis.addEventListener('beforeunload', askFirst);
  else globalThis.removeEventListener?.('beforeunload', askFirst);
}

/**
 * The open questions of a thread, each in a `<holdpoint-card>`. All of them are answered at once: a single one as soon as it is decided,
 * several with one button when each has a decision, and a decision that was not sent survives a reload. `onAnswers` gets the entries; `bar` is
 * shown where there are several. With `apart`, each is answered by itself where other people have to decide as well. What was decided `before`
 * stays, where the card is the same.
 *
 * With `undo`, an answer is held back for so many seconds, in which it can be undone; `onHeld` is told of that. If the page is left meanwhile, or shows
 * other questions, `onLeave` gets the entries, which are to be sent without waiting for what comes of them.
 */
export class Batch {
  constructor(elements, onAnswers, { before, apart = false, undo = 0, onLeave = () => {}, onHeld = () => {} } = {}) {
    Object.assign(this, { onAnswers, undo, onLeave, onHeld });
    this.held = undefined;
    const kept = before?.known ?? new Set();
    this.elements = elements;
    this.known = new Set(this.cards);
    elements.forEach((element) => {
      for (const event of ['decide', 'reopen', 'seen', 'click', 'spoken']) {
        if (before) element.removeEventListener(event, before);
        element.addEventListener(event, this);
      }
    });
    before?.observer.disconnect();
    this.observer = new MutationObserver(() => this.showHalt());
    this.cards.forEach((card) => this.observe(card));
    this.oneByOne = apart && this.cards.some(isForOthers);
    this.inReview = new Set();
    this.state = el('p', { class: 'batch-state' });
    this.send = button('', () => (this.held ? this.undoHeld() : this.answer()), 'primary');
    this.all = [
      button('', () => (this.reviewed.length > 0 ? this.each(this.reviewed, (card) => card.approve?.()) : this.review())),
      button('', () => this.each(this.undecided, (card) => (card.expired ? card.cancel() : card.deny?.()))),
    ];
    this.bar = el('div', { hidden: !this.isTogether });
    const place = this.bar.attachShadow({ mode: 'open' });
    place.adoptedStyleSheets = [sheet, barSheet];
    this.frame = el('div', { class: 'batch', role: 'group' }, this.state, ...this.all, this.send);
    place.append(this.frame);
    if (!this.oneByOne) this.cards.slice(1).filter((card) => !kept.has(card) && !card.answer).forEach((card) => card.foldUp());
    if (before) isOnItsWay(before, false);
    if (before?.held) this.takeOver(before);
    this.reopenUnsent();
    if (this.isTogether) this.restore(this.cards.filter((card) => !kept.has(card) && !card.answer));
    if (this.cards.every(({ content }) => content.hidden)) this.cards.find((card) => !card.answer)?.reopen();
    this.halted = before?.halted ?? '';
    this.count();
  }

  get cards() {
    return this.elements.map(({ card }) => card);
  }

  observe({ actions }) {
    this.observer.observe(actions, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  }

  /** Whether one button sends all decisions: until then each says that it was not sent. */
  get isTogether() {
    return this.size > 1 && !this.oneByOne;
  }

  /** Decides as somebody had before they loaded the page again. */
  restore(cards) {
    this.together = true;
    cards.forEach(restoreDecision);
    this.together = false;
  }

  /** Sends answers, or holds them back for as long as they can be undone. Nothing is said to be decided before it was sent. */
  deliver(entries) {
    const cards = this.cards.filter((card) => entries.some(({ interruptId }) => interruptId === card.interrupt.id));
    const ends = cards.map(({ interrupt: { expiresAt } }) => (new Date(expiresAt ?? Infinity) - Date.now()) / 1000 - 1);
    const seconds = Math.floor(Math.min(this.undo, ...ends.filter((end) => !Number.isNaN(end))));
    const others = [...leaving].filter((batch) => batch !== this).map((batch) => batch.held.entries);
    if (!(seconds > 0) || sizeOf([others, entries]) > MOST_HELD) {
      isOnItsWay(this, sizeOf(entries) > MOST_HELD);
      this.onAnswers(entries, this.oneByOne);
      return;
    }
    this.flush(); // of several that are answered by themselves, the one before
    this.hold({ entries, seconds, until: Date.now() + seconds * 1000 });
    cards.forEach((card) => holdBack(card, seconds));
    this.count();
    this.onHeld(entries);
  }

  hold(held) {
    this.held = { ...held, timer: setTimeout(() => this.flush(), held.until - Date.now()) };
    leaving.add(this);
  }

  /** Forgets what is held back, and gives it. */
  release() {
    const { held } = this;
    clearTimeout(held?.timer);
    this.held = undefined;
    leaving.delete(this);
    return held;
  }

  /** Whether what was decided about it can still be undone. */
  holdsBack({ interrupt: { id } }) {
    return this.held?.entries.some(({ interruptId }) => interruptId === id) === true;
  }

  /** The time to undo it is over. */
  flush() {
    const held = this.release();
    if (held) this.onAnswers(held.entries, this.oneByOne);
  }

  /** The page is left, or shows something else: what is held back is sent at once. */
  leave() {
    isOnItsWay(this, false);
    const held = this.release();
    if (held) this.onLeave(held.entries);
  }

  /** Nothing that was held back is sent, and all of it can be decided again. */
  undoHeld() {
    const cards = this.cards.filter((card) => this.holdsBack(card));
    this.release();
    this.together = true;
    cards.forEach((card) => card.unfold());
    this.together = false;
    this.count();
  }

  /** Goes on holding back what the questions before did, if they are still there. */
  takeOver(before) {
    if (before.held.entries.every((entry) => this.cards.some(({ interrupt, answer }) => answer && interrupt.id === entry.interruptId))) this.hold(before.release());
    else before.leave();
  }

  /** A halted agent takes no answer: nothing can be approved or denied, and each card says why. Nothing, if the reason is empty. */
  set halted(reason) {
    if (reason !== this.halted) this.cards.filter((card) => reason !== '' || card.problem.textContent === this.halted).forEach((card) => card.complain(reason));
    this.whyHalted = reason;
    this.showHalt();
  }

  get halted() {
    return this.whyHalted ?? '';
  }

  showHalt() {
    const isHalted = this.halted !== '';
    for (const { actions } of this.cards) {
      for (const each of actions.querySelectorAll(isHalted ? ':is(.primary, .filled):not(:disabled)' : '[data-halted]')) {
        each.disabled = isHalted;
        each.toggleAttribute('data-halted', isHalted);
      }
    }
    if (this.all) this.count();
  }

  get size() {
    return this.cards.length;
  }

  /** The entries that cancel every open interrupt. */
  get cancelled() {
    return this.cards.map((card) => card.cancelled);
  }

  /** Whether these are the same questions, with the same votes. */
  shows(interrupts) {
    return same(interrupts.map(({ id, metadata }) => [id, metadata]), this.elements.map(({ interrupt: { id, metadata } }) => [id, metadata]));
  }

  focus() {
    (this.cards.find((card) => !card.answer) ?? this.cards[0])?.heading.focus();
  }

  /** The answers did not get through: everything can be decided again. With several cards the decisions are kept. */
  reopen() {
    this.reopenUnsent();
    this.focus();
  }

  /** Without the button that sends all, a decision that was not sent would have none. */
  reopenUnsent() {
    if (this.size === 1 || this.oneByOne) this.cards.filter((card) => card.answer && !this.holdsBack(card)).forEach((card) => card.reopen());
  }

  /** A decision counts when the server has it. */
  set sending(sending) {
    this.isSending = sending;
    if (!sending) isOnItsWay(this, false);
    for (const card of this.cards.filter(({ answer }) => answer)) {
      card.sending = sending;
      label(card, t('Change'), 'Change: {what}');
    }
  }

  /** Nobody knows whether these answers arrived: what is still open says so, and keeps what was filled in. */
  missed(answers) {
    const missing = this.cards.filter((card) => answers.some(({ interruptId }) => interruptId === card.interrupt.id));
    if (missing.length === 0) return;
    this.reopenUnsent();
    missing.forEach((card) => card.complain(lostInWords()));
    if (this.size > 1 && !this.oneByOne) this.state.textContent = t('No answer came: yours may not have arrived. Send them again.');
  }

  set busy(busy) {
    this.cards.forEach(({ element }) => (element.busy = busy));
    this.isBusy = busy;
    this.count();
  }

  /** What all can be decided about together: nothing that somebody is at work on. */
  get undecided() {
    return this.cards.filter((card) => !card.answer && !card.isWorkedOn);
  }

  get approvable() {
    return this.undecided.filter((card) => card.approve && !card.isHeld);
  }

  /** What one press approves: what was shown for that, unless somebody has begun to work on it since. */
  get reviewed() {
    return this.approvable.filter((card) => this.inReview.has(card));
  }

  /** Shows all of every call that one press would approve; the press counts when each of them was on the screen. */
  review() {
    this.inReview = new Set(this.approvable);
    this.reviewed.forEach((card) => card.reopen());
    this.count();
    this.reviewed[0].heading.focus();
  }

  each(cards, decide) {
    this.together = true;
    cards.forEach(decide);
    this.together = false;
    this.count();
    this.goOn();
  }

  /** Somebody has decided about a card, taken it back, or begun or ended to work on it. */
  handleEvent({ type, target: { card } }) {
    if (type === 'decide' && this.isTogether) {
      keepDecision(card);
      this.sayUnsent(card);
    }
    if (type === 'reopen') forgetDecision(card);
    if (type === 'spoken') {
      this.known.add(card);
      this.observe(card);
      this.showHalt();
      this.sayUnsent(card);
    }
    this.count();
    if (type !== 'decide' && type !== 'reopen') return;
    if (type === 'reopen' && this.holdsBack(card)) this.undoHeld();
    if (this.size === 1 || this.oneByOne) {
      if (card.answer) this.deliver([card.answer]);
    } else if (card.answer && !this.together) this.goOn();
  }

  /** Says of what was decided that it is none before the server has it. */
  sayUnsent(card) {
    if (this.holdsBack(card)) holdBack(card, this.held.seconds);
    else if (card.answer && this.isSending) card.sending = true;
    else if (card.answer && this.isTogether) card.words.append(el('span', { class: 'hint' }, ` · ${t('not sent yet')}`));
  }

  /** Opens what is to be decided next, or goes to the button that sends everything. */
  goOn() {
    const next = this.cards.find((card) => !card.answer);
    if (!next) {
      this.send.focus();
      return;
    }
    next.reopen();
    (next.root.querySelector('[aria-invalid="true"]') ?? next.heading).focus();
  }

  count() {
    if (this.size > 0) speak(this.cards[0].element.voice);
    const kinds = new Map();
    for (const { kind, answer } of this.cards) if (answer) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const summary = [...kinds].map(([kind, count]) => t(DECISIONS[kind], { n: count })).join(', ');
    const open = this.cards.filter((card) => !card.answer).length;
    this.send.disabled = open > 0 || this.isBusy === true || this.halted !== '';
    this.frame.lang = this.cards[0]?.root.lang ?? '';
    this.frame.dir = this.cards[0]?.root.dir ?? '';
    this.frame.setAttribute('aria-label', t('All questions'));
    this.send.textContent = this.held ? t('Undo') : t('Send {n} answer|Send {n} answers', { n: this.size });
    this.send.disabled &&= !this.held;
    this.all[1].textContent = t('Deny all');
    this.all.forEach((each) => (each.hidden = open === 0));
    this.all[0].hidden ||= !this.cards.some((card) => !card.answer && card.approve);
    const { reviewed } = this;
    const seen = reviewed.filter((card) => card.seen).length;
    const isReviewed = reviewed.length > 0;
    this.cards.forEach((card) => (card.tick.hidden = !reviewed.includes(card) || !card.seen));
    this.all[0].textContent = isReviewed ? t('Approve {n}', { n: reviewed.length }) : t('Approve all');
    this.all[0].disabled = this.approvable.length === 0 || seen < reviewed.length || this.halted !== '';
    this.all[1].disabled = this.undecided.length === 0;
    this.state.textContent = this.held && this.isTogether ? t('Sent in {n} second|Sent in {n} seconds', { n: this.held.seconds }) : open === 0
      ? t('{decisions}. Nothing was sent yet.', { decisions: capital(summary) })
      : seen < reviewed.length
        ? t('{seen} of {n} viewed. Look at all of them to approve them together.', { seen, n: reviewed.length })
        : t('{decided} of {n} decided. Nothing is sent before all are.', { decided: this.size - open, n: this.size });
  }

  /** The keys of the inbox: j and k move, the others are the focused card's or the next one's; tells whether it was one of them. */
  pressed(key) {
    const at = this.cards.findIndex(({ element }) => element.contains(document.activeElement));
    if (key === 'j' || key === 'k') {
      const next = this.cards[Math.max(0, Math.min(this.size - 1, key === 'j' ? at + 1 : at - 1))];
      next?.heading.focus();
      return next !== undefined;
    }
    if (!['a', 'e', 'd'].includes(key)) return false;
    const card = this.cards[at] ?? this.cards.find(({ answer }) => !answer);
    if (!card || card.answer) return false;
    card.reopen();
    return card.shortcut(key);
  }

  answer() {
    this.deliver(this.cards.map((card) => card.answer));
  }
}
