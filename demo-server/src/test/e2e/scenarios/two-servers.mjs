// Two servers on one database. What a tool did is known to the server it ran on.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import { Chat } from "../lib/chat.mjs";
import { approve, cancel, deny, effects, guardedFetch, input, post, run, serverUrl, userMessage } from "../lib/server.mjs";
import { assertOnlyPresents, interrupts, last, outcome, readFollowed, results, snapshot } from "../lib/stream.mjs";

const HERE = process.env.HOLDPOINT_URL;
const THERE = process.env.HOLDPOINT_OTHER_URL;
const TRANSFER = "Transfer 500 to Bob";
const ROUNDS = 5;

/** How often a call ran on each of the two. */
const ran = async (toolCallId) => [(await effects(toolCallId, HERE)).length, (await effects(toolCallId, THERE)).length];
const ranInAll = async (toolCallId) => (await ran(toolCallId)).reduce((sum, times) => sum + times);

test("a client that is sent to the other server goes on there, and back", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  chat.moveTo(THERE);
  const events = await chat.answer(approve(open[0]));
  assert.equal(outcome(events), "success");
  assert.deepEqual(await ran(open[0].toolCallId), [0, 1]);

  const next = (await chat.hold("Transfer 150 to Bob")).open[0];
  chat.moveTo(HERE);
  assert.equal(outcome(await chat.answer(deny(next, "no"))), "success");
  assert.equal(await ranInAll(next.toolCallId), 0);
  assert.deepEqual(snapshot(await run(chat.threadId, {}, { base: THERE })), snapshot(await run(chat.threadId)));
});

test("steering away works on either", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  chat.moveTo(THERE);
  assert.equal(outcome(await chat.say("Find Ada's address", [cancel(open[0])])), "success");
  assert.equal(await ranInAll(open[0].toolCallId), 0);
});

test("an answer that was given to one is known to the other", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  const resume = [approve(open[0])];
  await chat.answer(...resume);
  assertOnlyPresents(await run(chat.threadId, { resume }, { base: THERE }), "success");
  const other = await run(chat.threadId, { resume: [deny(open[0], "late")] }, { base: THERE });
  assert.equal(last(other).code, "INTERRUPT_ALREADY_RESOLVED");
  assert.deepEqual(await ran(open[0].toolCallId), [1, 0]);
});

test("a run of one is followed on the other, from what is stored", async () => {
  const threadId = randomUUID();
  const mine = new HttpAgent({ url: serverUrl("/agent", HERE), threadId, fetch: guardedFetch });
  mine.addMessage(userMessage("Find Ada's address"));
  let begun;
  const hasBegun = new Promise((resolve) => (begun = resolve));
  const running = mine.runAgent({}, { onTextMessageContentEvent: () => begun() });
  await hasBegun;
  let body;
  const theirs = new HttpAgent({
    url: serverUrl("/agent/history?follow=true", THERE),
    threadId,
    fetch: async (url, init) => {
      const response = await guardedFetch(url, init);
      body = response.clone().text();
      return response;
    },
  });
  await theirs.runAgent({});
  await running;
  const events = readFollowed(await body);
  assert.equal(last(events).metadata.langchain4j.thread, "idle");
  assert.deepEqual(theirs.messages.map(({ id }) => id), mine.messages.map(({ id }) => id));
  assert.deepEqual(snapshot(events), snapshot(await run(threadId)));
});

/** Gives one answer to each server at the same time. An answer is a well-formed stream, or says that the thread is busy. */
async function both(threadId, here, there) {
  const answers = await Promise.all([
    post(input(threadId, { resume: [here] })),
    post(input(threadId, { resume: [there] }), { base: THERE }),
  ]);
  for (const { status, error } of answers) {
    assert.ok(status === 200 || (status === 409 && error.code === "RUN_IN_PROGRESS"), JSON.stringify({ status, error }));
  }
  return answers.filter(({ status }) => status === 200).map(({ events }) => events);
}

for (let round = 1; round <= ROUNDS; round++) {
  test(`identical answers to both at once run the tool once (${round})`, async () => {
    const { open, threadId } = await held();
    const answer = approve(open);
    const streams = await both(threadId, answer, answer);
    assert.ok(streams.length >= 1);
    streams.forEach((events) => assert.equal(outcome(events), "success"));
    assert.ok(streams.filter((events) => results(events, open.toolCallId).length > 0).length === 1, "one of them ran it");
    assert.equal(await ranInAll(open.toolCallId), 1);
    for (const base of [HERE, THERE]) {
      assertOnlyPresents(await run(threadId, { resume: [answer] }, { base }), "success");
    }
    assert.equal(await ranInAll(open.toolCallId), 1);
  });

  test(`of different answers to both at once one counts (${round})`, async () => {
    const { open, threadId } = await held();
    const streams = await both(threadId, approve(open), deny(open, "no"));
    const settled = streams.filter((events) => outcome(events) === "success");
    assert.equal(settled.length, 1);
    streams
      .filter((events) => !settled.includes(events))
      .forEach((events) => assert.equal(last(events).code, "INTERRUPT_ALREADY_RESOLVED"));
    const [result] = results(settled[0], open.toolCallId);
    const approved = result.content.startsWith("Transferred");
    assert.equal(await ranInAll(open.toolCallId), approved ? 1 : 0);
    for (const base of [HERE, THERE]) {
      const presented = await run(threadId, {}, { base });
      assertOnlyPresents(presented, "success");
      assert.deepEqual(interrupts(presented), []);
    }
  });
}

async function held() {
  const chat = new Chat();
  const { open } = await chat.hold(TRANSFER);
  return { open: open[0], threadId: chat.threadId };
}
