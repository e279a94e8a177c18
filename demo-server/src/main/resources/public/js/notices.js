import { button, byId, el } from './dom.js';
import { visible } from './visible.js';

/** Says what the agent is doing. */
export function status(text) {
  byId('status').textContent = text;
}

/** A text for whatever a server put in the place of one. */
function words(value, otherwise) {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value ?? undefined) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Shows why a run failed, whatever was thrown; `retry`, if given, sends the same again. */
export function showError(error, retry) {
  const box = byId('error');
  const message = typeof error === 'string' ? error : error?.message;
  box.replaceChildren(
    el('p', {}, el('strong', {}, visible(words(error?.code, 'The run failed'))), ': ', visible(words(message, 'no message'))),
    ...(retry ? [button('Try again', retry)] : []));
  box.hidden = false;
}

export function clearError() {
  byId('error').hidden = true;
}
