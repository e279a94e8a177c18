import { el } from '../dom.js';
import { radioField } from '../form/choice.js';
import { labelled } from '../form/labelled.js';
import { limits } from '../form/limits.js';
import { isNumber, stringify } from '../json.js';
import { visible } from '../visible.js';
import { answerForm } from './answer-form.js';
import { argumentList } from './arguments.js';
import { Card } from './card.js';
import { cancelButton, ours } from './parts.js';
import { requiresOnly } from './schemas.js';

const ACTIONS = {
  retry: {
    label: 'Run it again',
    hint: 'With the arguments above. If it did take effect before, it happens twice.',
    words: 'Run it again.',
  },
  done: {
    label: 'It was done',
    hint: 'It took effect. It does not run again, and the agent goes on from there.',
    words: 'It was done.',
  },
  not_done: {
    label: 'It was not done',
    hint: 'It took no effect. It does not run now either, and the agent is told so.',
    words: 'It was not done.',
  },
};

/** Whether a call may or may not have taken effect, and the interrupt wants an answer that this card can give. */
export function isOutcomeUnknown({ reason, responseSchema }) {
  const actions = responseSchema?.properties?.action?.enum;
  return reason === 'langchain4j:outcome_unknown'
    && Array.isArray(actions)
    && actions.length > 0
    && actions.every((action) => Object.hasOwn(ACTIONS, action))
    && requiresOnly(responseSchema, ['action']);
}

/** Run it again, it was done, or it was not done: nothing is chosen beforehand, since each may be the wrong one. */
export function outcomeCard(interrupt, onDecided) {
  const { toolName, args, attempts } = ours(interrupt.metadata);
  const { action, note } = interrupt.responseSchema.properties;
  const name = typeof toolName === 'string' ? [': ', el('code', {}, visible(toolName))] : [];
  const card = new Card(interrupt, ['Outcome unknown', ...name], onDecided);
  card.body.append(
    el('p', {}, 'This call was started, but its end was never recorded: it may or may not have taken effect. '
      + 'Look where its effect would be seen before you answer.'),
    ...started(attempts),
    ...(args === undefined ? [] : [argumentList(args)]));

  const options = action.enum.map((value) => ({ value, ...ACTIONS[value] }));
  const choice = radioField(options, 'Your answer'); // the schema describes the words of the protocol, which nobody sees here
  const remark = note && noteField(note);
  const submit = () => {
    const payload = { action: choice.read(), note: remark?.read() };
    const { words } = ACTIONS[payload.action];
    card.resolve(payload, payload.note === undefined ? words : `${words} Note: ${payload.note}`);
  };
  const other = cancelButton(card, 'Cancelled: it does not run again.');
  card.open(answerForm({ submit, label: 'Answer', className: 'primary', other }, choice.element, remark?.element));
  return card;
}

/** A note that says nothing is none. */
function noteField(schema) {
  const { description, check } = limits(schema);
  const input = el('textarea', { rows: 2 });
  const { element, reading } = labelled('Note (optional)', input, description);
  const read = () => {
    if (input.value.trim() === '') return undefined;
    check(input.value);
    return input.value;
  };
  return { element, read: () => reading(read) };
}

/** How often the call was started, and when, as far as it is known. */
function started(attempts) {
  if (isNumber(attempts)) return [el('p', { class: 'hint' }, `Attempts so far: ${stringify(attempts)}.`)];
  if (!Array.isArray(attempts) || attempts.length === 0) return [];
  const times = attempts
    .map((attempt) => new Date(attempt?.startedAt))
    .filter((time) => !Number.isNaN(time.getTime()))
    .map((time) => time.toLocaleString());
  return [el('p', { class: 'hint' }, `Attempts so far: ${attempts.length}${times.length > 0 ? ` (${times.join('; ')})` : ''}.`)];
}
