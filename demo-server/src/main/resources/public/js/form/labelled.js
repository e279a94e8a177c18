import { el, freshId } from '../dom.js';

/** Says which input cannot be read, and why. */
export class FieldError extends Error {
  constructor(message, input) {
    super(message);
    this.input = input;
  }
}

/** An input with its label, the schema's description and a place for an error. */
export function labelled(label, input, description) {
  const id = freshId('field');
  const hint = description ? el('p', { class: 'hint', id: `${id}-hint` }, description) : undefined;
  const error = el('p', { class: 'field-error', id: `${id}-error`, hidden: true });
  input.id = id;
  input.setAttribute('aria-describedby', hint ? `${id}-hint ${id}-error` : `${id}-error`);
  return {
    element: el('div', { class: 'field' }, el('label', { for: id }, label), hint, input, error),
    /** Runs what reads the input; shows its error at the input as well. */
    reading(read) {
      try {
        error.hidden = true;
        input.removeAttribute('aria-invalid');
        return read();
      } catch (e) {
        error.textContent = e.message;
        error.hidden = false;
        input.setAttribute('aria-invalid', 'true');
        throw new FieldError(`${label}: ${e.message}`, input);
      }
    },
  };
}
