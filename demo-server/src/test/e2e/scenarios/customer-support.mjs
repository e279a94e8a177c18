// The application of the Spring Boot starter's tests: its users have passwords, and only reviewers may approve.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "../lib/chat.mjs";
import { approve, deny } from "../lib/server.mjs";
import { assertRefused, last, ofType, outcome, results, types } from "../lib/stream.mjs";

const as = (user) => ({ Authorization: "Basic " + Buffer.from(`${user}:${user[0]}`).toString("base64") });

test("a cancellation waits for a reviewer, whatever the customer says", async () => {
  const chat = new Chat(undefined, { headers: as("ada") });
  const { events, open } = await chat.hold("Please cancel MS-777");
  assert.equal(ofType(events, "TOOL_CALL_START")[0].toolCallName, "cancelBooking");
  assert.equal(open[0].message, 'Cancel booking "MS-777" of "John Doe"?');

  assertRefused(await chat.answer(approve(open[0])), "INTERRUPT_FORBIDDEN");

  chat.agent.headers = as("grace");
  const resumed = await chat.answer(approve(open[0]));
  assert.equal(outcome(resumed), "success");
  assert.match(results(resumed, open[0].toolCallId)[0].content, /"cancelled"\s*:\s*true/);
  assert.deepEqual(chat.pending, []);
  assert.equal(chat.messages.at(-1).content, "It is cancelled.");
});

test("a reviewer denies, and the model goes on", async () => {
  const chat = new Chat(undefined, { headers: as("ada") });
  const { open } = await chat.hold("Please cancel MS-778");
  chat.agent.headers = as("grace");
  const resumed = await chat.answer(deny(open[0], "too late"));
  assert.equal(outcome(resumed), "success");
  assert.ok(types(resumed).includes("TEXT_MESSAGE_CONTENT"));
  assert.equal(last(resumed).type, "RUN_FINISHED");
});
