import { isObject, stringify } from '../json.js';

/** The values that a schema names one by one, as `{value, label}`; undefined if it does not. */
export function choices(schema) {
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return options(schema.enum);
  if (Object.hasOwn(schema, 'const')) return options([schema.const]);
  const named = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(named) || named.length === 0 || !named.every((each) => isObject(each) && Object.hasOwn(each, 'const'))) return undefined;
  return options(named.map((each) => each.const)).map(({ value, label }, index) => ({
    value,
    label: typeof named[index].title === 'string' ? named[index].title : label,
  }));
}

/** Texts as they are; with quotes if they could be taken for another value. */
function options(values) {
  const plain = values.every((value) => typeof value === 'string' && value !== '');
  return values.map((value) => ({ value, label: plain ? value : stringify(value) }));
}
