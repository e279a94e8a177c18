// The official inspector, whose command line opens a session for each call, in front of the official filesystem server.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const [java, jar, config, folder] = process.argv.slice(2);
const server = spawn(java, ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', jar, '--config', config, '--http'], { stdio: ['ignore', 'inherit', 'pipe'] });
try {
  const base = await new Promise((found) => {
    let said = '';
    server.stderr.on('data', (bytes) => {
      said += bytes;
      const address = /MCP at (http:\S+)\/mcp/.exec(said);
      if (address) found(address[1]);
    });
  });
  const env = { ...process.env, MCP_CATALOG_PATH: path.join(folder, '..', 'catalog.json') };
  const inspect = async (...options) => {
    const all = ['--cli', `${base}/mcp`, '--method', ...options];
    // whose status is not 0 when the result of a tool is an error
    const { stdout } = await promisify(execFile)('node_modules/.bin/mcp-inspector', all, { env }).catch((e) => e);
    return JSON.parse(stdout);
  };
  const call = async (tool, ...args) => {
    const { content } = await inspect('tools/call', '--tool-name', tool, ...args.flatMap((arg) => ['--tool-arg', arg]));
    return content.map((part) => part.text).join(' ');
  };
  const file = path.join(folder, 'b.txt');
  const write = () => call('write_file', `path=${file}`, 'content=written');

  const { tools } = await inspect('tools/list');
  const known = ['read_text_file', 'write_file'].every((name) => tools.some((tool) => tool.name === name && tool.inputSchema.properties.path));
  console.log('tools:', known);
  fs.writeFileSync(path.join(folder, 'a.txt'), 'hello');
  console.log('read:', await call('read_text_file', `path=${path.join(folder, 'a.txt')}`));
  console.log('held:', /^Not run yet/.test(await write()), 'there:', fs.existsSync(file));
  const { interrupts } = await (await fetch(`${base}/agent/interrupts?threads=accessible`)).json();
  const [{ threadId, interrupt }] = interrupts;
  const answer = { threadId, interruptId: interrupt.id, status: 'resolved', payload: { approved: true } };
  await fetch(`${base}/agent/decisions`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) });
  let told = await write();
  while (/^Not run yet/.test(told)) told = await write();
  console.log('later:', told.endsWith(`Successfully wrote to ${file}`), fs.readFileSync(file, 'utf8'));
  console.log('questions:', interrupts.length);
} finally {
  server.kill('SIGKILL');
}
