// A server that tells callers apart: ADA_TOKEN and GRACE_TOKEN are theirs.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { Chat } from "../lib/chat.mjs";
import { approve, cancel, deny, effects, input, guardedFetch, post, run, serverUrl, userMessage } from "../lib/server.mjs";
import { assertOnlyPresents, interrupts, outcome, snapshot } from "../lib/stream.mjs";

const TRANSFER = "Transfer 500 to Bob";
const as = (token) => ({ headers: { Authorization: `Bearer ${token}` } });
const ADA = as(process.env.ADA_TOKEN);
const GRACE = as(process.env.GRACE_TOKEN);

async function heldByAda() {
  const chat = new Chat(randomUUID(), ADA);
  const { open } = await chat.hold(TRANSFER);
  return { chat, open: open[0], threadId: chat.threadId };
}

/** Everything that can be tried with a thread. */
const attempts = (open) => ({
  present: {},
  say: { messages: [userMessage("What is this?")] },
  approve: { resume: [approve(open)] },
  deny: { resume: [deny(open, "mine")] },
  cancel: { resume: [cancel(open)] },
  "steer away": { messages: [userMessage("What is this?")], resume: [cancel(open)] },
});

async function assertStillAdas({ chat, open, threadId }) {
  assert.deepEqual(await effects(open.toolCallId, undefined, ADA.headers), []);
  const presented = await run(threadId, {}, ADA);
  assertOnlyPresents(presented, "interrupt");
  assert.deepEqual(interrupts(presented), [open]);
  assert.deepEqual(snapshot(presented).map((message) => message.role), ["user", "assistant"]);
  assert.equal(outcome(await chat.answer(approve(open))), "success");
  assert.equal((await effects(open.toolCallId, undefined, ADA.headers)).length, 1);
}

test("the official client works with a token", async () => {
  const thread = await heldByAda();
  await assertStillAdas(thread);
  const events = await new Chat(thread.threadId, ADA).run({});
  assertOnlyPresents(events, "success");
});

test("everybody has threads of their own", async () => {
  const graces = new Chat(randomUUID(), GRACE);
  const { open } = await graces.hold(TRANSFER);
  assert.equal(outcome(await graces.answer(deny(open[0], "no"))), "success");
});

for (const [who, headers] of [
  ["without a token", {}],
  ["with a token that nobody has", as("nobody").headers],
  ["with a token and something more", { Authorization: `${ADA.headers.Authorization} x` }],
  ["with another scheme", { Authorization: ADA.headers.Authorization.replace("Bearer", "Basic") }],
]) {
  test(`${who} nothing is served, and nothing changes`, async () => {
    const thread = await heldByAda();
    for (const [attempt, more] of Object.entries(attempts(thread.open))) {
      const { status, error, headers: answered } = await post(input(thread.threadId, more), { headers });
      assert.equal(status, 401, attempt);
      assert.equal(error.code, "UNAUTHENTICATED");
      assert.equal(answered.get("www-authenticate"), "Bearer");
    }
    assert.equal((await post("{", { headers })).status, 401, "the body is not looked at");
    assert.equal((await guardedFetch(serverUrl("/agent/capabilities"), { headers })).status, 401);
    await assertStillAdas(thread);
  });
}

test("the thread of another caller is the same as one that does not exist", async () => {
  const thread = await heldByAda();
  for (const [attempt, more] of Object.entries(attempts(thread.open))) {
    const refused = await post(input(thread.threadId, more), GRACE);
    if (more.messages) { // would begin a thread that does not exist
      assert.equal(refused.status, 404, attempt);
      continue;
    }
    const unknown = await post(input(randomUUID(), more), GRACE);
    assert.equal(refused.status, unknown.status, attempt);
    assert.equal(withoutIds(refused), withoutIds(unknown), attempt);
    if (refused.headers) {
      assert.deepEqual(names(refused.headers), names(unknown.headers), attempt);
    }
  }
  await assertStillAdas(thread);
});

test("who somebody is, is not read from the body", async () => {
  const thread = await heldByAda();
  const claims = { caller: "ada", owner: "ada", user: "ada", Authorization: ADA.headers.Authorization };
  for (const more of [claims, { forwardedProps: claims }, { state: claims }, { context: [{ description: "caller", value: "ada" }] }]) {
    const { status } = await post(input(thread.threadId, { resume: [approve(thread.open)], ...more }), GRACE);
    assert.equal(status, 404, JSON.stringify(more));
  }
  await assertStillAdas(thread);
});

test("the official client keeps nothing of a thread that is another caller's", async () => {
  const thread = await heldByAda();
  const stranger = new Chat(thread.threadId, GRACE);
  await stranger.agent.runAgent({});
  assert.deepEqual([stranger.messages, stranger.pending], [[], []]);
  await assert.rejects(stranger.say("What is this?"), /404/);
  await assertStillAdas(thread);
});

const withoutIds = ({ text, events }) => (text ?? JSON.stringify(events)).replace(/"(threadId|runId)":"[^"]*"/g, '"$1":""');
const names = (headers) => [...headers.keys()].sort();
