// The official client without any page, with the loop around tools of the client that every front end has.
import { randomUUID } from "node:crypto";

const PAGE_TOOLS = {
  setBackground: {
    parameters: { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] },
    execute: (chat, { colour }) => {
      chat.colour = colour;
      return `the background is ${colour}`;
    },
  },
  showHaiku: {
    parameters: { type: "object", properties: { lines: { type: "array", items: { type: "string" } } } },
    execute: (chat, { lines }) => {
      chat.shownHaiku = lines.join(" / ");
      return "shown";
    },
  },
  pickSteps: { parameters: { type: "object", properties: { steps: { type: "array", items: { type: "string" } } } } },
};

const TOOLS = Object.entries(PAGE_TOOLS).map(([name, { parameters }]) => ({ name, description: name, parameters }));

export class CoreChat {
  constructor(HttpAgent, base, kind) {
    this.kind = kind;
    this.HttpAgent = HttpAgent;
    this.base = base;
    this.can = { edit: true, reason: true, attach: true };
  }

  async open(threadId = randomUUID()) {
    this.threadId = threadId;
    this.agent = new this.HttpAgent({ url: `${this.base}/agent`, threadId });
    this.last = undefined;
    this.running = Promise.resolve();
    return this;
  }

  async close() {
    this.agent.abortRun();
    await this.running;
  }

  /** A new client of the same thread; it asks for the thread as it is, as the demo's page does. */
  async reload({ history } = {}) {
    await this.close();
    await this.open(this.threadId);
    if (history) {
      const looking = new this.HttpAgent({ url: `${this.base}/agent/history`, threadId: this.threadId });
      await looking.runAgent({});
      this.agent = looking;
      this.agent.url = `${this.base}/agent`;
    }
  }

  #run(parameters = {}) {
    this.failure = undefined;
    this.running = this.agent
      .runAgent(
        { tools: TOOLS, ...parameters },
        {
          onRunErrorEvent: ({ event }) => {
            this.failure = event.message;
          },
        },
      )
      .then(() => this.#executeTools())
      .catch((error) => {
        this.failure = String(error?.message ?? error);
      });
  }

  #open() {
    const calls = this.agent.messages.flatMap((message) => message.toolCalls ?? []);
    const held = new Set(this.agent.pendingInterrupts.map((open) => open.toolCallId));
    const answered = new Set(this.agent.messages.filter(({ role }) => role === "tool").map((each) => each.toolCallId));
    return calls.filter((call) => !held.has(call.id) && !answered.has(call.id) && PAGE_TOOLS[call.function.name]);
  }

  #executeTools() {
    if (this.agent.pendingInterrupts.length > 0) return;
    const calls = this.#open().filter((call) => PAGE_TOOLS[call.function.name].execute);
    if (calls.length === 0) return;
    for (const call of calls) {
      const content = PAGE_TOOLS[call.function.name].execute(this, JSON.parse(call.function.arguments));
      this.agent.addMessage({ id: randomUUID(), role: "tool", toolCallId: call.id, content });
    }
    this.#run();
  }

  async say(text) {
    this.agent.addMessage({ id: randomUUID(), role: "user", content: text });
    this.#run();
  }

  async attach(text, png) {
    const content = [
      { type: "text", text },
      { type: "binary", mimeType: "image/png", data: png.toString("base64") },
    ];
    this.agent.addMessage({ id: randomUUID(), role: "user", content });
    this.#run();
  }

  async settled() {
    await this.running;
  }

  async stop() {
    this.agent.abortRun();
    await this.running;
  }

  async said() {
    const texts = this.agent.messages.filter(({ role }) => role === "assistant").map(({ content }) => content ?? "");
    return texts.join("\n");
  }

  async reasoning() {
    return this.agent.messages.filter(({ role }) => role === "reasoning").map(({ content }) => content);
  }

  async users() {
    return this.agent.messages.filter(({ role }) => role === "user").map(({ content }) => content);
  }

  async tools() {
    return this.agent.messages.flatMap((message) =>
      (message.toolCalls ?? []).map((call) => {
        const result = this.agent.messages.find((each) => each.toolCallId === call.id);
        return {
          name: call.function.name,
          status: result?.error ? "error" : result ? "complete" : "running",
          args: call.function.arguments,
          result: result?.content ?? "",
        };
      }),
    );
  }

  async cards() {
    return this.agent.pendingInterrupts;
  }

  async answer(...answers) {
    const resume = this.agent.pendingInterrupts.map(({ id }, at) =>
      answers[at] === undefined
        ? { interruptId: id, status: "cancelled" }
        : { interruptId: id, status: "resolved", payload: answers[at] },
    );
    this.#run({ resume });
  }

  async steerAway(text) {
    const resume = this.agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" }));
    this.agent.addMessage({ id: randomUUID(), role: "user", content: text });
    this.#run({ resume });
  }

  async state() {
    return this.agent.state;
  }

  async setState() {
    this.agent.setState({ list: ["bread"] });
  }

  async background() {
    return this.colour;
  }

  async haiku() {
    return this.shownHaiku;
  }

  async steps() {
    await this.running;
    const call = this.#open().find((each) => each.function.name === "pickSteps");
    return call && JSON.parse(call.function.arguments).steps.join(",");
  }

  async pick() {
    const call = this.#open().find((each) => each.function.name === "pickSteps");
    const picked = JSON.parse(call.function.arguments).steps.slice(0, 1);
    this.agent.addMessage({ id: randomUUID(), role: "tool", toolCallId: call.id, content: JSON.stringify({ picked }) });
    this.#run();
  }

  async error() {
    await this.running;
    return this.failure ?? "";
  }

  async reported() {
    return this.failure;
  }

  /** Replaces a message of the user; the first one by its name, since there is none before it. */
  async edit(at, text) {
    const { messages } = this.agent;
    const place = messages.indexOf(messages.filter(({ role }) => role === "user")[at]);
    const replaces = messages[place].id;
    this.agent.setMessages([...messages.slice(0, place), { id: randomUUID(), role: "user", content: text }]);
    this.#run(place === 0 ? { forwardedProps: { holdpoint: { replaces } } } : {});
  }

  async regenerate() {
    const at = this.agent.messages.findLastIndex(({ role }) => role === "user");
    this.agent.setMessages(this.agent.messages.slice(0, at + 1));
    this.#run();
  }
}
