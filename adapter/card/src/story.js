import { capital, el, icon, isObject, short, textOf, visible } from './kit.js';
import { clock, t } from './language.js';
import { differences, rowsShown } from './difference.js';
import { about, argumentsSchema, ours } from './subject.js';

/** Somebody, by the first letter of their name. */
const face = (name) => el('span', { class: 'face', 'aria-hidden': 'true' }, name ? visible([...name][0].toUpperCase()) : icon('person'));

const dated = ({ at, who, words, rows = [] }) => el(
  'li', {}, who === undefined ? icon('clock') : face(who), el('div', {}, el('p', {}, visible(words), ' ', el('time', { datetime: at }, clock(at))), ...rows));

/** What time does; a halted agent does not. */
const STEPS = {
  remind: 'a reminder',
  warn: 'a warning that time runs out',
  escalate: '{who} is asked as well',
  give_up: 'over, without an approval: it does not run',
  go_on: 'over, without an approval: the agent goes on without it',
};

/** What has happened so far, oldest first: who has edited the call, from what to what, who has approved it, and what time was to do. */
export function storyOf(interrupt, me) {
  const { approvals, handed, timeline = [] } = ours(interrupt.metadata);
  const past = timeline.filter(({ at, step }) => Object.hasOwn(STEPS, step) && new Date(at) <= new Date());
  const events = [
    ...editOf(interrupt, me),
    ...(approvals?.have ?? []).map(({ by, at }) => ({ at, who: by, words: by === me ? t('You approved.') : t('{who} approved.', { who: by }) })),
    ...(handed ? [handedOver(handed, me)] : []),
    ...past.map(({ at, step, audience }) => ({ at, words: t('{what}: that was due.', { what: capital(t(STEPS[step], { who: audience })) }) })),
  ].sort((one, other) => new Date(one.at) - new Date(other.at));
  return events.length === 0 ? [] : [el('ol', { class: 'story', 'aria-label': t('What has happened so far') }, ...events.map(dated))];
}

/** Who has said that another person, or a group, is to decide. */
const handedOver = ({ at, by, audience, to = audience, reason }, me) => ({
  at, who: by, rows: reason ? [el('q', {}, el('bdi', {}, visible(reason)))] : [],
  words: by === me ? t('You handed this to {to}.', { to }) : to === me ? t('{by} handed this to you.', { by }) : t('{by} handed this to {to}.', { by, to }),
});

/** Who has edited a call before it came here, and whose approvals do not count any more. */
function editOf(interrupt, me) {
  const { args, editedBy, editedFrom } = about(interrupt.metadata);
  if (typeof editedBy !== 'string' || !isObject(editedFrom)) return [];
  const before = about({ langchain4j: editedFrom }).args;
  const lost = (Array.isArray(editedFrom.approvals) ? editedFrom.approvals : []).map(({ by }) => (by === me ? t('you') : by)).join(', ');
  const rows = [
    ...(before === undefined ? [] : rowsShown(differences(before, args, argumentsSchema(interrupt)))),
    ...(lost === '' ? [] : [el('p', { class: 'over' }, visible(t('Approvals of what it was before do not count any more: {people}.', { people: lost })))]),
  ];
  return [{ at: editedFrom.at, who: editedBy, rows, words: editedBy === me ? t('You changed this call.') : t('{by} changed this call.', { by: editedBy }) }];
}

/** Whom a question needs, and who of them has approved. One person whom nobody names needs no words. */
export function votesInWords({ needed, groups = [], have = [] } = {}) {
  if (needed === undefined || (needed === 1 && groups.length === 0)) return '';
  const who = groups.map((group) => t('{n} from {who}', { n: group.needed, who: group.audience ?? t('anybody who may decide') })).join(', ');
  return `${t('{have} of {n} approval|{have} of {n} approvals', { have: have.length, n: needed })}.${who && ` ${t('Needs {who}.', { who })}`}`;
}

/** What time will do. */
export function stepsInWords(timeline = []) {
  const known = timeline.filter(({ step }) => Object.hasOwn(STEPS, step));
  const toCome = known.filter(({ at }) => new Date(at) > new Date());
  return toCome.length === 0 ? '' : t('If nobody decides: {steps}.', { steps: toCome.map(({ at, step, audience }) => `${clock(at)} ${t(STEPS[step], { who: audience })}`).join('; ') });
}

/** So much of a message is shown. */
const MOST = 280;

/** Who asked for this and what they said last, and what the agent said to it, by the messages of the conversation. */
export function saidBefore({ toolCallId }, conversation = []) {
  const call = conversation.findIndex(({ toolCalls }) => toolCalls?.some(({ id }) => id === toolCallId));
  const before = call < 0 ? conversation : conversation.slice(0, call + 1);
  const asked = before.findLastIndex(({ role, content }) => role === 'user' && textOf(content).trim() !== '');
  if (asked < 0) return [];
  const answer = before.slice(asked + 1).findLast(({ role, content }) => role === 'assistant' && textOf(content).trim() !== '');
  const said = ({ role, name, content }) => el(
    'p', {}, role === 'user' ? face(name) : icon('agent'), el('q', {}, el('bdi', {}, visible(short(textOf(content), MOST)))));
  return [said(before[asked]), ...(answer ? [said(answer)] : [])];
}
