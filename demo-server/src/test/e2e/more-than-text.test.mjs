import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, guardedFetch, run, serverUrl, userMessage } from "./lib/server.mjs";
import { last, ofType, outcome, snapshot, types } from "./lib/stream.mjs";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const said = (events) => ofType(events, "TEXT_MESSAGE_CONTENT").map((event) => event.delta).join("");

test("a tool changes the shared state, and the client's own follows", async () => {
  const chat = new Chat();
  chat.agent.setState({ list: ["bread"], title: "Shopping" });

  const events = await chat.say("Add milk to my list and put eggs on the list");

  assert.equal(outcome(events), "success");
  assert.deepEqual(ofType(events, "STATE_SNAPSHOT").map((event) => event.snapshot), [
    { list: ["bread", "milk"], title: "Shopping" },
  ]);
  assert.deepEqual(ofType(events, "STATE_DELTA").map((event) => event.delta), [
    [{ op: "add", path: "/list/2", value: "eggs" }],
  ]);
  assert.deepEqual(chat.agent.state, { list: ["bread", "milk", "eggs"], title: "Shopping" });
});

test("the state is there in the next run, and at a hold", async () => {
  const chat = new Chat();
  await chat.say("Add milk to my list");
  const { events, open } = await chat.hold("Transfer 500 to Bob");
  assert.deepEqual(last(ofType(events, "STATE_SNAPSHOT")).snapshot, { list: ["milk"] });
  await chat.answer(approve(open[0]));
  assert.deepEqual(chat.agent.state, { list: ["milk"] });
  assert.deepEqual(last(ofType(await run(chat.threadId), "STATE_SNAPSHOT")).snapshot, { list: ["milk"] });
});

test("a client that sent no state gets it whole", async () => {
  const events = await run(randomUUID(), { messages: [userMessage("Add milk to my list")] });
  assert.deepEqual(ofType(events, "STATE_SNAPSHOT").map((event) => event.snapshot), [{ list: ["milk"] }]);
  assert.deepEqual(ofType(events, "STATE_DELTA"), []);
});

test("a tool tells the client something of its own", async () => {
  const events = await new Chat().say("Add milk to my list");
  const [custom] = ofType(events, "CUSTOM");
  assert.deepEqual([custom.name, custom.value], ["list-changed", { added: "milk" }]);
  assert.ok(types(events).indexOf("CUSTOM") < types(events).indexOf("TOOL_CALL_RESULT"));
});

test("reasoning comes before its message, live and in the list", async () => {
  const chat = new Chat();
  const events = await chat.say("Think, then find Ada's address");
  assert.equal(outcome(events), "success");
  assert.ok(types(events).indexOf("REASONING_END") < types(events).indexOf("TEXT_MESSAGE_START"));
  const thoughts = chat.messages.filter((message) => message.role === "reasoning");
  assert.ok(thoughts.length > 0);
  const shown = snapshot(await run(chat.threadId)).filter((message) => message.role === "reasoning");
  assert.deepEqual(shown.map((message) => [message.id, message.content]), thoughts.map((message) => [message.id, message.content]));
});

test("reasoning before a hold is closed, and is not repeated when it is resumed", async () => {
  const chat = new Chat();
  const { events, open } = await chat.hold("Think, then transfer 500 to Bob");
  const before = ofType(events, "REASONING_MESSAGE_START").map((event) => event.messageId);
  assert.equal(before.length, 1);
  const after = await chat.answer(approve(open[0]));
  const kept = snapshot(after).filter((message) => message.role === "reasoning").map((message) => message.id);
  assert.deepEqual(kept, before, "that of its own run the client has already");
  const all = [...before, ...ofType(after, "REASONING_MESSAGE_START").map((event) => event.messageId)];
  const shown = snapshot(await run(chat.threadId)).filter((message) => message.role === "reasoning");
  assert.deepEqual(shown.map((message) => message.id), all, "who looks later sees all of it");
});

test("pictures and documents reach the model, and stay in the transcript as they came", async () => {
  const chat = new Chat();
  const content = [
    { type: "image", source: { type: "data", value: PIXEL, mimeType: "image/png" } },
    { type: "document", source: { type: "url", value: "https://example.com/a.pdf", mimeType: "application/pdf" } },
  ];
  const events = await chat.say(content);
  assert.equal(said(events), "You sent me: image and pdf.");
  const [kept] = snapshot(await run(chat.threadId)).filter((message) => message.role === "user");
  assert.deepEqual(kept.content, content);
});

test("what the model cannot get is skipped, and the client is told", async () => {
  const events = await new Chat().say([
    { type: "text", text: "Find Ada's address" },
    { type: "image", source: { type: "file", value: "file-1", provider: "somebody" } },
  ]);
  assert.equal(outcome(events), "success");
  const [custom] = ofType(events, "CUSTOM");
  assert.equal(custom.name, "holdpoint:content_skipped");
  assert.equal(custom.value[0].index, 1);
});

test("the capabilities promise nothing for a model that nobody has described", async () => {
  const capabilities = await (await guardedFetch(serverUrl("/agent/capabilities"))).json();
  assert.equal(capabilities.state.deltas, true);
  assert.equal(capabilities.state.memory, false);
  assert.equal(capabilities.multimodal, undefined);
  assert.equal(capabilities.reasoning, undefined);
});
