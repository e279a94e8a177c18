import { el, freshId, icon, isNumber, isObject, labelOf, number, parse, pointer, stringify, textOf, visible } from './kit.js';
import { NUMBER, dateInWords, inLocale, money, t } from './language.js';
import { differences, inOrder, rowsShown } from './difference.js';

/** What the server says in its own part of the metadata. */
export const ours = (metadata) => (isObject(metadata?.langchain4j) ? metadata.langchain4j : {});

const OF_THE_CALL = ['args', 'argsOrder', 'effect', 'rememberWithin'];

/**
 * What is asked about: for a question of an agent on another server, its own call, beside what our server says of ours. Who has done what with
 * a question, and what others think of it, is ours alone to say; that it cannot be taken back is believed of anybody.
 */
export function about(metadata) {
  const said = withDigits(ours(metadata));
  if (!metadata?.remoteAgent) return said;
  const theirs = Object.entries(about(metadata.remoteAgent.metadata));
  return { ...said, ...Object.fromEntries(theirs.filter(([name, value]) => OF_THE_CALL.includes(name) || value === 'irreversible' && /bility$/.test(name))) };
}

/** With the digits of the arguments that a page has lost which reads numbers as doubles. */
const withDigits = ({ argsDigits, ...said }) => (isObject(argsDigits) && said.args !== undefined ? { ...said, args: exact(said.args, argsDigits) } : said);

function exact(value, digits, path = '') {
  if (Array.isArray(value)) return value.map((item, i) => exact(item, digits, `${path}/${i}`));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) =>
      [name, exact(item, digits, pointer(path, name))]));
  }
  const written = Object.hasOwn(digits, path) ? digits[path] : undefined;
  return isNumber(value) && NUMBER.test(written) ? number(written) : value;
}

export const requiresOnly = ({ required = [] }, names) => Array.isArray(required) && required.every((name) => names.includes(name));

/**
 * All arguments of a call, nothing shortened: text as text, records by their labels, and the whole as JSON below, as given.
 *
 * @param schema the schema of the arguments, if there is one: its order is the one in which a person knows them
 * @param left names of arguments that are shown elsewhere
 * @param json whether the whole is there as JSON, too
 * @param originsOf makes the marks that say where the value of a name comes from
 */
export function argumentList(args, schema, left = new Set(), json = true, originsOf = () => []) {
  const names = isObject(args) ? inOrder(args, schema).filter((name) => !left.has(name)) : [];
  const nothing = left.size > 0 ? undefined : el('p', { class: 'hint' }, t('Without arguments.'));
  return el(
    'div',
    { class: 'arguments' },
    names.length > 0 ? byName(names, schema, (name, of) => {
      const dd = argument(name, args, of);
      dd.append(...originsOf(name));
      return dd;
    }) : nothing,
    json ? details(t('As JSON'), args) : undefined);
}

const SOURCES = { user: 'from a person', tool: 'from {tool}', retrieved: 'retrieved', task: 'from another agent', model: 'from the model' };

/** So much of a text is shown before the place where a value stands, and behind its beginning. */
const BEFORE = 24;
const BEHIND = 56;

/** Where the values of arguments stand first in the conversation, and what stands around a value there, if the page has the conversation. */
export const origins = ({ provenance }, conversation = []) => (name) => {
  const path = pointer('', name);
  const own = Object.entries(provenance?.arguments ?? {}).filter(([at, place]) => `${at}/`.startsWith(`${path}/`) && Object.hasOwn(SOURCES, place?.from));
  return [...new Map(own.map(([, place]) => [stringify({ ...place, at: undefined }), place])).values()].map(({ from, toolName, toolCallId, at, untrusted }) => {
    const source = t(SOURCES[from], { tool: toolName });
    const text = textOf(conversation.find((message) => from === 'tool' && message.role === 'tool' && message.toolCallId === toolCallId)?.content);
    const passage = text.slice(Math.max(0, at - BEFORE), at + BEHIND);
    return el(
      'div', { class: untrusted ? 'hint over' : 'hint' }, visible(untrusted ? t('{source}; nobody vouches for it', { source }) : source),
      ...(passage ? [': ', el('q', {}, el('bdi', {}, at > BEFORE ? '…' : '', visible(passage), text.length > at + BEHIND ? '…' : ''))] : []));
  });
};

/** Values by their labels. */
const byName = (names, schema, shownAs) => el('dl', {}, ...names.flatMap((name) => {
  const of = schema?.properties?.[name];
  return [el('dt', { 'data-name': name }, visible(labelOf(name, of).label)), shownAs(name, of)];
}));

