/** The id of the thread, kept in the address so that a reload or a bookmark comes back to it. Never sent as part of a URL. */
export function currentThread() {
  return new URLSearchParams(location.hash.slice(1)).get('thread') ?? undefined;
}

/** Begins a thread and returns its id, which the address has as soon as something is said. */
export function newThread() {
  history.replaceState(null, '', location.pathname);
  return newId();
}

/** Puts a thread into the address. */
export function keepThread(id) {
  if (id !== currentThread()) history.replaceState(null, '', `#thread=${encodeURIComponent(id)}`);
}

export const newId = () =>
  // randomUUID exists only on https and localhost
  crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-');
