import { Readings, button, byId, el, visible } from './kit.js';
import { say } from './language.js';
import { server } from './server.js';
import { decidedLine, livesOf } from './transcript.js';

/** So many are shown, and as many more whenever somebody asks for earlier ones. */
const MANY = 20;

/**
 * What everybody has decided, in all conversations that this person may see: a line for each call, the newest first. `h` goes to the first one, and
 * j and k from one to the next.
 */
export class History {
  constructor(app) {
    this.app = app;
    this.lines = new Map();
    this.trails = new Map();
    this.earlier = [];
    this.shown = MANY;
    this.readings = new Readings();
    byId('decided-more').addEventListener('click', () => this.showEarlier());
  }

  /** Reads the newest page; what was read of earlier ones stays. */
  async read() {
    const page = await this.readings.latest(() => server.decided());
    if (!page) return;
    const { decisions, next } = page;
    this.newest = decisions;
    if (this.earlier.length === 0) this.next = next;
    await this.show();
  }

  /** The decisions that are known, of each call the last. */
  get calls() {
    const calls = new Map();
    for (const decision of [...this.newest, ...this.earlier]) {
      const key = `${decision.threadId} ${decision.toolCallId ?? decision.interruptId}`;
      if (!calls.has(key)) calls.set(key, decision);
    }
    return [...calls];
  }

  async showEarlier() {
    this.shown += MANY;
    while (this.calls.length < this.shown && this.next !== undefined) {
      const { decisions, next } = await server.decided(this.next);
      this.earlier.push(...decisions);
      this.next = next;
    }
    const before = byId('decided-list').childElementCount;
    await this.show();
    (this.summaries[before] ?? this.summaries.at(-1)).focus();
  }

  async show() {
    const { calls } = this;
    const shown = calls.slice(0, this.shown);
    await Promise.all([...new Set(shown.map(([, { threadId }]) => threadId))].map((id) => this.readTrail(id, shown)));
    const focused = document.activeElement;
    const at = [...this.lines].find(([, { element }]) => element.contains(focused))?.[0];
    this.lines = new Map(shown.map(([key, decision]) => [key, this.lineOf(key, decision)]));
    const elements = [...this.lines.values()].map(({ element }) => element);
    const list = byId('decided-list');
    if (elements.length !== list.children.length || elements.some((element, i) => list.children[i] !== element)) list.replaceChildren(...elements);
    if (at !== undefined) (focused.isConnected ? focused : this.lines.get(at)?.element.querySelector('summary') ?? byId('inbox-filter')).focus({ preventScroll: true });
    byId('decided').hidden = elements.length === 0;
    byId('decided-more').hidden = calls.length <= this.shown && this.next === undefined;
  }

  /** Reads what became of the calls of a conversation, unless all of them have come to their end since nothing else was decided there. */
  async readTrail(threadId, shown) {
    const decided = shown.filter(([, decision]) => decision.threadId === threadId).map(([, { at }]) => at).join();
    const known = this.trails.get(threadId);
    if (known?.decided === decided && known.isOver) return;
    const lives = livesOf(await server.audit(threadId).catch(() => [])); // it was purged, or is not theirs any more
    this.trails.set(threadId, { decided, lives, isOver: [...lives.values()].every(({ ended }) => ended) });
  }

  /** The line of a call, the same one as long as nothing else is known of it. */
  lineOf(key, decision) {
    const { threadId, toolCallId, owner, by, at, toolName = '' } = decision;
    const life = this.trails.get(threadId).lives.get(toolCallId);
    const state = `${at} ${life?.count}`;
    const before = this.lines.get(key);
    if (before?.state === state) return before;
    const line = life?.PROPOSED
      ? decidedLine(life, this.app.scene)
      : el('details', { class: 'call-line' }, el('summary', {}, visible(say('{who} decided about {tool}', { who: by, tool: toolName }))));
    line.open = before?.element.querySelector('details').open ?? false;
    line.append(
      ...(owner === this.app.me ? [] : [el('p', { class: 'hint' }, visible(say('In a conversation of {who}', { who: owner })))]),
      button(say('Open the conversation'), () => this.app.openThread(threadId), 'quiet small'));
    return { state, element: el('li', {}, line) };
  }

  filter(text) {
    for (const { element } of this.lines.values()) element.hidden = !element.textContent.toLowerCase().includes(text);
  }

  get summaries() {
    return [...byId('decided-list').querySelectorAll(':scope > li:not([hidden]) > details > summary')];
  }

  /** What a letter does here; tells whether it was one of this list's. */
  pressed(key) {
    const { summaries } = this;
    const at = summaries.findIndex((summary) => summary.parentNode.contains(document.activeElement));
    if (key === 'h') summaries[0]?.focus();
    else if (at >= 0 && (key === 'j' || key === 'k')) summaries[Math.max(0, Math.min(summaries.length - 1, key === 'j' ? at + 1 : at - 1))].focus();
    else return false;
    return true;
  }
}
