import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, deny, effects, resolved, run } from "./lib/server.mjs";
import { assertRefused, detail, interrupts, last, outcome, proposedArgs, results } from "./lib/stream.mjs";

const MAIL = "Send an email to ada@example.com about the budget";
const DELETION = "Delete the expired records from sessions";

async function refused(chat, answer) {
  const events = await chat.answer(answer);
  assertRefused(events, "INTERRUPT_PAYLOAD_INVALID");
  return detail(last(events));
}

test("the card says which arguments are fixed", async () => {
  const { open } = await new Chat().hold(MAIL);
  const { editedArgs } = open[0].responseSchema.properties;
  assert.equal(editedArgs.properties.to.readOnly, true);
  assert.ok(!("readOnly" in editedArgs.properties.subject));
  assert.deepEqual(editedArgs.required.toSorted(), ["body", "subject"]);
});

test("an edit that changes a fixed argument is refused naming it, and can be corrected", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  const changed = { ...proposedArgs(open[0]), to: "eve@example.com", subject: "Money" };
  assert.match(await refused(chat, approve(open[0], { editedArgs: changed })), /\/editedArgs\/to: may not be changed/);
  assert.deepEqual(chat.pending.map((pending) => pending.id), [open[0].id]);
  assert.deepEqual(await effects(open[0].toolCallId), []);

  const { to, ...others } = changed;
  assert.equal(outcome(await chat.answer(approve(open[0], { editedArgs: others }))), "success");
  const [effect] = await effects(open[0].toolCallId);
  assert.deepEqual(effect.args, { ...changed, to: "ada@example.com" });
});

test("the constraints of a parameter are in the schema and hold for an edit", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(MAIL);
  const { to, subject } = open[0].responseSchema.properties.editedArgs.properties;
  assert.equal(to.format, "email");
  assert.equal(subject.maxLength, 200);
  assert.ok(new RegExp(to.pattern, "u").test("ada@example.com"), "JavaScript reads the pattern");
  assert.ok(!new RegExp(subject.pattern, "u").test(" \t"), "JavaScript reads the pattern");
  const editedArgs = { ...proposedArgs(open[0]), subject: "x".repeat(201) };
  assert.match(await refused(chat, approve(open[0], { editedArgs })), /\/editedArgs\/subject: /);
  await chat.answer(deny(open[0]));
});

test("a plan comes with the interrupt, and again when the thread is presented", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(DELETION);
  const { plan } = open[0].metadata.langchain4j.effect;
  assert.deepEqual(plan, { affectedRows: 1, sample: [{ status: "expired", user: "ada" }] });
  const again = await run(chat.threadId, {});
  assert.deepEqual(interrupts(again)[0].metadata.langchain4j.effect.plan, plan);
  await chat.answer(deny(open[0]));
});

test("a plan that could not be made is said to be missing, and the call is held", async () => {
  const chat = new Chat();
  const { open } = await chat.hold("Delete everything from secrets");
  const { plan, why } = open[0].metadata.langchain4j.effect;
  assert.equal(why, "failed");
  assert.match(plan, /could not be found out/);
  await chat.answer(deny(open[0]));
});

test("a deletion is approved by repeating the name of its table", async () => {
  const chat = new Chat();
  const { open } = await chat.hold("Delete the draft records from invoices");
  assert.match(await refused(chat, approve(open[0])), /confirm/);
  assert.match(await refused(chat, approve(open[0], { confirm: "customers" })), /payload\/confirm: must repeat/);
  assert.deepEqual(await effects(open[0].toolCallId), []);
  assert.equal(outcome(await chat.answer(approve(open[0], { confirm: "invoices" }))), "success");
  assert.equal((await effects(open[0].toolCallId)).length, 1);
});

test("a response is the result of the call, which does not run", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(DELETION);
  assert.ok("response" in open[0].responseSchema.properties);
  const events = await chat.answer(resolved(open[0], { approved: false, response: { archived: 2 } }));
  assert.equal(outcome(events), "success");
  const [result, ...others] = results(events, open[0].toolCallId);
  assert.equal(others.length, 0);
  assert.equal(result.content, '{"archived":2}');
  assert.deepEqual(result.metadata, { langchain4j: { suppliedBy: "person" } });
  assert.deepEqual(await effects(open[0].toolCallId), []);
});

for (const [name, text, payload] of [
  ["beside an approval", DELETION, { approved: true, confirm: "sessions", response: "done" }],
  ["of a tool that takes none", MAIL, { approved: false, response: "done" }],
]) {
  test(`a response ${name} is refused`, async () => {
    const chat = new Chat();
    const { open } = await chat.hold(text);
    assert.match(await refused(chat, resolved(open[0], payload)), /payload\/response: /);
    assert.deepEqual(await effects(open[0].toolCallId), []);
    await chat.answer(deny(open[0]));
  });
}
