import { button, el } from '../dom.js';
import { field } from '../form/field.js';
import { FieldError, labelled } from '../form/labelled.js';
import { visible } from '../visible.js';
import { argumentList } from './arguments.js';
import { Card } from './card.js';

/** Whether the interrupt asks for an approval that this card can give. */
export const isApproval = (interrupt) => interrupt.responseSchema?.properties?.approved?.type === 'boolean';

/** Approve, deny with a reason, or approve with edited arguments where the schema allows that. */
export function approvalCard(interrupt, onDecided) {
  const { toolName, args } = interrupt.metadata?.langchain4j ?? {};
  const title = toolName === undefined ? ['Approval needed'] : ['Approval needed: ', el('code', {}, visible(toolName))];
  const card = new Card(interrupt, title, onDecided);
  const { editedArgs, reason } = interrupt.responseSchema.properties;
  if (args !== undefined) card.body.append(argumentList(args, editedArgs));
  card.actions.append(
    button('Approve', () => card.resolve({ approved: true }, 'Approved as proposed.'), 'primary'),
    ...(editedArgs ? [button('Edit…', () => card.open(editor(card, editedArgs, args)))] : []),
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
  return panel(card, submit, 'Deny', 'danger', element);
}

function editor(card, schema, args) {
  const form = field(schema, 'Edited arguments', args);
  const problem = el('p', { class: 'field-error', role: 'alert', hidden: true });
  const submit = () => {
    try {
      problem.hidden = true;
      card.resolve({ approved: true, editedArgs: form.read() }, 'Approved with your edits.');
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problem.textContent = error.message;
      problem.hidden = false;
      error.input.focus();
    }
  };
  return panel(card, submit, 'Approve with edits', 'primary', form.element, problem);
}

function panel(card, submit, label, className, ...content) {
  const onsubmit = (event) => {
    event.preventDefault();
    submit();
  };
  return el(
    'form',
    { onsubmit, novalidate: true },
    ...content,
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'submit', class: className }, label),
      button('Back', () => {
        card.panel.replaceChildren();
        card.closePanel();
      })));
}
