// The guide's pages as a reader gets them from an empty folder: each is started, holds a call, takes the answer, and is the same after a reload.
// Arguments: the guide, the folder of the card, the port of the demo, and the folder for a picture of each.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { installCard, programsOf, write } from "./lib/guide.mjs";
import { serve } from "./lib/serve.mjs";

const [, , guide, card, agentPort, pictures] = process.argv;
const SAYS = "Pay 200 euros to Bob";
const root = new URL(".", import.meta.url).pathname;
const folder = join(root, "empty-folder");

const instead = (page) => (program) => program.replace("./copilotkit-card.jsx", page).replace(/import .*styles.css";\n/, "");

/** Each page is a main program of the guide, with what the guide says to change in it. */
const PAGES = {
  copilotkit: ["main.jsx", (program) => program],
  react: ["main.jsx", instead("./react-card.jsx")],
  tanstack: ["main.jsx", instead("./tanstack-card.jsx")],
  "assistant-ui": ["main-assistant-ui.jsx", (program) => program],
  "assistant-ui-approval": [
    "main-assistant-ui.jsx",
    (program) => `import { ToolWithApproval } from "./approval-part.jsx";\n${program.replace("<Thread />", "<Thread tool={ToolWithApproval} />")}`,
  ],
};

const executed = async () => {
  const response = await fetch(`http://127.0.0.1:${agentPort}/demo/effects`);
  return (await response.text()).split('"tool":"transferMoney"').length - 1;
};

const programs = await programsOf(guide);
await write(programs, folder);
await installCard(card, join(folder, "node_modules"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
try {
  for (const [name, [program, change]] of Object.entries(PAGES).filter(([name]) => name.startsWith(process.env.PAGE ?? ""))) {
    const main = `${name}.main.jsx`;
    await writeFile(join(folder, main), change(await readFile(join(folder, program), "utf8")));
    const { child, url } = await serve(folder, main, agentPort);
    try {
      const before = await executed();
      const page = await browser.newPage({ viewport: { width: 820, height: 560 } });
      page.setDefaultTimeout(120_000);
      await page.goto(url, { waitUntil: "commit" });
      const input = page.locator("textarea, input[placeholder=Message]").first();
      await input.waitFor();
      await input.fill(SAYS);
      if (name.startsWith("assistant-ui")) await page.locator("button:enabled", { hasText: "Send" }).waitFor(); // its history is there
      await input.press("Enter");
      const part = page.locator("p > button", { hasText: "Approve" });
      const button = page.locator("holdpoint-card").getByRole("button", { name: /^Approve/ });
      const approve = name === "assistant-ui-approval" ? part : button;
      await approve.waitFor();
      await page.screenshot({ path: join(pictures, `client-${name}.png`) });
      await approve.click();
      const answered = page.getByText(/transferred 200|200 euros to Bob\./i).first();
      await answered.waitFor({ timeout: 10_000 }).catch(async () => {
        if (await approve.isVisible()) await approve.click(); // a press on a card that has just moved does not count
      });
      await answered.waitFor();
      const address = page.url();
      await page.reload();
      await page.getByText(SAYS).first().waitFor();
      if (page.url() !== address) throw new Error(`${name}: the address changed from ${address} to ${page.url()}`);
      const times = (await executed()) - before;
      if (times !== 1) throw new Error(`${name}: the transfer ran ${times} times`);
      await page.close();
      console.log(`${name}: held, approved, executed, and the same after a reload`);
    } finally {
      process.kill(-child.pid);
    }
  }
} finally {
  await browser.close();
}
