import { el, freshId } from '../dom.js';
import { isObject, stringify } from '../json.js';
import { visible } from '../visible.js';

/** Deeper than this, and with more columns, JSON is easier to read. */
const MAX_DEPTH = 2;
const MAX_COLUMNS = 8;

/**
 * What the server says that a call would do, or that it could not find out: rows as a table, named values under their names,
 * anything else as text or JSON. All of it is text of somebody's data.
 *
 * @param metadata the server's own part of it
 */
export function previewOf({ preview, previewError }) {
  if (preview === undefined && previewError === undefined) return [];
  const id = freshId('preview');
  const shown = previewError === undefined ? view(preview, 0) : el('p', { class: 'field-error' }, scalar(previewError));
  return [el('section', { class: 'preview', 'aria-labelledby': id }, el('h4', { id }, 'Preview'), shown)];
}

function view(value, depth) {
  if (isScalar(value)) return el('p', { class: 'value', dir: 'auto' }, scalar(value));
  if (depth < MAX_DEPTH && isTable(value)) return table(value);
  if (depth < MAX_DEPTH && isObject(value) && Object.keys(value).length > 0) return names(value, depth);
  return el('pre', {}, visible(stringify(value, 2)));
}

function names(value, depth) {
  const entries = Object.keys(value).flatMap((name) => [
    el('dt', {}, visible(name)),
    el('dd', {}, view(value[name], depth + 1)),
  ]);
  return el('dl', {}, ...entries);
}

function table(rows) {
  const names = columns(rows);
  const cell = (row, name) => el('td', { dir: 'auto' }, Object.hasOwn(row, name) ? scalar(row[name]) : '');
  return el(
    'table',
    {},
    el('thead', {}, el('tr', {}, ...names.map((name) => el('th', { scope: 'col' }, visible(name))))),
    el('tbody', {}, ...rows.map((row) => el('tr', {}, ...names.map((name) => cell(row, name))))));
}

/** Rows whose cells are single values. */
function isTable(value) {
  return Array.isArray(value)
    && value.length > 0
    && value.every((row) => isObject(row) && Object.values(row).every(isScalar))
    && columns(value).length > 0
    && columns(value).length <= MAX_COLUMNS;
}

const columns = (rows) => [...new Set(rows.flatMap((row) => Object.keys(row)))];
const isScalar = (value) => !Array.isArray(value) && !isObject(value);
const scalar = (value) => visible(typeof value === 'string' ? value : stringify(value));
