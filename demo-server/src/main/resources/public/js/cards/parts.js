import { button, el } from '../dom.js';
import { isObject, stringify } from '../json.js';
import { visible } from '../visible.js';
import { argumentList } from './arguments.js';
import { previewOf } from './preview.js';

const NAMES = { input_required: 'Input needed', confirmation: 'Confirmation needed' };

/** The heading of a question: what it wants, and of which tool. */
export function title({ reason, metadata }) {
  const { toolName } = ours(metadata);
  const name = Object.hasOwn(NAMES, reason) ? [NAMES[reason]] : ['Question: ', el('code', {}, visible(reason))];
  return typeof toolName === 'string' ? [...name, ' · ', el('code', {}, visible(toolName))] : name;
}

/** What a question is about: the arguments of the call, and all that comes with it and is not shown elsewhere. */
export function subject({ metadata, responseSchema }) {
  const { toolName, args, argsSha256, preview, previewError, ...more } = ours(metadata);
  const others = { ...metadata, langchain4j: Object.keys(more).length > 0 ? more : undefined };
  const some = Object.values(others).some((value) => value !== undefined);
  return [
    ...(args === undefined ? [] : [argumentList(args, responseSchema?.properties?.editedArgs)]),
    ...previewOf({ preview, previewError }),
    ...(some ? [details('Details', others)] : []),
  ];
}

/** A value as JSON. */
export function details(summary, value) {
  return el('details', { open: true }, el('summary', {}, summary), el('pre', {}, visible(stringify(value, 2))));
}

/** Always there: every question can be let go of. */
export function cancelButton(card, words = 'Cancelled: no answer is given.') {
  return button('Cancel', () => card.cancel(words), 'quiet');
}

/** What the server says in its own part of the metadata. */
export const ours = (metadata) => (isObject(metadata?.langchain4j) ? metadata.langchain4j : {});
