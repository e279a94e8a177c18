import { el } from '../dom.js';
import { parse, stringify } from '../json.js';
import { labelled } from './labelled.js';

/** A value as JSON text; what is wrong with it is said under it. */
export function jsonField(schema, label, value) {
  const input = el('textarea', { class: 'code', rows: 4, spellcheck: 'false' });
  input.value = value === undefined ? '' : stringify(value, 2);
  input.rows = Math.min(14, input.value.split('\n').length + 2);
  const { element, reading } = labelled(`${label} (JSON)`, input, schema?.description);
  return {
    element,
    read: () =>
      reading(() => {
        if (input.value.trim() === '') throw new Error('Write a JSON value.');
        return parse(input.value);
      }),
  };
}
