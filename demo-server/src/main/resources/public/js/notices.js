import { button, byId, el } from './dom.js';
import { visible } from './visible.js';

/** Says what the agent is doing. */
export function status(text) {
  byId('status').textContent = text;
}

/** Shows why a run failed; `retry`, if given, sends the same again. */
export function showError(error, retry) {
  const box = byId('error');
  box.replaceChildren(
    el('p', {}, el('strong', {}, visible(error.code ?? 'The run failed')), ': ', visible(error.message ?? 'no message')),
    ...(retry ? [button('Try again', retry)] : []));
  box.hidden = false;
}

export function clearError() {
  byId('error').hidden = true;
}
