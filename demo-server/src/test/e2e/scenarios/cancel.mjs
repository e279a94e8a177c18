// A model that stops in the middle of its first answer, and goes on only if it is let.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { Chat } from "../lib/chat.mjs";
import { approve, effects, guardedFetch, post, input, serverUrl } from "../lib/server.mjs";
import { assertRefused, ofType, outcome, snapshot, types } from "../lib/stream.mjs";

const cancel = (threadId) =>
  guardedFetch(serverUrl("/agent/cancel"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ threadId }),
  });

test("a run is cancelled while it streams, and the client goes on with what it has read", async () => {
  const chat = new Chat();
  let read;
  const reading = new Promise((resolve) => (read = resolve));
  chat.agent.subscribe({ onTextMessageContentEvent: () => read() });
  const run = chat.say("Tell me a story");
  await reading;

  const response = await cancel(chat.threadId);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { cancelled: true });

  const events = await run;
  assert.equal(outcome(events), "cancelled");
  assert.deepEqual(types(events).slice(-3), ["TEXT_MESSAGE_END", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
  const said = ofType(events, "TEXT_MESSAGE_CONTENT").map((event) => event.delta).join("");
  assert.equal(snapshot(events).at(-1).content, said);
  assert.equal(chat.messages.at(-1).content, said);

  assert.equal((await cancel(chat.threadId)).status, 404);
  assert.equal(outcome(await chat.say("Shorter, please")), "success");
});

test("a held thread is cancelled, and a stale card cannot be approved any more", async () => {
  const chat = new Chat();
  const { open } = await chat.hold("Transfer 500 to Bob");

  assert.equal((await cancel(chat.threadId)).status, 200);

  const { events } = await post(input(chat.threadId, { resume: [approve(open[0])] }));
  assertRefused(events, "INTERRUPT_ALREADY_RESOLVED");
  assert.deepEqual(await effects(open[0].toolCallId), []);
  const after = await chat.run({ resume: [{ interruptId: open[0].id, status: "cancelled" }] });
  assert.equal(outcome(after), "success");
  assert.deepEqual(chat.pending, [], "the card is gone");
  assert.equal(outcome(await chat.say("What has become of it?")), "success");
});

test("there is nothing to cancel on a thread that nobody knows", async () => {
  const response = await cancel(randomUUID());
  assert.equal(response.status, 404);
  assert.equal((await response.json()).code, "NOTHING_TO_CANCEL");
});
