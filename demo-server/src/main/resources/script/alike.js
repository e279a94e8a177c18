import { about, argumentsSchema, el, inLocale, inOrder, isNumber, isObject, labelOf, ours, plain, requiresOnly, same, stringify, unitOf, visible } from './kit.js';

/** What a line shows, or what says nothing about the call: a question with anything else is looked at by itself. */
const SAID = new Set([
  'toolName', 'args', 'argsSha256', 'argsDigits', 'argsOrder', 'mayDecide', 'timeline', 'rememberWithin', 'decideByLink', 'reversibility', 'approvals', 'moreTime',
]);
const LONGEST = 300;

/** So many times larger or smaller than the middle one is unlike the others. */
const FAR = 3;

/**
 * The call of a conversation's only question, if one line shows all of it and a plain approval answers it: `tool`, `owner`, and its arguments as
 * `rows` of name, label, value and `words`, which are those of the card. Undefined for whatever has to be looked at by itself.
 */
export function callOf(items) {
  if (items.length !== 1) return undefined;
  const [{ owner, interrupt, expired }] = items;
  const { responseSchema, metadata } = interrupt;
  const { toolName, args, reversibility, approvals } = about(metadata);
  const isPlain = interrupt.reason === 'tool_call' && !expired && isObject(args) && typeof toolName === 'string'
    && Object.keys(metadata).every((name) => name === 'langchain4j') && Object.keys(ours(metadata)).every((name) => SAID.has(name))
    && reversibility !== 'irreversible' && (approvals?.have ?? []).length === 0
    && responseSchema?.properties?.approved?.type === 'boolean' && requiresOnly(responseSchema, ['approved'])
    && stringify(args).length <= LONGEST;
  if (!isPlain) return undefined;
  const schema = argumentsSchema(interrupt);
  const row = (name) => {
    const value = args[name];
    const of = schema?.properties?.[name];
    return { name, label: labelOf(name, of).label, value, words: wordsOf(value, args, of) };
  };
  return { tool: toolName, owner, rows: inOrder(args, schema).map(row) };
}

/** A value as the card shows it, on one line: a mark is where a line of a text ends. */
export function wordsOf(value, args, schema) {
  if (!isNumber(value)) return plain(value).replaceAll('\n', '↵ ');
  const unit = unitOf(value, args, schema) ?? inLocale(stringify(value));
  return unit.textContent ?? unit;
}

const nameOf = ({ tool, owner, rows }) => stringify([tool, owner, rows.map(({ name }) => name).sort()]);

const valueOf = (call, name) => call.rows.find((row) => row.name === name).value;

/** Puts the like ones together, each with what all `share`, in the order of the first of each; what is like no other is alone. */
export function alike(entries) {
  const groups = new Map();
  for (const entry of entries) {
    const key = entry.call ? nameOf(entry.call) : entry.threadId;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups].map(([key, members]) => {
    const [{ call }] = members;
    const isShared = ({ name, value }) => members.every((other) => same(valueOf(other.call, name), value));
    const shared = members.length > 1 ? call.rows.filter(isShared) : [];
    const varied = members.length > 1 ? call.rows.filter((row) => !shared.includes(row)).map(({ name }) => name) : [];
    const odd = new Set(members.filter((member) => varied.some((name) => isOdd(member.call, name, members))));
    return { key, members: [...odd, ...members.filter((member) => !odd.has(member))], shared, varied, odd };
  });
}

/** Whether a value is unlike those of the others: a number far from the middle one, or what one has where most have another. */
function isOdd(call, name, members) {
  const value = valueOf(call, name);
  const all = members.map((member) => valueOf(member.call, name));
  if (all.length < 3) return false;
  if (all.every(isNumber)) {
    const numbers = all.map((each) => Number(stringify(each))).sort((one, other) => one - other);
    const middle = Math.abs(numbers[Math.floor(numbers.length / 2)]);
    const size = Math.abs(Number(stringify(value)));
    return size > FAR * middle || size * FAR < middle;
  }
  const count = (wanted) => all.filter((each) => same(each, wanted)).length;
  return count(value) === 1 && all.some((each) => count(each) > all.length / 2);
}

/** Arguments on one line, nothing of them left out. */
export const inLine = (rows) => rows.map(({ label, value, words }) => el(
  'span', { class: 'differs' },
  el('span', { class: 'name' }, visible(label)), ' ', el('span', { class: 'value', dir: 'auto' }, isNumber(value) ? words : visible(words)), ' '));
