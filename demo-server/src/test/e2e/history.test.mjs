// The history of a thread and the inbox, with the official client where it can be used: a history is a stream like a run's.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import { Chat } from "./lib/chat.mjs";
import { approve, guardedFetch, post, run, serverUrl, userMessage } from "./lib/server.mjs";
import { assertOnlyPresents, interrupts, last, ofType, outcome, readFollowed, snapshot, types } from "./lib/stream.mjs";

const TRANSFER = "Transfer 500 to Bob";
const LONG = "What can you do?";

/** The official client, pointed at the history. Its events are checked as they came over the wire. */
class Looker {
  constructor(threadId, query = "") {
    this.agent = new HttpAgent({
      url: serverUrl(`/agent/history${query}`),
      threadId,
      fetch: async (url, init) => {
        const response = await guardedFetch(url, init);
        this.body = response.clone().text();
        return response;
      },
    });
  }

  async look() {
    await this.agent.runAgent({});
    return readFollowed(await this.body);
  }
}

const thread = (events) => last(events).metadata?.langchain4j?.thread;
const shown = (agent) => agent.messages.map(({ id, role, content, toolCalls }) => ({ id, role, content, toolCalls }));

test("a client that knows nothing gets the thread with its open interrupts, and can answer them", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);

  const looker = new Looker(chat.threadId);
  const events = await looker.look();

  assertOnlyPresents(events, "interrupt");
  assert.equal(thread(events), "held");
  assert.deepEqual(interrupts(events), open);
  assert.deepEqual(looker.agent.pendingInterrupts.map(({ id }) => id), open.map(({ id }) => id));
  assert.deepEqual(shown(looker.agent), shown(chat.agent));
  looker.agent.url = serverUrl("/agent");
  await looker.agent.runAgent({ resume: [approve(open[0])] });
  assert.deepEqual(looker.agent.pendingInterrupts, []);
  const after = await new Looker(chat.threadId).look();
  assertOnlyPresents(after, "success");
  assert.equal(thread(after), "idle");
});

test("a client that follows sees the run that another one started, and ends up with the same", async () => {
  for (const text of [LONG, "Find Ada's address", TRANSFER]) {
    const threadId = randomUUID();
    let begun;
    const hasBegun = new Promise((resolve) => (begun = resolve));
    const agent = new HttpAgent({ url: serverUrl("/agent"), threadId, fetch: guardedFetch });
    agent.addMessage(userMessage(text));
    const running = agent.runAgent({}, { onTextMessageContentEvent: () => begun(), onToolCallStartEvent: () => begun() });
    await hasBegun;
    const looker = new Looker(threadId, "?follow=true");
    const events = await looker.look();
    await running;

    assert.equal(thread(events), agent.pendingInterrupts.length > 0 ? "held" : "idle");
    assert.deepEqual(looker.agent.pendingInterrupts, agent.pendingInterrupts);
    assert.deepEqual(snapshot(events), snapshot(await run(threadId)));
    const known = looker.agent.messages.map(({ id }) => id);
    assert.deepEqual(known, agent.messages.map(({ id }) => id));
    assert.deepEqual(
      looker.agent.messages.map(({ content }) => content ?? ""),
      agent.messages.map(({ content }) => content ?? ""),
    );
  }
});

test("a thread that is not there yet is empty", async () => {
  for (const query of ["", "?follow=true"]) {
    const looker = new Looker(randomUUID(), query);
    const events = await looker.look();
    assert.equal(thread(events), "idle");
    assert.deepEqual(looker.agent.messages, []);
    assert.deepEqual(looker.agent.pendingInterrupts, []);
  }
});

test("looking starts nothing and changes nothing", async () => {
  const chat = new Chat();
  await chat.hold(TRANSFER);
  const before = await new Looker(chat.threadId).look();
  const looker = new Looker(chat.threadId, "?follow=true");
  looker.agent.addMessage(userMessage("Do you hear me?"));
  const after = await looker.look();
  assert.deepEqual(types(after), types(before));
  assert.deepEqual(snapshot(after), snapshot(before));
  assert.equal(ofType(after, "MESSAGES_SNAPSHOT").length, 1);
});

test("the inbox pages through what is open, oldest first", async () => {
  const chats = [new Chat(), new Chat(), new Chat()];
  for (const chat of chats) await chat.hold(TRANSFER);
  const threadIds = chats.map(({ threadId }) => threadId);
  const found = [];
  let cursor = "";
  do {
    const response = await guardedFetch(serverUrl(`/agent/interrupts?limit=2${cursor && `&cursor=${cursor}`}`));
    assert.equal(response.status, 200);
    const page = await response.json();
    assert.ok(page.interrupts.length <= 2);
    found.push(...page.interrupts);
    cursor = page.next ?? "";
  } while (cursor !== "");

  const own = found.filter(({ threadId }) => threadIds.includes(threadId));
  assert.deepEqual(own.map(({ threadId }) => threadId), threadIds);
  assert.deepEqual(own.map(({ interrupt }) => interrupt.id), chats.map(({ pending }) => pending[0].id));
  assert.ok(own.every(({ askedAt, expired, owner }) => !Number.isNaN(Date.parse(askedAt)) && expired === false && owner));
});

test("what is no thread and no page is refused", async () => {
  const { status } = await post("{}");
  assert.equal(status, 400);
  for (const path of ["/agent/interrupts?limit=0", "/agent/interrupts?cursor=x", "/agent/interrupts?threads=all"]) {
    const response = await guardedFetch(serverUrl(path));
    assert.equal(response.status, 400, path);
    assert.equal((await response.json()).code, "INPUT_INVALID");
  }
});
