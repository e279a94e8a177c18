export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);

/** Waits until a look gives something, and returns it. A row may move the clock, so it is not looked at. */
export async function until(what, look, patience = PATIENCE_MS) {
  const end = performance.now() + patience;
  let last;
  for (;;) {
    last = await look();
    if (last !== undefined && last !== false && last !== null) return last;
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
