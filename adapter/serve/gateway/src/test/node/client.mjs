// The official client in front of the official filesystem server, with the gateway between them.
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [guide, java, jar, folder] = process.argv.slice(2);
// the command that the guide shows for VS Code, with the paths of this machine, and npx in this folder, where the server is
const shown = JSON.parse(/```json\n(.*?)```/s.exec(fs.readFileSync(guide, 'utf8'))[1]).servers.files;
const mine = { java, '/path/to/holdpoint-gateway.jar': jar, '/data': folder };
const transport = new StdioClientTransport({
  command: mine[shown.command],
  args: shown.args.map((argument) => mine[argument] ?? argument),
  env: { ...process.env, HOLDPOINT_HOME: path.join(folder, '..', 'home') },
  stderr: 'pipe',
});
const page = new Promise((found) => {
  let said = '';
  transport.stderr.on('data', (bytes) => {
    said += bytes;
    const address = /decide at (http:\S+)\//.exec(said);
    if (address) found(address[1]);
  });
});
const text = (result) => result.content.map((part) => part.text).join(' ');
const client = new Client({ name: 'assistant', version: '1' });
await client.connect(transport);
const base = await page;

fs.writeFileSync(path.join(folder, 'a.txt'), 'hello');
console.log('read:', text(await client.callTool({ name: 'read_text_file', arguments: { path: path.join(folder, 'a.txt') } })));

const file = path.join(folder, 'b.txt');
const write = (options) => client.callTool({ name: 'write_file', arguments: { path: file, content: 'written' } }, undefined, options);
let waits;
const told = new Promise((resolve) => (waits = resolve));
const held = write({ onprogress: waits, timeout: 60_000 });
await told;
const { interrupts } = await (await fetch(`${base}/agent/interrupts?threads=accessible`)).json();
console.log('asked:', interrupts.length, interrupts[0].interrupt.metadata.langchain4j.toolName, 'there:', fs.existsSync(file));
const [{ threadId, interrupt }] = interrupts;
const decided = await fetch(`${base}/agent/decisions`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ threadId, interruptId: interrupt.id, status: 'resolved', payload: { approved: true } }),
});
console.log('decided:', decided.status);
console.log('wrote:', text(await held) === `Successfully wrote to ${file}`, fs.readFileSync(file, 'utf8'));
fs.rmSync(file);
console.log('again:', /has not been made again/.test(text(await write())), 'there:', fs.existsSync(file));
await client.close();
