import { arrayField } from './array.js';
import { selectField } from './choice.js';
import { choices } from './choices.js';
import { fits } from './fits.js';
import { fixedField } from './fixed.js';
import { jsonField } from './json-field.js';
import { objectField } from './object.js';
import { booleanField, numberField, textField } from './scalars.js';

/**
 * A field to change a value of a JSON schema: `{element, read()}`, where `read` returns the value or throws a FieldError.
 * What a form cannot express (several types, maps, a value that does not fit) is edited as JSON.
 *
 * @param label the name that the person sees
 * @param value the value to begin with; undefined if there is none
 */
export function field(schema, label, value) {
  if (schema?.readOnly === true) return fixedField(label, value);
  if (schema?.enum?.length > 0) return selectField(choices(schema), label, schema.description, value);
  const known = value === undefined || fits(schema ?? {}, value) ? kind(schema) : jsonField;
  return known(schema, label, value);
}

function kind(schema) {
  switch (schema?.type) {
    case 'string':
      return textField;
    case 'number':
    case 'integer':
      return numberField;
    case 'boolean':
      return booleanField;
    case 'array':
      return schema.items ? (...list) => arrayField(...list, field) : jsonField;
    case 'object':
      return schema.properties ? (...object) => objectField(...object, field) : jsonField;
    default:
      return jsonField;
  }
}
