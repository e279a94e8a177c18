// Reading and judging one AG-UI stream as it came over the wire.
import assert from "node:assert/strict";
import { EventSchema } from "@ag-ui/core/schemas";

const PAIRS = {
  TEXT_MESSAGE_START: ["TEXT_MESSAGE_END", "messageId"],
  TOOL_CALL_START: ["TOOL_CALL_END", "toolCallId"],
  REASONING_START: ["REASONING_END", "messageId"],
  REASONING_MESSAGE_START: ["REASONING_MESSAGE_END", "messageId"],
  STEP_STARTED: ["STEP_FINISHED", "stepName"],
};

/** The events of a response body; every frame is one line of data or a comment. */
export function parseFrames(text) {
  assert.ok(!text.includes("\r"), "frames end in LF only");
  assert.ok(text === "" || text.endsWith("\n\n"), "the last frame is complete");
  return text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map((frame) => {
      assert.match(frame, /^data: [^\n]*$/, "one event per frame");
      return JSON.parse(frame.slice("data: ".length));
    });
}

/** Parses a body and checks what holds for every stream, whatever it is about. */
export function readStream(text) {
  const events = readAny(text);
  assertSnapshotAgreesWithStream(events);
  return events;
}

/** The same, of a stream that joined a run: each of its snapshots has what was sent before it. */
export function readFollowed(text) {
  const events = readAny(text);
  events.forEach((event, at) => {
    if (event.type === "MESSAGES_SNAPSHOT") assertSnapshotAgreesWithStream(events.slice(0, at + 1));
  });
  return events;
}

function readAny(text) {
  const events = parseFrames(text);
  for (const event of events) {
    const verdict = EventSchema.safeParse(event);
    assert.ok(verdict.success, `${JSON.stringify(event)}\n${verdict.error?.message}`);
  }
  assertLifecycle(events);
  assertEverythingClosed(events);
  return events;
}

export const types = (events) => events.map((event) => event.type);
export const ofType = (events, type) => events.filter((event) => event.type === type);
export const last = (events) => events[events.length - 1];
/** The sentence for developers; the message is for the person. */
export const detail = (error) => error.metadata.langchain4j.detail;
export const outcome = (events) => last(events).outcome?.type;
export const interrupts = (events) => last(events).outcome?.interrupts ?? [];
export const results = (events, toolCallId) =>
  ofType(events, "TOOL_CALL_RESULT").filter((event) => event.toolCallId === toolCallId);

/** The messages of the last snapshot, or undefined if the stream carries none. */
export const snapshot = (events) => ofType(events, "MESSAGES_SNAPSHOT").at(-1)?.messages;

/** The arguments of a call as they were streamed, as text. */
export const streamedArgs = (events, toolCallId) =>
  ofType(events, "TOOL_CALL_ARGS")
    .filter((event) => event.toolCallId === toolCallId)
    .map((event) => event.delta)
    .join("");

/** The complete arguments a person is shown for an interrupt. */
export function proposedArgs(interrupt) {
  const args = interrupt.metadata.langchain4j.args;
  return typeof args === "string" ? JSON.parse(args) : args;
}

/** A stream that refuses its input: one event, and its code. */
export function assertRefused(events, code) {
  assert.deepEqual(types(events), ["RUN_ERROR"]);
  assert.equal(events[0].code, code, events[0].message);
}

/** The stream of a run that shows a thread as it is and does nothing. */
export function assertOnlyPresents(events, expectedOutcome) {
  assert.deepEqual(types(events), ["RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
  assert.equal(outcome(events), expectedOutcome);
}

function assertLifecycle(events) {
  assert.ok(events.length > 0, "a stream has at least one event");
  const terminal = events.filter((event) => event.type === "RUN_FINISHED" || event.type === "RUN_ERROR");
  assert.deepEqual(terminal, [last(events)], "exactly one terminal event, at the end");
  const started = ofType(events, "RUN_STARTED");
  if (events[0].type === "RUN_ERROR") {
    return;
  }
  assert.deepEqual(started, [events[0]], "exactly one RUN_STARTED, at the beginning");
  assert.equal(events[0].protocolVersion, "1.0");
  if (last(events).type === "RUN_FINISHED") {
    const { threadId, runId } = events[0];
    assert.deepEqual([last(events).threadId, last(events).runId], [threadId, runId]);
    assert.ok(outcome(events), "RUN_FINISHED has an explicit outcome");
    if (outcome(events) === "interrupt" || answersAnEarlierRun(events)) {
      assert.ok(snapshot(events), "a held run and a resumed run carry MESSAGES_SNAPSHOT");
    }
  }
}

/** Clients make up tool messages of their own when they resume; the snapshot removes them. */
function answersAnEarlierRun(events) {
  const started = ofType(events, "TOOL_CALL_START").map((event) => event.toolCallId);
  return ofType(events, "TOOL_CALL_RESULT").some((event) => !started.includes(event.toolCallId));
}

function assertEverythingClosed(events) {
  if (last(events).type !== "RUN_FINISHED") {
    return;
  }
  for (const [start, [end, key]] of Object.entries(PAIRS)) {
    const opened = ofType(events, start).map((event) => event[key]);
    const closed = ofType(events, end).map((event) => event[key]);
    assert.deepEqual(closed.toSorted(), opened.toSorted(), `every ${start} has its ${end}`);
  }
}

/** A client that sees other ids in the snapshot than in the stream shows everything twice. */
function assertSnapshotAgreesWithStream(events) {
  const messages = snapshot(events);
  if (messages === undefined) {
    return;
  }
  const ids = messages.map((message) => message.id);
  assert.equal(new Set(ids).size, ids.length, "message ids are unique");
  for (const event of events) {
    if (event.type === "TEXT_MESSAGE_START" || event.type === "TOOL_CALL_RESULT") {
      assert.ok(ids.includes(event.messageId), `${event.type} ${event.messageId} is in the snapshot`);
    }
    if (event.type === "TOOL_CALL_START") {
      const parent = messages.find((message) => message.toolCalls?.some((call) => call.id === event.toolCallId));
      assert.ok(parent, `call ${event.toolCallId} is in the snapshot`);
      assert.equal(event.parentMessageId ?? parent.id, parent.id, "with its parent's id");
    }
  }
}
