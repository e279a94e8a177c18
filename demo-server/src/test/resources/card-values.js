// Random arguments with their schemas, each in the form of an edit: as long as nobody types it says that nothing has changed, and then what has.
import { argumentsEditor } from '/card-source/form.js';
import { differences } from '/card-source/difference.js';
import { parse, stringify } from '/card-source/kit.js';
import { load, speak } from '/card-source/language.js';

const LANGUAGES = ['en', 'en', 'de', 'ar', 'fr', 'es'];
const NAMES = ['to', 'amount', 'note', 'body', 'a/b', '~', 'lines', 'due date', 'ünits', 'constructor', 'toString', '__proto__x'];
const TEXTS = ['', 'Bob', 'two words', 'a\nb', 'a\r\nb', 'a\rb', 'line\n', '  padded  ', 'x'.repeat(70), '\u202eabc', 'null', '5', '{"a":1}', 'ß \u00a0x', '\t', '2026-02-31'];
const FORMATS = { date: ['2026-12-24', '2026-02-31', ''], 'date-time': ['2026-11-22T10:00:00Z', 'soon'], email: ['ada@example.com'], uri: ['https://x.y', ''] };
const NUMBERS = ['0', '5', '-3', '1.5', '19.90', '12345678901234567.89', '1e5', '1E-7', '-0.0', '9007199254740993', '1234.5'];
const INTEGERS = ['0', '5', '-3', '12345678901234567890', '1000'];
const ENUMS = [['a', 'b', 'c'], ['', 'x'], [...'abcdefghi'], [1, 2, '2', null, true]];
const ANYTHING = ['1', '"x"', 'null', '{"q":[1,{"z":null}]}', '[]'];
const DEEPEST = 3;

let state;

function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

const below = (n) => Math.floor(random() * n);
const of = (list) => list[below(list.length)];
const written = (list) => JSON.stringify(of(list));

/** A schema, and a function that writes one of its values: as text, or numbers would lose their digits. */
function kind(depth) {
  return of([
    () => [{ type: 'string' }, () => written(TEXTS)],
    () => ((format) => [{ type: 'string', format }, () => written(FORMATS[format])])(of(Object.keys(FORMATS))),
    () => [{ type: 'number' }, () => of(NUMBERS)],
    () => [{ type: 'integer' }, () => of(INTEGERS)],
    () => [{ type: 'boolean' }, () => of(['true', 'false'])],
    () => ((values) => [{ enum: values }, () => written(values)])(of(ENUMS)),
    () => [of([{}, true, { description: 'anything' }, { type: ['string', 'integer'] }]), () => of(ANYTHING)],
    () => [{ type: 'object', additionalProperties: { type: 'integer' } }, () => of(['{}', '{"a":1,"b":2}'])],
    () => (depth < DEEPEST ? list(depth + 1) : kind(depth)),
    () => (depth < DEEPEST ? object(depth + 1) : kind(depth)),
    () => (depth < DEEPEST ? orNull(...kind(depth + 1)) : kind(depth)),
  ])();
}

function list(depth) {
  const [items, value] = kind(depth);
  return [{ type: 'array', items }, () => `[${Array.from({ length: below(4) }, value).join(',')}]`];
}

function orNull(schema, value) {
  const types = typeof schema.type === 'string' ? [{ ...schema, type: [schema.type, 'null'] }] : [];
  return [of([{ anyOf: [schema, { type: 'null' }] }, { anyOf: [{ type: 'null' }, schema] }, ...types]), () => (below(3) === 0 ? 'null' : value())];
}

function object(depth) {
  const members = [...new Set(Array.from({ length: 1 + below(4) }, () => of(NAMES)))].map((name) => {
    const [schema, value] = kind(depth);
    return { name, value, isRequired: below(5) < 3, schema: schema !== true && below(12) === 0 ? { ...schema, readOnly: true } : schema };
  });
  const schema = {
    type: 'object',
    properties: Object.fromEntries(members.map((each) => [each.name, each.schema])),
    required: members.filter((each) => each.isRequired).map((each) => each.name),
  };
  const text = () => members.filter((each) => each.isRequired || below(2) === 0).map((each) => `${JSON.stringify(each.name)}:${each.value()}`);
  return [schema, () => `{${(below(3) === 0 ? text().reverse() : text()).join(',')}}`];
}

/** Changes one of the inputs in sight: how, and how to take it back; undefined if there is nothing to change. */
function change(element) {
  const inputs = [...element.querySelectorAll('input, textarea, select')].filter((input) => !input.closest('[hidden]'));
  const input = of(inputs);
  const set = (value) => {
    input.value = value;
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
  };
  if (!input) return undefined;
  if (input.type === 'checkbox') {
    input.click();
    return { takeBack: () => input.click() };
  }
  const was = input.value;
  const others = input.localName === 'select' ? [...input.options].map((option) => option.value).filter((value) => value !== '' && value !== was) : [];
  if (input.localName === 'select' && others.length === 0) return undefined;
  if (input.localName === 'select') set(of(others));
  else if (input.className === 'code') set('{"changed":[7]}');
  else if (input.inputMode !== '') set('77');
  else set(input.type === 'date' ? '2031-01-02' : `${was}Z`);
  return input.value === was ? undefined : { takeBack: () => set(was) };
}

function problem() {
  const [schema, value] = object(0);
  const args = parse(value());
  let told;
  const editor = argumentsEditor(schema, args, (now) => (told = now));
  document.body.replaceChildren(editor.element);
  const rows = () => [...editor.element.querySelectorAll('.difference')].map((row) => row.textContent);
  const about = (what) => `${what}: ${stringify(told)} ${stringify(schema)} ${stringify(args)} [${rows().join(' | ')}]`;
  const isUntouched = () => told.valid && told.count === 0 && rows().length === 0 && differences(args, editor.read()).length === 0;

  editor.look();
  if (!isUntouched()) return about('a change that nobody made');
  const done = change(editor.element);
  if (!done) return undefined;
  if (told.valid) {
    const real = differences(args, editor.read());
    if (real.length !== told.count || real.length !== rows().length) return about(`${real.length} changes`);
    if (new Set(real.map(({ path }) => path.split('/')[1])).size > 1) return about('a change elsewhere');
  } else if (told.count === 0) {
    return about('what cannot be read is no change');
  }
  done.takeBack();
  return isUntouched() ? undefined : about('taken back');
}

export async function problems(first, count) {
  for (const language of new Set(LANGUAGES)) await load(language).catch(() => {});
  const found = [];
  for (let seed = first; seed < first + count && found.length < 5; seed++) {
    state = seed * 7919;
    const lang = of(LANGUAGES);
    speak({ lang });
    const said = problem();
    if (said) found.push(`${seed} ${lang} ${said}`);
  }
  return found.join('\n');
}
