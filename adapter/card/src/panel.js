import { button, el, freshId, visible } from './kit.js';
import { t } from './language.js';
import { remarkField, textField, tried } from './form.js';
import { ours } from './subject.js';

/** A panel whose button is in the row of actions. What cannot be read says so itself; the first of it gets the focus. */
export function panel({ submit, label, className = 'primary', others = [] }, ...content) {
  const id = freshId('form');
  const problem = el('p', { class: 'sr-only', role: 'alert', hidden: true });
  const onsubmit = (event) => {
    event.preventDefault();
    if (send.hidden) return; // a phone's keyboard sends a form without a press of its button
    problem.hidden = true;
    const { error } = tried(submit);
    if (!error) return;
    problem.replaceChildren(visible(error.message));
    problem.hidden = false;
    error.input?.focus();
  };
  const form = el('form', { id, onsubmit, novalidate: true }, ...content, problem);
  const send = el('button', { type: 'submit', form: id, class: className }, label);
  return { form, send, buttons: [send, ...others] };
}

/** Names who is to decide, a person or a group that is asked. Of somebody who may not, the server tells, and the field says so. */
export function handPanel(card) {
  const list = freshId('people');
  const groups = ours(card.interrupt.metadata).approvals?.groups?.map(({ audience }) => audience) ?? [];
  let refused;
  const { element, input, read } = textField({}, { label: t('To whom') }, '', (who) => {
    if (who.trim() === '') throw new Error(t('Say to whom.'));
    if (who.trim() === refused) throw new Error(t('{who} may not decide this, or is not known here.', { who }));
  });
  input.setAttribute('list', list);
  const why = remarkField(t('Reason, for that person (optional)'), { maxLength: 500, type: 'string' });
  const submit = () => {
    const who = read().trim();
    card.attend({ action: 'hand', [groups.includes(who) ? 'audience' : 'to']: who, reason: why.read() }, () => {
      card.close();
      card.news.textContent = t('You handed this to {to}.', { to: who });
    }, (error) => {
      if (error.code !== 'INPUT_INVALID') return card.complain(error.message);
      refused = who;
      tried(read);
      return input.focus();
    });
  };
  const people = el('datalist', { id: list }, ...[...card.element.people, ...groups].map((value) => el('option', { value })));
  return panel({ submit, label: t('Hand over'), others: [backOf(card)] }, element, people, why.element);
}

/** Closes what is open, as Escape does. */
export const backOf = (card) => button(t('Back'), () => card.close(), 'back');

/** What a form has, label by label. */
export const filledIn = (panel) => [...panel.querySelectorAll('input:not([type="checkbox"], [type="radio"]), textarea, select')].map((field) =>
  [field.labels[0]?.textContent ?? '', field.tagName === 'SELECT' ? field.selectedOptions[0]?.textContent : field.value]);

/** What somebody had filled in when it could not be sent any more, to be copied. */
export function unsent(why, text) {
  const id = freshId('unsent');
  const field = el('textarea', { readonly: true, rows: Math.min(8, text.split('\n').length + 1), id, 'aria-label': t('What you filled in') });
  field.value = text;
  const copied = t('Copied');
  const copy = button(t('Copy'), async () => {
    await navigator.clipboard?.writeText(text).catch(() => field.select());
    copy.textContent = copied;
  }, 'small');
  return el('div', { class: 'unsent', role: 'status' }, el('p', {}, why), field, copy);
}

const PARTS = { a: 'approve', e: 'edit', d: 'deny' };

export const keyed = (key, node) => {
  node.dataset.key = key;
  node.setAttribute('part', PARTS[key]);
  return node;
};
