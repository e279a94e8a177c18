import { byId } from './kit.js';
import { say } from './language.js';
import { server } from './server.js';

const SOON = 100;
const PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/** The server writes something every 15 seconds; a connection that is silent for longer has died without a word. */
const SILENCE = 40_000;

/** Why changes do not come: the server refused, or there is no connection. Another tab may speak another language. */
const inWords = ({ refusal }) => (refusal === undefined
  ? say('Connection lost. Trying again; nothing is sent until it is back.')
  : say('This page does not change by itself at present. {why} Trying again.', { why: refusal }));

/**
 * Follows the changes of questions, and says so while it cannot. `changed` is called soon after some, and when the connection is back, and `looked` when somebody else looks at one. One tab
 * of a person follows and tells the others: a browser has six connections to a server, and each stream keeps one.
 */
export class Live {
  constructor(person, changed, looked) {
    this.changed = changed;
    this.looked = looked;
    this.name = `changes-${person}`;
    this.others = new BroadcastChannel(this.name);
    this.others.onmessage = ({ data }) => (data.by === undefined ? this.show(data.problem) : this.looked(data));
    window.addEventListener('offline', () => this.attempt?.abort());
    window.addEventListener('online', () => this.again?.());
  }

  /** Without locks, which a browser has only where the connection is safe, each tab follows by itself. */
  start() {
    return navigator.locks ? navigator.locks.request(this.name, () => this.follow()) : this.follow();
  }

  async follow() {
    let pause = PAUSE;
    for (;;) {
      this.attempt = new AbortController();
      this.listen();
      try {
        for await (const change of server.changes(this.attempt.signal, () => this.listen())) {
          pause = PAUSE;
          if (change.by === undefined) this.tell(undefined);
          else this.tellOfLook(change);
        }
      } catch (error) {
        if (error.status === 404) return; // an older server
        this.tell({ refusal: error.status ? error.message : undefined });
      } finally {
        clearTimeout(this.silence);
      }
      await new Promise((done) => {
        this.again = done;
        setTimeout(done, pause);
      });
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  }

  /** Something has come: the connection lives. */
  listen() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.attempt.abort(), SILENCE);
  }

  /** Nothing has changed, but somebody else looks at a question. */
  tellOfLook(change) {
    this.looked(change);
    this.others.postMessage(change);
  }

  tell(problem) {
    this.show(problem);
    this.others.postMessage({ problem });
  }

  /** Several changes that come together are looked at once. */
  show(problem) {
    const words = problem === undefined ? '' : inWords(problem);
    byId('lost').hidden = problem === undefined;
    if (byId('lost').textContent !== words) byId('lost').textContent = words; // or it would be read out again
    if (problem !== undefined) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed();
    }, SOON);
  }
}
