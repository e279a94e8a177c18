import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { AgentCapabilitiesSchema } from "@ag-ui/core/schemas";
import { Chat } from "./lib/chat.mjs";
import { approve, guardedFetch, input, post, run, serverUrl, userMessage } from "./lib/server.mjs";
import { assertOnlyPresents, last, ofType, outcome, results, snapshot, types } from "./lib/stream.mjs";

const THREE = "Send an email to ada@example.com and bob@example.com and transfer 200 to Carol";

test("before a hold: the text, the calls, the state, the messages, then the end", async () => {
  const { events } = await new Chat().hold(THREE, 3);
  const kinds = types(events);
  assert.deepEqual(kinds.slice(-3), ["STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
  const firstCall = kinds.indexOf("TOOL_CALL_START");
  const lastCall = kinds.lastIndexOf("TOOL_CALL_END");
  assert.equal(lastCall, kinds.length - 4, "nothing between the calls and the snapshots");
  assert.ok(kinds.lastIndexOf("TEXT_MESSAGE_END") < firstCall, "text is closed before the calls");
  assert.ok(!kinds.includes("TOOL_CALL_RESULT"));
});

test("each call is announced, then written, then closed", async () => {
  const { events, open } = await new Chat().hold(THREE, 3);
  for (const { toolCallId } of open) {
    const own = events.filter((event) => event.toolCallId === toolCallId).map((event) => event.type);
    assert.equal(own[0], "TOOL_CALL_START");
    assert.equal(own.at(-1), "TOOL_CALL_END");
    assert.ok(own.length > 2);
    assert.ok(own.slice(1, -1).every((type) => type === "TOOL_CALL_ARGS"));
  }
});

test("the snapshot before a hold holds the question and the calls, and no result", async () => {
  const { events, open } = await new Chat().hold(THREE, 3);
  const messages = snapshot(events);
  assert.equal(messages[0].role, "user");
  assert.deepEqual(messages.at(-1).toolCalls.map((call) => call.id), open.map((held) => held.toolCallId));
  assert.ok(!messages.some((message) => message.role === "tool"));
});

test("ids stay what they were, from run to run", async () => {
  const chat = new Chat();
  const { events: before, open } = await chat.hold("Transfer 500 to Bob");
  const after = await chat.answer(approve(open[0]));
  const ids = (events) => snapshot(events).map((message) => message.id);
  assert.deepEqual(ids(after).slice(0, ids(before).length), ids(before));
  const [result] = results(after, open[0].toolCallId);
  assert.equal(snapshot(after).find((message) => message.role === "tool").id, result.messageId);
  assert.ok(ids(after).includes(last(ofType(after, "TEXT_MESSAGE_START")).messageId));
  assert.deepEqual(ids(await run(chat.threadId)), ids(after));
});

test("the state that came with the input is the state of the snapshot", async () => {
  const state = { theme: "dark", open: [1, 2] };
  const threadId = randomUUID();
  const events = await run(threadId, { state, messages: [userMessage("Transfer 500 to Bob")] });
  assert.equal(outcome(events), "interrupt");
  assert.deepEqual(last(ofType(events, "STATE_SNAPSHOT")).snapshot, state);
});

test("a thread that was never spoken on has nothing to present and does not fail", async () => {
  assertOnlyPresents(await run(randomUUID()), "success");
});

test("unknown fields and a newer minor version are served; tools and context may be absent", async () => {
  const body = input(randomUUID(), {
    protocolVersion: "1.7",
    messages: [userMessage("Find Ada's address")],
    somethingNew: { nested: [1] },
  });
  delete body.tools;
  delete body.context;
  const { status, events } = await post(body);
  assert.equal(status, 200);
  assert.equal(outcome(events), "success");
  assert.equal(events[0].protocolVersion, "1.0");
});

for (const [name, body] of [
  ["malformed JSON", '{"threadId": "t",'],
  ["an empty body", ""],
  ["a body that is not an object", "[]"],
  ["a missing threadId", { ...input("t"), threadId: undefined }],
  ["a missing runId", { ...input("t"), runId: undefined }],
  ["a threadId that is not a text", { ...input("t"), threadId: 7 }],
  ["messages that are not a list", { ...input("t"), messages: "hello" }],
]) {
  test(`${name} is refused with status 400 and a JSON body`, async () => {
    const { status, error } = await post(body);
    assert.equal(status, 400);
    assert.equal(typeof error, "object");
  });
}

test("what the agent can do is described in the protocol's terms", async () => {
  const response = await guardedFetch(serverUrl("/agent/capabilities"));
  assert.equal(response.status, 200);
  const capabilities = await response.json();
  const verdict = AgentCapabilitiesSchema.safeParse(capabilities);
  assert.ok(verdict.success, verdict.error?.message);
  assert.equal(capabilities.humanInTheLoop.supported, true);
  assert.equal(capabilities.humanInTheLoop.interrupts, true);
  assert.equal(capabilities.humanInTheLoop.approvals, true);
});
