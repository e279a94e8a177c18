// One conversation held by the official client, with a recording of everything that came over the wire.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { HttpAgent } from "@ag-ui/client";
import { guardedFetch, serverUrl, userMessage } from "./server.mjs";
import { interrupts, last, ofType, outcome, readStream } from "./stream.mjs";

const complaints = [];
const warn = console.warn;
console.warn = (...words) => {
  complaints.push(words.join(" "));
  warn(...words);
};

export class Chat {
  #bodies = [];

  /** The calls that the last run left to this client. */
  left = [];

  constructor(threadId = randomUUID(), { base, headers } = {}) {
    this.threadId = threadId;
    this.agent = new HttpAgent({
      url: serverUrl("/agent", base),
      headers,
      threadId,
      fetch: (url, init) => this.#fetch(url, init),
    });
  }

  /** The same conversation, on another server from now on. */
  moveTo(base) {
    this.agent.url = serverUrl("/agent", base);
  }

  get pending() {
    return this.agent.pendingInterrupts;
  }

  get messages() {
    return this.agent.messages;
  }

  /** Sends a new user message, with answers if there are any, and returns the raw events of the run. */
  say(text, resume) {
    this.agent.addMessage(userMessage(text));
    return this.run(resume === undefined ? {} : { resume });
  }

  /** Sends what a tool of this client returned, with answers if there are any. */
  returns(toolCallId, content, more = {}) {
    this.agent.addMessage({ id: randomUUID(), role: "tool", toolCallId, content });
    return this.run(more);
  }

  /** Answers open interrupts without a new message. */
  answer(...resume) {
    return this.run({ resume });
  }

  /** Runs the agent; fails if the client dropped, repaired or complained about anything. */
  async run(parameters) {
    const before = complaints.length;
    await this.agent.runAgent(parameters);
    const events = readStream(await this.#bodies.at(-1));
    assert.deepEqual(complaints.slice(before), [], "the client has nothing to complain about");
    if (last(events).type === "RUN_FINISHED") {
      assert.deepEqual(this.pending.map((open) => open.id), interrupts(events).map((open) => open.id));
      this.left = last(events).outcome.pendingToolCallIds ?? [];
      this.assertConsistent();
    }
    return events;
  }

  /** Says something that leads to a hold, and returns the interrupts with the events that came before. */
  async hold(text, count = 1) {
    const events = await this.say(text);
    assert.equal(outcome(events), "interrupt", JSON.stringify(last(events)));
    assert.equal(interrupts(events).length, count);
    for (const open of interrupts(events)) {
      const starts = ofType(events, "TOOL_CALL_START").filter((event) => event.toolCallId === open.toolCallId);
      assert.equal(starts.length, 1, "an interrupt names a call of this run");
    }
    return { events, open: interrupts(events) };
  }

  /** Each call in the client's own list has at most one answer, and no answer is without its call. */
  assertConsistent() {
    const ids = this.messages.map((message) => message.id);
    assert.equal(new Set(ids).size, ids.length, "no message twice");
    const calls = this.messages.flatMap((message) => message.toolCalls ?? []).map((call) => call.id);
    const answers = this.messages.filter((message) => message.role === "tool").map((message) => message.toolCallId);
    assert.equal(new Set(answers).size, answers.length, "no tool message twice");
    const stillOpen = [...this.pending.map((open) => open.toolCallId), ...this.left];
    for (const call of calls) {
      assert.ok(answers.includes(call) || stillOpen.length > 0, `call ${call} has its answer`);
    }
    assert.deepEqual(answers.filter((answer) => !calls.includes(answer)), [], "no answer without its call");
  }

  async #fetch(url, init) {
    const response = await guardedFetch(url, init);
    this.#bodies.push(response.clone().text());
    return response;
  }
}
