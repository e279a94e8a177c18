import {
  button, el, freshId, hasHidden, inSight, inWords, isNumber, isObject, labelOf, notNull, number, parse, plain, same, stringify, visible,
} from './kit.js';
import { dateInWords, inLocale, numberIn, t } from './language.js';
import { differences, own, rowsShown } from './difference.js';

/** Says which input cannot be read, and why. */
export class FieldError extends Error {
  constructor(message, input) {
    super(message);
    this.input = input;
  }
}

/**
 * The place where an input says why it cannot be read.
 *
 * @param focused what gets the focus then, if the input itself cannot have it
 */
function complaints(label, input, focused = () => input) {
  const element = el('p', { class: 'field-error', id: freshId('error'), hidden: true });
  return {
    element,
    /** Runs what reads the input; shows its error at the input as well. */
    reading(read) {
      try {
        element.hidden = true;
        input.removeAttribute('aria-invalid');
        return read();
      } catch (e) {
        // what is inside of a group has said so itself
        if (e instanceof FieldError) throw e;
        element.replaceChildren(visible(e.message));
        element.hidden = false;
        input.setAttribute('aria-invalid', 'true');
        throw new FieldError(`${label}: ${e.message}`, focused());
      }
    },
  };
}

/** An input with its label, a hint and a place for an error. */
export function labelled(label, input, hint) {
  const { element: error, reading } = complaints(label, input);
  const explained = explain(input, hint, error);
  input.id = freshId('field');
  return { element: el('div', { class: 'field' }, el('label', { for: input.id }, visible(label)), explained, input, error), reading };
}

/** A field set with its legend, a hint and a place for an error; `focused` tells what gets the focus then. */
function group(className, label, hint, focused, ...content) {
  const element = el('fieldset', { class: className }, el('legend', {}, visible(label)));
  const { element: error, reading } = complaints(label, element, focused);
  element.append(...[explain(element, hint, error), ...content, error].filter((child) => child !== undefined));
  return { element, reading };
}

function explain(input, description, error) {
  const hint = description ? el('p', { class: 'hint', id: freshId('hint') }, visible(String(description))) : undefined;
  input.setAttribute('aria-describedby', hint ? `${hint.id} ${error.id}` : error.id);
  return hint;
}

// Rounding keeps the order, so no number is refused wrongly; what gets through is the server's to refuse.
const double = (value) => Number(stringify(value));

const OF_NUMBERS = {
  minimum: ['be at least {bound}', (value, bound) => double(value) >= double(bound)],
  maximum: ['be at most {bound}', (value, bound) => double(value) <= double(bound)],
  exclusiveMinimum: ['be more than {bound}', (value, bound) => double(value) >= double(bound) && !same(value, bound)],
  exclusiveMaximum: ['be less than {bound}', (value, bound) => double(value) <= double(bound) && !same(value, bound)],
};

/** The limits that the page knows, by type and keyword: what they say, and whether a value keeps to them. */
const LIMITS = {
  number: OF_NUMBERS,
  integer: OF_NUMBERS,
  string: {
    minLength: ['have at least {n} character|have at least {n} characters', (value, bound) => [...value].length >= double(bound)],
    maxLength: ['have at most {n} character|have at most {n} characters', (value, bound) => [...value].length <= double(bound)],
  },
  array: {
    minItems: ['have at least {n} entry|have at least {n} entries', (value, bound) => value.length >= double(bound)],
    maxItems: ['have at most {n} entry|have at most {n} entries', (value, bound) => value.length <= double(bound)],
  },
};

const FORMATS = { email: 'An email address.', uri: 'A web address.', 'date-time': 'Date and time, such as 2026-11-22T10:00:00Z.' };

/**
 * What a field says before anything is broken, and `check(value)`, which throws if a value is outside of the limits of its
 * schema. Patterns and formats are left to the server.
 */
function limits(schema, hint) {
  const all = Object.entries(LIMITS[schema.type] ?? {})
    .filter(([keyword]) => isNumber(schema[keyword]))
    .map(([keyword, [words, holds]]) => ({
      words: t(words, { n: Number(stringify(schema[keyword])), bound: inLocale(stringify(schema[keyword])) }),
      holds: (value) => holds(value, schema[keyword]),
    }));
  const format = Object.hasOwn(FORMATS, schema.format) ? t(FORMATS[schema.format]) : undefined;
  return {
    hint: [hint, format, ...all.map(({ words }) => t('Must {rule}.', { rule: words }))].filter((text) => text !== undefined).join(' '),
    check(value) {
      const broken = all.find(({ holds }) => !holds(value));
      if (broken) throw new Error(t('It must {rule}.', { rule: broken.words }));
    },
  };
}

