import { parse, stringify } from './kit.js';
import { say } from './language.js';

/** An answer of the server that is not what was asked for. */
export class ServerError extends Error {
  constructor(status, body) {
    super(words(body.message) ?? say('The server answered with status {code}.', { code: String(status) }));
    this.status = status;
    this.code = words(body.code) ?? `HTTP ${status}`;
  }
}

const KEY = 'bearer-token';

/** Most that the server takes in one list. */
const MOST = 200;

/** The same decisions, in lists that the server takes. */
export const lists = (all) => Array.from({ length: Math.ceil(all.length / MOST) }, (none, at) => all.slice(at * MOST, (at + 1) * MOST));

/** So many bytes more are sent of a page that is left: a browser keeps 64 KB alive of all that is on its way, and refuses what is more. */
let left = 60_000;

/** The server's public HTTP interface, for whoever has signed in. `signIn` is asked once for credentials that were missing. */
export const server = {
  signIn: async () => false,
  onframe: () => {},

  get token() {
    return sessionStorage.getItem(KEY);
  },

  set token(token) {
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
  },

  /** Sends an AG-UI run input and yields the events of the answer. */
  run: (input, signal) => stream('/agent', { protocolVersion: '1.0', ...input }, signal),

  /** Yields the events that show a thread, and those of the run that is at work on it. */
  look: (thread, signal) => stream('/agent/history?follow=true', { protocolVersion: '1.0', ...thread }, signal),

  /** Sends an answer to one question; tells whether others are open, or a run goes on. */
  decide: (threadId, answer) => ask('POST', '/agent/decisions', { threadId, ...answer }),

  /** What a call would do with the edits of an answer, which is not taken. */
  plan: (threadId, answer) => ask('POST', '/agent/plans', { threadId, ...answer }),

  /** Does something with a question besides deciding it: `moreTime`, `hand`, or `look`. */
  attend: (threadId, what) => ask('POST', '/agent/questions', { threadId, ...what }),

  /** What everybody decided, before a place that an earlier page gave. */
  decided: (before) => ask('GET', `/agent/decided${before === undefined ? '' : `?before=${stringify(before)}`}`),

  /** Sends answers to questions of many threads, each judged alone. */
  decideMany: (decisions) => ask('POST', '/agent/decisions', { decisions }),

  /** The same while the page is being left: it arrives, and nobody waits for what comes of it. */
  decideAndLeave: (all) => {
    for (const decisions of lists(all)) {
      const { size } = new Blob([stringify(decisions)]);
      left -= size;
      request('POST', '/agent/decisions', 'application/json', { decisions }, undefined, left >= 0).catch(() => {}).finally(() => (left += size));
    }
  },

  /** The same for answers of one thread. */
  leave: (threadId, answers) => server.decideAndLeave(answers.map((answer) => ({ threadId, ...answer }))),

  /** Yields the changes of questions as they happen, until the connection ends; `came` is called for whatever comes, also for no change. */
  changes: (signal, came) => stream('/agent/changes', undefined, signal, came),

  cancel: (threadId) => ask('POST', '/agent/cancel', { threadId }),

  /** Whether the agent is halted, and whether this person may halt it. */
  halted: () => ask('GET', '/agent/halted'),

  halt: (reason) => ask('POST', '/agent/halt', { reason }),

  release: (reason) => ask('POST', '/agent/release', { reason }),

  inbox: (cursor) => ask('GET', `/agent/interrupts?threads=accessible&limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`),

  /** What became of the approvals that people were asked for from one day on and before another. */
  figures: (from, to) => ask('GET', `/agent/figures?from=${from}&to=${to}`),

  me: () => ask('GET', '/demo/me'),

  effects: () => ask('GET', '/demo/effects'),

  mails: () => ask('GET', '/demo/mails'),

  audit: (threadId) => ask('GET', `/demo/audit?threadId=${encodeURIComponent(threadId)}`),

  grants: (threadId) => ask('GET', `/demo/grants?threadId=${encodeURIComponent(threadId)}`),

  revoke: (threadId, id) => ask('DELETE', `/demo/grants/${encodeURIComponent(id)}?threadId=${encodeURIComponent(threadId)}`),

  /** Ends the server's process as a crash does: `now`, or in the middle of the `next-tool`. */
  crash: (when) => ask('POST', '/demo/crash', { when }),

  /** Whether it answers. */
  lives: () => fetch('/health').then((response) => response.ok, () => false),
};

async function ask(method, path, body) {
  const response = await request(method, path, 'application/json', body);
  if (!response.ok) throw new ServerError(response.status, await errorBody(response));
  const text = await response.text();
  return text === '' ? undefined : parse(text);
}

async function* stream(path, body, signal, came) {
  const response = await request(body === undefined ? 'GET' : 'POST', path, 'text/event-stream', body, signal);
  if (!response.ok || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    throw new ServerError(response.status, await errorBody(response));
  }
  yield* events(response.body, came);
}

