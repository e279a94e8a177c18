import { parse, stringify } from '../json.js';
import { byId, el } from '../dom.js';
import { authorization } from '../token.js';
import { visible } from '../visible.js';

/** Reads what the tools did and shows it, newest first. */
export async function refreshEffects() {
  const list = byId('effects');
  try {
    const response = await fetch('/demo/effects', { headers: { Accept: 'application/json', ...authorization() } });
    if (response.status === 401) {
      list.replaceChildren(el('li', { class: 'hint' }, 'Shown once the server knows who you are.'));
      return;
    }
    if (!response.ok) throw new Error(`status ${response.status}`);
    const effects = parse(await response.text());
    list.replaceChildren(...effects.reverse().slice(0, 50).map(entry));
    if (effects.length === 0) list.replaceChildren(el('li', { class: 'hint' }, 'Nothing yet.'));
  } catch (error) {
    list.replaceChildren(el('li', { class: 'hint' }, `The effects could not be read: ${error.message}`));
  }
}

function entry(effect) {
  return el(
    'li',
    {},
    el('p', {}, el('code', {}, visible(effect.tool)), ' ', el('time', {}, time(effect.at))),
    el('pre', {}, visible(stringify(effect.args, 2))));
}

const time = (at) => new Date(typeof at === 'number' ? at * 1000 : at).toLocaleTimeString();