const ONE_LINE = 60;
const LONG = /body|text|content|description|note|comment|^answer$/i;

/** Text, exactly as it was unless the person changes it: an input may normalise line breaks on its own. */
export function textField(schema, { name, label, hint }, value = '', check = limits(schema).check) {
  const long = value.length > ONE_LINE || value.includes('\n') || LONG.test(name);
  const date = schema.format === 'date' && (value === '' || /^\d{4}-\d\d-\d\d$/.test(value));
  const input = long ? el('textarea', { rows: Math.min(10, value.split('\n').length + 2) }) : el('input', { type: date ? 'date' : 'text' });
  input.value = value;
  const untouched = input.value;
  const { element, reading } = labelled(label, input, limits(schema, hint).hint);
  const read = () => (input.value === untouched ? value : input.value);
  const shown = el('p', { class: 'hidden-text' });
  const show = () => {
    shown.hidden = !hasHidden(read());
    shown.replaceChildren(t('Contains invisible or look-alike characters: '), visible(read()));
  };
  const inFull = el('p', { class: 'hint' });
  const showDate = () => (inFull.textContent = dateInWords(input.value, schema.format) ?? '');
  for (const each of [show, showDate]) {
    input.addEventListener('input', each);
    each();
  }
  element.append(inFull, shown);
  const checked = () => {
    check(read());
    return read();
  };
  return { element, input, read: () => reading(checked) };
}

/** A number by its digits, so that none of them is lost. */
function numberField(schema, { label, hint }, value) {
  const input = el('input', { type: 'text', inputmode: schema.type === 'integer' ? 'numeric' : 'decimal' });
  if (value !== undefined) input.value = inLocale(stringify(value));
  const untouched = value === undefined ? undefined : input.value;
  const { hint: said, check } = limits(schema, hint);
  const { element, reading } = labelled(label, input, said);
  const read = () => {
    const token = input.value === untouched ? stringify(value) : numberIn(input.value, schema.type);
    check(number(token));
    return number(token);
  };
  return { element, read: () => reading(read) };
}

function booleanField(schema, { label, hint }, value = false) {
  const input = el('input', { type: 'checkbox' });
  input.checked = value;
  const { element } = labelled(label, input, hint);
  element.classList.add('check');
  return { element, read: () => input.checked };
}

/** A value as JSON text; what is wrong with it is said under it. */
export function jsonField(schema, { label, hint }, value) {
  const input = el('textarea', { class: 'code', spellcheck: 'false' });
  input.value = value === undefined ? '' : stringify(value, 2);
  input.rows = Math.min(14, input.value.split('\n').length + 2);
  const { element, reading } = labelled(`${label} (JSON)`, input, hint);
  return {
    element,
    read: () =>
      reading(() => {
        if (input.value.trim() === '') throw new Error(t('Write a JSON value.'));
        return parse(input.value);
      }),
  };
}

/** A value that stays as it is: shown, and sent back as it came. */
function fixedField(schema, { label }, value) {
  const id = freshId('fixed');
  const hint = freshId('hint');
  const text = value === undefined ? el('em', {}, t('none')) : visible(plain(value, 2));
  const element = el(
    'div',
    { class: 'field fixed', role: 'group', 'aria-labelledby': id, 'aria-describedby': hint },
    el('span', { class: 'name', id }, visible(label)),
    el('div', { class: typeof value === 'string' ? 'value' : 'value code', dir: 'auto' }, text),
    el('p', { class: 'hint', id: hint }, t('Cannot be changed.')));
  return { element, read: () => value, fixed: true };
}

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
  const texts = values.every((value) => typeof value === 'string' && value !== '');
  return values.map((value) => ({ value, label: texts ? value : stringify(value) }));
}

/** A choice between values, whatever their types, from a list. */
function selectField(list, { label, hint }, value) {
  const input = el(
    'select',
    {},
    el('option', { value: '' }, t('Choose…')),
    ...list.map((option, index) => el('option', { value: index }, visible(option.label))));
  const chosen = chosenOf(list, value);
  input.value = chosen < 0 ? '' : String(chosen);
  const { element, reading } = labelled(label, input, hint);
  const read = () => {
    if (input.value === '') throw new Error(t('Choose one of the values.'));
    return list[Number(input.value)].value;
  };
  return { element, read: () => reading(read) };
}

