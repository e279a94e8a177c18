import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import { Chat } from "./lib/chat.mjs";
import { guardedFetch, input, serverUrl, userMessage } from "./lib/server.mjs";

test("a stream says that it must neither be collected nor changed on its way", async () => {
  const response = await guardedFetch(serverUrl("/agent"), {
    method: "POST",
    headers: { "Content-Type": "application/json", "Accept-Encoding": "gzip, br" },
    body: JSON.stringify(input("headers-" + Date.now(), { messages: [userMessage("Hello")] })),
  });
  await response.text();
  assert.match(response.headers.get("content-type"), /^text\/event-stream/);
  assert.equal(response.headers.get("cache-control"), "no-cache, no-transform");
  assert.equal(response.headers.get("x-accel-buffering"), "no");
  assert.equal(response.headers.get("content-encoding"), null);
});

test("a method that a path does not have is refused as JSON", async () => {
  for (const [method, path, allowed] of [["GET", "/agent", "POST"], ["POST", "/agent/capabilities", "GET"]]) {
    const response = await guardedFetch(serverUrl(path), { method });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), allowed);
    assert.equal((await response.json()).code, "METHOD_NOT_ALLOWED");
  }
});

test("no other origin is let in", async () => {
  const response = await guardedFetch(serverUrl("/agent"), {
    method: "OPTIONS",
    headers: { Origin: "https://other.example", "Access-Control-Request-Method": "POST" },
  });
  assert.equal(response.headers.get("access-control-allow-origin"), null);
});

test("the official client does not mind the comments that keep a stream alive", async () => {
  const recorded = new Chat();
  const events = await recorded.say("Hello");
  const comment = ": keep-alive\n\n";
  const body = comment + events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(comment);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "Content-Type": "text/event-stream" }).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const agent = new HttpAgent({ url: `http://127.0.0.1:${server.address().port}/`, threadId: recorded.threadId });
    agent.addMessage(userMessage("Hello"));
    await agent.runAgent();
    assert.equal(agent.messages.at(-1).content, recorded.messages.at(-1).content);
  } finally {
    server.close();
  }
});
