import { button, byId, el } from '../dom.js';
import { authorization } from '../token.js';
import { visible } from '../visible.js';

const CALLS = { same_call: 'exactly the call that was approved', tool: 'any call of this tool' };

/** Reads what need not be asked about in this conversation at present, and shows it with a way to take it back. */
export async function refreshGrants(threadId) {
  const grants = threadId ? await read(threadId) : [];
  byId('grants').replaceChildren(...grants.map((grant) => entry(grant, threadId)));
  byId('remembered').hidden = grants.length === 0;
}

const address = (threadId, id = '') =>
  `/demo/grants${id && `/${encodeURIComponent(id)}`}?threadId=${encodeURIComponent(threadId)}`;

async function read(threadId) {
  try {
    const response = await fetch(address(threadId), { headers: { Accept: 'application/json', ...authorization() } });
    return response.ok ? await response.json() : [];
  } catch {
    return []; // the effects next to it say that the server cannot be reached
  }
}

function entry(grant, threadId) {
  const revoke = async () => {
    await fetch(address(threadId, grant.id), { method: 'DELETE', headers: authorization() });
    await refreshGrants(threadId);
  };
  return el(
    'li',
    {},
    el('p', {}, el('code', {}, visible(grant.tool)), ' ', el('time', {}, `until ${time(grant.expiresAt)}`)),
    el('p', { class: 'hint' }, CALLS[grant.scope] ?? ''),
    button('Ask again', revoke));
}

const time = (at) => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
