import { button, el } from '../dom.js';
import { field } from '../form/field.js';
import { labelled } from '../form/labelled.js';
import { visible } from '../visible.js';
import { answerForm } from './answer-form.js';
import { argumentList } from './arguments.js';
import { Card } from './card.js';
import { rememberChoice } from './remember.js';
import { requiresOnly } from './schemas.js';

/** Whether the interrupt asks for an approval that this card can give, whatever its reason. */
export const isApproval = ({ responseSchema }) =>
  responseSchema?.properties?.approved?.type === 'boolean' && requiresOnly(responseSchema, ['approved']);

/** Approve, deny with a reason, or approve with edited arguments or for a while where the schema allows that. */
export function approvalCard(interrupt, onDecided) {
  const { toolName, args } = interrupt.metadata?.langchain4j ?? {};
  const title = toolName === undefined ? ['Approval needed'] : ['Approval needed: ', el('code', {}, visible(toolName))];
  const card = new Card(interrupt, title, onDecided);
  const { editedArgs, reason } = interrupt.responseSchema.properties;
  const remember = rememberChoice(interrupt.responseSchema.properties);
  const approve = (more, words) =>
    card.resolve({ approved: true, ...more, ...remember.payload() }, `${words}${remember.words()}`);
  if (args !== undefined) card.body.append(argumentList(args, editedArgs));
  if (remember.element) card.actions.append(remember.element);
  card.actions.append(
    button('Approve', () => approve({}, 'Approved as proposed.'), 'primary'),
    ...(editedArgs ? [button('Edit…', () => card.open(editor(card, editedArgs, args, approve)))] : []),
    button('Deny…', () => card.open(denial(card, reason)), 'danger'),
    button('Dismiss', () => card.cancel(), 'quiet'));
  return card;
}

function denial(card, schema) {
  const input = el('textarea', { rows: 2 });
  const { element } = labelled('Reason, for the agent (optional)', input, schema?.description);
  const submit = () => {
    const reason = input.value.trim();
    card.resolve({ approved: false, reason: reason === '' ? undefined : reason }, reason === '' ? 'Denied.' : `Denied: ${reason}`);
  };
  return answerForm({ submit, label: 'Deny', className: 'danger', other: card.back() }, element);
}

function editor(card, schema, args, approve) {
  const form = field(schema, 'Edited arguments', args);
  const submit = () => approve({ editedArgs: form.read() }, 'Approved with your edits.');
  return answerForm({ submit, label: 'Approve with edits', className: 'primary', other: card.back() }, form.element);
}
