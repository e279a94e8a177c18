import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, cancel, deny, effects } from "./lib/server.mjs";
import { interrupts, ofType, outcome, proposedArgs, results, streamedArgs, types } from "./lib/stream.mjs";

const MAIL = "Send an email to ada@example.com about the budget";

test("a free tool runs without asking", async () => {
  const chat = new Chat();
  const events = await chat.say("Find Ada's address");
  assert.equal(outcome(events), "success");
  const [call, ...others] = ofType(events, "TOOL_CALL_START");
  assert.equal(call.toolCallName, "searchContacts");
  assert.equal(others.length, 0);
  assert.equal(results(events, call.toolCallId).length, 1);
});

test("a held call has not run, and shows what would run", async () => {
  const chat = new Chat();
  const { events, open } = await chat.hold(MAIL);
  const [held] = open;
  assert.equal(held.reason, "tool_call");
  assert.deepEqual(proposedArgs(held), JSON.parse(streamedArgs(events, held.toolCallId)));
  assert.equal(held.metadata.langchain4j.toolName, "sendEmail");
  assert.match(held.metadata.langchain4j.argsSha256, /^[0-9a-f]{64}$/i);
  assert.deepEqual(held.responseSchema.required, ["approved"]);
  assert.deepEqual(await effects(held.toolCallId), []);
});

test("an approved call runs once, as proposed", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  const events = await chat.answer(approve(open[0]));
  assert.equal(outcome(events), "success");
  const [effect, ...others] = await effects(open[0].toolCallId);
  assert.equal(others.length, 0);
  assert.equal(effect.tool, "sendEmail");
  assert.deepEqual(effect.args, proposedArgs(open[0]));
});

test("a resumed run answers the original call and does not announce it again", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  const events = await chat.answer(approve(open[0]));
  assert.equal(results(events, open[0].toolCallId).length, 1);
  for (const type of ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"]) {
    assert.ok(!types(events).includes(type), type);
  }
  assert.ok(types(events).indexOf("TOOL_CALL_RESULT") < types(events).indexOf("TEXT_MESSAGE_START"));
  assert.deepEqual(types(events).slice(-2), ["MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
});

test("a denied call does not run, the model goes on", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  const events = await chat.answer(deny(open[0], "Not before the audit"));
  assert.equal(outcome(events), "success");
  assert.deepEqual(await effects(open[0].toolCallId), []);
  assert.equal(results(events, open[0].toolCallId).length, 1);
  assert.ok(types(events).includes("TEXT_MESSAGE_CONTENT"), "the model has the last word");
  assert.deepEqual(chat.pending, []);
});

test("a cancelled call does not run", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  const events = await chat.answer(cancel(open[0]));
  assert.notEqual(outcome(events), "interrupt");
  assert.deepEqual(await effects(open[0].toolCallId), []);
  assert.equal(results(events, open[0].toolCallId).length, 1);
  assert.deepEqual(chat.pending, []);
});

test("a free call before a held one runs in the first run and not again", async () => {
  const chat = new Chat();
  const { events, open } = await chat.hold("Write to Ada that the meeting moved to Friday");
  const [search] = ofType(events, "TOOL_CALL_START");
  assert.equal(search.toolCallName, "searchContacts");
  assert.equal(results(events, search.toolCallId).length, 1);

  const resumed = await chat.answer(approve(open[0]));
  assert.equal(outcome(resumed), "success");
  assert.equal(results(resumed, search.toolCallId).length, 0);
  assert.ok((await effects(search.toolCallId)).length <= 1);
  assert.equal((await effects(open[0].toolCallId)).length, 1);
});

test("the client's own list ends with one answer per call", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  await chat.answer(approve(open[0]));
  const answers = chat.messages.filter((message) => message.role === "tool");
  assert.deepEqual(answers.map((message) => message.toolCallId), [open[0].toolCallId]);
  assert.deepEqual(chat.messages.map((message) => message.role), ["user", "assistant", "tool", "assistant"]);
});

// CHAIN, by a second message: the script knows no answer that leads to another hold within the same turn.
test("a later hold on the same thread has a new id and leaves the first settled", async () => {
  const chat = new Chat();
  const first = (await chat.hold(MAIL)).open[0];
  await chat.answer(approve(first));
  const second = (await chat.hold("Transfer 150 to Bob")).open[0];
  assert.notEqual(second.id, first.id);
  assert.notEqual(second.toolCallId, first.toolCallId);
  assert.equal(outcome(await chat.answer(approve(second))), "success");
  assert.equal((await effects(first.toolCallId)).length, 1);
  assert.equal((await effects(second.toolCallId)).length, 1);
});

// CHAIN, within one run: the answers steer away, and the message that comes with them is held in its turn.
test("an answered run may end in another interrupt", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  const events = await chat.say("Transfer 150 to Bob", [cancel(open[0])]);
  assert.equal(outcome(events), "interrupt");
  const [next] = interrupts(events);
  assert.notEqual(next.id, open[0].id);
  assert.equal(next.metadata.langchain4j.toolName, "transferMoney");
  assert.equal(outcome(await chat.answer(approve(next))), "success");
  assert.equal((await effects(next.toolCallId)).length, 1);
  assert.deepEqual(await effects(open[0].toolCallId), []);
});

test("steering away drops every open call and takes the new message", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  const events = await chat.say("Find Ada's address", [cancel(open[0])]);
  assert.equal(outcome(events), "success");
  assert.equal(results(events, open[0].toolCallId).length, 1);
  assert.deepEqual(ofType(events, "TOOL_CALL_START").map((call) => call.toolCallName), ["searchContacts"]);
  assert.deepEqual(await effects(open[0].toolCallId), []);
});
