import { clock, el, isObject, visible } from './kit.js';
import { differences, rowsShown } from './difference.js';
import { about, argumentsSchema } from './subject.js';

/** Who has edited a call before it came here, when, from what to what, and whose approvals do not count any more. */
export function editInWords(interrupt, me) {
  const { args, editedBy, editedFrom } = about(interrupt.metadata);
  if (typeof editedBy !== 'string' || !isObject(editedFrom)) return [];
  const before = about({ langchain4j: editedFrom }).args;
  const rows = before === undefined ? [] : rowsShown(differences(before, args, argumentsSchema(interrupt)));
  const votes = Array.isArray(editedFrom.approvals) ? editedFrom.approvals.map(({ by }) => by) : [];
  const lost = votes.map((by) => (by === me ? 'Your approval' : `${by}’s approval`)).join(', ');
  return [el(
    'div',
    { class: 'edited' },
    el('p', { class: 'hint' }, visible(`${editedBy === me ? 'You' : editedBy} changed this call at ${clock(editedFrom.at)}${rows.length > 0 ? ':' : '.'}`)),
    ...rows,
    ...(lost === '' ? [] : [el('p', { class: 'over' }, visible(`${lost} of what it was before ${votes.length === 1 ? 'does' : 'do'} not count any more.`))]))];
}
