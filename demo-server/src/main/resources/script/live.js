import { byId } from './kit.js';
import { server } from './server.js';

const SOON = 100;
const PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/** Follows the changes of questions, and says so while it cannot. `changed` is called soon after some, and when the connection is back. */
export class Live {
  constructor(changed) {
    this.changed = changed;
    window.addEventListener('offline', () => this.attempt?.abort());
    window.addEventListener('online', () => this.again?.());
  }

  async start() {
    let pause = PAUSE;
    for (;;) {
      this.attempt = new AbortController();
      try {
        for await (const _ of server.changes(this.attempt.signal)) {
          pause = PAUSE;
          byId('lost').hidden = true;
          this.soon();
        }
      } catch (error) {
        if (error.status === 404) return; // an older server
        byId('lost').hidden = false;
      }
      await new Promise((done) => {
        this.again = done;
        setTimeout(done, pause);
      });
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  }

  /** Several changes that come together are looked at once. */
  soon() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed();
    }, SOON);
  }
}
