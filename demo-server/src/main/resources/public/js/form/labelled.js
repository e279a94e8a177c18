import { el, freshId } from '../dom.js';
import { visible } from '../visible.js';
import { complaints } from './complaints.js';

/** An input with its label, the schema's description and a place for an error. */
export function labelled(label, input, description) {
  const { element: error, reading } = complaints(label, input);
  const hint = explain(input, description, error);
  input.id = freshId('field');
  return { element: el('div', { class: 'field' }, el('label', { for: input.id }, visible(label)), hint, input, error), reading };
}

/** A field set with its legend, the schema's description and a place for an error; `focused` tells what gets the focus then. */
export function group(className, label, description, focused, ...content) {
  const element = el('fieldset', { class: className }, el('legend', {}, visible(label)));
  const { element: error, reading } = complaints(label, element, focused);
  element.append(...[explain(element, description, error), ...content, error].filter((child) => child !== undefined));
  return { element, reading };
}

function explain(input, description, error) {
  const hint = description ? el('p', { class: 'hint', id: freshId('hint') }, visible(String(description))) : undefined;
  input.setAttribute('aria-describedby', hint ? `${hint.id} ${error.id}` : error.id);
  return hint;
}
