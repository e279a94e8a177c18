import { el, freshId } from '../dom.js';
import { visible } from '../visible.js';
import { group } from './labelled.js';

/**
 * A field set with a field for each property. A property that is not required can be left out, unless its field is fixed.
 *
 * @param field makes the field of a property
 */
export function objectField(schema, label, value, field) {
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties).map(([name, property]) => {
    const inner = field(property, name, value && Object.hasOwn(value, name) ? value[name] : undefined);
    return { name, ...(required.has(name) || inner.fixed ? inner : optional(inner, name, value && Object.hasOwn(value, name))) };
  });
  const { element } = group('object', label, schema.description, undefined, ...members.map((each) => each.element));
  return {
    element,
    // entries, not assignments: a property may be called __proto__
    read: () =>
      Object.fromEntries(members.map((each) => [each.name, each.read()]).filter(([, read]) => read !== undefined)),
  };
}

function optional(inner, name, included) {
  const id = freshId('include');
  const include = el('input', { type: 'checkbox', id });
  include.checked = included === true;
  const show = () => (inner.element.hidden = !include.checked);
  include.addEventListener('change', show);
  show();
  const element = el(
    'div',
    { class: 'optional' },
    el('div', { class: 'check include' }, include, el('label', { for: id }, 'Include ', visible(inner.label ?? name))),
    inner.element);
  return { element, read: () => (include.checked ? inner.read() : undefined) };
}
