// A tool that asks only sometimes: transferMoney, above 100.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, cancel, deny, effects } from "./lib/server.mjs";
import { ofType, outcome, proposedArgs, results, streamedArgs } from "./lib/stream.mjs";

const started = (events, name) => ofType(events, "TOOL_CALL_START").filter((call) => call.toolCallName === name);

for (const amount of ["50", "100", "100.00", "0.01"]) {
  test(`a transfer of ${amount} runs at once`, async () => {
    const chat = new Chat();
    const events = await chat.say(`Transfer ${amount} to Bob`);
    assert.equal(outcome(events), "success");
    assert.deepEqual(chat.pending, []);
    const [call, ...others] = started(events, "transferMoney");
    assert.equal(others.length, 0);
    assert.equal(results(events, call.toolCallId).length, 1);
    const [effect, ...more] = await effects(call.toolCallId);
    assert.equal(more.length, 0);
    assert.deepEqual(effect.args, JSON.parse(streamedArgs(events, call.toolCallId)));
  });
}

// The last one is 100 for whoever reads it as a double.
for (const amount of ["100.01", "101", "1,000", "100.00000000000000000001"]) {
  test(`a transfer of ${amount} waits`, async () => {
    const { open } = await new Chat().hold(`Transfer ${amount} to Bob`);
    assert.deepEqual(await effects(open[0].toolCallId), []);
  });
}

for (const [direction, amount] of [["down to 50", 50], ["down to exactly 100", 100], ["up to 5000", 5000]]) {
  test(`a transfer of 500 that is edited ${direction} runs once, and nobody is asked again`, async () => {
    const chat = new Chat();
    const { open } = await chat.hold("Transfer 500 to Bob");
    const editedArgs = { ...proposedArgs(open[0]), amount };
    assert.equal(outcome(await chat.answer(approve(open[0], { editedArgs }))), "success");
    const [effect, ...others] = await effects(open[0].toolCallId);
    assert.equal(others.length, 0);
    assert.deepEqual(effect.args, editedArgs);
  });
}

test("an edit to an amount that the tool does not take is refused and transfers nothing, and the thread goes on", async () => {
  const chat = new Chat();
  const { open } = await chat.hold("Transfer 500 to Bob");
  const events = await chat.answer(approve(open[0], { editedArgs: { ...proposedArgs(open[0]), amount: -1 } }));
  assert.equal(events.at(-1).type, "RUN_ERROR");
  assert.match(events.at(-1).message, /editedArgs\/amount/);
  assert.deepEqual(await effects(open[0].toolCallId), []);
  assert.equal(outcome(await chat.answer(deny(open[0]))), "success");
  assert.equal(outcome(await chat.say("Transfer 50 to Bob")), "success");
});

test("beside a large transfer a small one waits too, but nobody is asked about it", async () => {
  const chat = new Chat();
  const { events, open } = await chat.hold("Transfer 50 to Bob and transfer 500 to Carol");
  const [small, large] = started(events, "transferMoney");
  assert.equal(open[0].toolCallId, large.toolCallId);
  assert.deepEqual(await effects(small.toolCallId), []);

  assert.equal(outcome(await chat.answer(deny(open[0], "too much"))), "success");
  assert.equal((await effects(small.toolCallId)).length, 1);
  assert.deepEqual(await effects(large.toolCallId), []);
});

test("a message that cancels a large transfer may bring a small one, which runs", async () => {
  const chat = new Chat();
  const { open } = await chat.hold("Transfer 500 to Bob");
  const events = await chat.say("Transfer 50 to Bob", [cancel(open[0])]);
  assert.equal(outcome(events), "success");
  const [small] = started(events, "transferMoney");
  assert.equal((await effects(small.toolCallId)).length, 1);
  assert.deepEqual(await effects(open[0].toolCallId), []);
});
