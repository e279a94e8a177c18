import { el, freshId } from '../dom.js';
import { limits } from './limits.js';
import { textField } from './scalars.js';

/** A text to be written. An empty one may be meant: it is taken if the person says so, once it was missed. */
export function textQuestion(schema, label, value) {
  const { description, check } = limits(schema);
  const id = freshId('empty');
  const meant = el('input', { type: 'checkbox', id });
  const confirmation = el(
    'div', { class: 'check include', hidden: true }, meant, el('label', { for: id }, 'Answer with an empty text'));
  const { element, input, read } = textField(schema, label, value, {
    description,
    check(text) {
      check(text);
      if (text !== '' || meant.checked) return;
      confirmation.hidden = false;
      throw new Error('Write something, or say that the text is to be empty.');
    },
  });
  input.addEventListener('input', () => {
    if (input.value === '') return;
    meant.checked = false;
    confirmation.hidden = true;
  });
  element.append(confirmation);
  return { element, read };
}
