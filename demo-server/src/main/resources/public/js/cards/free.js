import { button } from '../dom.js';
import { jsonField } from '../form/json-field.js';
import { question } from '../form/question.js';
import { stringify } from '../json.js';
import { answerForm } from './answer-form.js';
import { Card } from './card.js';
import { cancelButton, subject, title } from './parts.js';

/** A question that does not say what an answer looks like: no payload, a text or any JSON, as the person likes. */
export function freeCard(interrupt, onDecided) {
  const card = new Card(interrupt, title(interrupt), onDecided);
  card.body.append(...subject(interrupt));
  card.actions.append(
    button('Acknowledge', () => card.resolve(undefined, 'Acknowledged.'), 'primary'),
    button('Answer with text…', () => card.open(written(card, question({ type: 'string' }, 'Your answer')))),
    button('Answer with JSON…', () => card.open(written(card, jsonField({}, 'Your answer')))),
    cancelButton(card));
  return card;
}

function written(card, { element, read }) {
  const submit = () => {
    const payload = read();
    card.resolve(payload, `Answered: ${stringify(payload)}`);
  };
  return answerForm({ submit, label: 'Answer', className: 'primary', other: card.back() }, element);
}
