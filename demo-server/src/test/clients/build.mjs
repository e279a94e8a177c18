// Extracts the programs of the guide, and bundles pages around them.
// Arguments: the directory for what is bundled, the guide, and the pages.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { extract, installCard } from "./lib/guide.mjs";

const [, , out, guide, ...wanted] = process.argv;
const PAGES = {
  copilotkit: "pages/copilotkit.jsx",
  "assistant-ui": "pages/assistant-ui.jsx",
  "assistant-ui-0.0.59": "older/react-ag-ui/pages/assistant-ui.jsx",
  "copilotkit-card": "carded/pages/copilotkit.jsx",
  "assistant-ui-card": "carded/pages/assistant-ui.jsx",
};
const pages = Object.entries(PAGES).filter(([page]) => wanted.includes(page));

await extract(guide);
await installCard(resolve(guide, "..", "..", "..", "card"), new URL("node_modules", import.meta.url).pathname);
const dependencies = async (file) => {
  const { dependencies, devDependencies } = JSON.parse(await readFile(new URL(file, import.meta.url)));
  return { ...dependencies, ...devDependencies };
};
const tested = await dependencies("package.json");
const said = { ...(await dependencies("guide/package.json")), ...(await dependencies("guide/package-assistant-ui.json")) };
for (const [name, version] of Object.entries(said)) {
  if (version !== tested[name] && !version.startsWith("file:")) throw new Error(`the guide says ${name} ${version}, the tests run ${tested[name]}`);
}
await build({
  entryPoints: Object.fromEntries(pages.map(([page, file]) => [page, new URL(file, import.meta.url).pathname])),
  outdir: out,
  bundle: true,
  nodePaths: [new URL("node_modules", import.meta.url).pathname],
  format: "esm",
  splitting: true,
  minify: true,
  jsx: "automatic",
  logLevel: "error",
  loader: { ".css": "empty", ".woff": "empty", ".woff2": "empty", ".ttf": "empty" },
  define: { "process.env.NODE_ENV": '"production"' },
});
await mkdir(out, { recursive: true });
for (const [page] of pages) {
  await writeFile(
    join(out, `${page}.html`),
    `<!doctype html><meta charset="utf-8"><title>${page}</title><div id="root"></div><script type="module" src="${page}.js"></script>`,
  );
}
