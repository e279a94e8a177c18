// Bundles the pages into the directory that is given.
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

const [, , out] = process.argv;
const pages = ["copilotkit", "assistant-ui"];
const ofAssistantUi = createRequire(createRequire(import.meta.url).resolve("@assistant-ui/react-ag-ui"));

await build({
  entryPoints: pages.map((page) => new URL(`pages/${page}.jsx`, import.meta.url).pathname),
  outdir: out,
  bundle: true,
  format: "esm",
  splitting: true,
  minify: true,
  jsx: "automatic",
  logLevel: "error",
  loader: { ".css": "empty", ".woff": "empty", ".woff2": "empty", ".ttf": "empty" },
  define: { "process.env.NODE_ENV": '"production"' },
  alias: { "@ag-ui/assistant-client": ofAssistantUi.resolve("@ag-ui/client").replace(/\.js$/, ".mjs") },
});
await mkdir(out, { recursive: true });
for (const page of pages) {
  await writeFile(
    join(out, `${page}.html`),
    `<!doctype html><meta charset="utf-8"><title>${page}</title><div id="root"></div><script type="module" src="${page}.js"></script>`,
  );
}
