import { stringify } from '../json.js';
import { hasForm, question } from '../form/question.js';
import { answerForm } from './answer-form.js';
import { Card } from './card.js';
import { cancelButton, details, subject, title } from './parts.js';
import { suggestions } from './suggestions.js';

/** Any question with a schema: a form made from it, and the answer is what the form says. */
export function questionCard(interrupt, onDecided) {
  const { responseSchema } = interrupt;
  const card = new Card(interrupt, title(interrupt), onDecided);
  card.body.append(...subject(interrupt));
  if (!hasForm(responseSchema)) card.body.append(details('Expected answer (JSON schema)', responseSchema));
  card.actions.append(...suggestions(card, interrupt));
  const { element, read } = question(responseSchema, 'Your answer');
  const submit = () => {
    const payload = read();
    card.resolve(payload, `Answered: ${stringify(payload)}`);
  };
  card.open(answerForm({ submit, label: 'Answer', className: 'primary', other: cancelButton(card) }, element));
  return card;
}
