// node check.mjs <document.mjs> <agent>: a page that saw every event shows the same as one that was opened later
import assert from "node:assert/strict";

const { apply, events, view } = await import(process.argv[2]);
const agent = process.argv[3];
const threadId = crypto.randomUUID();
let messages = [];
let interrupts;
let texts;
let firstStates;

async function run(path, input, before) {
  texts = new Set();
  firstStates = new Set();
  let seen = before;
  for await (const event of events(agent + path, { threadId, ...input })) {
    seen = apply(seen, event);
    texts.add(view(seen).documents.at(-1)?.text);
    firstStates.add(view(seen).documents[0]?.state);
    assert.notEqual(event.type, "RUN_ERROR", event.message);
    if (event.type === "RUN_FINISHED") interrupts = event.outcome.interrupts ?? [];
  }
  return seen;
}

async function sees(input, expected) {
  messages = await run("", input, messages);
  assert.deepEqual(view(messages).documents.map(({ title, text, state }) => [title, text, state]), expected);
  const seen = { texts: [...texts], firstStates: [...firstStates] };
  const [{ id } = {}] = interrupts;
  const reloaded = await run("/history?follow=true", {}, []);
  assert.deepEqual(view(reloaded), view(messages));
  assert.equal(interrupts[0]?.id, id);
  return seen;
}

const answer = (payload) => ({ resume: [{ interruptId: interrupts[0].id, status: "resolved", payload }] });
const short = "The pool is closed on Friday.";
const long = `${short} It opens again on Saturday at 9.`;
const user = { id: "message-1", role: "user", content: "Write a notice" };

messages = [user];
const written = await sees({ messages: [user] }, [["The pool, version 1", short, "waiting for you"]]);
assert.deepEqual(written.texts, [undefined, "", "The ", "The pool ", "The pool is ", "The pool is closed ", "The pool is closed on ", short]);

const draft = ["The pool, version 1", short, "draft"];
const denial = answer({ approved: false, reason: "Say when it opens again." });
const denied = await sees(denial, [draft, ["The pool, version 2", long, "waiting for you"]]);
assert.deepEqual(denied.firstStates, ["waiting for you", "answered", "draft"]);
await sees(answer({ approved: true }), [draft, ["The pool, version 2", long, "published"]]);

const { chat } = view(messages);
assert.deepEqual(chat.filter(({ text }) => text).map(({ text }) => text), [
  "Write a notice", "I write it beside our chat.", "I write it again.", "It is on the board.",
]);
