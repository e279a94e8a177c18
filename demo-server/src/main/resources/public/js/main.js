import { look, run } from './agent.js';
import { Holds } from './cards/holds.js';
import { Conversation } from './chat/conversation.js';
import { refreshEffects } from './chat/effects.js';
import { refreshGrants } from './chat/grants.js';
import { Transcript } from './chat/transcript.js';
import { Composer } from './composer.js';
import { byId } from './dom.js';
import { clearError, showError, status } from './notices.js';
import { currentThread, keepThread, newId, newThread } from './thread.js';

/** The server knows other open questions than this page: they were answered elsewhere, in another tab perhaps. */
const OUTDATED = new Set([
  'INTERRUPT_PENDING',
  'INTERRUPT_UNKNOWN',
  'INTERRUPT_ALREADY_RESOLVED',
  'INTERRUPT_PARTIAL_RESUME',
]);

/** One conversation: sends run inputs and shows what comes back. */
class App {
  constructor() {
    const transcript = new Transcript(byId('transcript'));
    this.conversation = new Conversation({
      changed: (id) => this.shown(() => transcript.update(this.conversation, id)),
      replaced: () => this.conversation && this.shown(() => transcript.replace(this.conversation)),
    });
    this.holds = new Holds((resume) => this.run({ resume }));
    this.composer = new Composer(this);
    byId('new-conversation').addEventListener('click', () => this.restart());
    window.addEventListener('hashchange', () => location.reload());
  }

  start() {
    this.threadId = currentThread();
    refreshEffects();
    if (this.threadId) this.look();
    else this.restart();
  }

  /** Shows the thread as it is, open questions included, and the run that is at work on it to its end. */
  look() {
    return this.run({ look: true });
  }

  /** Neither an answer nor a message: the server goes on with a turn that has not come to its end. */
  goOn() {
    return this.run({});
  }

  restart() {
    if (this.running) return;
    this.threadId = newThread();
    this.conversation.clear();
    this.holds.clear();
    clearError();
    status('');
    refreshGrants(this.threadId);
    byId('message').focus();
  }

  get openQuestions() {
    return this.holds.size;
  }

  say(text) {
    this.run({ message: { id: newId(), role: 'user', content: text } });
  }

  steerAway(text) {
    this.run({ resume: this.holds.cancelled, message: { id: newId(), role: 'user', content: text } });
  }

  async run(request) {
    if (this.running) return;
    this.setRunning(true);
    clearError();
    if (!request.look) keepThread(this.threadId);
    if (request.message) this.conversation.addUser(request.message);
    const outcome = await this.follow(request);
    this.setRunning(false);
    outcome();
    await Promise.all([refreshGrants(this.threadId), refreshEffects()]);
  }

  /** Shows a run while it lasts and returns what to do at its end, once the server has closed the stream. */
  async follow(request) {
    let started = false;
    let end;
    try {
      for await (const event of this.events(request)) {
        this.conversation.apply(event);
        if (event.type === 'RUN_STARTED') started = true;
        if (event.type === 'RUN_FINISHED') end = () => (request.look ? this.looked(event) : this.finished(event));
        if (event.type === 'RUN_ERROR') end = () => (started ? this.failed(event, request) : this.refused(event, request));
      }
    } catch (error) {
      end ??= () => this.failed(error, request);
    }
    return end ?? (() => this.failed(new Error('The connection ended before the run did.'), request));
  }

  events(request) {
    return request.look ? look({ threadId: this.threadId, runId: newId() }) : run(this.input(request));
  }

  input({ resume }) {
    return {
      threadId: this.threadId,
      runId: newId(),
      messages: this.conversation.userMessages,
      tools: [],
      context: [],
      forwardedProps: {},
      resume,
    };
  }

  /** How the thread stands: a run may be at work longer than it can be followed, or have died. */
  looked(event) {
    const thread = event.metadata?.langchain4j?.thread;
    if (thread === 'running') this.look();
    else if (thread === 'unfinished') this.goOn();
    else this.finished(event);
  }

  finished({ outcome }) {
    this.holds.show(outcome?.type === 'interrupt' ? outcome.interrupts : []);
    if (this.openQuestions === 0) byId('message').focus();
    this.showStatus();
  }

  /** Open questions stay, so that they can be answered again. */
  failed(error, request) {
    this.holds.reopen();
    const again = request?.look && error.type === 'RUN_ERROR' ? {} : request; // the run that was looked at has failed
    showError(error, again && (() => this.run(again)));
  }

  /** The run never began: nothing of its input counts. */
  refused(error, { message }) {
    if (message) {
      this.conversation.remove(message.id);
      this.composer.restore(message.content);
    }
    if (OUTDATED.has(error.code)) this.look().then(() => showError(error));
    else this.failed(error);
  }

  setRunning(running) {
    this.running = running;
    this.holds.busy = running;
    this.composer.setBusy(running);
    byId('new-conversation').disabled = running;
    if (!running) this.conversation.close();
    this.showStatus();
  }

  showStatus() {
    status(this.running ? 'The agent is answering…' : this.openQuestions > 0 ? 'The agent waits for your decision.' : '');
  }

  /** Changes the transcript and follows its end, unless the person scrolled up. What is beside or below it does not count. */
  shown(change) {
    const below = () => document.querySelector('main').getBoundingClientRect().bottom - document.documentElement.clientHeight;
    const following = below() < 120;
    change();
    byId('welcome').hidden = this.conversation.messages.size > 0;
    if (following && below() > 0) window.scrollBy(0, below());
  }
}

new App().start();
