// The guide's program for TanStack AI.
import { HeadlessChat, PAGE_TOOLS } from "./headless.mjs";
import { until } from "./until.mjs";

const TOOLS = Object.entries(PAGE_TOOLS).map(([name, { parameters }]) => ({
  __toolSide: "client",
  name,
  description: name,
  inputSchema: parameters,
}));

const parts = (message, type) => message.parts.filter((part) => part.type === type);

export class TanStackChat extends HeadlessChat {
  kind = "tanstack";

  /** @param guide the guide's module */
  constructor(guide, base) {
    super(base);
    this.guide = guide;
  }

  async start() {
    this.failure = "";
    this.client = this.guide.chatOf(`${this.base}/agent`, this.threadId, {
      tools: TOOLS,
      onError: (error) => (this.failure = error.message),
    });
  }

  async close() {
    this.client.stop();
    this.client.dispose();
  }

  #messages(role) {
    return this.client.getMessages().filter((message) => message.role === role);
  }

  async #idle() {
    await until("the end of the run", () => !this.client.getIsLoading() && !this.client.getInterruptState().resuming);
  }

  #run(run) {
    this.failure = "";
    this.go(run.catch((error) => (this.failure = error.message)).then(() => this.#idle()));
  }

  async say(text) {
    this.#run(this.guide.say(this.client, text));
  }

  async attach(text, png) {
    const source = { type: "data", value: png.toString("base64"), mimeType: "image/png" };
    const content = [
      { type: "text", content: text },
      { type: "image", source },
    ];
    this.#run(this.guide.say(this.client, { content }));
  }

  async stop() {
    this.client.stop();
    await this.running;
  }

  async said() {
    return this.#messages("assistant")
      .flatMap((message) => parts(message, "text").map(({ content }) => content))
      .join("\n");
  }

  async reasoning() {
    return this.#messages("assistant").flatMap((message) => parts(message, "thinking").map(({ content }) => content));
  }

  async users() {
    return this.#messages("user").map((message) => parts(message, "text").map(({ content }) => content).join(""));
  }

  async tools() {
    return this.#messages("assistant").flatMap((message) =>
      parts(message, "tool-call").map((call) => {
        const [result] = parts(message, "tool-result").filter(({ toolCallId }) => toolCallId === call.id);
        return {
          id: call.id,
          name: call.name,
          status: result?.error ? "error" : result || call.output !== undefined ? "complete" : "running",
          args: call.arguments,
          result: result?.content ?? "",
        };
      }),
    );
  }

  async sendResults(results) {
    for (const [call, output] of results) {
      await this.client.addToolResult({ toolCallId: call.id, tool: call.name, output });
    }
    await this.#idle();
  }

  async cards() {
    return this.client.getInterrupts();
  }

  async answer(...answers) {
    const open = this.client.getInterrupts();
    answers.forEach((answer, at) => (answer === undefined ? open[at].cancel() : open[at].resolveInterrupt(answer)));
    this.#run(Promise.resolve());
  }

  async steerAway(text) {
    this.#run(this.guide.say(this.client, text, { instead: true }));
  }

  async error() {
    await this.running;
    return this.failure;
  }

  async edit(at, text) {
    const messages = this.client.getMessages();
    const place = messages.indexOf(this.#messages("user")[at]);
    const replaces = messages[place].id;
    this.client.setMessagesManually(messages.slice(0, place));
    this.#run(this.client.sendMessage(text, place === 0 ? { holdpoint: { replaces } } : {}));
  }

  async regenerate() {
    this.#run(this.client.reload());
  }
}
