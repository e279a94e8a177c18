export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);

/** Waits until a look gives something, and returns it. */
export async function until(what, look, patience = PATIENCE_MS) {
  const end = Date.now() + patience;
  let last;
  for (;;) {
    last = await look();
    if (last !== undefined && last !== false && last !== null) return last;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
