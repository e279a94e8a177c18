import { button, el } from '../dom.js';
import { visible } from '../visible.js';
import { Card } from './card.js';
import { cancelButton, subject, title } from './parts.js';

/** Whether the answer is a yes or a no and nothing else. Without a schema that is what a confirmation means. */
export function isConfirmation({ reason, responseSchema }) {
  if (responseSchema === undefined) return reason === 'confirmation';
  const rules = Object.keys(responseSchema).filter((keyword) => !['title', 'description', 'default', '$schema'].includes(keyword));
  return responseSchema.type === 'boolean' && rules.length === 1;
}

/** Yes or no by one click: the payload is `true` or `false`. */
export function confirmationCard(interrupt, onDecided) {
  const card = new Card(interrupt, title(interrupt), onDecided);
  const { title: name, description } = interrupt.responseSchema ?? {};
  const texts = [name, description].filter((text) => typeof text === 'string');
  card.body.append(...texts.map((text) => el('p', { class: 'hint' }, visible(text))), ...subject(interrupt));
  card.actions.append(
    button('Yes', () => card.resolve(true, 'Answered: yes.'), 'primary'),
    button('No', () => card.resolve(false, 'Answered: no.')),
    cancelButton(card));
  return card;
}
