// The server under test: where it is, and a client that sends whatever it is told to.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readStream } from "./stream.mjs";

const HANG_GUARD_MS = 60_000;

export const serverUrl = (path, base = process.env.HOLDPOINT_URL) => {
  assert.ok(base, "HOLDPOINT_URL names the server under test");
  return new URL(path, base).toString();
};

/** fetch that fails rather than hangs. */
export const guardedFetch = (url, init = {}) => {
  const guard = AbortSignal.timeout(HANG_GUARD_MS);
  return fetch(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, guard]) : guard });
};

/** What the demo's tools did for a call. */
export async function effects(toolCallId, base, headers = {}) {
  const response = await guardedFetch(serverUrl("/demo/effects", base), { headers });
  assert.equal(response.status, 200);
  const all = await response.json();
  return all.filter((effect) => effect.toolCallId === toolCallId);
}

export const userMessage = (content) => ({ id: randomUUID(), role: "user", content });

/** A complete input; anything can be overridden, also with nonsense. */
export const input = (threadId, more = {}) => ({
  protocolVersion: "1.0",
  threadId,
  runId: randomUUID(),
  messages: [],
  tools: [],
  context: [],
  ...more,
});

/** Posts a body as it stands. `events` is there when the answer is a stream, `text` and `error` when it is not. */
export async function post(body, { base, headers } = {}) {
  const response = await guardedFetch(serverUrl("/agent", base), {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const type = response.headers.get("content-type") ?? "";
  const text = await response.text();
  if (response.status === 200) {
    assert.match(type, /^text\/event-stream/);
    return { status: response.status, events: readStream(text) };
  }
  assert.match(type, /^application\/json/, text);
  return { status: response.status, headers: response.headers, text, error: JSON.parse(text) };
}

/** Posts an input and returns the events of its stream. */
export async function run(threadId, more, where) {
  const { status, events, error } = await post(input(threadId, more), where);
  assert.equal(status, 200, JSON.stringify(error));
  return events;
}

export const approve = (interrupt, more = {}) => resolved(interrupt, { approved: true, ...more });
export const deny = (interrupt, reason) => resolved(interrupt, { approved: false, reason });
export const cancel = (interrupt) => ({ interruptId: interrupt.id, status: "cancelled" });
export const resolved = (interrupt, payload) => ({ interruptId: interrupt.id, status: "resolved", payload });
