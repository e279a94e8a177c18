// Runs every row in every client, and writes the matrix.
// Arguments: the file to write, and for each client its name and the address of its agent, like "core-1.0.0=http://..";
// a client without an address has its turn in another build.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import * as newest from "./guide/chat.js";
import * as tanstack from "./guide/tanstack.js";
import * as before10 from "./older/0.0.59/guide/chat.js";
import { CoreChat } from "./lib/core.mjs";
import { PageChat } from "./lib/page.mjs";
import { TanStackChat } from "./lib/tanstack.mjs";
import { ROWS } from "./rows.mjs";

const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const [, , file, ...agents] = process.argv;
const addresses = Object.fromEntries(agents.map((agent) => agent.split(/=(.*)/, 2)));
const only = process.env.ROW && new RegExp(process.env.ROW);
const part = Number(process.env.PART ?? 0);
const clients = process.env.CLIENT && new RegExp(process.env.CLIENT);

const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url)));
const version = (name) => dependencies[name] ?? devDependencies[name];

/** Starts CopilotKit's runtime; `died` tells whether it did. */
async function startRuntime(base) {
  const child = spawn(process.execPath, ["guide/runtime.mjs", base, "0"], { stdio: ["ignore", "pipe", "pipe"] });
  const runtime = { child, died: false, log: "" };
  child.stderr.on("data", (data) => (runtime.log += data));
  child.on("exit", () => (runtime.died = true));
  runtime.url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve(line.slice(6));
    });
    child.on("exit", () => reject(new Error(`the runtime did not start: ${runtime.log}`)));
  });
  return runtime;
}

/** A part is every sixth row, other ones in each client, besides what everybody does. */
const ALWAYS = [
  "first message, streaming",
  "approve",
  "deny",
  "approve with edits",
  "opened again while a question is open",
];
let opened = 0;

async function runAll(open, base) {
  const outcomes = {};
  const offset = opened++ + part;
  for (const [at, [row, test]] of Object.entries(ROWS).entries()) {
    if (only ? !only.test(row) : part > 0 && !ALWAYS.includes(row) && (at + offset) % 6 !== 0) continue;
    const chat = open();
    const before = await (await fetch(`${base}/test/effects`)).json();
    const effects = async () => (await (await fetch(`${base}/test/effects`)).json()).slice(before.length);
    effects.later = () => fetch(`${base}/test/later`, { method: "POST" });
    effects.goOn = () => fetch(`${base}/test/go-on`, { method: "POST" });
    const post = (path, body) =>
      fetch(`${base}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    effects.cancel = (threadId) => post("/agent/cancel", { threadId });
    effects.elsewhere = async (threadId, interruptId) => {
      const resume = [{ interruptId, status: "resolved", payload: { approved: false } }];
      await (await post("/agent", { threadId, runId: crypto.randomUUID(), protocolVersion: "1.0", resume })).text();
    };
    effects.decides = async (person, threadId, payload = { approved: true }) =>
      (await post(`/test/decide/${person}/${threadId}`, payload)).text();
    chat.runs = async () => (await fetch(`${base}/test/runs`)).json();
    const start = Date.now();
    try {
      await chat.open();
      outcomes[row] = (await test(chat, effects)) ?? "yes";
    } catch (error) {
      outcomes[row] = "no";
      console.error(`✖ ${chat.name}: ${row}: ${error.stack}\n${(chat.log ?? []).slice(-5).join("\n")}`);
    } finally {
      await chat.close().catch(() => {});
    }
    if (process.env.VERBOSE) console.log(`${chat.name}: ${row}: ${outcomes[row]} (${Date.now() - start} ms)`);
  }
  return outcomes;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ARGUMENTS });
const named = (name, chat) => Object.assign(chat, { name });
const headless = (name, make) => (base) => runAll(() => named(name, make(base)), base);
const page = async (name, kind, base, parameters) => {
  const context = await browser.newContext();
  return runAll(() => named(name, new PageChat(context, base, kind, parameters)), base);
};
const start = {
  "core-1.0.0": headless("1.0.0", (base) => new CoreChat(newest.Chat, base, "1.0.0")),
  "core-0.0.59": headless("0.0.59", (base) => new CoreChat(before10.Chat, base, "0.0.59")),
  "copilotkit-direct": (base) => page("CopilotKit", "copilotkit", base),
  "copilotkit-runtime": async (base) => {
    const runtime = await startRuntime(base);
    const outcomes = await page("CopilotKit runtime", "copilotkit", base, { runtime: runtime.url });
    if (runtime.died) {
      console.error(`✖ the runtime died: ${runtime.log}`);
      outcomes["the runtime's process lives"] = "no";
    }
    runtime.child.kill();
    return outcomes;
  },
  "assistant-ui": (base) => page("assistant-ui", "assistant-ui", base),
  "assistant-ui-0.0.59": (base) => page("assistant-ui, 0.0.59", "assistant-ui-0.0.59", base),
  "copilotkit-card": (base) => page("CopilotKit, card", "copilotkit-card", base),
  "assistant-ui-card": (base) => page("assistant-ui, card", "assistant-ui-card", base),
  tanstack: headless("TanStack", (base) => new TanStackChat(tanstack, base)),
};
const assistantUi = `assistant-ui ${version("@assistant-ui/react")}, react-ag-ui ${version("@assistant-ui/react-ag-ui")}`;
const titles = {
  "core-1.0.0": `\`@ag-ui/client\` ${version("@ag-ui/client")}`,
  "core-0.0.59": "`@ag-ui/client` 0.0.59",
  "copilotkit-direct": `CopilotKit ${version("@copilotkit/react-core")}, \`HttpAgent\``,
  "copilotkit-runtime": `CopilotKit ${version("@copilotkit/react-core")}, runtime ${version("@copilotkit/runtime")}`,
  "assistant-ui": `${assistantUi}, client ${version("@ag-ui/client")}`,
  "assistant-ui-0.0.59": `${assistantUi}, client 0.0.59`,
  "copilotkit-card": "CopilotKit, `@holdpoint/card`",
  "assistant-ui-card": "assistant-ui, `@holdpoint/card`",
  tanstack: `TanStack AI ${version("@tanstack/ai")}, ai-client ${version("@tanstack/ai-client")}`,
};
const names = Object.keys(addresses).filter((name) => !clients || clients.test(name));
const outcomes = await Promise.all(names.map((name) => (addresses[name] ? start[name](addresses[name]) : {})));
await browser.close();

const table = [
  ["", ...names.map((name) => titles[name])],
  ["---", ...names.map(() => "---")],
  ...Object.keys(ROWS).map((row) => [row, ...outcomes.map((each) => each[row] ?? "-")]),
];
writeFileSync(file, table.map((cells) => `| ${cells.join(" | ")} |`).join("\n") + "\n");
const failures = outcomes.flatMap((each) => Object.values(each)).filter((outcome) => outcome === "no").length;
console.log(`${names.filter((name) => addresses[name]).length} clients, ${Object.keys(ROWS).length} rows, ${failures} do not work`);
process.exit(0);
