import { button, el } from '../dom.js';
import { field } from '../form/field.js';
import { labelled } from '../form/labelled.js';
import { textQuestion } from '../form/text-question.js';
import { visible } from '../visible.js';
import { answerForm } from './answer-form.js';
import { argumentList } from './arguments.js';
import { Card } from './card.js';
import { ours } from './parts.js';
import { previewOf } from './preview.js';
import { rememberChoice } from './remember.js';
import { requiresOnly } from './schemas.js';

/** Whether the interrupt asks for an approval that this card can give, whatever its reason. */
export const isApproval = ({ responseSchema }) =>
  responseSchema?.properties?.approved?.type === 'boolean' && requiresOnly(responseSchema, ['approved']);

/** Approve, deny with a reason, or, where the schema allows that, approve with edits or for a while, or answer for the tool. */
export function approvalCard(interrupt, onDecided) {
  const { toolName, args, ...others } = ours(interrupt.metadata);
  const title = toolName === undefined ? ['Approval needed'] : ['Approval needed: ', el('code', {}, visible(toolName))];
  const card = new Card(interrupt, title, onDecided);
  const { editedArgs, reason, response } = interrupt.responseSchema.properties;
  const remember = rememberChoice(interrupt.responseSchema.properties);
  const approve = (more, words) =>
    card.resolve({ approved: true, ...more, ...remember.payload() }, `${words}${remember.words()}`);
  if (args !== undefined) card.body.append(argumentList(args, editedArgs));
  card.body.append(...previewOf(others));
  if (remember.element) card.actions.append(remember.element);
  card.actions.append(
    button('Approve', () => approve({}, 'Approved as proposed.'), 'primary'),
    ...(editedArgs ? [button('Edit…', () => card.open(editor(card, editedArgs, args, approve)))] : []),
    ...(takesText(response) ? [button('Answer instead…', () => card.open(substitute(card)))] : []),
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

const takesText = (schema) => schema !== undefined && [undefined, 'string'].includes(schema.type);

/** The result of the call, written by the person. */
function substitute(card) {
  const description = 'The agent gets this as the result. The tool does not run.';
  const { element, read } = textQuestion({ description }, 'Your answer, in place of the tool');
  const submit = () => {
    const response = read();
    card.resolve({ approved: false, response }, `Answered instead: ${response}`);
  };
  return answerForm({ submit, label: 'Answer instead', className: 'primary', other: card.back() }, element);
}

function editor(card, schema, args, approve) {
  const form = field(schema, 'Edited arguments', args);
  const submit = () => approve({ editedArgs: form.read() }, 'Approved with your edits.');
  return answerForm({ submit, label: 'Approve with edits', className: 'primary', other: card.back() }, form.element);
}
