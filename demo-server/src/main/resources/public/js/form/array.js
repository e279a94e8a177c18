import { button, el } from '../dom.js';
import { group } from './labelled.js';
import { unlimited } from './limits.js';

/**
 * A list of fields that can be added to and removed from.
 *
 * @param field makes the field of an element
 * @param limits what the list has to meet
 */
export function arrayField(schema, label, value = [], field, { description, check } = unlimited(schema)) {
  const rows = [];
  const list = el('div', { class: 'items' });
  const add = button(`Add to ${label}`, () => {
    append(undefined);
    rows.at(-1).element.querySelector('input, textarea, select')?.focus();
  });

  function append(item) {
    const inner = field(schema.items, `${label} ${rows.length + 1}`, item);
    const row = { read: inner.read };
    const remove = button('Remove', () => {
      rows.splice(rows.indexOf(row), 1);
      row.element.remove();
      add.focus();
    }, 'quiet');
    remove.setAttribute('aria-label', `Remove ${label} ${rows.length + 1}`);
    row.element = el('div', { class: 'item' }, inner.element, remove);
    rows.push(row);
    list.append(row.element);
  }

  value.forEach(append);
  const { element, reading } = group('array', label, description, () => add, list, add);
  const read = () => {
    const items = rows.map((row) => row.read());
    check(items);
    return items;
  };
  return { element, read: () => reading(read) };
}
