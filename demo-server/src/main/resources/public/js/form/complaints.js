import { el, freshId } from '../dom.js';

/** Says which input cannot be read, and why. */
export class FieldError extends Error {
  constructor(message, input) {
    super(message);
    this.input = input;
  }
}

/**
 * The place where an input says why it cannot be read.
 *
 * @param focused what gets the focus then, if the input itself cannot have it
 */
export function complaints(label, input, focused = () => input) {
  const element = el('p', { class: 'field-error', id: freshId('error'), hidden: true });
  return {
    element,
    /** Runs what reads the input; shows its error at the input as well. */
    reading(read) {
      try {
        element.hidden = true;
        input.removeAttribute('aria-invalid');
        return read();
      } catch (e) {
        // what is inside of a group has said so itself
        if (e instanceof FieldError) throw e;
        element.textContent = e.message;
        element.hidden = false;
        input.setAttribute('aria-invalid', 'true');
        throw new FieldError(`${label}: ${e.message}`, focused());
      }
    },
  };
}
