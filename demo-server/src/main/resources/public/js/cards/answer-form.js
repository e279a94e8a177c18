import { el } from '../dom.js';
import { FieldError } from '../form/complaints.js';

/** A form that says at its end, too, what in it cannot be read, and puts the focus there. */
export function answerForm({ submit, label, className, other }, ...content) {
  const problem = el('p', { class: 'field-error', role: 'alert', hidden: true });
  const onsubmit = (event) => {
    event.preventDefault();
    try {
      problem.hidden = true;
      submit();
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problem.textContent = error.message;
      problem.hidden = false;
      error.input.focus();
    }
  };
  return el(
    'form',
    { onsubmit, novalidate: true },
    ...content,
    problem,
    el('div', { class: 'actions' }, el('button', { type: 'submit', class: className }, label), other));
}