/** The same with all values in sight. An option may have a `hint`. */
export function radioField(list, { label, hint }, value) {
  const name = freshId('choice');
  const chosen = chosenOf(list, value);
  const radios = list.map((_, index) => {
    const radio = el('input', { type: 'radio', name, id: `${name}-${index}`, value: index });
    radio.checked = index === chosen;
    return radio;
  });
  const rows = list.map((option, index) => optionRow(option, radios[index]));
  const { element, reading } = group('choice', label, hint, () => radios[0], ...rows);
  element.setAttribute('role', 'radiogroup');
  const read = () => {
    const index = radios.findIndex((radio) => radio.checked);
    if (index < 0) throw new Error(t('Choose one of them.'));
    return list[index].value;
  };
  return { element, read: () => reading(read) };
}

function optionRow({ label, hint }, radio) {
  const id = hint && `${radio.id}-hint`;
  if (hint) radio.setAttribute('aria-describedby', id);
  return el(
    'div',
    { class: 'option' },
    radio,
    el('label', { for: radio.id }, visible(label)),
    hint ? el('p', { class: 'hint', id }, visible(hint)) : undefined);
}

const chosenOf = (list, value) => (value === undefined ? -1 : list.findIndex((option) => same(option.value, value)));

/**
 * A list of fields that can be added to and removed from.
 *
 * @param fieldOf makes the field of an element
 */
function arrayField(schema, { name, label, hint }, value, fieldOf) {
  const rows = [];
  const list = el('div', { class: 'items' });
  const add = button(visible(t('Add to {list}', { list: label })), () => {
    append(undefined);
    rows.at(-1).element.querySelector('input, textarea, select')?.focus();
  });

  function append(item) {
    const inner = fieldOf(schema.items, { name, label: `${label} ${rows.length + 1}` }, item);
    const row = { read: inner.read };
    const remove = button(t('Remove'), () => {
      rows.splice(rows.indexOf(row), 1);
      row.element.remove();
      add.focus();
    }, 'quiet');
    remove.setAttribute('aria-label', inSight(t('Remove {entry}', { entry: `${label} ${rows.length + 1}` })));
    row.element = el('div', { class: 'item' }, inner.element, remove);
    rows.push(row);
    list.append(row.element);
  }

  (value ?? []).forEach(append);
  const { hint: said, check } = limits(schema, hint);
  const { element, reading } = group('array', label, said, () => add, list, add);
  const read = () => {
    const items = readAll(rows);
    check(items);
    return items;
  };
  return { element, read: () => reading(read) };
}

/**
 * A field set with a field for each property. A property that is not required can be left out, unless its field is fixed.
 *
 * @param fieldOf makes the field of a property
 */
function objectField(schema, { label, hint }, value, fieldOf) {
  const members = membersOf(schema, value, fieldOf);
  const fields = members.map((each) => each.element);
  // what is all of an answer needs no frame
  const element = label === undefined ? el('div', { class: 'fields' }, ...fields) : group('object', label, hint, undefined, ...fields).element;
  return { element, read: () => together(members) };
}

function membersOf(schema, value, fieldOf) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, property]) => {
    const said = { name, ...labelOf(name, property) };
    const was = own(value, name);
    const inner = fieldOf(property, said, was);
    return { name, was, ...(required.has(name) || inner.fixed ? inner : optional(inner, said.label, was !== undefined)) };
  });
}

// entries, not assignments: a property may be called __proto__
const together = (members) => {
  const values = readAll(members);
  return Object.fromEntries(members.map(({ name }, index) => [name, values[index]]).filter(([, value]) => value !== undefined));
};

/** What is read, as `value`, or the `error` of a field that cannot be read. */
export function tried(read) {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return { error };
  }
}

/** What all of them say. If some cannot be read, each of these shows it, and the first gets the focus. */
function readAll(fields) {
  const all = fields.map(({ read }) => tried(read));
  const errors = all.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) throw new FieldError(errors.map(({ message }) => message).join(' '), errors[0].input);
  return all.map(({ value }) => value);
}

/** A box to tick, with its label beside it. */
function tickBox(label, isTicked) {
  const id = freshId('tick');
  const input = el('input', { type: 'checkbox', id });
  input.checked = isTicked;
  return { input, element: el('div', { class: 'check include' }, input, el('label', { for: id }, visible(label))) };
}

/** A field, or another value in its place, where the box beside it is as `when`. */
function orElse(inner, label, isTicked, when, other) {
  const { input, element } = tickBox(label, isTicked);
  const show = () => (inner.element.hidden = input.checked === when);
  input.addEventListener('change', show);
  show();
  return {
    element: el('div', { class: 'optional' }, ...(when ? [inner.element, element] : [element, inner.element])),
    read: () => (input.checked === when ? other : inner.read()),
  };
}