/** One argument as what it is: money, a day or a time, a person, a mail address, a file, by its format, its unit or its name. */
function argument(name, args, schema, level = 0) {
  const value = name === 'arguments' ? inText(args[name]) : args[name];
  const dd = (kind, ...content) => el('dd', { class: kind }, ...content);
  if (isNumber(value)) {
    const unit = unitOf(value, args, schema);
    return dd(typeof unit === 'string' ? 'amount number' : 'number', unit ?? shown(value));
  }
  if (typeof value !== 'string' || value === '') return dd(undefined, shown(value, schema, level));
  const date = dateInWords(value, schema?.format ?? (value.includes('T') ? 'date-time' : 'date'));
  if (date) return dd('date', icon('date'), el('span', {}, date), el('span', { class: 'hint' }, visible(value)));
  const kind = KINDS_OF_TEXT.find(([, fits]) => fits(value, schema, name))?.[0];
  return dd(kind, kind && icon(kind), shown(value));
}

/** The arguments of a call that are given as a text, where it says just what they do, and nothing twice. */
function inText(text) {
  try {
    const args = parse(text);
    return isObject(args) && stringify(args) === text.replace(/("(?:[^"\\]|\\.)*")|\s/g, '$1') ? args : text;
  } catch {
    return text;
  }
}

