// A front end in the browser, used as a person uses it: fields, buttons, and what is to be seen.
import { randomUUID } from "node:crypto";
import { until } from "./until.mjs";

const SELECTORS = {
  copilotkit: {
    input: "[data-testid=copilot-chat-textarea]",
    send: "[data-testid=copilot-send-button]",
    stop: "[data-testid=copilot-send-button]",
    ready: "[data-ready=true]",
    assistant: "[data-testid=copilot-assistant-message]",
    user: "[data-testid=copilot-user-message]",
  },
  "assistant-ui": {
    input: "[data-input]",
    send: "[data-send]",
    stop: "[data-stop]",
    assistant: "[data-assistant]",
    user: "[data-user]",
    edit: "[data-edit]",
    regenerate: "[data-regenerate]",
  },
};

export class PageChat {
  /** @param kind the name of the page; `parameters` are those of its address; the context keeps what was loaded */
  constructor(context, base, kind, parameters = {}) {
    this.context = context;
    this.base = base;
    this.kind = kind;
    this.parameters = parameters;
    this.isAssistantUi = kind.startsWith("assistant-ui");
    this.hasCard = kind.endsWith("-card");
    this.at = SELECTORS[this.isAssistantUi ? "assistant-ui" : "copilotkit"];
    this.can = { edit: this.isAssistantUi };
  }

  async open(threadId = randomUUID()) {
    this.threadId = threadId;
    this.page = await this.context.newPage();
    this.log = [];
    this.page.on("console", (message) => this.log.push(message.text()));
    this.page.on("pageerror", (error) => this.log.push(String(error)));
    const query = new URLSearchParams({ thread: threadId, ...this.parameters });
    await this.page.goto(`${this.base}/${this.kind}.html?${query}`);
    await this.page.locator(this.at.input).waitFor();
    if (this.at.ready) await this.page.locator(this.at.ready).waitFor();
    return this;
  }

  close = () => this.page.close();

  /** The page as it is after somebody has closed and opened it. */
  async reload() {
    await this.close();
    await this.open(this.threadId);
  }

  /** The server's clock decides: these clients know no time of expiry. */
  later() {}

  async say(text) {
    await this.settled(text);
    await this.page.locator(this.at.input).press("Enter");
  }

  /** Opens the page again, and presses Enter while the server still reads the history; once more if nothing was sent. */
  async reloadAndSay(text) {
    let goOn;
    const pressed = new Promise((resolve) => (goOn = resolve));
    await this.context.route("**/agent/history", async (route) => {
      await pressed;
      await route.continue();
    });
    await this.reload();
    const input = this.page.locator(this.at.input);
    await input.fill(text);
    await input.press("Enter");
    goOn();
    await this.context.unrouteAll({ behavior: "wait" });
    if ((await input.inputValue()) === text) await this.say(text);
  }

