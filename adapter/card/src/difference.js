import { el, isNumber, isObject, labelOf, plain, pointer, same, stringify, visible } from './kit.js';
import { inLocale, t } from './language.js';

/**
 * The leaves in which two JSON values differ, as values: the order of members is no difference, `null` and absent are two values.
 * Each is `{path, label, before, after, parts}`: its JSON pointer, the words for it, both values (`undefined` for none), and what changed in
 * it as `{kind, text}`, where the kind is `same`, `before` or `after`. Of a long text, `parts` has what changed with a little around it.
 *
 * @param schema of the values, if there is one, for the words and the order
 */
export function differences(before, after, schema, path = '', label = '') {
  if (Array.isArray(before) && Array.isArray(after)) return ofItems(before, after, schema, path, label);
  if (isTree(before, after) || isTree(after, before)) {
    return inOrder({ ...before, ...after }, schema).flatMap((name) => {
      const words = labelOf(name, schema?.properties?.[name]).label;
      return differences(own(before, name), own(after, name), schema?.properties?.[name], pointer(path, name), label === '' ? words : `${label} · ${words}`);
    });
  }
  return same(before, after) ? [] : [{ path, label, before, after, parts: partsOf(before, after) }];
}

/** Whether a value is an object with members, beside another or none: what was added or taken away as a whole is told by its leaves. */
const isTree = (value, other) => isObject(value) && (isObject(other) || (other === undefined && Object.keys(value).length > 0));

/** A member of a value, if it has one of that name. */
export const own = (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);

/** An entry that was put in or taken out does not change those after it. */
function ofItems(before, after, schema, path, label) {
  const isOne = (one, other) => differences(one, other).length === 0;
  const [start, end] = ends(before, after, isOne);
  const length = Math.max(before.length, after.length) - end;
  const entry = (items, at) => (at < items.length - end ? items[at] : undefined);
  return Array.from({ length: Math.max(0, length - start) }, (_, i) => start + i).flatMap((at) =>
    differences(entry(before, at), entry(after, at), schema?.items, `${path}/${at}`, `${label} ${at + 1}`.trim()));
}

/** How many of two lists are the same at their beginning, and at their end. */
function ends(one, other, isSame) {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && isSame(one[start], other[start])) start++;
  let end = 0;
  while (end < most - start && isSame(one.at(-1 - end), other.at(-1 - end))) end++;
  return [start, end];
}

/** The names of all members: those of the schema in its order, then the others as given. */
export function inOrder(value, schema) {
  const known = Object.keys(schema?.properties ?? {}).filter((name) => Object.hasOwn(value, name));
  return [...known, ...Object.keys(value).filter((name) => !known.includes(name))];
}

function partsOf(before, after) {
  if (typeof before === 'string' && typeof after === 'string') return inTexts(before, after);
  // with quotes where a text could be taken for the other value
  const isLike = typeof before === 'string' ? plain(before) === plain(after ?? null) : typeof after === 'string' && plain(after) === plain(before ?? null);
  const text = (value) => (value === undefined ? t('left out') : isNumber(value) ? inLocale(stringify(value)) : isLike || value === '' ? stringify(value) : plain(value));
  return [{ kind: 'before', text: text(before) }, { kind: 'after', text: text(after) }];
}

/** So many words and blanks are shown around what changed. */
const AROUND = 12;
/** Texts that differ in more than this have little in common. */
const MOST_CHANGES = 400;
/** What is longer and has no blank is compared by its characters. */
const LONGEST_WORD = 40;

