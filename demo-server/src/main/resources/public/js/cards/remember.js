import { el } from '../dom.js';
import { labelled } from '../form/labelled.js';
import { visible } from '../visible.js';

const CALLS = { same_call: 'about exactly this call', tool: 'about this tool' };

/**
 * Lets a person say that calls like this one need not be asked about for a while, where the schema offers that.
 * `payload` is what the answer gets of it, `words` what the card says then.
 */
export function rememberChoice({ remember, rememberMinutes }) {
  const scopes = Array.isArray(remember?.enum) ? remember.enum.filter((scope) => typeof scope === 'string') : [];
  if (scopes.length === 0) return { payload: () => ({}), words: () => '' };
  const minutes = rememberMinutes?.default ?? rememberMinutes?.maximum;
  const time = minutes === undefined ? 'for a while' : `for ${minutes} minute${String(minutes) === '1' ? '' : 's'}`;
  const label = (scope) => `${CALLS[scope] ?? `(${scope})`} ${time}`;
  const input = el(
    'select',
    {},
    el('option', { value: '' }, 'Ask me every time'),
    ...scopes.map((scope) => el('option', { value: scope }, visible(`Do not ask again ${label(scope)}`))));
  const { element } = labelled('If you approve', input);
  element.classList.add('remember');
  return {
    element,
    payload: () => (input.value === '' ? {} : { remember: input.value }),
    words: () => (input.value === '' ? '' : ` You are not asked again ${label(input.value)}.`),
  };
}
