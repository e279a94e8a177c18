import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, cancel, deny, effects, run } from "./lib/server.mjs";
import { assertOnlyPresents, assertRefused, interrupts, outcome, snapshot } from "./lib/stream.mjs";

const TRANSFER = "Transfer 500 to Bob";
const THREE = "Send an email to ada@example.com and bob@example.com and transfer 200 to Carol";

async function settled() {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  const answer = approve(open[0]);
  const events = await chat.answer(answer);
  assert.equal(outcome(events), "success");
  return { chat, held: open[0], answer, events };
}

test("the same answer again executes nothing and presents the thread", async () => {
  const { chat, held, answer, events } = await settled();
  const replayed = await run(chat.threadId, { resume: [answer] });
  assertOnlyPresents(replayed, "success");
  assert.deepEqual(snapshot(replayed), snapshot(events));
  assert.equal((await effects(held.toolCallId)).length, 1);
});

test("the same answer again is recognised under the same run id", async () => {
  const { chat, held, answer, events } = await settled();
  const replayed = await run(chat.threadId, { runId: events[0].runId, resume: [answer] });
  assertOnlyPresents(replayed, "success");
  assert.equal((await effects(held.toolCallId)).length, 1);
});

test("the official client can send its answer twice", async () => {
  const { chat, held, answer } = await settled();
  assertOnlyPresents(await chat.answer(answer), "success");
  assert.equal((await effects(held.toolCallId)).length, 1);
});

test("the same answers in another order are the same answers", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(THREE, 3);
  const answers = [approve(open[0]), deny(open[1], "no"), cancel(open[2])];
  await chat.answer(...answers);
  assertOnlyPresents(await run(chat.threadId, { resume: answers.toReversed() }), "success");
  assert.equal((await effects(open[0].toolCallId)).length, 1);
  assert.deepEqual(await effects(open[1].toolCallId), []);
});

test("two identical answers at once execute once", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  const resume = [approve(open[0])];
  const outcomes = await Promise.allSettled([run(chat.threadId, { resume }), run(chat.threadId, { resume })]);
  const finished = outcomes.filter((result) => result.status === "fulfilled");
  assert.ok(finished.length >= 1, "at most one of the two is turned away because the other runs");
  assert.equal((await effects(open[0].toolCallId)).length, 1);
  assertOnlyPresents(await run(chat.threadId, { resume }), "success");
});

test("a different answer to a settled interrupt is refused", async () => {
  const { chat, held } = await settled();
  assertRefused(await run(chat.threadId, { resume: [deny(held, "too late")] }), "INTERRUPT_ALREADY_RESOLVED");
  const edited = approve(held, { editedArgs: { amount: 1, to: "Bob" } });
  assertRefused(await run(chat.threadId, { resume: [edited] }), "INTERRUPT_ALREADY_RESOLVED");
  assert.equal((await effects(held.toolCallId)).length, 1);
});

test("approving what was denied is refused and executes nothing", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  await chat.answer(deny(open[0], "no"));
  assertRefused(await run(chat.threadId, { resume: [approve(open[0])] }), "INTERRUPT_ALREADY_RESOLVED");
  assert.deepEqual(await effects(open[0].toolCallId), []);
});

test("a client may always cancel a stale card", async () => {
  const { chat, held } = await settled();
  assertOnlyPresents(await run(chat.threadId, { resume: [cancel(held)] }), "success");
  assert.equal((await effects(held.toolCallId)).length, 1);
});

test("a stale card beside an open one does not stand in the way", async () => {
  const { chat, held } = await settled();
  const next = (await chat.hold("Transfer 150 to Bob")).open[0];
  const events = await run(chat.threadId, { resume: [cancel(held), approve(next)] });
  assert.equal(outcome(events), "success");
  assert.equal((await effects(next.toolCallId)).length, 1);
});

test("a replay on a thread that is held again presents what is open now", async () => {
  const { chat, held, answer } = await settled();
  const next = (await chat.hold("Transfer 150 to Bob")).open[0];
  const replayed = await run(chat.threadId, { resume: [answer] });
  assertOnlyPresents(replayed, "interrupt");
  assert.deepEqual(interrupts(replayed), [next]);
  assert.equal((await effects(held.toolCallId)).length, 1);
  assert.deepEqual(await effects(next.toolCallId), []);
});
