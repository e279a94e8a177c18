import { isNumber, isObject } from '../json.js';
import { arrayField } from './array.js';
import { jsonField } from './json-field.js';
import { objectField } from './object.js';
import { booleanField, enumField, numberField, textField } from './scalars.js';

/**
 * A field for a value of a JSON schema: `{element, read()}`, where `read` returns the value or throws a FieldError.
 * What a form cannot express (several types, maps, a value that does not fit) is edited as JSON.
 *
 * @param label the name that the person sees
 * @param value the value to begin with; undefined if there is none
 */
export function field(schema, label, value) {
  return kind(schema, value)(schema, label, value);
}

function kind(schema, value) {
  if (Array.isArray(schema?.enum)) return enumField;
  const known = KINDS[schema?.type];
  return known && (value === undefined || known.fits(schema, value)) ? known.field : jsonField;
}

const KINDS = {
  string: { field: textField, fits: (_, value) => typeof value === 'string' },
  number: { field: numberField, fits: (_, value) => isNumber(value) },
  integer: { field: numberField, fits: (_, value) => isNumber(value) },
  boolean: { field: booleanField, fits: (_, value) => typeof value === 'boolean' },
  array: {
    field: (schema, ...rest) => (schema.items ? arrayField : jsonField)(schema, ...rest),
    fits: (_, value) => Array.isArray(value),
  },
  object: {
    field: (schema, ...rest) => (schema.properties ? objectField : jsonField)(schema, ...rest),
    fits: (schema, value) =>
      isObject(value) && Object.keys(value).every((key) => Object.hasOwn(schema.properties ?? {}, key)),
  },
};
