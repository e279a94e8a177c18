// The official bridge of MCP Apps, with the official client and a browser, in front of the inbox of a program of ours.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { AppBridge, getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge';

const [file, browser, command, ...args] = process.argv.slice(2);
const program = { command, args, env: process.env, stderr: 'ignore' };
const text = (result) => result.content.map((part) => part.text).join(' ');
const paid = () => (fs.existsSync(file) && fs.readFileSync(file, 'utf8').trim().split('\n').join(' ')) || 'nothing';

// The page of a host: it passes on what the bridge, which is here, and the frame say to each other, and what is to be seen there.
const HOST = `<!doctype html><iframe width="640" height="480"></iframe><script>
const frame = document.querySelector('iframe');
const send = (path, body) => fetch(path, { method: 'POST', body: JSON.stringify(body) });
addEventListener('message', ({ data }) => send(data.jsonrpc ? '/said' : '/seen', data));
new EventSource('/events').onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.load) frame.src = 'http://localhost:' + location.port + '/sandbox?' + Math.random();
  else frame.contentWindow.postMessage(message, '*');
};
</script>`;
// Of another origin, as the specification has it; what the frame may load is what it says of documents that name no domains.
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'";
const SANDBOX = `<!doctype html><iframe sandbox="allow-scripts allow-same-origin" width="600" height="440"></iframe><script>
const frame = document.querySelector('iframe');
const inside = () => frame.contentDocument;
const card = () => inside()?.querySelector('holdpoint-card');
addEventListener('message', ({ source, data }) => {
  if (source === frame.contentWindow) return parent.postMessage(data, '*');
  if (data.method === 'ui/notifications/sandbox-resource-ready') frame.srcdoc = data.params.html;
  else if (data.press) press(data.press);
  else frame.contentWindow.postMessage(data, '*');
});
const press = (name) => {
  const on = [...inside().querySelectorAll('button:enabled')].find((each) => each.textContent === name);
  if (on) on.click();
  else setTimeout(press, 50, name);
};
let before;
setInterval(() => {
  const all = [...(card()?.shadowRoot.querySelectorAll('button') ?? []), ...(inside()?.querySelectorAll('button') ?? [])];
  const seen = {
    words: card()?.shadowRoot.querySelector('article:not(.loading)')?.innerText.replace(/\\s+/g, ' ') ?? '',
    buttons: all.filter((each) => each.checkVisibility() && !each.matches(':disabled')).map((each) => each.textContent),
    scheme: inside()?.documentElement.style.colorScheme,
  };
  if (JSON.stringify(seen) !== before) parent.postMessage({ seen }, '*');
  before = JSON.stringify(seen);
}, 50);
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script>`;

let events;
let seen;
let looks = 0;
let changed = () => {};
let relay;
const tell = (message) => events.write(`data: ${JSON.stringify(message)}\n\n`);
const server = http.createServer(async (request, response) => {
  if (request.url === '/events') {
    events = response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    events.flushHeaders();
    return changed();
  }
  if (request.method === 'POST') {
    const body = JSON.parse(Buffer.concat(await request.toArray()));
    if (body.params?.name === 'holdpoint_show') looks++; // what came of an answer is there
    if (request.url === '/said') relay.onmessage(body);
    else ({ seen } = body);
    changed();
    return response.end();
  }
  const isSandbox = request.url.startsWith('/sandbox');
  response.writeHead(200, { 'Content-Type': 'text/html', ...(isSandbox ? { 'Content-Security-Policy': POLICY.replace("frame-src 'none'", "frame-src 'self'") } : {}) });
  return response.end(isSandbox ? SANDBOX : HOST);
});
fs.watch(path.dirname(file), () => changed()); // a call runs when its answer is stored, maybe after the card has said so
const until = (holds) =>
  new Promise((found, failed) => {
    const late = setTimeout(() => failed(new Error(`not seen: ${holds} in ${JSON.stringify(seen)}`)), 120_000);
    changed = () => {
      if (!holds()) return;
      clearTimeout(late);
      changed = () => {};
      found();
    };
    changed();
  });
await new Promise((ready) => server.listen(0, ready));
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
const quiet = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
const chromium = spawn(browser, [...quiet, `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore', detached: true });

/** Shows a question as a host does that knows the card. */
async function shown(client, hostContext, opened, to) {
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'holdpoint_show');
  const { contents } = await client.readResource({ uri: getToolUiResourceUri(tool) });
  const { questions } = JSON.parse(text(await client.callTool({ name: 'holdpoint_list', arguments: {} })));
  const { threadId, interruptId } = questions.find(({ question }) => question.includes(to));
  const bridge = new AppBridge(client, { name: 'host', version: '1' }, { serverTools: {}, openLinks: {} }, { hostContext });
  let height = 0;
  bridge.addEventListener('sandboxready', () => bridge.sendSandboxResourceReady({ html: contents[0].text }));
  bridge.addEventListener('sizechange', (size) => {
    height = size.height;
    changed();
  });
  const initialized = new Promise((ready) => bridge.addEventListener('initialized', ready));
  bridge.onopenlink = async ({ url }) => {
    opened.push(url);
    changed();
    return {};
  };
  relay = { start: async () => {}, close: async () => {}, send: async (message) => tell(message) };
  await bridge.connect(relay);
  seen = undefined;
  tell({ load: true });
  await initialized;
  await bridge.sendToolInput({ arguments: { threadId, interruptId } });
  await bridge.sendToolResult(await client.callTool({ name: tool.name, arguments: { threadId, interruptId } }));
  await until(() => seen?.buttons?.length > 0 && height > 0);
  return bridge;
}

async function connected(mode, capabilities) {
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
  const client = new Client({ name: 'host', version: '1' }, { capabilities: { ...capabilities, extensions }, versionNegotiation: { mode } });
  if (capabilities.elicitation) client.setRequestHandler('elicitation/create', () => choices.shift());
  clients.push(client);
  await client.connect(new StdioClientTransport(program));
  return client;
}

const choices = [];
const clients = [];
try {
  await until(() => events !== undefined);
  const client = await connected('auto', { elicitation: {} });
  const bridge = await shown(client, { theme: 'dark', locale: 'de' }, [], 'Bob');
  console.log(seen.scheme, seen.words);
  console.log(seen.buttons.join(' '), '-', bridge.getAppVersion().name);
  choices.push({ action: 'cancel' });
  tell({ press: 'Antworten…' });
  await until(() => looks === 1);
  console.log('closed:', paid());
  choices.push({ action: 'accept', content: { decision: 'approve' } });
  tell({ press: 'Antworten…' });
  await until(() => /Nicht mehr offen/.test(seen.words) && paid() !== 'nothing');
  console.log('approved:', paid(), '-', seen.words);
  await bridge.close();

  const opened = [];
  const without = await connected('legacy', {});
  await shown(without, { theme: 'light', locale: 'en' }, opened, 'Eve');
  console.log(seen.scheme, seen.words);
  tell({ press: 'Answer…' });
  await until(() => /Nothing was decided/.test(seen.words));
  tell({ press: 'Open the page' });
  await until(() => opened.length > 0);
  console.log('without forms:', paid(), opened.join(' '));
} finally {
  await Promise.all(clients.map((each) => each.close())); // which ends their programs
  process.kill(-chromium.pid, 'SIGKILL'); // the browser is a child of a script
  fs.rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
}
process.exit(0);
