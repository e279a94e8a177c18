import { isObject } from '../json.js';
import { arrayField } from './array.js';
import { radioField, selectField } from './choice.js';
import { choices } from './choices.js';
import { fits } from './fits.js';
import { jsonField } from './json-field.js';
import { limits } from './limits.js';
import { objectField } from './object.js';
import { numberField } from './scalars.js';
import { textQuestion } from './text-question.js';

/** Up to this many values are all in sight, more are in a list. */
const IN_SIGHT = 7;

/** With these a form might be unable to make what is valid. */
const COMPOSED = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentRequired', 'dependentSchemas', 'prefixItems'];

/**
 * A field for a value that nobody proposed: as `field`, but nothing is chosen beforehand, except what the schema says to be
 * its default, and what is missing or beyond the schema's limits is refused at its input. `label` is the one in use.
 */
export function question(schema, name, value = schema?.default) {
  const { kind, takes } = kindOf(schema);
  const label = typeof schema?.title === 'string' ? schema.title : name;
  return { ...kind(schema, label, takes(schema, value) ? value : undefined), label };
}

/** Whether a form shows the fields of this schema, rather than a box for JSON. */
export const hasForm = (schema) => kindOf(schema) !== JSON_TEXT;

const JSON_TEXT = { kind: jsonField, takes: () => true };
const CHOICE = { kind: choiceQuestion, takes: () => true };
const TYPES = new Map([
  ['string', textQuestion],
  ['number', numberQuestion],
  ['integer', numberQuestion],
  ['boolean', yesOrNo],
  ['array', listQuestion],
  ['object', (schema, label, value) => objectField(schema, label, value, question)],
].map(([type, kind]) => [type, { kind, takes: fits }]));

function kindOf(schema) {
  if (!isObject(schema)) return JSON_TEXT;
  if (choices(schema)) return CHOICE;
  if (COMPOSED.some((keyword) => Object.hasOwn(schema, keyword))) return JSON_TEXT;
  if (schema.type === 'array' && !isObject(schema.items)) return JSON_TEXT;
  if (schema.type === 'object' && !isComplete(schema)) return JSON_TEXT;
  return TYPES.get(schema.type) ?? JSON_TEXT;
}

/** Whether everything that is required has a field. */
function isComplete({ properties, required = [] }) {
  return isObject(properties) && Array.isArray(required) && required.every((name) => Object.hasOwn(properties, name));
}

function choiceQuestion(schema, label, value) {
  const options = choices(schema);
  return (options.length > IN_SIGHT ? selectField : radioField)(options, label, schema.description, value);
}

function yesOrNo(schema, label, value) {
  return radioField([{ value: true, label: 'Yes' }, { value: false, label: 'No' }], label, schema.description, value);
}

function numberQuestion(schema, label, value) {
  return numberField(schema, label, value, limits(schema));
}

function listQuestion(schema, label, value) {
  // an element is called after its list
  const element = (items, ...rest) => question({ ...items, title: undefined }, ...rest);
  return arrayField(schema, label, value, element, limits(schema));
}
