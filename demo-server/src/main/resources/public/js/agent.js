import { parse, stringify } from './json.js';
import { askForToken, authorization } from './token.js';

/** An answer of the server that is not an event stream. */
export class HttpError extends Error {
  constructor(status, body) {
    super(body.message ?? `The server answered with status ${status}.`);
    this.code = body.code ?? `HTTP ${status}`;
  }
}

/** Sends an AG-UI run input and yields the events of the answer. */
export const run = (input) => stream('/agent', input);

/** Yields the events that show a thread, and those of the run that is at work on it. */
export const look = (thread) => stream('/agent/history?follow=true', thread);

async function* stream(path, body) {
  let response = await post(path, body);
  if (response.status === 401 && askForToken()) response = await post(path, body);
  if (!response.ok || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    throw new HttpError(response.status, await errorBody(response));
  }
  yield* events(response.body);
}

function post(path, body) {
  return fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...authorization() },
    body: stringify({ protocolVersion: '1.0', ...body }),
  });
}

async function errorBody(response) {
  try {
    const body = await response.json();
    return body !== null && typeof body === 'object' ? body : {};
  } catch {
    return {};
  }
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer += value;
    const frames = buffer.split('\n\n');
    buffer = frames.pop();
    for (const frame of frames) {
      const data = frame.split('\n').filter((line) => line.startsWith('data:'));
      if (data.length > 0) yield parse(data.map((line) => line.slice(5)).join('\n'));
    }
  }
}
