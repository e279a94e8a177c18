// What the clients without a page have in common: the tools of the page are here, and run by a loop as every front end has.
import { randomUUID } from "node:crypto";

export const PAGE_TOOLS = {
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

export class HeadlessChat {
  can = { edit: true };

  constructor(base) {
    this.base = base;
  }

  async open(threadId = randomUUID()) {
    this.threadId = threadId;
    this.running = Promise.resolve();
    await this.start();
    return this;
  }

  /** A new client of the same thread. */
  async reload() {
    await this.close();
    await this.open(this.threadId);
  }

  /** The server's clock decides, unless the client knows a time of expiry. */
  later() {}

  /** Starts what runs until it is settled. */
  go(run) {
    this.running = run.then(() => this.executeTools());
  }

  async settled() {
    await this.running;
  }

  /** Calls of the page's tools that have no result yet. */
  async openCalls() {
    return (await this.tools()).filter(({ name, status }) => status === "running" && PAGE_TOOLS[name]);
  }

  async executeTools() {
    if ((await this.cards()).length > 0) return;
    const calls = (await this.openCalls()).filter(({ name }) => PAGE_TOOLS[name].execute);
    if (calls.length === 0) return;
    const results = calls.map((call) => [call, PAGE_TOOLS[call.name].execute(this, JSON.parse(call.args))]);
    await this.sendResults(results);
    await this.executeTools();
  }

  async background() {
    return this.colour;
  }

  async haiku() {
    return this.shownHaiku;
  }

  async steps() {
    await this.running;
    const [call] = (await this.openCalls()).filter(({ name }) => name === "pickSteps");
    return call && JSON.parse(call.args).steps.join(",");
  }

  async pick() {
    const [call] = await this.openCalls();
    this.go(this.sendResults([[call, JSON.stringify({ picked: JSON.parse(call.args).steps.slice(0, 1) })]]));
  }
}
