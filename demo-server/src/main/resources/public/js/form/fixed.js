import { el, freshId } from '../dom.js';
import { stringify } from '../json.js';
import { visible } from '../visible.js';

/** A value that stays as it is: shown, and sent back as it came. */
export function fixedField(label, value) {
  const id = freshId('fixed');
  const hint = freshId('hint');
  const text = value === undefined ? el('em', {}, 'none') : visible(typeof value === 'string' ? value : stringify(value, 2));
  const element = el(
    'div',
    { class: 'field fixed', role: 'group', 'aria-labelledby': id, 'aria-describedby': hint },
    el('span', { class: 'name', id }, visible(label)),
    el('p', { class: 'hint', id: hint }, 'Cannot be changed.'),
    el('div', { class: typeof value === 'string' ? 'value' : 'value code', dir: 'auto' }, text));
  return { element, read: () => value, fixed: true };
}