const optional = (inner, label, isIncluded) => orElse(inner, t('Include {label}', { label }), isIncluded, false, undefined);

/** A field for a value that may be `null`, which is a value of its own: not to send the value at all is another thing. */
function nullableField(schema, said, value, fieldOf) {
  const inner = fieldOf(notNull(schema), said, value === null ? undefined : value);
  return orElse(inner, t('{label}: no value (null)', { label: said.label }), value === null, true, null);
}

const NUMERIC = { is: isNumber, field: numberField };

/** What a value of a type is, the field to change one, and, if it is another one, that for a value that nobody proposed. */
const TYPES = {
  string: { is: (value) => typeof value === 'string', field: (schema, said, value) => textField(schema, said, value), ask: textQuestion },
  number: NUMERIC,
  integer: NUMERIC,
  boolean: { is: (value) => typeof value === 'boolean', field: booleanField, ask: yesOrNo },
  array: { is: Array.isArray, field: arrayField },
  object: { is: (value, { properties }) => isObject(value) && Object.keys(value).every((key) => Object.hasOwn(properties ?? {}, key)), field: objectField },
};

const typeOf = (schema) => (Object.hasOwn(TYPES, schema?.type) ? TYPES[schema.type] : undefined);

/** Whether the fields for a schema of this type can show the value. */
const fits = (schema, value) => typeOf(schema)?.is(value, schema) ?? false;

/**
 * A field to change a value of a JSON schema: `{element, read()}`, where `read` returns the value or throws a FieldError.
 * What a form cannot express (several types other than `null`, maps, a value that does not fit) is edited as JSON.
 *
 * @param said the name of the value, and the label and hint that the person sees
 * @param value the value to begin with; undefined if there is none
 */
function field(schema, said, value) {
  if (schema?.readOnly === true) return fixedField(schema, said, value);
  if (schema?.enum?.length > 0) return selectField(choices(schema), said, value);
  const other = notNull(schema);
  if (other && hasField(other) && (value === undefined || value === null || other.enum || fits(other, value))) return nullableField(schema, said, value, field);
  const kind = value === undefined || fits(schema, value) ? kindOfField(schema) : jsonField;
  return kind(schema, said, value, field);
}

const hasField = (schema) => schema.enum?.length > 0 || kindOfField(schema) !== jsonField;

function kindOfField(schema) {
  const isWhole = schema?.type === 'array' ? schema.items : schema?.type !== 'object' || schema.properties;
  return (isWhole && typeOf(schema)?.field) || jsonField;
}

/**
 * The arguments of a call to be changed. `changed` is called with how many of them differ from the proposal, and whether all
 * can be read, whenever something was typed; what differs is shown next to its field, leaf by leaf, as old and new.
 *
 * @param schema what the arguments have to fit
 * @param args as proposed
 */
export function argumentsEditor(schema, args, changed) {
  const whole = !isObject(schema.properties) || !isObject(args) || !fits({ ...schema, type: 'object' }, args);
  const members = whole
    ? [{ name: 'arguments', was: args, ...jsonField(schema, { label: t('Arguments') }, args) }]
    : membersOf(schema, args, field);
  const marks = members.map((member) => {
    const mark = el('div', { class: 'differences', hidden: true });
    member.element.append(mark);
    return mark;
  });

  let wrongAtFirst; // which nobody has changed yet

  function look() {
    let count = 0;
    const wrong = new Set();
    members.forEach((member, index) => {
      const { value, error } = tried(member.read);
      if (error) wrong.add(member);
      const rows = error ? [] : differences(member.was, value, whole ? schema : schema.properties[member.name]);
      count += rows.length;
      marks[index].hidden = rows.length === 0;
      marks[index].replaceChildren(...rowsShown(rows));
    });
    wrongAtFirst ??= wrong;
    changed({ count: count + [...wrong].filter((member) => !wrongAtFirst.has(member)).length, valid: wrong.size === 0 });
  }

  const element = el('div', { class: 'fields' }, ...members.map((member) => member.element));
  for (const event of ['input', 'change', 'click']) element.addEventListener(event, look);
  return { element, look, read: () => (whole ? members[0].read() : together(members)) };
}

/** Up to this many values are all in sight, more are in a list. */
const IN_SIGHT = 7;

/** With these a form might be unable to make what is valid. */
const COMPOSED = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentRequired', 'dependentSchemas', 'prefixItems'];

/**
 * A field for a value that nobody proposed: as `field`, but nothing is chosen beforehand, except what the schema says to be
 * its default, and what is missing or beyond the schema's limits is refused at its input.
 *
 * @param hints of the values to choose from, by value
 */
