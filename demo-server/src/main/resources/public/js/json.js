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

export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

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
