import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, deny, effects, guardedFetch, serverUrl } from "./lib/server.mjs";
import { assertRefused, ofType, outcome } from "./lib/stream.mjs";

const MAIL = "Send an email to ada@example.com about the budget";
const ANOTHER = "Send an email to bob@example.com about the weather";
const REMEMBER = { remember: "tool", rememberMinutes: 5 };

const address = (threadId, id) => serverUrl(`/demo/grants${id ? `/${id}` : ""}?threadId=${threadId}`);
const grants = async (threadId) => (await guardedFetch(address(threadId))).json();
const revoke = async (threadId, id) => (await guardedFetch(address(threadId, id), { method: "DELETE" })).status;

async function ran(events) {
  assert.equal(outcome(events), "success");
  const [call, ...others] = ofType(events, "TOOL_CALL_START").filter((start) => start.toolCallName === "sendEmail");
  assert.equal(others.length, 0);
  assert.equal((await effects(call.toolCallId)).length, 1);
}

test("the card offers what the tool allows, and a tool that does not allow it offers nothing", async () => {
  const { properties, required } = (await new Chat().hold(MAIL)).open[0].responseSchema;
  assert.deepEqual(required, ["approved"]);
  assert.deepEqual(properties.remember.enum, ["same_call", "tool"]);
  assert.deepEqual([properties.rememberMinutes.minimum, properties.rememberMinutes.maximum], [1, 15]);

  const transfer = (await new Chat().hold("Transfer 500 to Bob")).open[0];
  assert.ok(!("remember" in transfer.responseSchema.properties));
});

test("after an approval for a while the next mail goes without an interrupt, until it is revoked", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  assert.equal(outcome(await chat.answer(approve(open[0], REMEMBER))), "success");

  await ran(await chat.say(ANOTHER));

  const [grant, ...others] = await grants(chat.threadId);
  assert.equal(others.length, 0);
  assert.deepEqual([grant.tool, grant.scope, grant.toolCallId], ["sendEmail", "tool", open[0].toolCallId]);
  assert.equal(await revoke(chat.threadId, grant.id), 204);
  assert.equal(await revoke(chat.threadId, grant.id), 404);
  assert.deepEqual(await grants(chat.threadId), []);
  await chat.hold(MAIL);
});

test("an approval for the same call is for that one only", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  await chat.answer(approve(open[0], { remember: "same_call" }));

  await ran(await chat.say(MAIL));
  await chat.hold(ANOTHER);
});

test("other conversations are asked as before", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  await chat.answer(approve(open[0], REMEMBER));

  const other = new Chat();
  await other.hold(MAIL);
  const [grant] = await grants(chat.threadId);
  assert.equal(await revoke(other.threadId, grant.id), 404);
});

test("a denial is not remembered, whatever it says", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  const denial = deny(open[0], "no");
  Object.assign(denial.payload, REMEMBER);
  assert.equal(outcome(await chat.answer(denial)), "success");
  assert.deepEqual(await effects(open[0].toolCallId), []);
  assert.deepEqual(await grants(chat.threadId), []);
});

for (const [text, more] of [
  [MAIL, { remember: "everything" }],
  [MAIL, { remember: "tool", rememberMinutes: 16 }],
  ["Transfer 500 to Bob", { remember: "tool" }],
]) {
  test(`${JSON.stringify(more)} is refused for "${text}", and the question stays open`, async () => {
    const chat = new Chat();
    const { open } = await chat.hold(text);
    assertRefused(await chat.answer(approve(open[0], more)), "INTERRUPT_PAYLOAD_INVALID");
    assert.equal(chat.pending.length, 1);
    assert.deepEqual(await effects(open[0].toolCallId), []);
    assert.equal(outcome(await chat.answer(approve(open[0]))), "success");
    assert.deepEqual(await grants(chat.threadId), []);
  });
}
