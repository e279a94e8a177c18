// The official clients of each era in front of the inbox of a program of ours.
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [file, command, ...args] = process.argv.slice(2);
const program = { command, args, env: process.env, stderr: 'ignore' };
const text = (result) => result.content.map((part) => part.text).join(' ');
const paid = () => (fs.existsSync(file) && fs.readFileSync(file, 'utf8').trim().split('\n').join(' ')) || 'nothing';
const choices = [];
const forms = [];
const user = (request) => {
  forms.push(request.params.message.split('\n')[1]);
  return choices.shift();
};

async function decides(name, client, era) {
  const { questions } = JSON.parse(text(await client.callTool({ name: 'holdpoint_list', arguments: {} })));
  console.log(name, era(), questions.map(({ question }) => question).join(' '));
  const before = paid();
  choices.push({ action: 'cancel' }, { action: 'accept', content: { decision: 'deny' } }, { action: 'accept', content: { decision: 'approve' } });
  for (const { threadId, interruptId } of [questions[0], ...questions]) {
    console.log(text(await client.callTool({ name: 'holdpoint_decide', arguments: { threadId, interruptId, decision: 'approve' } })));
  }
  for (let looks = 0; paid() === before && looks < 1000; looks++) await setTimeout(20); // a call runs when its answer is stored
  await client.close();
  console.log(forms.splice(0).join(' '), 'paid:', paid());
}

const first = new FirstClient({ name: 'first', version: '1' }, { capabilities: { elicitation: {} } });
first.setRequestHandler(ElicitRequestSchema, user);
await first.connect(new FirstStdio(program));
await decides('1.x:', first, () => 'sessions');

const second = new Client({ name: 'second', version: '1' }, { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } });
second.setRequestHandler('elicitation/create', user);
await second.connect(new StdioClientTransport(program));
await decides('2.x:', second, () => second.getNegotiatedProtocolVersion());
