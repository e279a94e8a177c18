// All tests in one process: to load the client takes a second.
import { readdir } from "node:fs/promises";

const folder = new URL(".", import.meta.url);
for (const file of (await readdir(folder)).filter((name) => name.endsWith(".test.mjs")).sort()) await import(new URL(file, folder));
