import { isNumber, stringify } from '../json.js';

// Rounding keeps the order, so no number is refused wrongly; what gets through is the server's to refuse.
const double = (number) => Number(stringify(number));
const same = (one, other) => stringify(one) === stringify(other);
const counted = (one, many) => (count) => (count === '1' ? `1 ${one}` : `${count} ${many}`);

const asIs = (bound) => bound;
const characters = counted('character', 'characters');
const entries = counted('entry', 'entries');

const NUMBER = {
  minimum: ['be at least', asIs, (value, bound) => double(value) >= double(bound)],
  maximum: ['be at most', asIs, (value, bound) => double(value) <= double(bound)],
  exclusiveMinimum: ['be more than', asIs, (value, bound) => double(value) >= double(bound) && !same(value, bound)],
  exclusiveMaximum: ['be less than', asIs, (value, bound) => double(value) <= double(bound) && !same(value, bound)],
};

/** The limits that the page knows, by type and keyword: what they say, the unit, and whether a value keeps to them. */
const KEYWORDS = {
  number: NUMBER,
  integer: NUMBER,
  string: {
    minLength: ['have at least', characters, (value, bound) => [...value].length >= double(bound)],
    maxLength: ['have at most', characters, (value, bound) => [...value].length <= double(bound)],
  },
  array: {
    minItems: ['have at least', entries, (value, bound) => value.length >= double(bound)],
    maxItems: ['have at most', entries, (value, bound) => value.length <= double(bound)],
  },
};

/** What a field says about its schema, `description`, and `check(value)`, which throws if the value is outside of it. */
export const unlimited = ({ description }) => ({ description, check: () => {} });

/** The same with the limits of texts, numbers and lists. Patterns and formats are left to the server. */
export function limits(schema) {
  const all = Object.entries(KEYWORDS[schema.type] ?? {})
    .filter(([keyword]) => isNumber(schema[keyword]))
    .map(([keyword, [words, unit, holds]]) => ({
      words: `${words} ${unit(stringify(schema[keyword]))}`,
      holds: (value) => holds(value, schema[keyword]),
    }));
  return {
    description: [schema.description, ...all.map(({ words }) => `Must ${words}.`)].filter((text) => text !== undefined).join(' '),
    check(value) {
      const broken = all.find(({ holds }) => !holds(value));
      if (broken) throw new Error(`It must ${broken.words}.`);
    },
  };
}
