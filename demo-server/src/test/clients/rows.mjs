// What a front end must let a person do, each as one row of the matrix. A row that throws does not work.
import assert from "node:assert/strict";
import { until } from "./lib/until.mjs";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What the model is told to answer, one after the other. */
const told = (...answers) => JSON.stringify(answers);
const call = (...calls) => ({ call: calls });
const mail = (to = "ada", subject = "Hi") => ["sendEmail", { to, subject }];
const report = (words = "Results:") => ({ say: `${words} {results}` });
const words = (count) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");

const APPROVED = { approved: true };

const shows = (chat, text) =>
  until(`"${text}"`, async () => (await chat.said()).includes(text)).catch(async (error) => {
    throw new Error(`${error.message}; ${JSON.stringify({ said: await chat.said(), error: await chat.error() })}`);
  });
const cards = (chat, count = 1) =>
  until(`${count} card(s)`, async () => {
    const all = await chat.cards();
    return all.length === count && all;
  });
const tool = (chat, name, test) =>
  until(`the call of ${name}`, async () => (await chat.tools()).find((each) => each.name === name && test(each)));

async function held(chat, ...answers) {
  await chat.say(told(...answers));
  return cards(chat);
}

/** Nothing is left that locks the client. */
async function goesOn(chat) {
  await chat.settled();
  await chat.say("Go on");
  await shows(chat, "You said: Go on");
}

async function expired(chat, effects) {
  const [card] = await held(chat, call(["offer", { amount: 5 }]), { say: "As you like." });
  await effects.later();
  chat.later();
  return card;
}

/** Gives an answer that the server may refuse: waits for a complaint beside the question, or for its end. */
async function refused(chat, card, answer) {
  const before = await chat.error();
  await chat.answer(answer);
  return until("a complaint, or the end", async () => {
    const [shown] = await chat.cards();
    if (shown === undefined) return (await chat.said()).includes("As you like.") && "over";
    return (shown.message !== card.message || (await chat.error()) !== before) && "asked again";
  });
}

/** A second answer to the same question, after one that the server did not take. */
async function again(chat, before, payload, text) {
  const [card] = await until("the card again", async () => {
    const all = await chat.cards();
    return all.length === 1 && all[0].id === before.id && all;
  });
  assert.ok(card);
  await chat.answer(payload);
  await shows(chat, text);
}

