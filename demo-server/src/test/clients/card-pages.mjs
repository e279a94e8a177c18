// The guide's pages with the card, where something goes wrong or several calls wait: what a person sees, and what ran.
// Arguments: the guide, the folder of the card, the port of the demo, and a folder for pictures.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { installCard, programsOf, write } from "./lib/guide.mjs";
import { serve } from "./lib/serve.mjs";
import { until } from "./lib/until.mjs";

const [, , guide, card, agentPort, pictures] = process.argv;
const folder = join(new URL(".", import.meta.url).pathname, "card-pages");
const instead = (page) => (program) => program.replace("./copilotkit-card.jsx", page).replace(/import .*styles.css";\n/, "");
const PAGES = {
  react: ["main.jsx", instead("./react-card.jsx")],
  copilotkit: ["main.jsx", (program) => program],
  "assistant-ui": ["main-assistant-ui.jsx", (program) => program],
  tanstack: ["main.jsx", instead("./tanstack-card.jsx")],
};

const effects = async (tool) => {
  const response = await fetch(`http://127.0.0.1:${agentPort}/demo/effects`);
  return (await response.text()).split(`"tool":"${tool}"`).length - 1;
};
const cards = (page) => page.locator("holdpoint-card");
const button = (within, name) => within.getByRole("button", { name, exact: true });
const bar = (page) => page.locator(".batch");

async function say(page, text) {
  const input = page.locator("textarea, input[placeholder=Message]").first();
  await input.fill(text);
  const send = page.locator("button:enabled", { hasText: "Send" });
  if (page.name === "assistant-ui") await send.first().waitFor(); // its history is there
  await input.press("Enter");
}

/** What happens to the answer on its way, or to the person. */
const TESTS = {
  "no connection at Approve": (page) => fails(page, (route) => route.abort()),
  "a proxy's 502 at Approve": (page) => fails(page, (route) => route.fulfill({ status: 502, body: "Bad Gateway" })),

  async "several are sent together, and survive a reload"(page) {
    const before = await effects("sendEmail");
    await say(page, "Send an email to ada@example.com and bob@example.com and transfer 200 to Carol");
    await cards(page).nth(2).waitFor();
    assert.equal(await cards(page).count(), 3);
    await approveNext(page, 0);
    await bar(page).getByText("1 of 3 decided. Nothing is sent before all are.").waitFor();
    await approveNext(page, 1);
    await cards(page).nth(1).getByText("not sent yet").waitFor();
    await page.screenshot({ path: join(pictures, `several-${page.name}.png`) });
    await page.reload();
    await bar(page).getByText("2 of 3 decided").waitFor();
    assert.equal(await effects("sendEmail"), before);
    await approveNext(page, 2);
    assert.equal(await effects("sendEmail"), before, "nothing runs before it is sent");
    await button(page, "Send 3 answers").click();
    await until("the mails", async () => (await effects("sendEmail")) === before + 2);
    await cards(page).first().waitFor({ state: "detached" });
  },

  async "a double click"(page) {
    const before = await effects("sendEmail");
    await say(page, "Send an email to ada@example.com and bob@example.com");
    await cards(page).nth(1).waitFor();
    await clickBoth(page);
    await bar(page).getByText("1 of 2 decided").waitFor();
    assert.equal(await effects("sendEmail"), before);
    await approveNext(page, 1);
    await button(page, "Send 2 answers").click();
    await until("the mails", async () => (await effects("sendEmail")) === before + 2);
  },

  async "an edit is told where its call was"(page) {
    if (page.name === "tanstack") return; // its program shows texts only
    await say(page, "Transfer 500 to Bob");
    const card = cards(page).first();
    await readOn(page, 0);
    await button(card, "Edit…").click();
    await card.getByLabel("Amount in euros").fill("5");
    await button(card, "Approve with 1 change").waitFor();
    await card.getByLabel("Amount in euros").press("Control+Enter");
    await page.locator("holdpoint-call").getByText("Executed with changes").waitFor();
    await page.screenshot({ path: join(pictures, `edited-${page.name}.png`) });
  },

  async "yes, Enter"(page) {
    if (page.name === "copilotkit" || page.name === "assistant-ui") return; // their own composer
    const before = await effects("transferMoney");
    await say(page, "Transfer 300 to Bob");
    await cards(page).first().waitFor();
    await say(page, "yes");
    await button(page, "Cancel it and send").waitFor();
    await page.locator("input[placeholder=Message]").press("Enter");
    assert.equal(await cards(page).count(), 1);
    await page.screenshot({ path: join(pictures, `yes-${page.name}.png`) });
    await button(page, "Keep it").click();
    await approveNext(page, 0);
    await until("the transfer", async () => (await effects("transferMoney")) === before + 1);
  },
};

/** Clicks on Approve of the first card, and on that of the next one as soon as it is there; again, if that took too long for a double click. */
async function clickBoth(page) {
  for (let tries = 0; tries < 5; tries++) {
    await readOn(page, 0);
    await clickApprove(page, 0);
    const began = performance.now();
    await clickApprove(page, 1);
    if (performance.now() - began < 500) return;
    for (const change of await page.getByRole("button", { name: /^Change: / }).all()) await change.click();
  }
  throw new Error("too slow for a double click");
}

async function clickApprove(page, at) {
  const { x, y } = await cards(page).nth(at).evaluate(async (card) => {
    const approve = card.shadowRoot.querySelector("[data-key=a]");
    for (let looks = 0; looks < 1000 && !approve.offsetParent; looks++) await new Promise((looked) => requestAnimationFrame(looked));
    const { left, top, height } = approve.getBoundingClientRect();
    return { x: left + 20, y: top + height / 2 };
  });
  await page.mouse.click(x, y);
}

/** Scrolls as a person who reads, until Approve is there and stands still: a press before that does not count. */
async function readOn(page, at) {
  await cards(page).nth(at).scrollIntoViewIfNeeded();
  await cards(page).nth(at).evaluate(async (card) => {
    const frame = () => new Promise((looked) => requestAnimationFrame(() => setTimeout(looked)));
    const shown = (selector) => card.shadowRoot.querySelector(selector);
    for (let looks = 0; looks < 1000 && !shown("[data-key=a]")?.offsetParent; looks++) {
      shown(".more:not([hidden])")?.click();
      await frame();
    }
    shown(".actions").scrollIntoView({ block: "nearest" });
    for (let still = 0, looks = 0; still < 3 && looks < 1000; looks++, still = shown(".actions").hasAttribute("aria-disabled") ? 0 : still + 1) await frame();
  });
}

async function approveNext(page, at) {
  await readOn(page, at);
  await button(cards(page).nth(at), "Approve").click();
}

async function fails(page, how) {
  if (page.name === "tanstack") return; // it tells a lost answer in its own way
  const before = await effects("transferMoney");
  await say(page, "Transfer 200 to Bob");
  await cards(page).first().waitFor();
  await page.route("**/agent", how);
  await page.route("**/agent/history", how);
  await approveNext(page, 0);
  await cards(page).getByText("yours may not have arrived").first().waitFor();
  await page.screenshot({ path: join(pictures, `lost-${page.name}.png`) });
  assert.equal(await effects("transferMoney"), before);
  await page.unrouteAll();
  await approveNext(page, 0);
  await until("the transfer", async () => (await effects("transferMoney")) > before);
  await cards(page).first().waitFor({ state: "detached" });
  assert.equal(await effects("transferMoney"), before + 1, "it ran once");
}

await write(await programsOf(guide), folder);
await installCard(card, join(folder, "node_modules"));
const only = new RegExp(process.env.PAGE ?? "");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
let failed = 0;
try {
  for (const [name, [program, change]] of Object.entries(PAGES).filter(([name]) => only.test(name))) {
    const main = `${name}.main.jsx`;
    await writeFile(join(folder, main), change(await readFile(join(folder, program), "utf8")));
    const { child, url } = await serve(folder, main, agentPort);
    try {
      for (const [what, test] of Object.entries(TESTS)) {
        const page = Object.assign(await browser.newPage({ viewport: { width: 900, height: 900 } }), { name });
        page.setDefaultTimeout(Number(process.env.PATIENCE_MS ?? 60_000));
        try {
          await page.goto(url, { waitUntil: "commit" });
          await page.locator("textarea, input[placeholder=Message]").first().waitFor();
          await test(page);
          console.log(`${name}: ${what}: as it should be`);
        } catch (error) {
          failed++;
          await page.screenshot({ path: join(pictures, `failed-${name}.png`) });
          console.log(`${name}: ${what}: ${error.stack}\n${await page.locator("body").innerText()}`);
        }
        await page.close();
      }
    } finally {
      process.kill(-child.pid);
    }
  }
} finally {
  await browser.close();
}
process.exitCode = failed > 0 ? 1 : 0;
