import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, cancel, deny, effects, run } from "./lib/server.mjs";
import { assertRefused, ofType, outcome, proposedArgs, results, types } from "./lib/stream.mjs";

const THREE = "Send an email to ada@example.com and bob@example.com and transfer 200 to Carol";

test("three calls of one message are three interrupts, in order", async () => {
  const { events, open } = await new Chat().hold(THREE, 3);
  const calls = ofType(events, "TOOL_CALL_START");
  assert.deepEqual(open.map((held) => held.toolCallId), calls.map((call) => call.toolCallId));
  assert.deepEqual(calls.map((call) => call.toolCallName), ["sendEmail", "sendEmail", "transferMoney"]);
  assert.equal(new Set(open.map((held) => held.id)).size, 3);
  assert.deepEqual(ofType(events, "TOOL_CALL_RESULT"), []);
});

test("three answers of three kinds", async () => {
  const chat = new Chat();
  const [mail, otherMail, transfer] = (await chat.hold(THREE, 3)).open;
  const events = await chat.answer(approve(mail), deny(otherMail, "Bob is away"), cancel(transfer));
  assert.notEqual(outcome(events), "interrupt");
  for (const held of [mail, otherMail, transfer]) {
    assert.equal(results(events, held.toolCallId).length, 1, "executed or not, a call has its result");
  }
  const [effect, ...others] = await effects(mail.toolCallId);
  assert.equal(others.length, 0);
  assert.deepEqual(effect.args, proposedArgs(mail));
  assert.deepEqual(await effects(otherMail.toolCallId), []);
  assert.deepEqual(await effects(transfer.toolCallId), []);
});

test("answers may come in any order", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(THREE, 3);
  const events = await chat.answer(...open.map((held) => approve(held)).reverse());
  assert.equal(outcome(events), "success");
  for (const held of open) {
    assert.deepEqual((await effects(held.toolCallId)).map((effect) => effect.args), [proposedArgs(held)]);
  }
  assert.ok(!types(events).includes("TOOL_CALL_START"));
});

test("an invalid answer among valid ones leaves all of them open", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(THREE, 3);
  const answers = open.map((held) => approve(held));
  const wrong = { ...answers[2], payload: { approved: true, editedArgs: { amount: "much", to: "Carol" } } };
  assertRefused(await chat.answer(answers[0], answers[1], wrong), "INTERRUPT_PAYLOAD_INVALID");
  assert.equal(chat.pending.length, 3);
  assert.deepEqual(await effects(open[0].toolCallId), []);
  assert.equal(outcome(await chat.answer(...answers)), "success");
});

test("a partial answer is refused and consumes nothing", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(THREE, 3);
  assertRefused(await run(chat.threadId, { resume: [approve(open[0]), approve(open[1])] }), "INTERRUPT_PARTIAL_RESUME");
  assert.deepEqual(await effects(open[0].toolCallId), []);
  assert.equal(outcome(await chat.answer(...open.map((held) => deny(held, "none of it")))), "success");
});