async function request(method, path, accept, body, signal, keepalive = false) {
  const send = () => fetch(path, {
    method,
    signal,
    keepalive,
    headers: {
      Accept: accept,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(server.token ? { Authorization: `Bearer ${server.token}` } : {}),
    },
    body: body === undefined ? undefined : stringify(body),
  });
  const response = await send();
  return response.status === 401 && (await server.signIn()) ? send() : response;
}

async function errorBody(response) {
  try {
    const body = await response.json();
    return body !== null && typeof body === 'object' ? body : {};
  } catch {
    return {};
  }
}

async function* events(body, came) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    came?.();
    buffer += value;
    const frames = buffer.split('\n\n');
    buffer = frames.pop();
    for (const frame of frames) {
      const data = frame.split('\n').filter((line) => line.startsWith('data:'));
      if (data.length === 0) continue;
      const event = parse(data.map((line) => line.slice(5)).join('\n'));
      if (event.type) server.onframe(event);
      yield event;
    }
  }
}

/** What a person is told of an error, by its code: a title, and what can be done. */
const WORDS = {
  INTERRUPT_PAYLOAD_INVALID: ['The server did not take this answer', 'Correct it and send it again.'],
  INTERRUPT_FORBIDDEN: ['Somebody else has to decide this', 'Whoever may approve it finds it in their inbox.'],
  INTERRUPT_EXPIRED: ['The time for an answer is over', 'Cancel it, and ask again if it is still needed.'],
  INTERRUPT_ALREADY_RESOLVED: ['This was answered before', ''],
  INTERRUPT_PENDING: ['Something still waits for an answer here', ''],
  INTERRUPT_UNKNOWN: ['This question is not open any more', ''],
  INTERRUPT_CHANGED: ['This has changed since you saw it', 'Look at it again.'],
  INTERRUPT_PARTIAL_RESUME: ['Other questions are open than this page showed', ''],
  THREAD_NOT_FOUND: ['There is no such conversation for you', 'It may belong to somebody else. Begin a new one.'],
  RUN_IN_PROGRESS: ['The agent is still at work here', 'Wait for its end, or stop it.'],
  UNAUTHENTICATED: ['You are not signed in', 'Sign in with your name and token.'],
  BODY_TOO_LARGE: ['This is too large to be sent', 'Send a smaller file.'],
  SERVER_BUSY: ['The server gets too much at once', 'Try again in a moment.'],
  AGENT_HALTED: ['The agent is halted', 'Nothing was accepted: open questions stay open, and can be cancelled. Send it again when it is released.'],
  SHUTTING_DOWN: ['The server is about to stop', 'Try again when it is back.'],
  MODEL_UNAUTHORIZED: ['The model’s provider does not know the server’s key', 'Correct OPENAI_API_KEY and start the server again.'],
  MODEL_UNAVAILABLE: ['The model cannot be reached', 'Check OPENAI_BASE_URL and the network, then try again.'],
  MODEL_RATE_LIMITED: ['The model’s provider is busy', 'Try again in a while.'],
  MODEL_TIMEOUT: ['The model took too long', 'Try again.'],
  MODEL_REQUEST_INVALID: ['The model’s provider did not take the request', 'Send it again without files. Or check OPENAI_MODEL, or begin a new conversation.'],
  MODEL_ANSWER_INCOMPLETE: ['The model’s answer broke off', 'Try again.'],
  MODEL_ANSWER_EMPTY: ['The model said nothing', 'Try again.'],
  MODEL_REFUSED: ['The model refused to answer', 'Say it in another way.'],
  RUN_TIMEOUT: ['The agent took too long', 'Try again.'],
};

const sentence = (text) => (/[^.?!:…]$/.test(text) ? `${text}.` : text);

/** An error as a person reads it; the detail, with the code, is for whoever looks into it. */
export function inPeoplesWords(error) {
  const code = words(error.code);
  const isKnown = Object.hasOwn(WORDS, code);
  const [title, remedy] = isKnown ? WORDS[code] : ['That did not work', ''];
  const detail = words(error.metadata?.langchain4j?.detail);
  const isSaid = isKnown && (code.startsWith('MODEL_') || code === 'THREAD_NOT_FOUND' || code === 'AGENT_HALTED'); // the server's sentence says the same again
  return { isKnown, title: say(title), text: isSaid ? '' : sentence(words(error.message) ?? ''), remedy: say(remedy), detail: [code, detail].filter((each) => each !== undefined).join(': ') };
}

/** A text for whatever a server put in the place of one; undefined for nothing. */
const words = (value) => (typeof value === 'string' ? value : value === undefined || value === null ? undefined : stringify(value));

/** The server knows other open questions than this page: they were answered elsewhere, in another tab perhaps. */
export const OUTDATED = new Set([
  'INTERRUPT_PENDING',
  'INTERRUPT_UNKNOWN',
  'INTERRUPT_ALREADY_RESOLVED',
  'INTERRUPT_PARTIAL_RESUME',
]);
