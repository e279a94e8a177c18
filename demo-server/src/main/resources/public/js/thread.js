/** The id of the thread, kept in the address so that a reload or a bookmark comes back to it. Never sent as part of a URL. */
export function currentThread() {
  return new URLSearchParams(location.hash.slice(1)).get('thread') ?? undefined;
}

/** Begins a thread and returns its id. */
export function newThread() {
  const id = newId();
  history.replaceState(null, '', `#thread=${id}`);
  return id;
}

export const newId = () =>
  // randomUUID exists only on https and localhost
  crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-');
