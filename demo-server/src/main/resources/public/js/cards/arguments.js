import { el } from '../dom.js';
import { isObject, stringify } from '../json.js';
import { visible } from '../visible.js';

/** All arguments of a call, nothing shortened: text as text, everything else as JSON, and the whole as JSON below. */
export function argumentList(args) {
  const entries = isObject(args) ? Object.entries(args) : [];
  const rows = entries.flatMap(([name, value]) => [
    el('dt', {}, visible(name)),
    typeof value === 'string'
      ? el('dd', { class: 'string' }, value === '' ? el('em', {}, 'empty') : el('bdi', {}, visible(value)))
      : el('dd', { class: 'code' }, visible(stringify(value, 2))),
  ]);
  return el(
    'div',
    { class: 'arguments' },
    rows.length > 0 ? el('dl', {}, ...rows) : el('p', { class: 'hint' }, 'Without arguments.'),
    el('details', {}, el('summary', {}, 'As JSON'), el('pre', {}, visible(stringify(args, 2)))));
}
