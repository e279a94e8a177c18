import { el, freshId } from '../dom.js';
import { stringify } from '../json.js';
import { visible } from '../visible.js';
import { group, labelled } from './labelled.js';

/** A choice between values, whatever their types, from a list: `options` as `choices` returns them. */
export function selectField(options, label, description, value) {
  const input = el(
    'select',
    {},
    el('option', { value: '' }, 'Choose…'),
    ...options.map((option, index) => el('option', { value: index }, visible(option.label))));
  const chosen = indexOf(options, value);
  input.value = chosen < 0 ? '' : String(chosen);
  const { element, reading } = labelled(label, input, description);
  const read = () => {
    if (input.value === '') throw new Error('Choose one of the values.');
    return options[Number(input.value)].value;
  };
  return { element, read: () => reading(read) };
}

/** The same with all values in sight. An option may have a `hint`. */
export function radioField(options, label, description, value) {
  const name = freshId('choice');
  const chosen = indexOf(options, value);
  const radios = options.map((_, index) => {
    const radio = el('input', { type: 'radio', name, id: `${name}-${index}`, value: index });
    radio.checked = index === chosen;
    return radio;
  });
  const { element, reading } = group('choice', label, description, () => radios[0], ...options.map((option, index) =>
    row(option, radios[index])));
  element.setAttribute('role', 'radiogroup');
  const read = () => {
    const index = radios.findIndex((radio) => radio.checked);
    if (index < 0) throw new Error('Choose one of them.');
    return options[index].value;
  };
  return { element, read: () => reading(read) };
}

function row({ label, hint }, radio) {
  const id = hint && `${radio.id}-hint`;
  if (hint) radio.setAttribute('aria-describedby', id);
  return el(
    'div',
    { class: 'option' },
    radio,
    el('label', { for: radio.id }, visible(label)),
    hint ? el('p', { class: 'hint', id }, visible(hint)) : undefined);
}

const indexOf = (options, value) =>
  value === undefined ? -1 : options.findIndex((option) => stringify(option.value) === stringify(value));
