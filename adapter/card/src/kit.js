import { t } from './language.js';

/**
 * Makes an element. Strings among the children become text nodes: nothing here is ever parsed as HTML.
 * Attributes: `on…` adds a listener, `true` sets an empty attribute, `false` and `undefined` set none.
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The attributes that are read out, or shown, as texts. */
const READ_OUT = new Set(['aria-label', 'title', 'placeholder', 'alt']);

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== undefined) node.setAttribute(name, READ_OUT.has(name) ? inSight(value) : value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

/** A button that does not submit a form. */
export function button(label, onclick, className = '') {
  return el('button', { type: 'button', class: className, onclick }, label);
}

let ids = 0;

/** An id for an element that a label or a description refers to. */
export const freshId = (prefix) => `${prefix}-${++ids}`;

const ICONS = {
  wait: 'M6 3v10M10 3v10',
  done: 'M3 8.5l3.5 3.5L13 5',
  no: 'M4 4l8 8M12 4l-8 8',
  edit: 'M3 13l1-3 7-7 2 2-7 7zM10 4l2 2',
  person: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 14c.5-3 2.5-4 5-4s4.5 1 5 4',
  ask: 'M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .8-1 1.7M8 12.5v.5',
  alert: 'M8 2.5L14.5 13.5h-13zM8 7v3M8 11.8v.2',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.5l2.3 1.300',
  run: 'M8 2a6 6 0 1 0 6 6',
  mail: 'M2 4h12v8H2zM2 4.5l6 4.5 6-4.5',
  money: 'M1.5 4.5h13v7h-13zM8 6.5v3M4 8h.1M12 8h.1',
  bin: 'M3 4.5h10M6 4V2.5h4V4M4.5 4.5l.5 9h6l.5-9M8 7v4',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  date: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  agent: 'M8 2l1.6 4.4L14 8l-4.4 1.6L8 14l-1.6-4.4L2 8l4.4-1.6z',
};

/** What tools do, by the words of their names; the first counts. */
const DOES = [
  ['bin', /delete|remove|drop|purge|erase|wipe/], ['mail', /mail|message|send|notify|invite/], ['money', /pay|transfer|buy|sell|order|refund|charge|invoice|share/],
  ['date', /book|schedule|calendar|event|flight|meeting/], ['file', /file|write|upload|save|document/],
];

/** The drawing for a tool, by its name. */
export const markOf = (toolName) => DOES.find(([, words]) => words.test(toolName.toLowerCase()))?.[0] ?? 'wait';

/** Makes an element of a drawing. */
export const svg = (tag, attributes, ...children) =>
  filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/** A small drawing that says nothing to a screen reader. */
export const icon = (name) =>
  svg('svg', { viewBox: '0 0 16 16', class: `icon icon-${name}`, 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] }));

/**
 * JSON without loss of numbers. `JSON.parse` turns 12345678901234567.89 into a double, so a person would approve, or send
 * back after an edit, another number than the one proposed. Numbers that a double cannot write back letter by letter become
 * an ExactNumber that keeps the token. Reviver contexts (`context.source`) and `JSON.rawJSON` would do the same but are not
 * in every browser in use.
 */
export class ExactNumber {
  constructor(token) {
    this.token = token;
  }
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

// not to be guessed, or arguments that use this key themselves would be taken for a number
const KEY = crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4))).join('-');

/** A number as a plain one if that is exact, as an ExactNumber otherwise. */
export function number(token) {
  return String(Number(token)) === token ? Number(token) : new ExactNumber(token);
}

/** Like JSON.parse, also in its errors. */
export function parse(text) {
  JSON.parse(text);
  const marked = text.replace(TOKENS, (token) => (token[0] === '"' ? token : `{"${KEY}":"${token}"}`));
  return JSON.parse(marked, (_, value) =>
    value !== null && typeof value === 'object' && Object.hasOwn(value, KEY) ? number(value[KEY]) : value);
}

