// A server on the database of one that was killed while approved calls were running.
// HOLDPOINT_APPROVED: of each of its threads, the ids of the interrupts that had been approved.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "../lib/chat.mjs";
import { cancel, effects, resolved, run } from "../lib/server.mjs";
import { assertOnlyPresents, assertRefused, interrupts, ofType, outcome, results, snapshot, types } from "../lib/stream.mjs";

const approved = JSON.parse(process.env.HOLDPOINT_APPROVED);

/** A client that knows the thread's id and nothing else, as after a reload. */
async function reload(threadId) {
  const chat = new Chat(threadId);
  const events = await chat.run({});
  return { chat, events, open: interrupts(events) };
}

async function asked(threadId) {
  const { chat, events, open } = await reload(threadId);
  assertOnlyPresents(events, "interrupt");
  assert.equal(open.length, 1);
  assertIsTheQuestion(open[0]);
  assert.ok(!approved[threadId].includes(open[0].id), "it is a question of its own");
  return { chat, open: open[0] };
}

function assertIsTheQuestion(open) {
  assert.equal(open.reason, "langchain4j:outcome_unknown");
  assert.deepEqual(open.responseSchema.required, ["action"]);
  assert.deepEqual(open.responseSchema.properties.action.enum, ["retry", "done", "not_done"]);
  assert.equal(open.metadata.langchain4j.attempts, 1);
  assert.match(open.metadata.langchain4j.argsSha256, /^[0-9a-f]{64}$/);
}

/** The thread takes a new message, and the card does not come back. */
async function assertGoesOn(chat, toolCallId, runs) {
  const next = await chat.say("Find Ada's address");
  assert.equal(outcome(next), "success");
  assert.deepEqual(ofType(next, "TOOL_CALL_START").map((call) => call.toolCallName), ["searchContacts"]);
  const { events } = await reload(chat.threadId);
  assertOnlyPresents(events, "success");
  assert.deepEqual(snapshot(events), snapshot(next) ?? snapshot(events));
  assert.equal((await effects(toolCallId)).length, runs);
}

for (const [action, runs, says] of [
  ["retry", 1, /^Transferred 500 euros to Bob\.$/],
  ["done", 0, /took effect, as a person has confirmed.*Their note: "Seen \\"it\\""/],
  ["not_done", 0, /had no effect, as a person has confirmed.*Their note: "Seen \\"it\\""/],
]) {
  test(`${action} is answered`, async () => {
    const { chat, open } = await asked(`node-${action}`);
    assert.deepEqual(interrupts((await reload(chat.threadId)).events), [open], "again and again the same question");
    assert.deepEqual(await effects(open.toolCallId), []);

    const note = action === "retry" ? undefined : 'Seen "it"';
    const events = await chat.answer(resolved(open, { action, note }));
    assert.equal(outcome(events), "success");
    const [result, ...others] = results(events, open.toolCallId);
    assert.equal(others.length, 0);
    assert.match(result.content, says);
    assert.ok(!types(events).includes("TOOL_CALL_START"), "the call is not announced again");
    assert.deepEqual(chat.messages.map((message) => message.role), ["user", "assistant", "tool", "assistant"]);
    assert.equal((await effects(open.toolCallId)).length, runs);

    assertOnlyPresents(await run(chat.threadId, { resume: [resolved(open, { action, note })] }), "success");
    await assertGoesOn(chat, open.toolCallId, runs);
  });
}

test("a client whose connection broke sends its approval again, and is asked instead", async () => {
  const threadId = "node-again";
  const resume = approved[threadId].map((interruptId) => ({
    interruptId,
    status: "resolved",
    payload: { approved: true },
  }));
  const again = await run(threadId, { resume });
  assertOnlyPresents(again, "interrupt");
  const [open] = interrupts(again);
  assertIsTheQuestion(open);
  assert.deepEqual(interrupts(await run(threadId, { resume })), [open]);
  assert.deepEqual(await effects(open.toolCallId), []);

  const { chat } = await asked(threadId);
  assert.equal(outcome(await chat.answer(resolved(open, { action: "done" }))), "success");
  await assertGoesOn(chat, open.toolCallId, 0);
});

test("steering away cancels a call that nobody knows anything about", async () => {
  const { chat, open } = await asked("node-steer");
  const events = await chat.say("Find Bob's address", [cancel(open)]);
  assert.equal(outcome(events), "success");
  assert.equal(results(events, open.toolCallId).length, 1);
  await assertGoesOn(chat, open.toolCallId, 0);
});

test("what is no answer leaves the question open", async () => {
  const { chat, open } = await asked("node-invalid");
  for (const payload of [{ approved: true }, { action: "RETRY" }, { action: true }, {}, "retry", null]) {
    assertRefused(await chat.answer(resolved(open, payload)), "INTERRUPT_PAYLOAD_INVALID");
    assert.deepEqual(chat.pending.map((pending) => pending.id), [open.id]);
  }
  const bare = [{ id: "m-bare", role: "user", content: "Never mind" }];
  assertRefused(await run(chat.threadId, { messages: bare }), "INTERRUPT_PENDING");
  assert.deepEqual(await effects(open.toolCallId), []);
  assert.equal(outcome(await chat.answer(resolved(open, { action: "retry" }))), "success");
  await assertGoesOn(chat, open.toolCallId, 1);
});

test("of a batch, the call that was running is asked about, and the approved ones after it run", async () => {
  const { chat, open } = await asked("node-three");
  const calls = chat.messages.find((message) => message.toolCalls).toolCalls.map((call) => call.id);
  assert.equal(calls[1], open.toolCallId);
  const answered = () => chat.messages.filter((message) => message.role === "tool");
  assert.deepEqual(answered().map((message) => message.toolCallId), [calls[0]], "its result was stored before the end");

  const events = await chat.answer(resolved(open, { action: "not_done" }));
  assert.equal(outcome(events), "success");
  assert.deepEqual(ofType(events, "TOOL_CALL_RESULT").map((result) => result.toolCallId), calls.slice(1));
  assert.deepEqual(answered().map((message) => message.toolCallId), calls);
  assert.match(answered()[0].content, /^Sent /);
  assert.match(answered()[2].content, /^Transferred 200 euros/);
  assert.deepEqual((await Promise.all(calls.map((id) => effects(id)))).map((all) => all.length), [0, 0, 1]);
  await assertGoesOn(chat, open.toolCallId, 0);
});