const PIECES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+(?:[.,’'][\p{N}]+)*|\n|[^\S\n]+|./gsu;

const tokensOf = (text) => (text.match(PIECES) ?? []).flatMap((token) => (token.length > LONGEST_WORD ? [...token] : [token]));

/** Word by word, where both texts have some in common, and as a whole where they have none. */
function inTexts(before, after) {
  const [one, other] = [tokensOf(before), tokensOf(after)];
  const [start, end] = ends(one, other, (a, b) => a === b);
  const changes = joined([
    { kind: 'same', tokens: one.slice(0, start) },
    ...steps(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    { kind: 'same', tokens: one.slice(one.length - end) },
  ]);
  if (!changes.some(({ kind, tokens }) => kind === 'same' && /[\p{L}\p{N}]/u.test(tokens.join('')))) {
    return [before, after].map((text, i) => ({ kind: i === 0 ? 'before' : 'after', text: text === '' ? '""' : text }));
  }
  return changes.map(({ kind, tokens }, i) => ({ kind, text: kind === 'same' ? around(tokens, i === 0, i === changes.length - 1) : tokens.join('') }));
}

/** What is the same between changes, without its middle; at the beginning and at the end without what is far away. */
function around(tokens, isFirst, isLast) {
  const head = isFirst ? [] : tokens.slice(0, AROUND);
  const tail = isLast ? [] : tokens.slice(Math.max(isFirst ? 0 : AROUND, tokens.length - AROUND));
  return head.length + tail.length >= tokens.length ? tokens.join('') : `${head.join('')}…${tail.join('')}`;
}

/** The shortest way from one list to the other (E. Myers, 1986); undone and done as a whole if that is long. */
function steps(one, other) {
  const ways = new Map([[1, { x: 0 }]]); // how far each has come, and its steps, the last one first
  for (let d = 0; d <= Math.min(one.length + other.length, MOST_CHANGES); d++) {
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && ways.get(k - 1).x < ways.get(k + 1).x);
      let { x, before } = ways.get(isDown ? k + 1 : k - 1);
      if (d > 0) before = isDown ? { kind: 'after', tokens: [other[x - k - 1]], before } : { kind: 'before', tokens: [one[x]], before };
      if (!isDown) x++;
      while (x < one.length && x - k < other.length && one[x] === other[x - k]) before = { kind: 'same', tokens: [one[x++]], before };
      if (x >= one.length && x - k >= other.length) return inTheirOrder(before);
      ways.set(k, { x, before });
    }
  }
  return [{ kind: 'before', tokens: one }, { kind: 'after', tokens: other }];
}

function inTheirOrder(last) {
  const all = [];
  for (let step = last; step; step = step.before) all.push(step);
  return all.reverse();
}

/** Neighbours of a kind together, and blanks between two changes to both, so that a changed phrase is one change. */
function joined(parts) {
  const groups = [];
  parts.filter(({ tokens }) => tokens.length > 0).forEach(({ kind, tokens }) => {
    const last = groups.at(-1);
    if (kind === 'same' && !last?.same) groups.push({ same: [] });
    if (kind !== 'same' && !last?.before) groups.push({ before: [], after: [] });
    groups.at(-1)[kind].push(...tokens);
  });
  for (let i = groups.length - 2; i > 0; i--) {
    const blank = groups[i].same;
    if (!blank || blank.some((token) => token.trim() !== '' || token === '\n')) continue;
    const [left, , right] = groups.splice(i - 1, 3);
    groups.splice(i - 1, 0, { before: [...left.before, ...blank, ...right.before], after: [...left.after, ...blank, ...right.after] });
  }
  return groups.flatMap((group) => Object.entries(group).map(([kind, tokens]) => ({ kind, tokens }))).filter(({ tokens }) => tokens.length > 0);
}

const BLANKS = { ' ': '␣', '\n': '↵\n', '\t': '⇥' };
const SAID = { before: ['del', 'before: '], after: ['ins', 'now: '] };

/** What changed, as nodes: the old struck out, and the new. */
export function partsShown(parts) {
  const fragment = document.createDocumentFragment();
  parts.forEach(({ kind, text }, i) => {
    if (kind === 'same') return fragment.append(visible(text));
    const [tag, words] = SAID[kind];
    const shown = text.trim() === '' ? text.replace(/[ \n\t]/g, (blank) => BLANKS[blank]) : text;
    if (kind === 'after' && parts[i - 1]?.kind === 'before') fragment.append(t(' → '));
    fragment.append(el(tag, {}, el('span', { class: 'sr-only' }, t(words)), visible(shown)));
  });
  return fragment;
}

/** Each leaf that differs on a line of its own, after its label. */
export const rowsShown = (rows) => rows.map(({ label, parts }) => el('p', { class: 'difference' }, ...(label ? [visible(`${label}: `)] : []), partsShown(parts)));

/** All of what differs between two values, on one line. */
export function difference(before, now) {
  const fragment = document.createDocumentFragment();
  differences(before, now).forEach(({ label, parts }, i) => fragment.append(i > 0 ? '; ' : '', visible(label && `${label}: `), partsShown(parts)));
  return fragment;
}
