import { isObject } from './kit.js';

/** So many references to definitions are followed, one in the other. */
const MOST_REFERENCES = 6;

/** A schema with its own definitions in the place of the references to them, and without an `allOf` of one, as many servers write schemas. */
export function expanded(schema, root = schema, followed = []) {
  if (Array.isArray(schema)) return schema.map((each) => expanded(each, root, followed));
  if (!isObject(schema)) return schema;
  const { $ref, allOf, ...more } = schema;
  const named = typeof $ref === 'string' ? /^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) : undefined;
  const one = named ? root[named[1]]?.[named[2]] : Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  const isWhole = isObject(one) && Object.keys(more).every((keyword) => !Object.hasOwn(one, keyword) || ANNOTATIONS.includes(keyword));
  if (isWhole && followed.length < MOST_REFERENCES && !followed.includes(one)) return { ...expanded(one, root, [...followed, one]), ...more };
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, LITERAL.includes(name) ? value : expanded(value, root, followed)]));
}

const ANNOTATIONS = ['title', 'description', 'default'];
const LITERAL = ['enum', 'const', 'default', 'examples', '$defs', 'definitions'];
