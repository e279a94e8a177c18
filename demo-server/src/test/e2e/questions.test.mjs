import assert from "node:assert/strict";
import { test } from "node:test";
import { Chat } from "./lib/chat.mjs";
import { approve, cancel, effects, resolved, run } from "./lib/server.mjs";
import { assertOnlyPresents, assertRefused, detail, interrupts, last, ofType, outcome, proposedArgs, results } from "./lib/stream.mjs";

const ASK = "Ask me which report to send: sales, costs or staff";
const CONFIRM = "Ask me to confirm that the order is complete";
const FILE = "File the VAT return";
const DETAILS = { quarter: "Q3", year: 2026, revenue: 4200000.5 };

const text = (events) => ofType(events, "TEXT_MESSAGE_CONTENT").map((event) => event.delta).join("");

/** The only result of the call that an interrupt is about, and that nothing ran for it. */
async function result(events, open) {
  assert.deepEqual(await effects(open.toolCallId), []);
  assert.equal(ofType(events, "TOOL_CALL_START").length, 0, "the call is not announced again");
  const [only, ...others] = results(events, open.toolCallId);
  assert.equal(others.length, 0);
  return only.content;
}

test("a question carries a form, and the answer is the call's result", async () => {
  const chat = new Chat();
  const { open: [open] } = await chat.hold(FILE);
  assert.equal(open.reason, "input_required");
  assert.equal(open.message, "Please provide the quarterly filing details. The assistant notes: For the VAT return.");
  assert.deepEqual(open.responseSchema, {
    type: "object",
    properties: {
      quarter: { type: "string", enum: ["Q1", "Q2", "Q3", "Q4"] },
      year: { type: "integer", minimum: 2000 },
      revenue: { type: "number" },
    },
    required: ["quarter", "year", "revenue"],
    additionalProperties: false,
  });
  assert.equal(open.metadata.langchain4j.toolName, "requestFilingDetails");
  assert.deepEqual(proposedArgs(open), { note: "For the VAT return." });

  const events = await chat.answer(resolved(open, DETAILS));
  assert.equal(outcome(events), "success");
  assert.deepEqual(JSON.parse(await result(events, open)), DETAILS);
  assert.match(text(events), /Q3 2026, revenue 4200000\.5/);
});

for (const [path, payload] of [
  ["/year", { ...DETAILS, year: 1999 }],
  ["/year", { ...DETAILS, year: 2026.5 }],
  ["/year", { ...DETAILS, year: "2026" }],
  ["/quarter", { ...DETAILS, quarter: "Q5" }],
  ["revenue", { quarter: "Q3", year: 2026 }],
  ["/revenue", { ...DETAILS, revenue: null }],
  ["note", { ...DETAILS, note: "more" }],
  ["object expected", "Q3"],
]) {
  test(`${JSON.stringify(payload)} is no answer, ${path} is named, and the right answer still counts`, async () => {
    const chat = new Chat();
    const { open: [open] } = await chat.hold(FILE);
    const refused = await chat.answer(resolved(open, payload));
    assertRefused(refused, "INTERRUPT_PAYLOAD_INVALID");
    assert.ok(detail(refused[0]).includes(path), detail(refused[0]));
    assert.deepEqual(chat.pending.map(({ id }) => id), [open.id]);

    const events = await chat.answer(resolved(open, DETAILS));
    assert.deepEqual(JSON.parse(await result(events, open)), DETAILS);
  });
}

test("a confirmation takes a bare yes", async () => {
  const chat = new Chat();
  const { open: [open] } = await chat.hold(CONFIRM);
  assert.equal(open.reason, "confirmation");
  assert.deepEqual(open.responseSchema, { type: "boolean" });
  assert.equal(open.message, "The assistant asks: The order is complete?");
  const events = await chat.answer(resolved(open, true));
  assert.equal(await result(events, open), "true");
  assert.equal(text(events), "You said yes.");
});

