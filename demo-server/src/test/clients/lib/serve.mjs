// Starts the guide's development server.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Serves a program of a folder, in front of the agent on that port. */
export async function serve(folder, main, agentPort) {
  const port = await freePort();
  const child = spawn(process.execPath, ["serve.mjs", main, agentPort, port], {
    cwd: folder,
    detached: true, // a group of its own, which ends with the bundler: left alone, that could keep this program's output open for ever
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", () => reject(new Error(`${main} was not served`)));
  });
  return { child, url: `http://127.0.0.1:${port}/` };
}
