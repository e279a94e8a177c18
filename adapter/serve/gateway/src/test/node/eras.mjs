// The official clients of each era, before and after 2026-07-28, with forms and without, in front of the official filesystem server.
import fs from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [java, jar, config, folder] = process.argv.slice(2);
const said = (stream, pattern) =>
  new Promise((found) => {
    let all = '';
    stream.on('data', (bytes) => {
      all += bytes;
      const match = pattern.exec(all);
      if (match) found(match[1]);
    });
  });
const text = (result) => result.content.map((part) => part.text).join(' ');
const file = (name) => path.join(folder, `${name}.txt`);
const write = (client, name) => client.callTool({ name: 'write_file', arguments: { path: file(name), content: name } });
const there = (name) => (fs.existsSync(file(name)) ? fs.readFileSync(file(name), 'utf8') : 'not there');
const program = { command: java, args: ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', jar, '--config', config], env: process.env, stderr: 'ignore' };

// the forms of a user who says what is next
const choices = [];
const forms = [];
const user = (request) => {
  forms.push(request.params.message.split('\n')[0]);
  return choices.shift();
};
const approve = { action: 'accept', content: { decision: 'approve' } };

const first = new FirstClient({ name: 'first', version: '1' }, { capabilities: { elicitation: {} } });
first.setRequestHandler(ElicitRequestSchema, user);
await first.connect(new FirstStdio(program));
choices.push(approve, { action: 'decline' });
console.log('1.x with forms:', text(await write(first, 'a')) === `Successfully wrote to ${file('a')}`, there('a'));
console.log('1.x declined:', text(await write(first, 'b')), there('b'));
console.log('forms:', forms.length, forms.every((form) => form.includes('files.write_file')));
await first.close();

const second = new Client(
  { name: 'second', version: '1' },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
);
second.setRequestHandler('elicitation/create', user);
await second.connect(new StdioClientTransport(program));
choices.push(approve, { action: 'decline' });
console.log('2.x over stdio:', second.getNegotiatedProtocolVersion(), text(await write(second, 'c')) === `Successfully wrote to ${file('c')}`, there('c'));
console.log('2.x declined:', /declined this call/.test(text(await write(second, 'c2'))), there('c2'));
await second.close();

const { spawn } = await import('node:child_process');
const server = spawn(java, [...program.args, '--http'], { stdio: ['ignore', 'inherit', 'pipe'] });
try {
  const base = await said(server.stderr, /MCP at (http:\S+)\/mcp/);
  const over = async (mode) => {
    const client = new Client({ name: 'third', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)));
    return client;
  };
  const third = await over('auto');
  console.log('2.x over HTTP:', third.getNegotiatedProtocolVersion(), /^Not run yet/.test(text(await write(third, 'd'))), there('d'));
  const { interrupts } = await (await fetch(`${base}/agent/interrupts?threads=accessible`)).json();
  const [{ threadId, interrupt }] = interrupts;
  const answer = { threadId, interruptId: interrupt.id, status: 'resolved', payload: { approved: true } };
  await fetch(`${base}/agent/decisions`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) });
  let told = await write(third, 'd');
  while (/^Not run yet/.test(text(told))) told = await write(third, 'd');
  console.log('later:', text(told).endsWith(`Successfully wrote to ${file('d')}`), there('d'));
  await third.close();
  const asked = new Client(
    { name: 'fourth', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  asked.setRequestHandler('elicitation/create', user);
  await asked.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)));
  choices.push(approve, { action: 'decline' });
  console.log('2026-07-28 asked:', text(await write(asked, 'e')) === `Successfully wrote to ${file('e')}`, there('e'));
  console.log('2026-07-28 declined:', /declined this call/.test(text(await write(asked, 'f'))), there('f'));
  console.log('forms:', forms.length);
  await asked.close();
} finally {
  server.kill('SIGKILL');
}
