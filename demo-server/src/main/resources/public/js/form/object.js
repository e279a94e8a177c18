import { el, freshId } from '../dom.js';
import { field } from './field.js';

/** A field set with a field for each property. A property that is not required can be left out. */
export function objectField(schema, label, value) {
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    ...member(property, name, value && Object.hasOwn(value, name) ? value[name] : undefined, required.has(name)),
  }));
  const element = el(
    'fieldset',
    { class: 'object' },
    el('legend', {}, label),
    schema.description ? el('p', { class: 'hint' }, schema.description) : undefined,
    ...members.map((each) => each.element));
  return {
    element,
    // entries, not assignments: a property may be called __proto__
    read: () =>
      Object.fromEntries(members.map((each) => [each.name, each.read()]).filter(([, read]) => read !== undefined)),
  };
}

function member(schema, name, value, required) {
  const inner = field(schema, name, value);
  if (required) return inner;
  const id = freshId('include');
  const include = el('input', { type: 'checkbox', id });
  include.checked = value !== undefined;
  const show = () => (inner.element.hidden = !include.checked);
  include.addEventListener('change', show);
  show();
  const element = el(
    'div',
    { class: 'optional' },
    el('div', { class: 'check include' }, include, el('label', { for: id }, `Include ${name}`)),
    inner.element);
  return { element, read: () => (include.checked ? inner.read() : undefined) };
}
