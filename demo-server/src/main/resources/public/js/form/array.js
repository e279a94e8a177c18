import { button, el } from '../dom.js';
import { field } from './field.js';

/** A list of fields that can be added to and removed from. */
export function arrayField(schema, label, value = []) {
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
  const element = el(
    'fieldset',
    { class: 'array' },
    el('legend', {}, label),
    schema.description ? el('p', { class: 'hint' }, schema.description) : undefined,
    list,
    add);
  return { element, read: () => rows.map((row) => row.read()) };
}
