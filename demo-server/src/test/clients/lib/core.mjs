// The guide's program for the official client.
import { randomUUID } from "node:crypto";
import { HeadlessChat, PAGE_TOOLS } from "./headless.mjs";

const TOOLS = Object.entries(PAGE_TOOLS).map(([name, { parameters }]) => ({ name, description: name, parameters }));

export class CoreChat extends HeadlessChat {
  /** @param Chat the guide's; the version is that of the client below it */
  constructor(Chat, base, version) {
    super(base);
    this.Chat = Chat;
    this.kind = version;
  }

  async start() {
    this.chat = new this.Chat(`${this.base}/agent`, this.threadId);
    const run = this.chat.run.bind(this.chat);
    this.chat.run = (parameters) => run({ tools: TOOLS, ...parameters });
  }

  async reload() {
    await super.reload();
    await this.chat.open();
  }

  get agent() {
    return this.chat.agent;
  }

  async close() {
    if (this.clock) globalThis.Date = this.clock;
    this.agent.abortRun();
    await this.running;
  }

  /** Moves this process's clock on for a client that is told when its question expires. */
  later() {
    const [{ expiresAt }] = this.chat.questions;
    if (!expiresAt) return;
    const Now = (this.clock = Date);
    globalThis.Date = class extends Now {
      constructor(...time) {
        super(...(time.length ? time : [expiresAt]));
      }

      static now = () => new Now(expiresAt).getTime();
    };
  }

  async say(text) {
    this.go(this.chat.say(text));
  }

  async attach(text, png) {
    this.go(
      this.chat.say([
        { type: "text", text },
        { type: "binary", mimeType: "image/png", data: png.toString("base64") },
      ]),
    );
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
          id: call.id,
          name: call.function.name,
          status: result?.error ? "error" : result ? "complete" : "running",
          args: call.function.arguments,
          result: result?.content ?? "",
        };
      }),
    );
  }

  async sendResults(results) {
    for (const [call, content] of results) {
      this.agent.addMessage({ id: randomUUID(), role: "tool", toolCallId: call.id, content });
    }
    await this.chat.run();
  }

  async cards() {
    return this.chat.questions;
  }

  async answer(...answers) {
    this.go(this.chat.answer(...answers));
  }

  async steerAway(text) {
    this.go(this.chat.say(text, { instead: true }));
  }

  async state() {
    return this.agent.state;
  }

  async setState() {
    this.agent.setState({ list: ["bread"] });
  }

  async error() {
    await this.running;
    return this.chat.error?.message ?? "";
  }

  /** Replaces a message of the user; the first one by its name, since there is none before it. */
  async edit(at, text) {
    const { messages } = this.agent;
    const place = messages.indexOf(messages.filter(({ role }) => role === "user")[at]);
    const replaces = messages[place].id;
    this.agent.setMessages([...messages.slice(0, place), { id: randomUUID(), role: "user", content: text }]);
    this.go(this.chat.run(place === 0 ? { forwardedProps: { holdpoint: { replaces } } } : {}));
  }

  async regenerate() {
    const at = this.agent.messages.findLastIndex(({ role }) => role === "user");
    this.agent.setMessages(this.agent.messages.slice(0, at + 1));
    this.go(this.chat.run());
  }
}