/** Like JSON.stringify for what `parse` returns: members that are undefined are left out. */
export function stringify(value, indent = 0, depth = 0) {
  if (value instanceof ExactNumber) return value.token;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map((item) => stringify(item, indent, depth + 1))
    : Object.keys(value)
        .filter((key) => value[key] !== undefined)
        .map((key) => `${JSON.stringify(key)}:${indent ? ' ' : ''}${stringify(value[key], indent, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (!indent || items.length === 0) return open + items.join(',') + close;
  const line = `\n${' '.repeat(indent * (depth + 1))}`;
  return `${open}${line}${items.join(`,${line}`)}\n${' '.repeat(indent * depth)}${close}`;
}

export const isNumber = (value) => typeof value === 'number' || value instanceof ExactNumber;

export const isObject = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof ExactNumber);

export const same = (one, other) => stringify(one) === stringify(other);

/** The JSON pointer to a member. */
export const pointer = (path, name) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A value as a person reads it: text as it is, anything else as JSON. */
export const plain = (value, indent = 0) => (typeof value === 'string' ? value : stringify(value, indent));

// everything that a browser would hide, reorder or show as an ordinary blank; line feeds and tabs are left
const HIDDEN =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

const escaped = (character) => {
  const code = character.codePointAt(0);
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

// letters of other alphabets that look like Latin ones, and the letters of formulas
const ALIKE =
  /[\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b9\u03bd\u03bf\u03c1\u03c5\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0423\u0425\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u04cf\u0501\u051b\u051d\u0578\u057d\u0585\u{1d400}-\u{1d7ff}]/u;
const WORD = /[\p{L}\p{M}\u{1d400}-\u{1d7ff}]+/gu;
const LATIN = /\p{Script=Latin}/u;

/** Where letters stand that look like others: in a word with Latin letters, or as a word in a Latin text that has no other of their alphabet. */
function lookAlikes(text) {
  if (!ALIKE.test(text)) return [];
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index, letters: [...word], isLatin: LATIN.test(word) }));
  const isAlone = words.some(({ isLatin }) => isLatin) && words.every(({ isLatin, letters }) => isLatin || letters.every((letter) => ALIKE.test(letter)));
  return words.filter(({ isLatin, letters }) => isLatin || (isAlone && letters.length > 1)).flatMap(({ letters, index }) => {
    let at = index;
    return letters.flatMap((letter) => {
      const found = ALIKE.test(letter) ? [{ index: at, character: letter, title: () => t('a letter that looks like another one') }] : [];
      at += letter.length;
      return found;
    });
  });
}

/** Whether some of the text would not be seen, or would be taken for something else. */
export const hasHidden = (text) => text.search(HIDDEN) >= 0 || lookAlikes(text).length > 0;

/**
 * The text as nodes: what is shown is what will run. Control, bidirectional, zero-width and other invisible characters
 * appear as highlighted escapes such as \u202e, and so do letters that look like others.
 */
export function visible(text) {
  const fragment = document.createDocumentFragment();
  let from = 0;
  const invisible = [...text.matchAll(HIDDEN)].map(({ 0: character, index }) => ({ index, character, title: () => t('an invisible character') }));
  for (const { index, character, title } of [...invisible, ...lookAlikes(text)].sort((one, other) => one.index - other.index)) {
    fragment.append(text.slice(from, index));
    fragment.append(el('span', { class: 'escape', title: title() }, escaped(character)));
    from = index + character.length;
  }
  fragment.append(text.slice(from));
  return fragment;
}

/** The same as a text, for a place that takes no elements. */
export const inSight = (text) => visible(String(text)).textContent;

/** The text of a message's content, which is a text or has parts. */
export const textOf = (content) => (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join(''));

/** The text on one line, no longer than this. */
export function short(text, length) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

const LONGEST_LABEL = 48;

/**
 * What a person reads instead of the name of an argument or a property: its title, a short description such as “the amount in
 * euros”, or the name in words. A longer description is a hint of its own.
 */
export function labelOf(name, schema) {
  const { title, description } = isObject(schema) ? { ...notNull(schema), ...schema } : {};
  if (typeof title === 'string' && title !== '') return { label: title, hint: texts(description) };
  if (typeof description === 'string' && description !== '' && description.length <= LONGEST_LABEL && !/[.\n]/.test(description)) {
    return { label: capital(description.replace(/^(?:the|an?) /i, '')) };
  }
  return { label: inWords(name), hint: texts(description) };
}

/** What a schema takes beside `null`, as a schema; undefined if it takes no `null`, or values of several types. */
export function notNull(schema) {
  const isNull = (type) => type === 'null';
  if (Array.isArray(schema?.type)) {
    const others = schema.type.filter((type) => !isNull(type));
    return others.length === 1 && others.length < schema.type.length ? { ...schema, type: others[0] } : undefined;
  }
  const named = schema?.anyOf ?? schema?.oneOf;
  if (schema?.type !== undefined || !Array.isArray(named) || named.length !== 2) return undefined;
  const [other] = named.filter((each) => isObject(each) && !isNull(each.type));
  return named.some((each) => isNull(each?.type)) ? other : undefined;
}

const texts = (value) => (typeof value === 'string' ? value : value === undefined ? undefined : stringify(value));

/** `dueDate` and `due_date` as “Due date”. */
export const inWords = (name) =>
  capital(name.replace(/[_-]+/g, ' ').replace(/([a-z\d])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`).trim() || name);

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
