import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { cancel, effects, resolved } from "./lib/server.mjs";
import { assertRefused, outcome, results } from "./lib/stream.mjs";

const ROME = "Book a flight to Rome";
const ATLANTIS = "Book a flight to Atlantis";

test("a tool that asks while it runs ends the run with its own interrupt", async () => {
  const { open } = await new Chat().hold(ROME);
  assert.equal(open[0].reason, "langchain4j:flight_class");
  assert.equal(open[0].message, "Which class to Rome?");
  assert.deepEqual(open[0].responseSchema, { type: "string", enum: ["business", "economy"] });
  assert.deepEqual(open[0].metadata.prices, { business: 640, economy: 120 });
  assert.equal(open[0].metadata.langchain4j.toolName, "bookFlight");
  assert.deepEqual(await effects(open[0].toolCallId), []);
});

test("the answer runs the tool again, once, and its result is the call's", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(ROME);
  const events = await chat.answer(resolved(open[0], "business"));
  assert.equal(outcome(events), "success");
  const [result, ...others] = results(events, open[0].toolCallId);
  assert.equal(others.length, 0);
  assert.equal(result.content, "Booked business to Rome for 640 euros.");
  const [effect, ...more] = await effects(open[0].toolCallId);
  assert.equal(more.length, 0);
  assert.deepEqual(effect.args, { to: "Rome", class: "business" });
});

for (const [what, payload] of Object.entries({
  "a class that was not offered": "first",
  "a number": 1,
  "an approval": { approved: true },
  "another tool and other arguments": { toolName: "transferMoney", editedArgs: { amount: 7, to: "Eve" } },
  "nothing": null,
})) {
  test(`${what} is no answer, and the right one still counts`, async () => {
    const chat = new Chat();
    const { open } = await chat.hold(ROME);
    assertRefused(await chat.answer(resolved(open[0], payload)), "INTERRUPT_PAYLOAD_INVALID");
    assert.deepEqual(await effects(open[0].toolCallId), []);
    assert.equal(outcome(await chat.answer(resolved(open[0], "economy"))), "success");
    assert.equal((await effects(open[0].toolCallId)).length, 1);
  });
}

test("cancelling tells the model that the call is not finished", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(ROME);
  const events = await chat.answer(cancel(open[0]));
  assert.equal(outcome(events), "success");
  assert.match(results(events, open[0].toolCallId)[0].content, /was not finished/);
  assert.deepEqual(await effects(open[0].toolCallId), []);
});

test("the same answer again books nothing again", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(ROME);
  await chat.answer(resolved(open[0], "economy"));
  assert.equal(outcome(await chat.answer(resolved(open[0], "economy"))), "success");
  assert.equal((await effects(open[0].toolCallId)).length, 1);
});

test("a failure is asked about, and mended arguments go on to the tool's own question", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(ATLANTIS);
  assert.equal(open[0].reason, "langchain4j:tool_error");
  assert.match(open[0].metadata.langchain4j.error, /Nobody flies to 'Atlantis'/);

  const asked = await chat.answer(resolved(open[0], { action: "retry", editedArgs: { to: "Oslo" } }));
  assert.equal(outcome(asked), "interrupt");
  const [second] = chat.pending;
  assert.equal(second.reason, "langchain4j:flight_class");
  assert.equal(second.toolCallId, open[0].toolCallId);
  assert.notEqual(second.id, open[0].id);

  assert.equal(outcome(await chat.answer(resolved(second, "economy"))), "success");
  const [effect, ...more] = await effects(open[0].toolCallId);
  assert.equal(more.length, 0);
  assert.deepEqual(effect.args, { to: "Oslo", class: "economy" });
});

test("giving up passes the failure and the note on", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(ATLANTIS);
  const events = await chat.answer(resolved(open[0], { action: "give_up", note: "it sank" }));
  assert.equal(outcome(events), "success");
  assert.match(results(events, open[0].toolCallId)[0].content, /Nobody flies to 'Atlantis'[^]*"it sank"/);
});
