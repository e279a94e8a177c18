// Writes the programs of the guide to files: what is tested is what the guide says.
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const PROGRAM = /<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)\n```/g;
const root = new URL("..", import.meta.url).pathname;

/** Where the installed package of this name is, as another one sees it, if one is named. */
function installed(name, from) {
  const here = createRequire(import.meta.url);
  const entry = (from ? createRequire(here.resolve(from)) : here).resolve(name);
  return entry.slice(0, entry.lastIndexOf(name) + name.length);
}

/** The programs of the guide and of its pages about one front end: for each a match with its name and its code. */
export async function programsOf(guide) {
  const pages = (await readdir(dirname(guide))).filter((name) => name.startsWith("client-")).map((name) => join(dirname(guide), name));
  const texts = await Promise.all([guide, ...pages].map((page) => readFile(page, "utf8")));
  return texts.flatMap((text) => [...text.matchAll(PROGRAM)]);
}

export async function write(programs, directory) {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const [, name, code] of programs) await writeFile(join(directory, name), `${code}\n`);
}

/** Packs the card as the guide says, and unpacks it below `modules`: what is tested is what a reader installs. */
export async function installCard(card, modules) {
  const run = promisify(execFile);
  const directory = join(modules, "@holdpoint", "card");
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", directory], { cwd: card });
  const packed = join(directory, stdout.trim().split("\n").at(-1));
  await run("tar", ["-xzf", packed, "-C", directory, "--strip-components=1"]);
}

/** Extracts them to `guide`, those with the card of the package in the place of the others to `carded/guide`, and to `older/<version>/guide` beside an older client. */
export async function extract(guide) {
  const programs = await programsOf(guide);
  await write(programs, join(root, "guide"));
  const carded = programs.map(([all, name, code]) => [all, name.replace("-card.", "."), code]);
  const last = (name) => programs.some(([, each]) => each === name.replace(".", "-card."));
  await write(carded.filter(([all, name]) => all.includes("-card.") || !last(name)), join(root, "carded", "guide"));
  await cp(join(root, "pages"), join(root, "carded", "pages"), { recursive: true });
  const older = { "react-ag-ui": ["@ag-ui/client", "@assistant-ui/react-ag-ui"], "0.0.59": ["@ag-ui/client-0.0.59"] };
  for (const [version, its] of Object.entries(older)) {
    const directory = join(root, "older", version);
    await write(programs, join(directory, "guide"));
    await cp(join(root, "pages"), join(directory, "pages"), { recursive: true });
    const client = join(directory, "node_modules", "@ag-ui", "client");
    await mkdir(dirname(client), { recursive: true });
    await rm(client, { force: true });
    await symlink(installed(...its), client);
  }
}