  /** Sends a message with a picture. */
  async attach(text, png) {
    const [chooser] = await Promise.all([this.page.waitForEvent("filechooser"), this.#chooseFile()]);
    await chooser.setFiles({ name: "pixel.png", mimeType: "image/png", buffer: png });
    await this.page.waitForTimeout(300);
    await this.say(text);
  }

  async #chooseFile() {
    if (this.isAssistantUi) return this.page.locator("[data-attach]").click();
    await this.page.locator("[data-testid=copilot-add-menu-button]").click();
    await this.page.getByRole("menuitem").first().click();
  }

  /** Waits until the page can send what is typed: the thread is loaded, and no run is on its way. */
  async settled(text = "x") {
    await this.page.locator(this.at.input).fill(text);
    await until("the end of the run", async () => {
      const send = this.page.locator(this.at.send);
      return (await send.count()) > 0 && (await send.isEnabled()) && !(await this.#runs());
    });
  }

  /** CopilotKit's button is the same for sending and stopping; the square in it is for stopping. */
  async #runs() {
    return (await this.page.locator(`${this.at.send} svg.lucide-square, ${this.at.send} svg rect`).count()) > 0;
  }

  async stop() {
    await this.page.locator(this.at.stop).click();
  }

  /** What the agent said, as far as it is to be seen. */
  async said() {
    return (await this.page.locator(this.at.assistant).allInnerTexts()).join("\n");
  }

  async reasoning() {
    return (await this.page.locator("[data-reasoning]").allInnerTexts()).filter((text) => text !== "");
  }

  async users() {
    return this.page.locator(this.at.user).allInnerTexts();
  }

  /** The calls as they are shown: name, status, result. */
  tools() {
    return this.page
      .locator("[data-tool]")
      .evaluateAll((all) =>
        all.map(({ dataset, textContent }) => ({
          name: dataset.tool,
          status: dataset.status,
          args: dataset.args,
          result: textContent,
        })),
      );
  }

  cards() {
    if (this.hasCard)
      return this.page
        .locator("holdpoint-card")
        .evaluateAll((all) => all.filter(({ answer }) => !answer).map(({ interrupt: { id, message } }) => ({ id, message })));
    return this.page
      .locator("section[id^=int_]")
      .evaluateAll((all) => all.map((card) => ({ id: card.id, message: card.querySelector("p").textContent })));
  }

  /** Answers the open questions in order, with the buttons of the guide's card; an answer that is undefined cancels. */
  async answer(...answers) {
    if (this.hasCard) return this.#answerCards(answers);
    const cards = await this.cards();
    for (let i = 0; i < answers.length; i++) {
      const card = this.page.locator(`section#${cards[i].id}`);
      const answer = answers[i];
      const button = (name) => card.getByRole("button", { name, exact: true }).click();
      if (answer === undefined) {
        await button("Cancel");
      } else if (answer.approved === false) {
        if (answer.reason) await card.getByPlaceholder("Reason", { exact: true }).fill(answer.reason);
        await button("Deny");
      } else if (answer.approved) {
        if (answer.editedArgs) await card.locator("textarea").fill(JSON.stringify(answer.editedArgs));
        await button("Approve");
      } else {
        await card.locator("textarea").fill(JSON.stringify(answer));
        await button("Answer");
      }
    }
  }

  /** As a person does with `<holdpoint-card>`. */
  async #answerCards(answers) {
    const all = await this.page.locator("holdpoint-card").all();
    for (const [at, answer] of answers.entries()) {
      const press = (name) => all[at].getByRole("button", { name, exact: true }).click();
      const fill = async (values) => {
        for (const [name, value] of Object.entries(values)) await all[at].getByLabel(new RegExp(`^${name}$`, "i")).fill(`${value}`);
      };
      if (answer === undefined) {
        await press("Cancel it");
      } else if (answer.approved === false) {
        await press("Deny…");
        await all[at].locator("textarea").fill(answer.reason ?? "");
        await press("Deny");
      } else if (answer.editedArgs) {
        await press("Edit…");
        await fill(answer.editedArgs);
        await press("Approve with 1 change");
      } else if (answer.approved) {
        await press("Approve");
      } else {
        await fill(answer);
        await press("Answer");
      }
    }
    if (answers.length > 1) await this.page.getByRole("button", { name: `Send ${answers.length} answers`, exact: true }).click();
  }

  /** Sends a message in the place of an answer. */
  async steerAway(text) {
    if (this.isAssistantUi) {
      await this.page.getByPlaceholder("Something else").fill(text);
      await this.page.getByRole("button", { name: "Say this instead" }).click();
    } else {
      const count = (await this.cards()).length;
      await this.answer(...Array(count).fill(undefined));
      await until("no card", async () => (await this.cards()).length === 0);
      await this.say(text);
    }
  }

  async state() {
    return JSON.parse(await this.page.locator("code[data-state]").innerText());
  }

  setState() {
    return this.page.locator("[data-set-state]").click();
  }

  background() {
    return this.page.evaluate(() => document.body.dataset.background);
  }

  haiku() {
    return this.page.locator("[data-haiku]").first().innerText({ timeout: 1000 }).catch(() => undefined);
  }

  async steps() {
    const shown = this.page.locator("[data-steps]");
    return (await shown.count()) > 0 && (await shown.locator("[data-pick]").count()) > 0
      ? shown.first().getAttribute("data-steps")
      : undefined;
  }

  async pick() {
    await this.page.locator("[data-pick]").first().click();
  }

  /** What the person is told of an error. */
  async error() {
    return (await this.page.locator("[role=alert], [data-testid=copilot-error-banner]").allInnerTexts()).join("").trim();
  }

  /** Replaces a message of the user. */
  async edit(at, text) {
    await this.page.locator(this.at.edit).nth(at).click();
    await this.page.locator("[data-edit-input]").fill(text);
    await this.page.locator("[data-edit-send]").click();
  }

  regenerate() {
    return this.page.locator(this.at.regenerate).last().click();
  }
}