test("false, an empty text and zero are answers", async () => {
  const chat = new Chat();
  const { open: [confirmation] } = await chat.hold(CONFIRM);
  const no = await chat.answer(resolved(confirmation, false));
  assert.equal(await result(no, confirmation), "false");
  assert.equal(text(no), "You said no, so I left it.");

  const { open: [question] } = await chat.hold(ASK);
  const empty = await chat.answer(resolved(question, { answer: "" }));
  assert.deepEqual(JSON.parse(await result(empty, question)), { answer: "" });

  const { open: [form] } = await chat.hold(FILE);
  const zero = await chat.answer(resolved(form, { ...DETAILS, revenue: 0 }));
  assert.equal(JSON.parse(await result(zero, form)).revenue, 0);
});

for (const payload of ["true", 1, {}, { approved: true }, null]) {
  test(`${JSON.stringify(payload)} is neither a yes nor a no`, async () => {
    const chat = new Chat();
    const { open: [open] } = await chat.hold(CONFIRM);
    assertRefused(await chat.answer(resolved(open, payload)), "INTERRUPT_PAYLOAD_INVALID");
    assert.equal(outcome(await chat.answer(cancel(open))), "success");
  });
}

test("what the model asks is shown as its words, with answers to choose from", async () => {
  const chat = new Chat();
  const { open: [open] } = await chat.hold(ASK);
  assert.equal(open.message, "The assistant asks: Which report to send?");
  assert.deepEqual(proposedArgs(open), { question: "Which report to send?", options: ["sales", "costs", "staff"] });
  const events = await chat.answer(resolved(open, { answer: "none of them" }));
  assert.deepEqual(JSON.parse(await result(events, open)), { answer: "none of them" });
});

test("a cancelled question tells the model that nobody answered", async () => {
  const chat = new Chat();
  const { open: [open] } = await chat.hold(ASK);
  const events = await chat.answer(cancel(open));
  assert.equal(outcome(events), "success");
  assert.match(await result(events, open), /was asked and gave no answer/);
  assert.match(text(events), /Nobody answered/);
});

test("saying something else cancels the question", async () => {
  const chat = new Chat();
  const { open: [open] } = await chat.hold(ASK);
  const events = await chat.say("Find Ada's address", [cancel(open)]);
  assert.equal(outcome(events), "success");
  assert.match(text(events), /ada@example\.com/);
});

test("the same answer again asks nobody, and changes nothing", async () => {
  const chat = new Chat();
  const { open: [open] } = await chat.hold(CONFIRM);
  await chat.answer(resolved(open, false));
  assertOnlyPresents(await chat.answer(resolved(open, false)), "success");
  assertRefused(await chat.answer(resolved(open, true)), "INTERRUPT_ALREADY_RESOLVED");
});

test("a question after a reload is the same question", async () => {
  const chat = new Chat();
  const { open: [open] } = await chat.hold(FILE);
  const reloaded = new Chat(chat.threadId);
  assert.deepEqual(interrupts(await reloaded.run({})), [open]);
});

test("questions, approvals and free calls are one batch, answered together", async () => {
  const chat = new Chat();
  const { open } = await chat.hold(`${CONFIRM}, then transfer 200 to Carol, then find Ada's address, then file the VAT return`, 3);
  assert.deepEqual(open.map(({ reason }) => reason), ["confirmation", "tool_call", "input_required"]);
  const [confirmation, approval, form] = open;
  const some = await run(chat.threadId, { resume: [resolved(confirmation, true)] });
  assertRefused(some, "INTERRUPT_PARTIAL_RESUME");
  assertRefused(
    await chat.answer(resolved(confirmation, true), approve(approval), resolved(form, { ...DETAILS, year: 1999 })),
    "INTERRUPT_PAYLOAD_INVALID",
  );
  assert.deepEqual(await effects(approval.toolCallId), []);

  const events = await chat.answer(resolved(form, DETAILS), resolved(confirmation, false), approve(approval));
  assert.equal(last(events).type, "RUN_FINISHED");
  assert.equal((await effects(approval.toolCallId)).length, 1);
  assert.equal(ofType(events, "TOOL_CALL_RESULT").length, 4);
  assert.match(text(events), /You said no.*I transferred 200 to Carol.*ada@example\.com.*Q3 2026/s);
});
