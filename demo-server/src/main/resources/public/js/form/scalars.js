import { el } from '../dom.js';
import { ExactNumber, NUMBER, number, stringify } from '../json.js';
import { hasHidden, visible } from '../visible.js';
import { labelled } from './labelled.js';

const ONE_LINE = 60;

/** Text, exactly as it was unless the person changes it: an input may normalise line breaks on its own. */
export function textField(schema, label, value = '') {
  const long = value.length > ONE_LINE || value.includes('\n') || /body|text|content|description|note/i.test(label);
  const input = long ? el('textarea', { rows: Math.min(12, value.split('\n').length + 2) }) : el('input', { type: 'text' });
  input.value = value;
  const untouched = input.value;
  const { element } = labelled(label, input, schema.description);
  const read = () => (input.value === untouched ? value : input.value);
  const shown = el('p', { class: 'hidden-text' });
  const show = () => {
    shown.hidden = !hasHidden(read());
    shown.replaceChildren('Contains invisible characters: ', visible(read()));
  };
  input.addEventListener('input', show);
  show();
  element.append(shown);
  return { element, read };
}

/** A number by its digits, so that none of them is lost. */
export function numberField(schema, label, value) {
  const input = el('input', { type: 'text', inputmode: schema.type === 'integer' ? 'numeric' : 'decimal' });
  if (value !== undefined) input.value = value instanceof ExactNumber ? value.token : String(value);
  const { element, reading } = labelled(label, input, schema.description);
  const read = () => {
    const token = input.value.trim();
    if (!NUMBER.test(token)) throw new Error('Write a number, such as 12 or 12.50.');
    if (schema.type === 'integer' && /[.eE]/.test(token)) throw new Error('Write a whole number.');
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

/** A choice between the values of an enum, whatever their types. */
export function enumField(schema, label, value) {
  const options = schema.enum.map((option, index) =>
    el('option', { value: index }, typeof option === 'string' ? visible(option) : stringify(option)));
  const input = el('select', {}, el('option', { value: '' }, 'Choose…'), ...options);
  const chosen = schema.enum.findIndex((option) => value !== undefined && stringify(option) === stringify(value));
  input.value = chosen < 0 ? '' : String(chosen);
  const { element, reading } = labelled(label, input, schema.description);
  const read = () => {
    if (input.value === '') throw new Error('Choose one of the values.');
    return schema.enum[Number(input.value)];
  };
  return { element, read: () => reading(read) };
}
