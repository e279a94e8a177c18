// A server that declares a tool of its clients, and a model that does what it is told to.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { Chat } from "../lib/chat.mjs";
import { run, userMessage } from "../lib/server.mjs";
import { last, ofType, outcome, types } from "../lib/stream.mjs";

const TASK = JSON.stringify([{ call: [["readPage", { part: "title" }]] }, { say: "It says: {results}" }]);

test("the official client, which offers no tool, executes it and goes on", async () => {
  const chat = new Chat();
  assert.equal(outcome(await chat.say(TASK)), "success");
  const [call] = chat.left;

  const events = await chat.returns(call, "Gates");

  assert.equal(outcome(events), "success");
  assert.deepEqual(chat.left, []);
  assert.equal(chat.messages.at(-1).content, "It says: Gates");
  assert.equal(chat.messages.filter((message) => message.toolCallId === call).length, 1, "shown once");
});

test("a client that sends nothing but the result is told it", async () => {
  const threadId = randomUUID();
  const { pendingToolCallIds } = last(await run(threadId, { messages: [userMessage(TASK)] })).outcome;
  const [toolCallId] = pendingToolCallIds;

  const events = await run(threadId, { messages: [{ id: "result-1", role: "tool", toolCallId, content: "Gates" }] });

  assert.deepEqual(types(events).slice(0, 3), ["RUN_STARTED", "TOOL_CALL_RESULT", "TEXT_MESSAGE_START"]);
  const [{ messageId, ...result }] = ofType(events, "TOOL_CALL_RESULT");
  assert.deepEqual([messageId, result.toolCallId, result.content], ["result-1", toolCallId, "Gates"]);
});
