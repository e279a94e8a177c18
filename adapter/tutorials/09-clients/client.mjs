// Tutorial 9: the official client asks for a cancellation, and approves it.
import { randomUUID } from "node:crypto";
import { HttpAgent } from "@ag-ui/client";

const url = process.argv[2] ?? "http://127.0.0.1:8080/agent";

const agent = new HttpAgent({ url, threadId: randomUUID() });
agent.addMessage({ id: randomUUID(), role: "user", content: "Cancel booking MS-777" });
await agent.runAgent();

for (const interrupt of agent.pendingInterrupts) console.log("Held: ", interrupt.message);
const resume = agent.pendingInterrupts.map(({ id }) => ({
  interruptId: id,
  status: "resolved",
  payload: { approved: true },
}));
await agent.runAgent({ resume });

console.log("Agent:", agent.messages.at(-1).content);
