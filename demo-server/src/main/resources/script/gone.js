import { byId } from './kit.js';
import { say } from './language.js';
import { server } from './server.js';

const PAUSE = 1_000;

/** Why the server does not answer, and what can be done. */
const GONE = ['The server is gone', 'Start it again with the command that you used before. This page goes on by itself, and what waited still waits.'];
const OFFLINE = ['You are offline', 'This page goes on by itself when the network is back, and what waited still waits.'];

/** Says that the server is gone, and waits until somebody has started it again. */
export async function awaitServer(announce) {
  const [title, text] = (navigator.onLine ? GONE : OFFLINE).map((each) => say(each));
  byId('gone-title').textContent = title;
  byId('gone-text').textContent = text;
  byId('gone').hidden = false;
  announce(`${title}. ${text}`);
  do await new Promise((done) => setTimeout(done, PAUSE));
  while (!(await server.lives()));
  byId('gone').hidden = true;
  announce(say('The server is back.'));
}

/** Ends the server's process, and shows what is left when it is there again. */
export async function crash(app, when) {
  await server.crash(when).catch(() => {}); // the answer dies with the server
  if (when === 'next-tool') {
    app.announce(say('The server will die inside the next tool that runs.'));
    app.status(say('Armed: the server dies inside the next tool that runs.'));
    return;
  }
  await awaitServer((text) => app.announce(text));
  await (app.threadId && app.conversation.messages.size > 0 ? app.look() : app.refresh()); // at once: what is pressed in between would be lost
}

/** No answer came, or only the beginning of one. */
export async function broken(app, error, request, started = true) {
  const { threadId, turn } = app;
  const unsent = error instanceof TypeError && !started && request.resume ? request.resume : [];
  app.batch.missed(unsent);
  const lives = error instanceof TypeError && (await server.lives());
  if (error instanceof TypeError && (!lives || unsent.length > 0)) {
    if (!lives) await awaitServer((text) => app.announce(text));
    if (turn !== app.turn) { // nobody waits here for it any more
      if (request.message) app.composer.restore(request.message.content, threadId);
      return;
    }
    await app.look();
    if (threadId !== app.threadId) return;
    app.batch.missed(unsent);
    const lost = request.message && !app.conversation.messages.has(request.message.id);
    if (!lost) return;
    app.composer.restore(request.message.content, threadId);
    app.complain(say('Your message did not arrive. Send it again.'));
  } else if (error.status) await app.refused(error, request);
  else app.failed(error, request);
}
