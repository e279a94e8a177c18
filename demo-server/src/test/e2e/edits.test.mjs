import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, deny, effects, resolved } from "./lib/server.mjs";
import { assertRefused, outcome, proposedArgs, results, snapshot } from "./lib/stream.mjs";

const TRANSFER = "Transfer 500 to Bob";

async function assertRefusedThenStillOpen(payload, text = TRANSFER, correct = {}) {
  const chat = new Chat();
  const { open } = await chat.hold(text);
  assertRefused(await chat.answer(resolved(open[0], payload)), "INTERRUPT_PAYLOAD_INVALID");
  assert.deepEqual(chat.pending.map((pending) => pending.id), [open[0].id]);
  assert.deepEqual(await effects(open[0].toolCallId), []);

  assert.equal(outcome(await chat.answer(approve(open[0], correct))), "success");
  const [effect, ...others] = await effects(open[0].toolCallId);
  assert.equal(others.length, 0);
  assert.deepEqual(effect.args, proposedArgs(open[0]));
}

test("an edited call runs with exactly the edited arguments, once", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  const editedArgs = { ...proposedArgs(open[0]), amount: 7 };
  const events = await chat.answer(approve(open[0], { editedArgs }));
  assert.equal(outcome(events), "success");
  const [effect, ...others] = await effects(open[0].toolCallId);
  assert.equal(others.length, 0, "the original proposal did not run as well");
  assert.deepEqual(effect.args, editedArgs);
});

test("the history keeps what the model proposed, the result says that it was edited", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  const editedArgs = { ...proposedArgs(open[0]), amount: 7 };
  const events = await chat.answer(approve(open[0], { editedArgs }));
  const call = snapshot(events)
    .flatMap((message) => message.toolCalls ?? [])
    .find((candidate) => candidate.id === open[0].toolCallId);
  assert.deepEqual(JSON.parse(call.function.arguments), proposedArgs(open[0]));
  const [result] = results(events, open[0].toolCallId);
  assert.ok(result.metadata?.langchain4j, "the edit is in the metadata of the result");
});

test("the card of an editable tool offers editing, that of another does not", async () => {
  const editable = (await new Chat().hold(TRANSFER)).open[0];
  const { editedArgs } = editable.responseSchema.properties;
  assert.equal(editedArgs.additionalProperties, false);
  assert.deepEqual(Object.keys(editedArgs.properties).toSorted(), ["amount", "to"]);

  const fixed = (await new Chat().hold("Delete the inactive records from customers")).open[0];
  assert.equal(fixed.metadata.langchain4j.toolName, "deleteRecords");
  assert.ok(!("editedArgs" in fixed.responseSchema.properties));
});

test("the card's schema is plain enough for clients that show a bar of two buttons", async () => {
  const { responseSchema } = (await new Chat().hold(TRANSFER)).open[0];
  assert.deepEqual(Object.keys(responseSchema).toSorted(), ["properties", "required", "type"]);
  assert.equal(responseSchema.properties.approved.type, "boolean");
  for (const narrowing of ["const", "enum", "default"]) {
    assert.ok(!(narrowing in responseSchema.properties.approved));
  }
});

test("an edit with an extra property is refused and can be corrected", () =>
  assertRefusedThenStillOpen({ approved: true, editedArgs: { amount: 7, to: "Bob", from: "Ada" } }));

test("an edit with a wrong type is refused and can be corrected", () =>
  assertRefusedThenStillOpen({ approved: true, editedArgs: { amount: "seven", to: "Bob" } }));

test("an edit replaces, so one that leaves an argument out is refused", () =>
  assertRefusedThenStillOpen({ approved: true, editedArgs: { amount: 7 } }));

test("an edit that is not an object is refused", () =>
  assertRefusedThenStillOpen({ approved: true, editedArgs: [7, "Bob"] }));

test("an edit of a tool that may not be edited is refused", () =>
  assertRefusedThenStillOpen(
    { approved: true, confirm: "customers", editedArgs: { table: "orders" } },
    "Delete the inactive records from customers",
    { confirm: "customers" },
  ));

test("edited arguments beside a denial are not read", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  const denial = deny(open[0], "no");
  denial.payload.editedArgs = { ...proposedArgs(open[0]), amount: 7 };
  assert.equal(outcome(await chat.answer(denial)), "success");
  assert.deepEqual(await effects(open[0].toolCallId), []);
});

for (const [name, payload] of [
  ['the text "true"', { approved: "true" }],
  ["the number 1", { approved: 1 }],
  ["null", { approved: null }],
  ["nothing", {}],
]) {
  test(`approved as ${name} is not an approval`, () => assertRefusedThenStillOpen(payload));
}

for (const payload of ["approved", true, ["approved"], null]) {
  test(`a payload of ${JSON.stringify(payload)} is not an approval`, () => assertRefusedThenStillOpen(payload));
}
