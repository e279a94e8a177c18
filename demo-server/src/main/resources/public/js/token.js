const KEY = 'bearer-token';

/** The header that says who this is, if the server has asked for it. */
export function authorization() {
  const token = sessionStorage.getItem(KEY);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Asks for the token of a server that has BEARER_TOKENS, and keeps it until the tab is closed. */
export function askForToken() {
  const token = window.prompt('This server asks who you are. Your token:')?.trim();
  if (!token || !/^[\x21-\x7e]+$/.test(token)) return false;
  sessionStorage.setItem(KEY, token);
  return true;
}
