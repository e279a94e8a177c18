import { byId, clock, el, visible } from './kit.js';
import { pieces, say } from './language.js';
import { inPeoplesWords, server } from './server.js';

/**
 * Asks who is there, in a form, and comes back with what the server says of them: nothing may happen before the page has it. A page on which
 * `me` has worked is nobody else's: what they pressed would be sent for another person.
 */
export function signIn(me) {
  const dialog = byId('sign-in');
  const error = byId('sign-in-error');
  return new Promise((done) => {
    byId('sign-in-form').onsubmit = async (event) => {
      event.preventDefault();
      const name = byId('sign-in-name').value.trim();
      const token = byId('sign-in-token').value.trim();
      const { person, problem } = await identify(name, token, me);
      error.hidden = problem === undefined;
      error.replaceChildren(visible(problem ?? ''));
      if (problem) return;
      dialog.close();
      done(person);
    };
    dialog.oncancel = (event) => event.preventDefault();
    if (!dialog.open) dialog.showModal();
  });
}

async function identify(name, token, me = name) {
  if (name !== me) return { problem: say('This page is {who}’s. Load it again to sign in as somebody else.', { who: me }) };
  if (!/^[\x21-\x7e]+$/.test(token)) return { problem: say('A token has only letters, digits and a few signs.') };
  server.token = token;
  const person = await server.me();
  if (person.caller?.id === name) return { person };
  server.token = undefined;
  return { problem: say('The server knows nobody of this name with this token.') };
}

/** Shows who is signed in, as what. */
export function showPerson({ caller, signIn: needed }) {
  byId('who').hidden = !needed;
  byId('who-name').replaceChildren(
    el('strong', {}, visible(caller?.id ?? '')), visible(caller?.roles.length > 0 ? ` (${caller.roles.join(', ')})` : ''));
  byId('sign-out').onclick = () => {
    addEventListener('pagehide', () => (server.token = undefined)); // after what is held back was sent
    location.assign('/');
  };
}

/** Shows everybody whether the agent is halted, and gives those who may the button that halts or releases it. */
export async function showHalt(halt) {
  const { halted, reason, since, mayHalt } = halt ?? (await server.halted());
  byId('halted').hidden = !halted;
  if (halted && byId('halted').dataset.since !== since) { // or it would be read out again
    byId('halted').dataset.since = since;
    byId('halted').replaceChildren(...pieces('The agent was halted at {time}: {reason}. No tool runs and no answer is taken. What waits can be cancelled.', {
      time: clock(since), reason: el('q', {}, el('bdi', {}, visible(reason))) }));
  }
  byId('halted').dataset.reason = halted ? reason : '';
  if (!halted) document.querySelectorAll('[data-code="AGENT_HALTED"]').forEach((refusal) => (refusal.hidden = true));
  const button = byId('halt');
  button.hidden = !mayHalt;
  button.textContent = halted ? say('Release the agent') : say('Halt the agent');
  button.onclick = () => askWhy(halted);
}

/** Why nothing can be approved at present; empty if the agent is not halted. */
export function haltInWords() {
  const { reason } = byId('halted').dataset;
  return byId('halted').hidden ? '' : say('The agent is halted: “{reason}”. No answer is taken until it is released; it can be cancelled.', { reason });
}

/** Asks for the reason in a form, which stays and says why if the server refuses it, and halts or releases the agent. */
function askWhy(release) {
  const dialog = byId('halting');
  const reason = byId('halt-reason');
  const error = byId('halt-error');
  const verb = release ? say('Release the agent') : say('Halt the agent');
  byId('halting-title').textContent = verb;
  byId('halt-hint').textContent = say(release ? 'Runs and answers are taken again.' : 'No tool runs and no answer is taken until it is released. Everybody reads the reason.');
  byId('halt-send').textContent = verb;
  byId('halt-send').className = release ? 'primary' : 'danger filled';
  const complain = (text) => {
    error.hidden = text === '';
    error.replaceChildren(visible(text));
  };
  complain('');
  reason.value = '';
  byId('halting-form').onsubmit = async (event) => {
    event.preventDefault();
    try {
      const halt = await (release ? server.release(reason.value) : server.halt(reason.value));
      await showHalt(halt);
      document.dispatchEvent(new Event('halt'));
      if (release && halt.halted) complain(say('It stays halted: a halt of all agents stands in the database, and ends only there.'));
      else dialog.close();
    } catch (refused) {
      const { title, text, remedy } = inPeoplesWords(refused);
      complain(`${title}. ${text} ${remedy}`);
      reason.focus();
    }
  };
  byId('halt-back').onclick = () => dialog.close();
  dialog.showModal();
}

const THEMES = { auto: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' };

/** Light, dark, or what the system says; kept in this browser. */
export function theme() {
  const names = Object.keys(THEMES);
  const set = (name) => {
    localStorage.setItem('theme', name);
    document.documentElement.dataset.theme = name;
    byId('theme').setAttribute('aria-label', say(THEMES[name]));
    byId('theme').textContent = { auto: '◐', light: '○', dark: '●' }[name];
    byId('theme').title = say(THEMES[name]);
  };
  const now = localStorage.getItem('theme');
  set(names.includes(now) ? now : 'auto');
  byId('theme').addEventListener('click', () => set(names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length]));
}

const MOST = 40;

/** Whether nobody has had a conversation in this browser. */
export const isFirstVisit = () => !Object.keys(localStorage).some((key) => key.startsWith('threads-'));

/** The conversations that this browser knows of a person: the server keeps them, this is only where they are. */
export class Threads {
  constructor(person, open) {
    this.key = `threads-${person}`;
    this.open = open;
  }

  get all() {
    try {
      return JSON.parse(localStorage.getItem(this.key)) ?? [];
    } catch {
      return [];
    }
  }

  find(id) {
    return this.all.find((thread) => thread.id === id);
  }

  /** Puts a thread first, as it is now. */
  keep(id, changes) {
    const others = this.all.filter((thread) => thread.id !== id);
    localStorage.setItem(this.key, JSON.stringify([{ ...this.find(id), id, ...changes }, ...others].slice(0, MOST)));
  }

  show(current, waiting = new Set()) {
    byId('threads').replaceChildren(...this.all.map(({ id, title, state }) => {
      const now = waiting.has(id) ? 'waiting' : state === 'waiting' ? 'idle' : state;
      return el(
        'li',
        {},
        el(
          'a',
          {
            href: `/#thread=${encodeURIComponent(id)}`,
            class: `side-link ${now ?? ''}`,
            'aria-current': id === current ? 'page' : undefined,
            onclick: (event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              this.open(id);
            },
          },
          el('span', { class: 'thread-title', dir: 'auto' }, visible(title ?? say('Conversation'))),
          now === 'waiting' ? el('span', { class: 'badge' }, say('waits')) : undefined));
    }));
  }
}
