import { button, el } from '../dom.js';
import { field } from '../form/field.js';
import { labelled } from '../form/labelled.js';
import { visible } from '../visible.js';
import { answerForm } from './answer-form.js';
import { argumentList } from './arguments.js';
import { Card } from './card.js';
import { cancelButton, ours } from './parts.js';
import { requiresOnly } from './schemas.js';

/** Whether a tool failed, and the interrupt wants an answer that this card can give. */
export function isFailure({ reason, responseSchema }) {
  const actions = responseSchema?.properties?.action?.enum;
  return reason === 'langchain4j:tool_error'
    && Array.isArray(actions)
    && ['retry', 'give_up'].every((action) => actions.includes(action))
    && requiresOnly(responseSchema, ['action']);
}

/** Try it again, try it with other arguments where the schema allows that, or give up. */
export function failureCard(interrupt, onDecided) {
  const { toolName, args, error } = ours(interrupt.metadata);
  const name = typeof toolName === 'string' ? [': ', el('code', {}, visible(toolName))] : [];
  const card = new Card(interrupt, ['A tool failed', ...name], onDecided);
  const { editedArgs, note } = interrupt.responseSchema.properties;
  if (args !== undefined) card.body.append(argumentList(args, editedArgs));
  if (typeof error === 'string') card.body.append(el('pre', { class: 'failure', dir: 'auto' }, visible(error)));
  card.actions.append(
    button('Try again', () => card.resolve({ action: 'retry' }, 'Try it again.'), 'primary'),
    ...(editedArgs ? [button('Edit and try again…', () => card.open(mending(card, editedArgs, args)))] : []),
    button('Give up…', () => card.open(givingUp(card, note)), 'danger'),
    cancelButton(card, 'Cancelled: it is not tried again.'));
  return card;
}

function mending(card, schema, args) {
  const form = field(schema, 'Edited arguments', args);
  const submit = () => card.resolve({ action: 'retry', editedArgs: form.read() }, 'Try it again with your edits.');
  return answerForm({ submit, label: 'Try again with edits', className: 'primary', other: card.back() }, form.element);
}

function givingUp(card, schema) {
  const input = el('textarea', { rows: 2 });
  const { element } = labelled('Note, for the agent (optional)', input, schema?.description);
  const submit = () => {
    const note = input.value.trim() === '' ? undefined : input.value.trim();
    card.resolve({ action: 'give_up', note }, note === undefined ? 'Given up.' : `Given up: ${note}`);
  };
  return answerForm({ submit, label: 'Give up', className: 'danger', other: card.back() }, element);
}
