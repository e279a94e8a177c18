import { button } from '../dom.js';
import { visible } from '../visible.js';
import { ours } from './parts.js';

/** One click each for the answers that a call brings in an argument `options`, where an answer is one text. */
export function suggestions(card, { metadata, responseSchema }) {
  const options = ours(metadata).args?.options;
  const answer = oneText(responseSchema);
  if (!answer || !Array.isArray(options) || !options.every((option) => typeof option === 'string' && option !== '')) return [];
  return [...new Set(options)].map((option) => button(visible(option), () => card.resolve(answer(option), `Answered: ${option}`)));
}

/** Makes an answer of a text; undefined if it takes more than that, or not any text. */
function oneText(schema) {
  if (isFreeText(schema)) return (text) => text;
  const fields = schema.type === 'object' ? Object.entries(schema.properties ?? {}) : [];
  return fields.length === 1 && isFreeText(fields[0][1]) ? (text) => ({ [fields[0][0]]: text }) : undefined;
}

const isFreeText = (schema) => Object.keys(schema).every((keyword) => ['type', 'title', 'description'].includes(keyword)) && schema.type === 'string';
