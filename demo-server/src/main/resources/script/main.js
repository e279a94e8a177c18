import { Batch, button, byId, cardsOf, el, focused, newId, sheet, short, textOf, visible } from './kit.js';
import { OUTDATED, inPeoplesWords, server } from './server.js';
import { Conversation } from './conversation.js';
import { Transcript, livesOf } from './transcript.js';
import { Inspector } from './inspector.js';
import { Inbox } from './inbox.js';
import { Figures } from './figures.js';
import { Composer } from './composer.js';
import { Live } from './live.js';
import { Attention } from './attention.js';
import { seen } from './markdown.js';
import { pageTools, resultOf } from './tools.js';
import { broken, crash } from './gone.js';
import { keepUnsent } from './unsent.js';
import { haltInWords, showHalt, Threads, showPerson, signIn, theme } from './people.js';
import { openLanguage, say } from './language.js';

const DRAWERS = [['show-side', 'side'], ['show-inspector', 'inspector']];
const TICK = 15_000;

/** One page: a conversation, or the inbox, and what is behind them. */
class App {
  constructor() {
    this.scene = {
      lives: new Map(),
      cards: new Map(),
      running: false,
      waits: false,
      me: undefined,
      edit: (id, content) => this.replace({ replaces: id, message: { id: newId(), role: 'user', content } }),
      answerAgain: (id) => this.replace({ replaces: id }),
    };
    const transcript = new Transcript(byId('transcript'), this.scene);
    this.transcript = transcript;
    this.conversation = new Conversation({
      changed: (id) => this.shown(() => transcript.update(this.conversation, id)),
      replaced: () => this.conversation && this.shown(() => transcript.replace(this.conversation)),
    });
    this.batch = new Batch([], () => {});
    this.inspector = new Inspector();
    this.composer = new Composer(this);
    this.attention = new Attention(this);
    this.inbox = new Inbox(this);
    this.figures = new Figures();
    byId('new-conversation').addEventListener('click', () => this.restart('pushState'));
    for (const [id, path] of [['inbox-link', '/inbox'], ['inbox-short', '/inbox'], ['figures-link', '/figures']]) {
      byId(id).addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        history.pushState(null, '', path);
        this.route();
      });
    }
    byId('jump').addEventListener('click', () => this.toEnd());
    byId('scroll').addEventListener('scroll', () => (byId('jump').hidden = this.openQuestions > 0 || this.fromEnd < 200));
    byId('crash-now').addEventListener('click', () => crash(this, 'now'));
    byId('crash-tool').addEventListener('click', () => crash(this, 'next-tool'));
    for (const [id, of] of DRAWERS) byId(id).addEventListener('click', () => this.toggle(id, of));
    byId('skip').addEventListener('click', (event) => {
      event.preventDefault(); // the part of the address behind # names a conversation
      byId('main').focus();
    });
    document.addEventListener('keydown', (event) => event.key === 'Escape' && !event.defaultPrevented && this.closeDrawer());
    document.addEventListener('halt', () => this.tellOfHalt());
    document.addEventListener('expire', () => this.showStatus());
    window.addEventListener('pageshow', ({ persisted }) => persisted && location.reload()); // what it held back was sent
    window.addEventListener('popstate', () => this.route());
    window.addEventListener('resize', () => this.showBeside(this.besideThread)); // a narrow window hides it
  }

  async start() {
    theme();
    this.showBeside(!['/inbox', '/figures'].includes(location.pathname));
    server.signIn = () => signIn(this.me);
    let person = await server.me();
    if (person.signIn && !person.caller) person = await signIn();
    showPerson(person);
    byId('crash').hidden = !person.crash;
    byId('figures-link').hidden = person.signIn && !person.caller.roles.includes('operator');
    this.scene.me = person.caller.id;
    Object.assign(this, { undo: person.undo ?? 0, people: person.people, roles: person.caller.roles });
    this.threads = new Threads(person.caller.id, (id) => this.openThread(id));
    await this.route();
    setInterval(() => this.inbox.entries.forEach((entry) => entry.tick()), TICK);
    new Live(this.me, () => Promise.all([this.readInbox(), this.inspector.showEffects()]).catch(() => {}), (change) => this.attention.looked(change)).start();
  }

  get me() {
    return this.scene.me;
  }

  /** Reads what waits, and shows it if others have voted or decided about this conversation meanwhile. */
  async readInbox() {
    const { turn, batch } = this;
    await Promise.all([this.inbox.read(), showHalt()]);
    this.showThreads();
    if (turn !== this.turn || batch !== this.batch || this.running || this.openQuestions === 0) return;
    const now = this.inbox.of(this.threadId);
    if (!this.batch.shows(now)) keepUnsent(this.threadId, batch, now, this.scene);
    if (now.length === 0) this.look();
    else if (!this.batch.shows(now)) {
      this.showBatch(now);
      const events = await server.audit(this.threadId).catch(() => []);
      if (turn === this.turn) this.showAudit(events);
    }
  }

  tellOfHalt() {
    for (const batch of [this.batch, ...this.inbox.entries.map((entry) => entry.batch)]) if (batch) batch.halted = haltInWords();
  }

  /** Shows what the address names. */
  async route() {
    if (location.pathname === '/inbox') return this.showInbox();
    if (location.pathname === '/figures') return this.showFigures();
    const id = new URLSearchParams(location.hash.slice(1)).get('thread');
    if (id === null) return this.restart();
    if (id !== this.threadId || byId('thread').hidden) return this.openThread(id);
    return undefined;
  }

  openThread(id) {
    this.leave();
    this.threadId = id;
    this.composer.show(id);
    this.keepAddress('pushState');
    this.showThread();
    const looked = this.look();
    this.composer.catchUp();
    return looked;
  }

  restart(how = 'replaceState') {
    this.leave();
    this.threadId = newId();
    this.composer.show('new');
    if (location.pathname + location.hash !== '/') history[how](null, '', '/');
    this.showThread();
    if (matchMedia('(pointer: fine)').matches) byId('message').focus(); // elsewhere a keyboard would cover the page
    this.composer.catchUp();
    return this.refresh();
  }

  /** The run that is shown goes on without anybody looking. */
  leave() {
    this.turn = (this.turn ?? 0) + 1;
    this.stopFollowing?.();
    this.setRunning(false);
    this.conversation.clear();
    this.scene.lives = new Map();
    this.showBatch([]);
    this.clearError();
    this.inspector.showAudit([]);
    this.inspector.showGrants(undefined);
    this.inspector.showState(undefined);
  }

  /** The first message of a conversation does not leave a page behind; another conversation does. */
  keepAddress(how = 'replaceState') {
    const address = `/#thread=${encodeURIComponent(this.threadId)}`;
    if (location.pathname + location.hash === address) return;
    history[how](null, '', address);
  }

  showThread() {
    this.show('thread', this.threads.find(this.threadId)?.title ?? say('New conversation'));
    this.showWelcome();
    this.showThreads();
  }

  showInbox() {
    this.leave();
    this.threadId = undefined;
    this.show('inbox', say('Inbox'));
    return this.refresh();
  }

  async showFigures() {
    this.leave();
    this.threadId = undefined;
    this.show('figures', say('Figures'));
    await Promise.all([this.figures.read(), this.refresh()]);
  }

  /** Shows one of the views. */
  show(view, title) {
    for (const each of ['thread', 'inbox', 'figures']) byId(each).hidden = each !== view;
    for (const each of ['inbox', 'figures']) byId(`${each}-link`).removeAttribute('aria-current');
    if (view !== 'thread') byId(`${view}-link`).setAttribute('aria-current', 'page');
    byId('title').replaceChildren(el('bdi', {}, visible(title)));
    if (view !== 'inbox') this.inbox.leave();
    this.close('show-side', 'side');
    this.showBeside(view === 'thread');
  }

  /** What is behind the scenes is beside conversations as it was left there, and elsewhere if somebody asks for it. */
  showBeside(ofThread) {
    const beside = byId('inspector');
    if (ofThread !== this.besideThread) {
      const { open } = beside.dataset;
      if (!ofThread) beside.dataset.open = 'false';
      else if (this.wasOpen === undefined) delete beside.dataset.open;
      else beside.dataset.open = this.wasOpen;
      this.wasOpen = open;
      this.besideThread = ofThread;
    }
    byId('show-inspector').setAttribute('aria-expanded', String(getComputedStyle(beside).display !== 'none'));
  }

  showThreads() {
    this.tellOfHalt();
    this.threads.show(this.threadId, this.inbox.waiting);
  }

  toggle(id, of) {
    const open = byId(id).getAttribute('aria-expanded') !== 'true';
    byId(id).setAttribute('aria-expanded', String(open));
    byId(of).dataset.open = String(open);
  }

  close(id, of) {
    if (byId(id).getAttribute('aria-expanded') === 'true') this.toggle(id, of);
  }

  /** Closes what lies over the page. */
  closeDrawer() {
    if (document.querySelector('dialog[open]')) return;
    for (const [id, of] of DRAWERS) {
      if (byId(id).getAttribute('aria-expanded') !== 'true' || getComputedStyle(byId(of)).position !== 'fixed') continue;
      this.toggle(id, of);
      byId(id).focus();
    }
  }

  /** Shows the thread as it is, open questions included, and the run that is at work on it to its end. */
  look() {
    return this.run({ look: true });
  }

  /** Neither an answer nor a message: the server goes on with a turn that has not come to its end. */
  goOn() {
    return this.run({});
  }

  get openQuestions() {
    return this.batch.size;
  }

  get waiting() {
    if (this.batch.cards.every((card) => card.expired)) return say('The time for an answer is over.');
    return this.waitsForMe ? say('The agent waits for your decision.') : say('The agent waits for an approver.');
  }

  get waitsForMe() {
    return this.batch.cards.some((card) => card.mayDecide);
  }

  say(content) {
    this.run({ message: { id: newId(), role: 'user', content } });
  }

  /** A yes or a no does not say to what, nor that it is meant: the question is answered by its buttons. */
  pointToQuestion() {
    const words = say('Nothing was sent. Press a button of the question to answer it.');
    this.batch.focus();
    this.status(words);
    this.announce(words);
  }

  /** A message that is written while the agent answers stays where it is. */
  pointToAnswer() {
    const words = say('Nothing was sent. The agent is still answering: wait for it, or stop it.');
    this.status(words);
    this.announce(words);
  }

  steerAway(content) {
    this.batch.undoHeld();
    this.run({ resume: this.batch.cancelled, message: { id: newId(), role: 'user', content } });
  }

  /** An earlier message is said in another way, or the last one answered again; what was pressed goes with what is replaced. */
  replace(request) {
    byId('message').focus();
    this.run(request);
  }

  /** Sends answers one by one, and shows what comes of them. */
  async decide(answers) {
    const turn = ++this.turn;
    this.stopFollowing?.();
    const { threadId } = this;
    this.setRunning(true);
    this.batch.sending = true;
    this.clearError();
    let problem;
    try {
      for (const answer of answers) await server.decide(threadId, answer);
    } catch (error) {
      problem = error;
    }
    if (turn !== this.turn) return;
    this.setRunning(false);
    this.batch.sending = false;
    if (problem) this.batch.reopen();
    if (problem instanceof TypeError) {
      await broken(this, problem, { resume: answers }, false);
      return;
    }
    if (!problem || OUTDATED.has(problem.code)) await this.look();
    if (problem && threadId === this.threadId) this.showError(problem);
  }

  async stop() {
    this.status(say('Stopping…'));
    await server.cancel(this.threadId).catch(() => {}); // it has just come to its end
  }

  async run(request) {
    if (this.running) return;
    const turn = ++this.turn;
    this.setRunning(true);
    this.clearError();
    if (request.resume) this.batch.sending = true;
    if (!request.look) this.keep(request);
    if (request.replaces) this.conversation.cutFrom(this.conversation.firstReplaced(request));
    if (request.message) this.conversation.add(request.message);
    if (request.message) this.toEnd();
    const outcome = await this.follow(request, turn);
    if (turn !== this.turn) return;
    this.setRunning(false);
    this.batch.sending = false;
    await outcome();
    if (turn === this.turn) await this.refresh();
  }

  /** Shows a run while it lasts and returns what to do at its end, once the server has closed the stream. */
  async follow(request, turn) {
    const { threadId } = this;
    const stop = new AbortController();
    let started = false;
    let end;
    this.stopFollowing = () => (started || request.look) && stop.abort(); // or a browser would have no connection left, but what is sent has to arrive
    try {
      for await (const event of this.events(request, stop.signal)) {
        if (turn !== this.turn && event.type === 'RUN_ERROR') throw event;
        if (turn !== this.turn) {
          stop.abort();
          return undefined;
        }
        this.conversation.apply(event);
        if (event.type.startsWith('STATE_')) this.inspector.showState(this.conversation.state);
        if (event.type.startsWith('STEP_')) this.showStatus();
        if (event.type === 'RUN_STARTED') {
          started = true;
          this.batch.sending = false;
        }
        if (event.type === 'RUN_FINISHED') end = () => (request.look ? this.looked(event) : this.finished(event));
        if (event.type === 'RUN_ERROR') end = () => (started ? this.failed(event, request) : this.refused(event, request));
      }
    } catch (error) {
      if (turn !== this.turn && !started && request.message) this.composer.restore(request.message.content, threadId);
      end ??= () => broken(this, error, request, started);
    }
    return end ?? (() => broken(this, new TypeError(say('The connection ended before the run did.')), request));
  }

  events(request, signal) {
    return request.look ? server.look({ threadId: this.threadId, runId: newId() }, signal) : server.run(this.input(request), signal);
  }

  input({ resume, results = [], replaces }) {
    return {
      threadId: this.threadId,
      runId: newId(),
      messages: [...this.conversation.userMessages, ...results],
      tools: pageTools,
      context: [],
      forwardedProps: { holdpoint: { replaces: replaces ?? null } }, // the list of messages alone replaces nothing
      resume,
    };
  }

  /** How the thread stands: a run may be at work longer than it can be followed, or have died. */
  looked(event) {
    const thread = event.metadata?.langchain4j?.thread;
    const isEmpty = thread === 'idle' && this.conversation.messages.size === 0; // so is what belongs to somebody else
    if (isEmpty) return this.showError({ code: 'THREAD_NOT_FOUND' });
    if (!this.threads.find(this.threadId)) this.keep({ message: this.conversation.userMessages[0] });
    if (thread === 'running') return this.look();
    if (thread === 'unfinished') return this.goOn();
    return this.finished(event);
  }

  async finished({ outcome, metadata }) {
    const { turn } = this;
    const interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : [];
    const isShared = interrupts.some((interrupt) => interrupt.metadata?.langchain4j?.mayDecide !== undefined);
    if (isShared) await this.inbox.read().catch(() => {}); // it knows whose the conversation is
    if (turn !== this.turn) return undefined;
    this.showBatch(interrupts);
    const refused = interrupts.map((interrupt) => interrupt.metadata?.langchain4j?.refused).find((each) => each !== undefined);
    if (refused) this.showError(refused);
    const pending = outcome?.pendingToolCallIds ?? metadata?.langchain4j?.pendingToolCallIds ?? [];
    const results = pending.map((id) => this.runHere(id)).filter((result) => result !== undefined);
    if (results.length > 0) return this.run({ results });
    const waits = this.openQuestions > 0;
    if (!waits && this.fromEnd < 200) this.toEnd();
    this.threads.keep(this.threadId, { state: waits ? 'waiting' : 'idle' });
    if (waits) this.announce(say(this.waitsForMe ? '{n} waiting for you: {question}' : '{n} waiting for an approver: {question}', { n: this.openQuestions, question: this.batch.cards[0].interrupt.message ?? '' }));
    else {
      byId('message').focus();
      if (outcome?.type === 'cancelled') this.stopped = true;
      const last = [...this.conversation.messages.values()].filter(({ role }) => role === 'assistant').at(-1);
      this.announce(`${say('The agent answered.')} ${short(seen(textOf(last?.content)), 200)}`);
    }
    this.showStatus();
    return undefined;
  }

  /** Runs a call of one of this page's own tools. */
  runHere(toolCallId) {
    const call = this.conversation.call(toolCallId);
    const result = call && resultOf(call);
    if (result) this.conversation.addResult(result);
    return result;
  }

  /** Open questions stay, so that they can be answered again. */
  failed(error, request) {
    this.batch.reopen();
    if (error.code === 'INTERRUPT_FORBIDDEN') this.openCardsAgain();
    const again = request?.look && error.type === 'RUN_ERROR' ? {} : request; // the run that was looked at has failed
    if (this.threads.find(this.threadId)) this.threads.keep(this.threadId, { state: this.openQuestions > 0 ? 'waiting' : 'failed' });
    this.showError(error, again && !error.status ? () => this.run(again) : undefined);
  }

  /** The decisions of several cards are kept for another try, unless somebody else has to make them. */
  openCardsAgain() {
    this.batch.cards.forEach((card) => card.reopen());
    this.batch.count();
  }

  /** The run never began: nothing of its input counts. */
  async refused(error, { message, replaces }) {
    const { threadId } = this;
    if (replaces !== undefined) await this.look(); // it is still there
    if (message) this.composer.restore(message.content, threadId);
    if (threadId !== this.threadId) return;
    if (message) this.conversation.remove(message.id);
    if (!OUTDATED.has(error.code)) {
      this.failed(error);
      return;
    }
    await this.look();
    if (threadId === this.threadId) this.showError(error);
  }

  /** Reads all that is beside the conversation: what ran, who decided, what is remembered, what waits elsewhere. */
  async refresh() {
    const { threadId } = this;
    const trail = threadId && this.conversation.messages.size > 0 ? server.audit(threadId).catch(() => []) : [];
    await Promise.all([
      this.inspector.showEffects(),
      threadId && this.conversation.messages.size > 0 ? this.inspector.showGrants(threadId) : undefined,
      this.inbox.read().catch(() => {}),
      showHalt().catch(() => {}),
      Promise.resolve(trail).then((events) => threadId === this.threadId && this.showAudit(events)),
    ]);
    this.showThreads();
    if (!this.running) document.body.dataset.state = 'idle';
  }

  showAudit(events) {
    this.inspector.showAudit(events);
    this.scene.lives = livesOf(events);
    this.shown(() => this.transcript.refresh(this.conversation));
  }

  /** Each open question takes the place of its call; those without one come at the end. */
  showBatch(interrupts) {
    const before = focused();
    const { threadId } = this;
    // what somebody said stands above
    const elements = cardsOf(interrupts, { ...this.attention.forCards(threadId), before: this.batch, conversation: [...this.conversation.results.values()] });
    this.batch = new Batch(elements, (resume, oneByOne) => (oneByOne ? this.decide(resume) : this.run({ resume })), {
      before: this.batch, apart: true, undo: this.undo, onLeave: (answers) => server.leave(threadId, answers) });
    this.batch.halted = haltInWords();
    this.attention.tell(this.batch);
    const { cards } = this.batch;
    this.scene.waits = cards.length > 0;
    this.scene.cards = new Map(cards.filter((card) => this.conversation.call(card.interrupt.toolCallId)).map((card) => [card.interrupt.toolCallId, card]));
    const placed = new Set(this.scene.cards.values());
    this.shown(() => {
      byId('loose').replaceChildren(...cards.filter((card) => !placed.has(card)).map((card) => card.element));
      byId('batch').replaceChildren(this.batch.bar);
      this.transcript.refresh(this.conversation);
    });
    if (cards.length === 0) return;
    if (cards.some((card) => card.root.contains(before))) {
      before.focus({ preventScroll: true });
      return;
    }
    const [{ element, heading }] = cards;
    heading.focus({ preventScroll: true });
    element.scrollIntoView({ block: element.offsetHeight > byId('scroll').clientHeight ? 'start' : 'nearest' });
  }

  /** Remembers the conversation in this browser, under what was said first. */
  keep({ message }) {
    this.keepAddress();
    this.composer.belongTo(this.threadId);
    const title = this.threads.find(this.threadId)?.title ?? (message ? short(textOf(message.content), 60) || say('A file') : undefined);
    this.threads.keep(this.threadId, title === undefined ? {} : { title });
    byId('title').replaceChildren(el('bdi', {}, visible(title ?? say('Conversation'))));
    this.showThreads();
  }

  setRunning(running) {
    this.running = running;
    this.scene.running = running;
    if (running) this.stopped = false;
    this.batch.busy = running;
    this.composer.working = running;
    if (running) document.body.dataset.state = 'running';
    if (!running) this.conversation.close();
    this.transcript.refresh(this.conversation);
    this.showWelcome();
    this.showStatus();
  }

  showStatus() {
    const step = this.conversation.steps.at(-1);
    this.status(this.running
      ? step ? say('Running {tool}…', { tool: step }) : say('The agent is answering…')
      : this.openQuestions > 0 ? this.waiting : this.stopped ? say('Stopped.') : '');
  }

  status(text) {
    byId('status').textContent = text;
  }

  /** Says something to those who do not see the page. */
  announce(text) {
    byId('announcer').replaceChildren(visible(text));
  }

  complain(text) {
    this.showError({ message: text });
  }

  showError(error, retry) {
    const { title, text, remedy, detail } = inPeoplesWords(error);
    byId('error').replaceChildren(
      el('p', {}, el('strong', {}, title, '. '), el('bdi', {}, visible(text)), ' ', remedy),
      ...(retry ? [button(say('Try again'), retry)] : []),
      ...(detail ? [el('p', { class: 'hint' }, visible(detail))] : []));
    byId('error').hidden = false;
    byId('error').dataset.code = error.code;
    if (error.code === 'AGENT_HALTED') showHalt().then(() => this.tellOfHalt(), () => {});
    byId('error').scrollIntoView({ block: 'nearest' });
  }

  clearError() {
    byId('error').hidden = true;
  }

  showWelcome() {
    const empty = this.conversation.messages.size === 0 && !this.running;
    byId('welcome').hidden = !empty;
    byId('status').hidden = empty;
  }

  get fromEnd() {
    const area = byId('scroll');
    return area.scrollHeight - area.clientHeight - area.scrollTop;
  }

  toEnd() {
    byId('scroll').scrollTop = byId('scroll').scrollHeight;
  }

  /** Changes the transcript and, while a run is at work, follows its end, unless the person scrolled up. */
  shown(change) {
    const following = this.running && this.fromEnd < 120;
    change();
    this.showWelcome();
    if (following) this.toEnd();
  }
}

document.adoptedStyleSheets = [sheet];
openLanguage().then(() => new App().start());
