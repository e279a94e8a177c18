import { isNumber, isObject } from '../json.js';

/** Whether the fields for a schema of this type can show the value. */
export function fits(schema, value) {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
    case 'integer':
      return isNumber(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value) && Object.keys(value).every((key) => Object.hasOwn(schema.properties ?? {}, key));
    default:
      return false;
  }
}
