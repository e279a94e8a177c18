/** Whether an answer with these properties has all that the schema requires. */
export function requiresOnly({ required = [] }, names) {
  return Array.isArray(required) && required.every((name) => names.includes(name));
}
