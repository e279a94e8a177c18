/** A number of JSON. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The languages of the package, each in a file of its own, which is loaded when a card is to speak it. English is in the code itself. */
const PACKAGED = {
  ar: () => import('./lang/ar.js'),
  de: () => import('./lang/de.js'),
  es: () => import('./lang/es.js'),
  fr: () => import('./lang/fr.js'),
};

const loaded = {};
const codeOf = (lang) => lang.split('-')[0].toLowerCase();

/** Whether a language of the package is still to be loaded. */
export const isMissing = (lang) => Object.hasOwn(PACKAGED, codeOf(lang)) && !loaded[codeOf(lang)];

/** Loads it. What cannot be loaded is in English. */
export async function load(lang) {
  const code = codeOf(lang);
  loaded[code] = await PACKAGED[code]().then((found) => found.default, () => ({}));
}

/** A language tag that a browser takes, or English; without a region, of the person's own if theirs is the same language. */
export function tagOf(lang) {
  try {
    const [tag = 'en'] = Intl.getCanonicalLocales(lang);
    return navigator.languages.find((own) => own.startsWith(`${tag}-`)) ?? tag;
  } catch {
    return 'en';
  }
}

export const isRightToLeft = (lang) => ['ar', 'fa', 'he', 'ur'].includes(codeOf(lang));

let spoken = { lang: tagOf(globalThis.document?.documentElement.lang || 'en') };

/** Says everything from here on in this language: cards of several may be on a page, and one thing happens after the other. */
export const speak = ({ lang, messages }) => (spoken = { lang, messages });

/** Forms for these numbers, in this order, where a text has as many; where it has two, they are for one and for others. */
const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'];

/**
 * A text in the language that is spoken. The English text is its name; `{name}` is the place of a value, and what stands between `|` are forms
 * for a number `n`.
 */
export function t(text, values = {}) {
  const forms = (spoken.messages?.[text] ?? loaded[codeOf(spoken.lang)]?.[text] ?? text).split('|');
  const rule = forms.length > 1 ? new Intl.PluralRules(spoken.lang).select(values.n) : 'other';
  const form = forms.length === FORMS.length ? forms[FORMS.indexOf(rule)] : forms[rule === 'one' ? 0 : forms.length - 1];
  return form.replace(/\{(\w+)}/g, (place, name) => (!Object.hasOwn(values, name) ? place : typeof values[name] === 'number' ? inLocale(String(values[name])) : values[name]));
}

/** What comes between the digits of a number. */
function signs() {
  const parts = new Intl.NumberFormat(spoken.lang, { useGrouping: true }).formatToParts(1234567.8);
  const sign = (type) => parts.find((part) => part.type === type)?.value;
  return { decimal: sign('decimal') ?? '.', group: sign('group') ?? ',' };
}

const formats = {}; // to make one takes long, and cards of a page tell the time every second
const digit = (value) => (formats[spoken.lang] ??= new Intl.NumberFormat(spoken.lang, { useGrouping: false })).format(value);

/** A number of JSON as people write it here, with all of its digits and nothing between them. */
export const inLocale = (token) => token.replace(/\d/g, digit).replace('.', () => signs().decimal);

/** An amount of money, with all digits of the number. */
export const money = (token, currency) => new Intl.NumberFormat(spoken.lang, { style: 'currency', currency, maximumFractionDigits: 20 }).format(token);

const ALIKE_SIGNS = { '\u2212': '-', '\u200e': '', '\u200f': '', '\u061c': '', '\u00a0': ' ', '\u202f': ' ', '\u2019': "'" };

/** The number that somebody has written, as JSON; it throws if that is none, or could be another one as well. */
export function numberIn(text, type) {
  const digits = Object.fromEntries(Array.from({ length: 10 }, (_, value) => [digit(value), value]));
  const alike = (sign) => ALIKE_SIGNS[sign] ?? sign;
  const { decimal, group } = signs();
  const written = [...text].map((each) => digits[each] ?? alike(each)).join('').trim();
  const parts = written.split(alike(group));
  const isGrouped = parts.length > 1 && /^-?\d{1,3}$/.test(parts[0]) && parts.slice(1, -1).every((part) => /^\d{3}$/.test(part))
    && new RegExp(`^\\d{3}($|\\${decimal}\\d+$)`).test(parts.at(-1));
  const joined = isGrouped ? parts.join('') : written;
  if (isGrouped && parts.length === 2 && /^\d+$/.test(parts[1]) && /[.,]/.test(group)) {
    throw new Error(t('This can be read in two ways: write {one} or {other}.', { one: inLocale(joined), other: inLocale(parts.join('.')) }));
  }
  const token = decimal === '.' ? joined : joined.replace('.', '?').replace(decimal, '.');
  if (type === 'integer' && !/^-?\d+$/.test(token)) throw new Error(t('Write a whole number, such as {one}.', { one: inLocale('12') }));
  if (!NUMBER.test(token)) throw new Error(t('Write a number, such as {one} or {other}.', { one: inLocale('12'), other: inLocale('12.50') }));
  return token;
}

/** A day, or a time, in words; undefined if the text is none. */
export function dateInWords(text, format) {
  const isDay = format === 'date';
  if (!(isDay ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/i).test(text) || Number.isNaN(Date.parse(text))) return undefined;
  if (!new Date(text.slice(0, 10)).toISOString().startsWith(text.slice(0, 10))) return undefined; // a browser takes 30 February for 2 March
  return new Date(text).toLocaleString(spoken.lang, isDay ? { dateStyle: 'full', timeZone: 'UTC' } : { dateStyle: 'full', timeStyle: 'short' });
}

/** A day and a time in full. */
export const timeInFull = (at) => new Date(at).toLocaleString(spoken.lang);

/** The time of day, and the day unless it is today. */
export function clock(at) {
  const date = new Date(at);
  const day = date.toDateString() === new Date().toDateString() ? {} : { day: 'numeric', month: 'short' };
  return date.toLocaleString(spoken.lang, { ...day, hour: 'numeric', minute: '2-digit' });
}

/** How long it takes, in its two largest units. */
export function duration(seconds) {
  if (seconds < 60) return t('{s} s', { s: seconds });
  if (seconds < 3600) return t('{m} min {s} s', { m: Math.floor(seconds / 60), s: String(seconds % 60).padStart(2, '0') });
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? t('{h} h {m} min', { h: hours, m: Math.floor((seconds % 3600) / 60) }) : t('{n} days {h} h', { n: Math.floor(hours / 24), h: hours % 24 });
}
