import { lostInWords } from './kit.js';
import { server } from './server.js';

/** After this time somebody is not known to look any more, in milliseconds: pages say it every 20 seconds. */
const FORGOTTEN = 30_000;

/** An answer of the server; where none came, the card says so in its language and not in the browser's words. */
const answered = (answer) => answer.catch((error) => {
  throw error instanceof TypeError ? new Error(lostInWords()) : error;
});

/** What people do with questions besides deciding them: they give them more time, hand them to somebody, and look at them. */
export class Attention {
  /** @param app tells who is there, and has the open questions */
  constructor(app) {
    this.app = app;
    this.looks = new Map();
  }

  /** What the cards of a conversation need of the page. Where nobody signs in there is nobody else to look at them, or to get them. */
  forCards(threadId) {
    const { me, people, inbox } = this.app;
    return {
      me,
      mine: inbox.isMine(threadId),
      people,
      planOf: (answer) => answered(server.plan(threadId, answer)),
      attend: (what) => (what.action === 'look' && !people ? undefined : answered(server.attend(threadId, what))),
    };
  }

  /** Somebody else looks at a question. */
  looked({ interruptId, by }) {
    const { batch, inbox } = this.app;
    this.looks.set(`${interruptId} ${by}`, { interruptId, by, at: Date.now() });
    for (const each of [batch, ...inbox.entries.map((entry) => entry.batch)]) {
      each?.cards.filter(({ interrupt }) => interrupt.id === interruptId).forEach((card) => card.lookedAt(by));
    }
    inbox.entries.forEach((entry) => entry.tick());
  }

  /** Those who look at one of these, each once. */
  lookersOf(interrupts) {
    for (const [key, { at }] of this.looks) if (Date.now() - at > FORGOTTEN) this.looks.delete(key);
    return [...new Set([...this.looks.values()].filter(({ interruptId }) => interrupts.some(({ id }) => id === interruptId)).map(({ by }) => by))];
  }

  /** Tells cards that have just come who looks at them. */
  tell({ cards }) {
    for (const card of cards) this.lookersOf([card.interrupt]).forEach((by) => card.lookedAt(by));
  }
}
