import { el } from '../dom.js';
import { isObject, stringify } from '../json.js';
import { visible } from '../visible.js';

/**
 * All arguments of a call, nothing shortened: text as text, everything else as JSON, and the whole as JSON below, as given.
 *
 * @param schema the schema of the arguments, if there is one: its order is the one in which a person knows them
 */
export function argumentList(args, schema) {
  const entries = isObject(args) ? names(args, schema).map((name) => [name, args[name]]) : [];
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

/** The names of all arguments: those of the schema in its order, then the others as given. */
function names(args, schema) {
  const given = Object.keys(args);
  const known = Object.keys(schema?.properties ?? {}).filter((name) => given.includes(name));
  return [...known, ...given.filter((name) => !known.includes(name))];
}