export const ROWS = {
  "first message, streaming": async (chat, effects) => {
    await chat.say(told({ say: words(200), waits: true }));
    await shows(chat, "word3"); // while the model has not said the rest
    await effects.goOn();
    await shows(chat, "word199");
  },

  "free tool, shown with its result": async (chat) => {
    await chat.say(told(call(["lookUp", { name: "ada" }]), report()));
    await shows(chat, "Results: ada@example.com");
    await tool(chat, "lookUp", ({ result }) => result.includes("ada@example.com"));
  },

  approve: async (chat, effects) => {
    const [card] = await held(chat, call(mail()), report());
    assert.match(card.message, /Send 'Hi' to "ada"\?/);
    assert.deepEqual(await effects(), []);
    await chat.answer(APPROVED);
    await shows(chat, "Results: Sent 'Hi' to ada.");
    await tool(chat, "sendEmail", ({ result }) => result.includes("Sent 'Hi'"));
    assert.deepEqual(await effects(), ["sendEmail ada Hi"]);
  },

  deny: async (chat, effects) => {
    await held(chat, call(mail()), report());
    await chat.answer({ approved: false, reason: "too early" });
    await shows(chat, "too early");
    assert.deepEqual(await effects(), []);
  },

  cancel: async (chat, effects) => {
    await held(chat, call(mail()), report("It was"));
    await chat.answer(undefined);
    await shows(chat, "It was");
    assert.deepEqual(await effects(), []);
  },

  "approve with edits": async (chat, effects) => {
    await held(chat, call(mail()), report());
    await chat.answer({ approved: true, editedArgs: { to: "ada", subject: "Hello" } });
    await shows(chat, "Sent 'Hello' to ada.");
    assert.deepEqual(await effects(), ["sendEmail ada Hello"]);
  },

  "two in parallel": async (chat, effects) => {
    await chat.say(told(call(mail("ada"), mail("bob")), report()));
    await cards(chat, 2);
    await chat.answer(APPROVED, { approved: false });
    await shows(chat, "Results: Sent 'Hi' to ada.");
    assert.deepEqual(await effects(), ["sendEmail ada Hi"]);
  },

  "one after the other": async (chat, effects) => {
    const [first] = await held(chat, call(mail("ada")), call(mail("bob")), report());
    await chat.answer(APPROVED);
    await until("the next card", async () => (await cards(chat))[0].id !== first.id);
    await chat.answer(APPROVED);
    await shows(chat, "Sent 'Hi' to bob.");
    assert.deepEqual(await effects(), ["sendEmail ada Hi", "sendEmail bob Hi"]);
  },

  "a question, answered with no": async (chat) => {
    await held(chat, call(["confirm", { what: "this" }]), report());
    await chat.answer(false);
    await shows(chat, "Results: false");
  },

  "a form, filled in": async (chat) => {
    await held(chat, call(["howMany", { what: "apples" }]), report());
    await chat.answer({ amount: 3, unit: "kg" });
    await shows(chat, '"amount":3');
  },

  "a form, filled in wrongly, then rightly": async (chat) => {
    const [card] = await held(chat, call(["howMany", { what: "apples" }]), report());
    await refused(chat, card, { amount: "three", unit: "kg" });
    await again(chat, card, { amount: 3, unit: "kg" }, '"amount":3');
  },

  "opened again": async (chat) => {
    await chat.say("Remember this");
    await shows(chat, "You said: Remember this");
    await chat.reload();
    await shows(chat, "You said: Remember this");
  },

  "a message while the page loads": async (chat) => {
    if (!chat.reloadAndSay) return "it has no page";
    await chat.say("First");
    await shows(chat, "You said: First (1 from you)");
    await chat.reloadAndSay("Second");
    await shows(chat, "You said: Second (2 from you)");
    assert.equal((await chat.users()).length, 2);
  },

  "opened again while a question is open": async (chat, effects) => {
    const [card] = await held(chat, call(mail()), report());
    await chat.reload();
    await again(chat, card, APPROVED, "Results: Sent 'Hi' to ada.");
    assert.deepEqual(await effects(), ["sendEmail ada Hi"]);
    await goesOn(chat);
  },

  "answered elsewhere, then here": async (chat, effects) => {
    const [card] = await held(chat, call(mail()), report());
    await effects.elsewhere(chat.threadId, card.id);
    await chat.answer(APPROVED);
    await cards(chat, 0);
    await goesOn(chat);
    assert.deepEqual(await effects(), []);
  },

  "answered elsewhere, then a message": async (chat, effects) => {
    const [card] = await held(chat, call(mail()), report());
    await effects.elsewhere(chat.threadId, card.id);
    await chat.steerAway("Never mind");
    await shows(chat, "You said: Never mind");
    assert.deepEqual(await effects(), []);
  },

  "approved by another person, then here": async (chat, effects) => {
    await held(chat, call(mail()), report());
    assert.equal(await effects.decides("grace", chat.threadId), "Runs");
    await chat.answer(APPROVED);
    await shows(chat, "Results: Sent 'Hi' to ada.");
    await cards(chat, 0);
    await goesOn(chat);
    assert.deepEqual(await effects(), ["sendEmail ada Hi"]);
  },

  "denied by another person, then here": async (chat, effects) => {
    await held(chat, call(mail()), report());
    assert.equal(await effects.decides("grace", chat.threadId, { approved: false, reason: "too early" }), "Runs");
    await chat.answer(APPROVED);
    await shows(chat, "too early");
    await cards(chat, 0);
    await goesOn(chat);
    assert.deepEqual(await effects(), []);
  },

  "edited by another person, then here": async (chat, effects) => {
    await held(chat, call(mail()), report());
    const edited = { approved: true, editedArgs: { to: "ada", subject: "Hello" } };
    assert.equal(await effects.decides("grace", chat.threadId, edited), "Runs");
    await chat.answer(APPROVED);
    await shows(chat, "Sent 'Hello' to ada.");
    await cards(chat, 0);
    await goesOn(chat);
    assert.deepEqual(await effects(), ["sendEmail ada Hello"]);
  },

  "approved by two other people, then here": async (chat, effects) => {
    await held(chat, call(["pay", { amount: 5 }]), report());
    assert.equal(await effects.decides("grace", chat.threadId), "Waits");
    assert.equal(await effects.decides("grace", chat.threadId), "Waits");
    assert.deepEqual(await effects(), []);
    assert.equal(await effects.decides("heidi", chat.threadId), "Runs");
    await chat.answer(APPROVED);
    await cards(chat, 0);
    await goesOn(chat);
    assert.deepEqual(await effects(), ["pay 5"]);
  },

  "tool of the page": async (chat) => {
    await chat.say(told(call(["setBackground", { colour: "beige" }]), report()));
    await shows(chat, "Results: the background is beige");
    assert.equal(await chat.background(), "beige");
  },

  "person in the loop (a tool that asks on the page)": async (chat) => {
    await chat.say(told(call(["pickSteps", { steps: ["mix", "bake"] }]), report()));
    assert.equal(await until("the steps", () => chat.steps()), "mix,bake");
    await chat.pick();
    await shows(chat, '"picked":["mix"]');
  },

  "interface of a tool (a tool that draws)": async (chat) => {
    await chat.say(told(call(["showHaiku", { lines: ["an old pond", "a frog"] }]), report()));
    await until("the haiku", async () => (await chat.haiku()) === "an old pond / a frog");
    await shows(chat, "Results: shown");
  },

  "tool of the page and an approval in one message": async (chat, effects) => {
    await chat.say(told(call(["setBackground", { colour: "red" }], mail()), report()));
    await cards(chat);
    await chat.answer(APPROVED);
    await shows(chat, "Sent 'Hi' to ada.");
    await shows(chat, "the background is red");
    assert.equal(await chat.background(), "red");
    assert.deepEqual(await effects(), ["sendEmail ada Hi"]);
  },

  "shared state, read and written": async (chat) => {
    if (!chat.state) return "it has no shared state";
    await chat.setState();
    await chat.say(told(call(["addToList", { item: "milk" }]), { say: "One." }));
    await shows(chat, "One.");
    assert.deepEqual(await until("the state", async () => (await chat.state())?.list?.length === 2 && chat.state()), {
      list: ["bread", "milk"],
    });
    await chat.say(told(call(["addToList", { item: "eggs" }]), { say: "Two." }));
    await shows(chat, "Two.");
    await until("the state", async () => (await chat.state())?.list?.length === 3);
    await chat.say("Still there?");
    await shows(chat, "Still there?");
  },

  "shared state, after opening again": async (chat) => {
    if (!chat.state) return "it has no shared state";
    await chat.say(told(call(["addToList", { item: "milk" }]), { say: "One." }));
    await shows(chat, "One.");
    await chat.reload();
    await chat.say(told(call(["addToList", { item: "eggs" }]), report()));
    await shows(chat, '["milk","eggs"]');
    await until("the state", async () => (await chat.state())?.list?.length === 2);
  },

  reasoning: async (chat) => {
    await chat.say(told({ think: "Let me see.", say: "Here it is." }));
    await shows(chat, "Here it is.");
    if (chat.kind === "copilotkit") {
      await until("the thought", async () => /Thought/.test(await chat.page.locator("body").innerText()));
    } else {
      await until("the thought", async () => (await chat.reasoning()).join() === "Let me see.");
    }
  },

  "reasoning before a question, shown once": async (chat) => {
    const thoughts = async () =>
      chat.kind === "copilotkit"
        ? (await chat.page.locator("body").innerText()).match(/Thought/g)?.length
        : (await chat.reasoning()).length;
    await held(chat, { think: "Let me see.", ...call(mail()) }, report());
    assert.equal(await thoughts(), chat.kind === "tanstack" ? 0 : 1);
    await chat.answer(APPROVED);
    await shows(chat, "Sent 'Hi'");
    await chat.settled();
    assert.equal(await thoughts(), 1);
    return chat.kind === "tanstack" ? "once the question is answered" : undefined;
  },

  "a picture": async (chat) => {
    await chat.attach(told({ say: "I see {media} picture." }), PIXEL);
    await shows(chat, "I see 1 picture.");
  },

  "stop, then a message": async (chat) => {
    await chat.say(told({ say: words(1600), pause: 50 })); // for longer than anything is waited for
    await shows(chat, "word5");
    await chat.stop();
    await chat.say("Something else");
    await shows(chat, "You said: Something else");
  },

  "ended from elsewhere, then a message": async (chat, effects) => {
    await chat.say(told({ say: words(400), pause: 50 }));
    await shows(chat, "word5");
    assert.equal((await effects.cancel(chat.threadId)).status, 200);
    await until("the end", async () => (await effects.cancel(chat.threadId)).status === 404);
    await chat.settled();
    await chat.say("Something else");
    await shows(chat, "You said: Something else");
  },

  "an error of the model, then a message": async (chat) => {
    await chat.say(told({ fail: true }));
    const shown = await until("the error", () => chat.error());
    assert.doesNotMatch(shown, /[{}]/, `a sentence: ${shown}`);
    await chat.say("Again");
    await shows(chat, "You said: Again");
  },

  "an error of a tool, shown as one": async (chat) => {
    await chat.say(told(call(["broken", {}]), report()));
    await shows(chat, "the tool is broken");
    if (chat.kind === "copilotkit") {
      await tool(chat, "broken", ({ result }) => result.includes("the tool is broken"));
      return "as text; it knows no failed calls";
    }
    await tool(chat, "broken", ({ status }) => status === "error");
  },

  "a message in the place of an answer": async (chat, effects) => {
    await held(chat, call(mail()), { say: "As you like." });
    await chat.steerAway("Never mind");
    await shows(chat, "You said: Never mind");
    assert.deepEqual(await effects(), []);
  },

  "a question that has expired: approved, then cancelled": async (chat, effects) => {
    const card = await expired(chat, effects);
    assert.equal(await refused(chat, card, APPROVED), "asked again");
    await chat.answer(undefined);
    await shows(chat, "As you like.");
    assert.deepEqual(await effects(), []);
    await goesOn(chat);
  },

  "a question that has expired: denied": async (chat, effects) => {
    const card = await expired(chat, effects);
    assert.equal(await refused(chat, card, { approved: false }), "over");
    await shows(chat, "As you like.");
    assert.deepEqual(await effects(), []);
    await goesOn(chat);
  },

  "a question that has expired: a message instead": async (chat, effects) => {
    await expired(chat, effects);
    await chat.steerAway("Never mind");
    await shows(chat, "You said: Never mind");
    assert.deepEqual(await effects(), []);
  },

  "a second thread": async (chat) => {
    await chat.say("First");
    await shows(chat, "You said: First (1 from you)");
    const first = chat.threadId;
    await chat.close();
    await chat.open();
    assert.notEqual(chat.threadId, first);
    await chat.say("Second");
    await shows(chat, "You said: Second (1 from you)");
  },

  "edit a message": async (chat) => {
    if (!chat.can.edit) return "no button for it";
    await chat.say("First");
    await shows(chat, "You said: First (1 from you)");
    await chat.say("Second");
    await shows(chat, "You said: Second (2 from you)");
    await chat.edit(1, "Changed");
    await shows(chat, "You said: Changed (2 from you)");
    await chat.say(told(call(mail())));
    await cards(chat);
    assert.ok(!(await chat.said()).includes("Second"), "what was cut away stays away");
  },

  "edit the first message": async (chat) => {
    if (!chat.can.edit) return "no button for it";
    await chat.say("First");
    await shows(chat, "You said: First (1 from you)");
    await chat.edit(0, "Changed");
    if (chat.isAssistantUi) {
      await shows(chat, "You said: Changed (2 from you)"); // a page without its history sends the same
      return "taken for a new one";
    }
    await shows(chat, "You said: Changed (1 from you)");
    return "by its name";
  },

  "regenerate an answer": async (chat) => {
    if (!chat.can.edit) return "no button for it";
    await chat.say("First");
    await shows(chat, "You said: First (1 from you)");
    const runs = await chat.runs();
    await chat.regenerate();
    await until("another run", async () => (await chat.runs()) > runs);
    await chat.settled();
    await shows(chat, "You said: First (1 from you)");
    await chat.say("Second");
    await shows(chat, "You said: Second (2 from you)");
    await chat.say(told(call(mail())));
    await cards(chat);
    assert.equal((await chat.said()).match(/First/g).length, 1, "there is one answer");
  },
};