export function question(schema, said, value = schema?.default, hints = {}) {
  const { kind, takes } = kindOfQuestion(schema);
  return kind(schema, said, takes(schema, value) ? value : undefined, inner, hints);
}

/** Whether a form shows the fields of this schema, rather than a box for JSON. */
export const hasForm = (schema) => kindOfQuestion(schema) !== JSON_TEXT;

const inner = (schema, said, value) => question(schema, said, value);
const OR_NULL = {
  kind: nullableField,
  takes: (schema, value) => value === null || kindOfQuestion(notNull(schema)).takes(notNull(schema), value),
};
const JSON_TEXT = { kind: jsonField, takes: () => true };
const CHOICE = { kind: choiceQuestion, takes: () => true };

function kindOfQuestion(schema) {
  if (!isObject(schema)) return JSON_TEXT;
  if (choices(schema)) return CHOICE;
  const other = notNull(schema);
  if (other && hasForm(other)) return OR_NULL;
  if (COMPOSED.some((keyword) => Object.hasOwn(schema, keyword))) return JSON_TEXT;
  if (schema.type === 'array' && !isObject(schema.items)) return JSON_TEXT;
  if (schema.type === 'object' && !isComplete(schema)) return JSON_TEXT;
  const type = typeOf(schema);
  return type ? { kind: type.ask ?? type.field, takes: fits } : JSON_TEXT;
}

/** Whether everything that is required has a field. */
function isComplete({ properties, required = [] }) {
  return isObject(properties) && Array.isArray(required) && required.every((name) => Object.hasOwn(properties, name));
}

function choiceQuestion(schema, said, value, fieldOf, hints = {}) {
  const list = choices(schema).map((each) => ({ ...each, hint: Object.hasOwn(hints, each.label) ? hints[each.label] : undefined }));
  return (list.length > IN_SIGHT ? selectField : radioField)(list, said, value);
}

function yesOrNo(schema, said, value) {
  return radioField([{ value: true, label: t('Yes') }, { value: false, label: t('No') }], said, value);
}

/** A text to be written. An empty one may be meant: it is taken if the person says so, once it was missed. */
export function textQuestion(schema, said, value) {
  const { check } = limits(schema);
  const { input: meant, element: confirmation } = tickBox(t('Answer with an empty text'), false);
  confirmation.hidden = true;
  const { element, input, read } = textField(schema, said, value, (text) => {
    check(text);
    if (text !== '' || meant.checked) return;
    confirmation.hidden = false;
    throw new Error(t('Write something, or say that the text is to be empty.'));
  });
  input.addEventListener('input', () => {
    if (input.value === '') return;
    meant.checked = false;
    confirmation.hidden = true;
  });
  element.append(confirmation);
  return { element, read };
}

/** A remark that may be left out: one that says nothing is none. */
export function remarkField(label, schema) {
  const input = el('textarea', { rows: 2 });
  const { hint, check } = limits(schema ?? {});
  const { element, reading } = labelled(label, input, hint);
  const read = () => {
    if (input.value.trim() === '') return undefined;
    check(input.value);
    return input.value;
  };
  return { element, input, read: () => reading(read) };
}

/** The value of an argument once more, typed by hand. */
export function repeatField(name) {
  const label = name === undefined ? t('To approve, repeat the value of the argument') : t('To approve, repeat the value of “{name}”', { name });
  const input = el('input', { type: 'text', autocomplete: 'off' });
  const { element, reading } = labelled(label, input);
  const read = (value) => {
    if (input.value.trim() === '') throw new Error(t('Repeat the value to approve.'));
    // other values are the server's to compare: it knows 20 and 20.0 as the same
    if (typeof value === 'string' && input.value.trim() !== value.trim()) throw new Error(t('This is not the value of “{name}”.', { name }));
    return isNumber(value) ? numberIn(input.value) : input.value;
  };
  return { element, read: (value) => reading(() => read(value)) };
}

/** The hints for the values of a choice that an object of the same names gives: prices of classes, for instance. */
export function hintsFrom(metadata, schema) {
  const list = isObject(schema) ? choices(schema) : undefined;
  if (!list) return { hints: {}, used: new Set() };
  const fitting = Object.entries(metadata).filter(([, of]) => isObject(of) && list.every(({ label }) => Object.hasOwn(of, label)));
  const hints = Object.fromEntries(
    list.map(({ label }) => [label, fitting.map(([name, of]) => `${inWords(name)}: ${plain(of[label])}`).join(', ') || undefined]));
  return { hints, used: new Set(fitting.map(([name]) => name)) };
}
