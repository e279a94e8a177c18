import { button, el } from '../dom.js';
import { jsonField } from '../form/json-field.js';
import { FieldError } from '../form/complaints.js';
import { stringify } from '../json.js';
import { visible } from '../visible.js';
import { Card } from './card.js';

/** For a question that the page does not know: everything that is known about it, and any JSON as the answer. */
export function fallbackCard(interrupt, onDecided) {
  const card = new Card(interrupt, ['Question: ', el('code', {}, visible(interrupt.reason))], onDecided);
  card.body.append(...shown('Expected answer (JSON schema)', interrupt.responseSchema), ...shown('Details', interrupt.metadata));
  const payload = jsonField({}, 'Answer', undefined);
  const send = () => {
    try {
      card.resolve(payload.read(), 'Answered.');
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      error.input.focus();
    }
  };
  card.body.append(payload.element);
  card.actions.append(button('Answer', send, 'primary'), button('Cancel', () => card.cancel()));
  return card;
}

function shown(title, value) {
  return value === undefined
    ? []
    : [el('details', { open: true }, el('summary', {}, title), el('pre', {}, visible(stringify(value, 2))))];
}
