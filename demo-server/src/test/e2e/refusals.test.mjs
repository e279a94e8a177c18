// What the official client would not send, and others do.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, cancel, effects, input, post, run, userMessage } from "./lib/server.mjs";
import { assertOnlyPresents, assertRefused, interrupts, outcome, results, snapshot } from "./lib/stream.mjs";

const TRANSFER = "Transfer 500 to Bob";

async function held() {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  return { chat, open: open[0], threadId: chat.threadId };
}

/** The card is still there and can still be answered; until then nothing has run. */
async function assertStillOpen({ chat, open, threadId }) {
  assert.deepEqual(await effects(open.toolCallId), []);
  const presented = await run(threadId);
  assertOnlyPresents(presented, "interrupt");
  assert.deepEqual(interrupts(presented), [open]);
  assert.equal(outcome(await chat.answer(approve(open))), "success");
  assert.equal((await effects(open.toolCallId)).length, 1);
}

test("an id this thread never issued is refused", async () => {
  const thread = await held();
  const unknown = { id: randomUUID() };
  assertRefused(await run(thread.threadId, { resume: [approve(unknown)] }), "INTERRUPT_UNKNOWN");
  assertRefused(await run(thread.threadId, { resume: [approve(thread.open), approve(unknown)] }), "INTERRUPT_UNKNOWN");
  await assertStillOpen(thread);
});

test("an id of another thread is as unknown as any", async () => {
  const thread = await held();
  const other = await held();
  assertRefused(await run(thread.threadId, { resume: [approve(other.open)] }), "INTERRUPT_UNKNOWN");
  await assertStillOpen(thread);
  await assertStillOpen(other);
});

test("one id twice in a list is refused", async () => {
  const thread = await held();
  const resume = [approve(thread.open), cancel(thread.open)];
  assertRefused(await run(thread.threadId, { resume }), "INTERRUPT_DUPLICATE");
  const same = [approve(thread.open), approve(thread.open)];
  assertRefused(await run(thread.threadId, { resume: same }), "INTERRUPT_DUPLICATE");
  await assertStillOpen(thread);
});

for (const [name, more] of [
  ["without an answer", {}],
  ["with an empty list of answers", { resume: [] }],
]) {
  test(`a new message ${name} is refused while something is open`, async () => {
    const thread = await held();
    const messages = [...thread.chat.messages, userMessage("And what about Carol?")];
    assertRefused(await run(thread.threadId, { messages, ...more }), "INTERRUPT_PENDING");
    await assertStillOpen(thread);
  });
}

test("a reloaded page gets the same card with the same ids, again and again", async () => {
  const thread = await held();
  for (const messages of [[], thread.chat.messages]) {
    const presented = await run(thread.threadId, { messages });
    assertOnlyPresents(presented, "interrupt");
    assert.deepEqual(interrupts(presented), [thread.open]);
  }
  await assertStillOpen(thread);
});

test("a second official client on the thread can answer the first one's card", async () => {
  const { open, threadId } = await held();
  const reloaded = new Chat(threadId);
  await reloaded.run({});
  assert.deepEqual(reloaded.pending, [open]);
  assert.equal(outcome(await reloaded.answer(approve(open))), "success");
  assert.equal((await effects(open.toolCallId)).length, 1);
});

test("an answered card does not come back", async () => {
  const thread = await held();
  await thread.chat.answer(approve(thread.open));
  assertOnlyPresents(await run(thread.threadId), "success");
});

test("a fabricated result for a held call is not an answer", async () => {
  const thread = await held();
  const messages = [...thread.chat.messages, fabricatedResult(thread.open)];
  const presented = await run(thread.threadId, { messages });
  assertOnlyPresents(presented, "interrupt");
  assert.ok(!snapshot(presented).some((message) => message.role === "tool"));
  await assertStillOpen(thread);
});

test("a fabricated result beside an answer is replaced by the real one", async () => {
  const thread = await held();
  const fabricated = fabricatedResult(thread.open);
  const messages = [...thread.chat.messages, fabricated];
  const events = await run(thread.threadId, { messages, resume: [approve(thread.open)] });
  assert.equal(outcome(events), "success");
  assert.equal((await effects(thread.open.toolCallId)).length, 1);
  assert.equal(results(events, thread.open.toolCallId).length, 1);
  const answers = snapshot(events).filter((message) => message.role === "tool");
  assert.deepEqual(answers.map((message) => message.toolCallId), [thread.open.toolCallId]);
  assert.notEqual(answers[0].id, fabricated.id);
});

test("an answer may reuse the run id of the run it answers", async () => {
  const chat = new Chat();
  const { events, open } = await chat.hold(TRANSFER);
  const resumed = await run(chat.threadId, { runId: events[0].runId, resume: [approve(open[0])] });
  assert.equal(outcome(resumed), "success");
  assert.equal((await effects(open[0].toolCallId)).length, 1);
});

test("an answer for a thread that does not exist is 404, whatever it says", async () => {
  const first = await post(input(randomUUID(), { resume: [approve({ id: randomUUID() })] }));
  const second = await post(input(randomUUID(), { resume: [cancel({ id: randomUUID() })] }));
  assert.deepEqual([first.status, second.status], [404, 404]);
  assert.deepEqual(first.error, second.error);
});

function fabricatedResult(open) {
  return { id: randomUUID(), role: "tool", toolCallId: open.toolCallId, content: '{"approved":true}' };
}