const KINDS_OF_TEXT = [
  ['mail', (value, schema) => schema?.format === 'email' || /^[^\s@"]+@[^\s@]+\.[^\s@]+$/.test(value)],
  ['file', (value, schema, name) => schema?.contentMediaType !== undefined || (/file|path|attachment/i.test(name) && !value.includes('\n'))],
  ['person', (value, schema, name) => /^(to|payee|recipient|beneficiary|person|who|user|customer|passenger|owner|assignee)$/i.test(name) && !value.includes('\n')],
];

const CURRENCIES = { EUR: /\beuros?\b|€/i, USD: /\bus dollars?\b/i, GBP: /£/ };

/** A number with its unit, money as a text, where the schema, an argument beside it or its description names one. */
export function unitOf(value, args, schema) {
  const token = stringify(value);
  const said = typeof schema?.description === 'string' ? schema.description : '';
  const named = schema?.['x-unit'] ?? args.currency ?? Object.keys(CURRENCIES).find((code) => CURRENCIES[code].test(said) || said.split(/\W/).includes(code));
  if (typeof named !== 'string' || !/^-?\d+(\.\d{1,20})?$/.test(token)) return undefined;
  if (/^[A-Z]{3}$/.test(named)) return money(token, named);
  return schema?.['x-unit'] === undefined ? undefined : visible(`${inLocale(token)} ${named}`);
}

/** Deeper than this nobody finds the way by labels. */
const MAX_LEVELS = 6;

/** A value as a person reads it: records by their labels in the order of the schema, lists entry by entry. */
function shown(value, schema, level = 0) {
  if (value === '') return el('em', {}, t('empty'));
  if (typeof value === 'string') return el('bdi', {}, visible(value));
  if (isNumber(value)) return inLocale(stringify(value));
  if (isScalar(value)) return visible(stringify(value));
  if (level >= MAX_LEVELS) return el('pre', {}, visible(stringify(value, 2)));
  if (Object.keys(value).length === 0) return el('em', {}, Array.isArray(value) ? t('no entries') : t('nothing in it'));
  if (Array.isArray(value)) return el('ol', { class: 'entries' }, ...value.map((item) => el('li', {}, shown(item, schema?.items, level + 1))));
  return byName(inOrder(value, schema), schema, (name, of) => argument(name, value, of, level + 1));
}

/** The schema of a call's arguments, or, where none of them can be edited, at least their order as the tool declares them. */
export function argumentsSchema({ metadata, responseSchema }) {
  const { argsOrder } = about(metadata);
  const order = Array.isArray(argsOrder) ? argsOrder : [];
  return responseSchema?.properties?.editedArgs ?? { properties: Object.fromEntries(order.map((name) => [name, {}])) };
}

/** A value as JSON. */
export function details(summary, value) {
  return el('details', {}, el('summary', {}, visible(summary)), el('pre', { tabindex: '0' }, visible(stringify(value, 2))));
}

/** Deeper than this, and with more columns, JSON is easier to read. */
const MAX_DEPTH = 2;
const MAX_COLUMNS = 8;

/**
 * What the server says that a call would do, or that it could not find out: rows as a table, named values under their names,
 * anything else as text or JSON. All of it is text of somebody's data.
 */
function planOf(plan) {
  if (plan === undefined) return [];
  const id = freshId('plan');
  return [el('section', { class: 'preview', 'aria-labelledby': id }, el('h3', { id }, t('What it would do')), view(plan, 0))];
}

/** What is known of a call besides its arguments: what it would do, whether it can be taken back, and what somebody else thinks of it. */
export const known = (said) => [effectOf, reversibilityOf, opinionOf].flatMap((part) => part(said));

/** What a call would do and what must still hold when it runs; where it is asked again, what has changed, the old beside the new. The question says why. */
function effectOf({ effect: { plan, facts, changed, within } = {} }) {
  return [
    ...rowsShown(differences(changed?.was, changed?.is)),
    ...planOf(plan),
    ...(facts ? [el('p', { class: 'hint' }, t('Only while this holds:')), argumentList(facts, undefined, undefined, true, tolerances(within))] : []),
  ];
}

/** By how much each fact may differ. */
const tolerances = (within = {}) => (name) => {
  const { percent, most = percent } = Object.hasOwn(within, name) ? within[name] : {};
  if (!isNumber(most)) return [];
  const words = `± ${inLocale(stringify(most).replace(/\.0$/, ''))}${percent === undefined ? '' : ' %'}`;
  return [el('div', { class: 'hint' }, el('bdi', { dir: 'ltr' }, visible(words)))];
};

function view(value, depth) {
  if (isScalar(value)) return el('p', { class: 'value' }, shown(value));
  if (depth < MAX_DEPTH && isTable(value)) return table(value);
  if (depth < MAX_DEPTH && isObject(value) && Object.keys(value).length > 0) return byName(Object.keys(value), undefined, (name) => el('dd', {}, view(value[name], depth + 1)));
  return el('pre', {}, visible(stringify(value, 2)));
}

function table(rows) {
  const names = columns(rows);
  const cell = (row, name) => el('td', {}, Object.hasOwn(row, name) ? shown(row[name]) : '');
  return el(
    'table',
    {},
    el('thead', {}, el('tr', {}, ...names.map((name) => el('th', { scope: 'col' }, visible(name))))),
    el('tbody', {}, ...rows.map((row) => el('tr', {}, ...names.map((name) => cell(row, name))))));
}

/** Rows whose cells are single values. */
function isTable(value) {
  return Array.isArray(value)
    && value.every((row) => isObject(row) && Object.values(row).every(isScalar))
    && columns(value).length > 0
    && columns(value).length <= MAX_COLUMNS;
}

const columns = (rows) => [...new Set(rows.flatMap((row) => Object.keys(row)))];
const isScalar = (value) => !Array.isArray(value) && !isObject(value);

const CLASSES = {
  read_only: 'It changes nothing.',
  reversible: 'It can be taken back.',
  externally_reversible: 'Only somebody else can take it back.',
  irreversible: 'It cannot be taken back.',
};

/** Whether what runs can be taken back, and whether something beside it cannot. */
function reversibilityOf({ reversibility: own, batchReversibility: all }) {
  const stricter = all !== own && all === 'irreversible' ? t('Something that would run with it cannot be taken back.') : '';
  const words = `${Object.hasOwn(CLASSES, own) ? t(CLASSES[own]) : ''} ${stricter}`.trim();
  return words === '' ? [] : [el('p', { class: `reversibility ${own === 'irreversible' || stricter ? 'over' : 'hint'}` }, words)];
}

const CONCERNS = {
  none: 'A second opinion has no concern.',
  some: 'A second opinion has a concern.',
  serious: 'A second opinion has a serious concern.',
  unknown: 'There is no second opinion.',
};

/** What another model says of the call; a text, whatever it says. */
function opinionOf({ secondOpinion: opinion }) {
  if (!isObject(opinion) || !Object.hasOwn(CONCERNS, opinion.concern)) return [];
  const reason = typeof opinion.reason === 'string' && opinion.reason !== '' ? [' ', el('q', {}, el('bdi', {}, visible(opinion.reason)))] : [];
  return [el('p', { class: `opinion ${opinion.concern === 'serious' ? 'over' : 'hint'}` }, t(CONCERNS[opinion.concern]), ...reason)];
}

/** Whether a sentence has a text as a whole: Bob is not in Bobby, nor 5 in 5.50. */
function isSaid(message, text) {
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    const goesOn = /[\p{L}\p{M}\p{N}][.,]?$/u.test(message.slice(0, at)) || /^[.,]?[\p{L}\p{M}\p{N}]/u.test(message.slice(at + text.length));
    if (!goesOn) return true;
  }
  return false;
}

/** What a question is about: the arguments of the call, and all that comes with it and is not shown elsewhere. */
export function subject(interrupt, shown = new Set(), optionsShown = false) {
  const { metadata, message = '' } = interrupt;
  const said = withDigits(ours(metadata));
  const { toolName, args, argsSha256, argsOrder, approvals, timeline, mayDecide, decideByLink, delegatedBy, proposedBy, reversibility, batchReversibility, secondOpinion, effect, why, provenance, fingerprint, moreTime, handed, ...more } = said;
  const rest = Object.entries({ ...metadata, langchain4j: more }).filter(([name, value]) => stringify(value) !== '{}' && !shown.has(name));
  const repeated = isObject(args)
    ? Object.keys(args).filter((name) => (name === 'options' && optionsShown)
        || (typeof args[name] === 'string' && args[name] !== '' && isSaid(message, args[name])))
    : [];
  return [
    ...(args === undefined ? [] : [argumentList(args, argumentsSchema(interrupt), new Set(repeated), false)]),
    ...known(said),
    ...(rest.length > 0 ? [details(t('More about this'), Object.fromEntries(rest))] : []),
  ];
}

