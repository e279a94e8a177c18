import { el } from '../dom.js';
import { ExactNumber, NUMBER, number } from '../json.js';
import { hasHidden, visible } from '../visible.js';
import { labelled } from './labelled.js';
import { unlimited } from './limits.js';

const ONE_LINE = 60;

/**
 * Text, exactly as it was unless the person changes it: an input may normalise line breaks on its own.
 *
 * @param limits what the text has to meet
 */
export function textField(schema, label, value = '', { description, check } = unlimited(schema)) {
  const long = value.length > ONE_LINE || value.includes('\n') || /body|text|content|description|note|^your answer/i.test(label);
  const input = long ? el('textarea', { rows: Math.min(12, value.split('\n').length + 2) }) : el('input', { type: 'text' });
  input.value = value;
  const untouched = input.value;
  const { element, reading } = labelled(label, input, description);
  const read = () => (input.value === untouched ? value : input.value);
  const shown = el('p', { class: 'hidden-text' });
  const show = () => {
    shown.hidden = !hasHidden(read());
    shown.replaceChildren('Contains invisible characters: ', visible(read()));
  };
  input.addEventListener('input', show);
  show();
  element.append(shown);
  const checked = () => {
    check(read());
    return read();
  };
  return { element, input, read: () => reading(checked) };
}

/**
 * A number by its digits, so that none of them is lost.
 *
 * @param limits what the number has to meet
 */
export function numberField(schema, label, value, { description, check } = unlimited(schema)) {
  const input = el('input', { type: 'text', inputmode: schema.type === 'integer' ? 'numeric' : 'decimal' });
  if (value !== undefined) input.value = value instanceof ExactNumber ? value.token : String(value);
  const { element, reading } = labelled(label, input, description);
  const read = () => {
    const token = input.value.trim();
    if (!NUMBER.test(token)) throw new Error('Write a number, such as 12 or 12.50.');
    if (schema.type === 'integer' && /[.eE]/.test(token)) throw new Error('Write a whole number.');
    check(number(token));
    return number(token);
  };
  return { element, read: () => reading(read) };
}

export function booleanField(schema, label, value = false) {
  const input = el('input', { type: 'checkbox' });
  input.checked = value;
  const { element } = labelled(label, input, schema.description);
  element.classList.add('check');
  return { element, read: () => input.checked };
}
