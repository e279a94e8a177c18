import { button, capital, el, isNumber, isObject, labelOf, plain, same, stringify, visible } from './kit.js';
import { duration, speak, t } from './language.js';
import { argumentsEditor, choices, hasForm, hintsFrom, jsonField, question, radioField, remarkField, repeatField, textQuestion, tried } from './form.js';
import { about, argumentList, argumentsSchema, details, known, origins, ours, requiresOnly, subject } from './subject.js';
import { backOf, filledIn, keyed, panel } from './panel.js';
import { Card } from './card.js';
import { held } from './hold.js';

const cancel = (card, label = t('Skip'), words = undefined) => button(label, () => card.cancel(words), 'quiet');

/** Whether the interrupt asks for an approval that this card can give, whatever its reason. */
const isApproval = ({ responseSchema }) =>
  responseSchema?.properties?.approved?.type === 'boolean' && requiresOnly(responseSchema, ['approved', 'confirm']);

/** Approve, deny with a reason, or, where the schema allows that, approve with edits or for a while, or answer for the tool. */
function approvalCard(interrupt, person) {
  const said = about(interrupt.metadata);
  const { args, rememberWithin, reversibility, batchReversibility } = said;
  const card = new Card(interrupt, { title: t('Waiting for you'), mark: 'wait' }, person);
  const { editedArgs, effect, reason, response, remember, rememberMinutes, bounds, confirm } = interrupt.responseSchema.properties;
  if (args !== undefined) card.body.append(argumentList(args, argumentsSchema(interrupt), undefined, true, origins(said, person.conversation)));
  card.body.append(...known(said));
  if (interrupt.metadata?.remoteAgent) card.body.append(details(t('More about this'), interrupt.metadata.remoteAgent));
  const repeated = confirm?.title;
  const typed = confirm === undefined ? undefined : repeatField(repeated === undefined ? undefined : labelOf(repeated, editedArgs?.properties?.[repeated]).label);
  if (typed) card.panel.after(typed.element); // it belongs to an edit as well
  card.repeat = typed?.element;
  card.isGrave = [reversibility, batchReversibility].includes('irreversible');
  card.isHeld = card.isGrave && !typed && card.mayDecide;
  if (card.isHeld) card.foot.prepend(el('p', { class: 'hint' }, t('Press and hold “Approve” for a second.')));
  const approve = (more, words, kind = 'approved') => {
    const runs = { ...args, ...more.editedArgs };
    const confirmed = asked(() => (typed ? { confirm: typed.read(runs[repeated]) } : {}));
    if (confirmed) card.resolve({ approved: true, ...more, ...confirmed }, words, kind);
  };

  const back = () => backOf(card);
  // made anew each time: what was discarded does not come back
  const edit = () => editPanel(card, editedArgs, args, 'Approve with {n} change|Approve with {n} changes', (edited, n, fingerprint) =>
    approve({ editedArgs: edited, effect: fingerprint }, t('Approved with {n} change|Approved with {n} changes', { n }), 'approved with changes'), effect && planOfEdit(card));
  const denying = denyPanel(card, reason, back());
  const answering = takesText(response) ? substitutePanel(card, back()) : undefined;
  card.approve = () => approve({}, t('Approved'));
  card.deny = () => card.resolve({ approved: false }, t('Denied'), 'denied');
  card.offer(
    approveButton(card, approve, remember, rememberMinutes, bounds, rememberWithin),
    ...(editedArgs ? [keyed('e', button(t('Edit…'), edit))] : []),
    ...(answering ? [button(t('Answer instead…'), () => card.open(answering))] : []),
    keyed('d', button(t('Deny…'), () => card.open(denying), 'danger apart')));
  return card;
}

/** What is read; undefined if something is missing, which its field says and gets the focus for. */
function asked(read) {
  const { value, error } = tried(read);
  error?.input.focus();
  return value;
}

/** Keys of texts: what is not asked again about, which a button says, and what was said after its press. */
const CALLS = { same_call: 'exactly this call', tool: 'this tool', within: 'calls within bounds' };

/** What calls within bounds have in common, beside the sum that the person chooses. */
function boundsInWords({ same = [], sum, count }) {
  const like = same.length > 0 ? t('the same {names}', { names: same.join(', ') }) : t('whatever the arguments');
  const most = isNumber(count) ? [t('at most {n} call|at most {n} calls', { n: Number(stringify(count)) })] : [];
  const total = isObject(sum) ? [t('as much {name} as you say in {time}', { name: sum.argument, time: duration(Number(stringify(sum.seconds))) })] : [];
  return t('Calls within bounds: {bounds}.', { bounds: [like, ...most, ...total].join(', ') });
}

/** Approves as proposed; beside it, where the schema offers that, the same with a decision that is remembered. */
function approveButton(card, resolve, remember, rememberMinutes, bounds, within) {
  const press = () => card.approve?.();
  const className = card.isGrave ? 'primary grave' : 'primary';
  const approve = keyed('a', card.isHeld ? held(card, t('Approve'), press, className) : button(t('Approve'), press, className));
  const scopes = Array.isArray(remember?.enum) ? remember.enum.filter((scope) => typeof scope === 'string') : [];
  if (scopes.length === 0) return approve;
  const minutes = rememberMinutes?.default ?? rememberMinutes?.maximum;
  const time = minutes === undefined ? t('for a while') : t('for {n} minute|for {n} minutes', { n: Number(stringify(minutes)) });
  const where = within?.perOwner === true ? t(', in all conversations of the same owner') : '';
  const words = (scope) => ({ calls: Object.hasOwn(CALLS, scope) ? t(CALLS[scope]) : `(${scope})`, time: `${time}${scope === 'within' ? where : ''}` });
  const remembering = (scope) => t('Approve, and do not ask again about {calls} {time}', words(scope));
  const remembered = (scope, chosen) =>
    resolve({ remember: scope, ...chosen }, t('Approved, and not asked again about {calls} {time}', words(scope)));
  const choose = (scope) => {
    if (scope !== 'within' || bounds === undefined) return remembered(scope, {});
    const { element, read } = question(bounds, { name: 'bounds', label: remembering(scope) });
    const submit = () => remembered(scope, { bounds: read() });
    return card.open(panel({ submit, label: t('Approve within'), others: [backOf(card)] }, element));
  };
  const menu = el(
    'div',
    { class: 'menu', hidden: true },
    ...scopes.map((scope) => button(visible(remembering(scope)), () => choose(scope))),
    scopes.includes('within') && isObject(within) ? el('p', { class: 'hint' }, visible(boundsInWords(within))) : undefined);
  const more = button('▾', () => toggle(menu.hidden), className);
  more.setAttribute('aria-label', t('Approve, and do not ask again'));
  const toggle = (open) => {
    menu.hidden = !open;
    more.setAttribute('aria-expanded', String(open));
    if (open) menu.querySelector('button').focus();
  };
  toggle(false);
  const split = el('div', { class: 'split' }, approve, more, menu);
  split.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menu.hidden) return;
    toggle(false);
    more.focus();
  });
  split.addEventListener('focusout', (event) => {
    if (!split.contains(event.relatedTarget)) toggle(false);
  });
  return split;
}

function denyPanel(card, schema, back) {
  const { element, input } = remarkField(t('Reason, for the agent (optional)'), { maxLength: schema?.maxLength, type: 'string' });
  const submit = () => {
    const reason = input.value.trim();
    if (reason === '') card.deny();
    else card.resolve({ approved: false, reason }, t('Denied: {reason}', { reason }), 'denied');
  };
  return panel({ submit, label: t('Deny'), className: 'danger filled', others: [back] }, element);
}

const takesText = (schema) => schema !== undefined && [undefined, 'string'].includes(schema.type);

/** The result of the call, written by the person. */
function substitutePanel(card, back) {
  const hint = t('The agent gets this as the result. The tool does not run.');
  const { element, read } = textQuestion({ type: 'string' }, { name: 'answer', label: t('Your answer, in place of the tool'), hint });
  const submit = () => {
    const response = read();
    card.resolve({ approved: false, response }, t('Answered instead: {answer}', { answer: response }));
  };
  return panel({ submit, label: t('Answer instead'), others: [back] }, element);
}

/** Shows what an edit would do, where the page can ask for that, and keeps the fingerprint of what was shown; it is forgotten when something else is filled in. */
function planOfEdit(card) {
  const { planOf } = card.element;
  if (!planOf) return undefined;
  let now; // what is filled in
  let shown;
  const place = el('div', { class: 'fields', role: 'status' });
  const look = button(t('Show what it would do'), async () => {
    const editedArgs = now;
    card.complain('');
    try {
      const { effect = { plan: t('It cannot be foreseen: the tool does not say, or not yet on this server.') } } = await planOf(card.entry({ approved: true, editedArgs }));
      if (editedArgs !== now) return;
      shown = effect.fingerprint;
      speak(card.element.voice);
      place.replaceChildren(...known({ effect }));
      card.lookAnew();
    } catch (error) {
      card.complain(error.message);
    }
  }, 'small');
  return {
    elements: [look, place],
    about(editedArgs) {
      look.disabled = !editedArgs;
      if (now && editedArgs && same(now, editedArgs)) return;
      now = editedArgs;
      shown = undefined;
      place.replaceChildren();
    },
    get fingerprint() {
      return shown;
    },
  };
}

/** The arguments as a form; its button says how many of them were changed, and can be pressed when all of them fit. */
function editPanel(card, schema, args, verb, submit, plan) {
  const back = backOf(card);
  let n;
  const editor = argumentsEditor(schema, args, ({ count, valid }) => {
    n = count;
    form.send.textContent = n === 0 ? t('Nothing changed yet') : t(verb, { n });
    form.send.disabled = n === 0 || !valid;
    back.classList.toggle('back', n === 0);
    back.textContent = n === 0 ? t('Back') : t('Discard the changes');
    plan?.about(form.send.disabled ? undefined : editor.read());
  });
  const form = panel({ submit: () => submit(editor.read(), n, plan?.fingerprint), label: '', others: [back] }, editor.element, ...(plan?.elements ?? []));
  editor.look();
  card.open(form, true);
}

/** Whether the answer is a yes or a no and nothing else. Without a schema that is what a confirmation means. */
function isConfirmation({ reason, responseSchema }) {
  if (responseSchema === undefined) return reason === 'confirmation';
  const rules = Object.keys(responseSchema).filter((keyword) => !['title', 'description', 'default', '$schema'].includes(keyword));
  return responseSchema.type === 'boolean' && rules.length === 1;
}

/** Yes or no by one click: the payload is `true` or `false`. */
function confirmationCard(interrupt, person) {
  const card = new Card(interrupt, { title: t('Yes or no?') }, person);
  const { title } = interrupt.responseSchema ?? {};
  if (typeof title === 'string') card.body.append(el('p', { class: 'hint' }, visible(title)));
  card.body.append(...subject(interrupt));
  card.offer(
    keyed('a', button(t('Yes'), () => card.resolve(true, t('Yes')), 'primary')),
    button(t('No'), () => card.resolve(false, t('No'))),
    cancel(card));
  return card;
}

/** Whether an interrupt with this reason wants an answer that this card can give. */
const wantsAction = (reason, fits) => (interrupt) => {
  const actions = interrupt.responseSchema?.properties?.action?.enum;
  return interrupt.reason === reason && Array.isArray(actions) && fits(actions) && requiresOnly(interrupt.responseSchema, ['action']);
};

/** Whether a tool failed. */
const isFailure = wantsAction('langchain4j:tool_error', (actions) => ['retry', 'give_up'].every((action) => actions.includes(action)));

/** Try it again, try it with other arguments where the schema allows that, or give up. */
function failureCard(interrupt, person) {
  const { args, error } = ours(interrupt.metadata);
  const card = new Card(interrupt, { title: t('A tool failed'), mark: 'alert' }, person);
  const { editedArgs, note } = interrupt.responseSchema.properties;
  if (args !== undefined) card.body.append(argumentList(args, editedArgs));
  if (typeof error === 'string') card.body.append(el('pre', { class: 'failure', dir: 'auto', tabindex: '0' }, visible(error)));

  const back = () => backOf(card);
  const remark = remarkField(t('Note, for the agent (optional)'), { maxLength: note?.maxLength, type: 'string' });
  const giveUp = panel({
    submit: () => {
      const said = remark.read()?.trim();
      card.resolve({ action: 'give_up', note: said }, said === undefined ? t('Given up') : t('Given up: {note}', { note: said }));
    },
    label: t('Give up'),
    className: 'danger filled',
    others: [back()],
  }, remark.element);
  const mend = () => editPanel(card, editedArgs, args, 'Try again with {n} change|Try again with {n} changes', (edited, n) =>
    card.resolve({ action: 'retry', editedArgs: edited }, t('Try again with {n} change|Try again with {n} changes', { n })));
  card.offer(
    keyed('a', button(t('Try again'), () => card.resolve({ action: 'retry' }, t('Try it again')), 'primary')),
    ...(editedArgs ? [keyed('e', button(t('Edit and try again…'), mend))] : []),
    keyed('d', button(t('Give up…'), () => card.open(giveUp), 'danger apart')));
  return card;
}

const ACTIONS = {
  retry: { label: 'Run it again', hint: 'With the arguments above. If it did take effect before, it happens twice.' },
  done: { label: 'It was done', hint: 'It took effect. It does not run again, and the agent goes on from there.' },
  not_done: { label: 'It was not done', hint: 'It took no effect. It does not run now either, and the agent is told so.' },
};

/** Whether a call may or may not have taken effect. */
const isOutcomeUnknown = wantsAction('langchain4j:outcome_unknown', (actions) => actions.length > 0 && actions.every((action) => Object.hasOwn(ACTIONS, action)));

/** Run it again, it was done, or it was not done: nothing is chosen beforehand, since each may be the wrong one. */
function outcomeCard(interrupt, person) {
  const { args, attempts } = ours(interrupt.metadata);
  const { action, note } = interrupt.responseSchema.properties;
  const card = new Card(interrupt, { title: t('Did this happen?'), mark: 'alert' }, person);
  card.body.append(
    el('p', {}, t('This call was started, but its end was never recorded: it may or may not have taken effect. Look where its effect would be seen before you answer.')),
    ...(isNumber(attempts) ? [el('p', { class: 'hint' }, t('Attempts so far: {n}.', { n: stringify(attempts) }))] : []),
    ...(args === undefined ? [] : [argumentList(args)]));

  const choice = radioField(action.enum.map((value) => ({ value, label: t(ACTIONS[value].label), hint: t(ACTIONS[value].hint) })), { label: t('Your answer') });
  const remark = note && remarkField(t('Note (optional)'), note);
  const submit = () => {
    const payload = { action: choice.read(), note: remark?.read() };
    const words = t(ACTIONS[payload.action].label);
    card.resolve(payload, payload.note === undefined ? words : t('{words}. Note: {note}', { words, note: payload.note }));
  };
  standing(card, panel({ submit, label: t('Answer'), others: [cancel(card, t('Cancel it'), t('Cancelled: it does not run again.'))] }, choice.element, remark?.element));
  return card;
}

/** A panel that is there from the beginning, and cannot be closed. */
function standing(card, { form, buttons }) {
  card.stays = true;
  card.panel.replaceChildren(form);
  card.panel.hidden = false;
  card.filled = filledIn(card.panel);
  card.offer(...buttons);
}

/** Any question with a schema: a form made from it, and the answer is what the form says. */
function questionCard(interrupt, person) {
  const { responseSchema } = interrupt;
  const card = new Card(interrupt, { title: t('A question for you') }, person);
  const suggested = suggestions(card, interrupt);
  const { hints, used } = hintsFrom(interrupt.metadata ?? {}, responseSchema);
  card.body.append(...subject(interrupt, used, suggested.length > 0));
  if (!hasForm(responseSchema)) card.body.append(details(t('What an answer looks like (JSON schema)'), responseSchema));
  if (suggested.length > 0) {
    card.suggested = el('div', { class: 'suggestions', role: 'group', 'aria-label': t('Suggested answers') }, ...suggested);
    card.body.append(card.suggested);
  }
  const label = suggested.length > 0 ? t('Or in your own words') : t('Your answer');
  const only = oneField(responseSchema);
  const { element, read } = only
    ? wrapped(only, suggested.length > 0 ? label : labelOf(...only).label)
    : question(responseSchema, { name: 'answer', label: titleOf(responseSchema) ?? (isForm(responseSchema) ? undefined : label) }, undefined, hints);
  const submit = () => {
    const payload = read();
    card.resolve(payload, t('Answered: {answer}', { answer: plain(isObject(payload) && only ? payload[only[0]] : payload) }));
  };
  standing(card, panel({ submit, label: t('Answer'), others: [cancel(card)] }, element));
  return card;
}

const isForm = (schema) => schema?.type === 'object' && hasForm(schema) && !choices(schema);

const titleOf = (schema) => (typeof schema?.title === 'string' ? schema.title : undefined);

/** The only property of an object that needs no more than one: it needs no frame around it. */
function oneField(schema) {
  if (!isObject(schema) || schema.type !== 'object' || !hasForm(schema)) return undefined;
  const fields = Object.entries(schema.properties);
  return fields.length === 1 && schema.required?.includes(fields[0][0]) ? fields[0] : undefined;
}

function wrapped([name, schema], label) {
  const { element, read } = question(schema, { name, label });
  return { element, read: () => Object.fromEntries([[name, read()]]) };
}

/** One click each for the answers that a call brings in an argument `options`, where an answer is one text. */
function suggestions(card, { metadata, responseSchema }) {
  const options = ours(metadata).args?.options;
  const answer = oneText(responseSchema);
  if (!answer || !Array.isArray(options) || !options.every((option) => typeof option === 'string' && option !== '')) return [];
  return [...new Set(options)].map((option) => button(visible(option), () => card.resolve(answer(option), t('Answered: {answer}', { answer: option }))));
}

/** Makes an answer of a text; undefined if it takes more than that, or not any text. */
function oneText(schema) {
  if (isFreeText(schema)) return (text) => text;
  const fields = schema?.type === 'object' ? Object.entries(schema.properties ?? {}) : [];
  return fields.length === 1 && isFreeText(fields[0][1]) ? (text) => ({ [fields[0][0]]: text }) : undefined;
}

const isFreeText = (schema) =>
  isObject(schema) && schema.type === 'string' && Object.keys(schema).every((keyword) => ['type', 'title', 'description'].includes(keyword));

/** A question that does not say what an answer looks like: no payload, a text or any JSON, as the person likes. */
function freeCard(interrupt, person) {
  const card = new Card(interrupt, { title: t('A question for you') }, person);
  card.body.append(el('p', { class: 'hint' }, visible(t('About: {reason}', { reason: capital(interrupt.reason ?? '') }))), ...subject(interrupt));
  const back = () => backOf(card);
  const written = ({ element, read }) => {
    const submit = () => {
      const payload = read();
      card.resolve(payload, t('Answered: {answer}', { answer: plain(payload) }));
    };
    return panel({ submit, label: t('Answer'), others: [back()] }, element);
  };
  const text = written(question({ type: 'string' }, { name: 'answer', label: t('Your answer') }));
  const json = written(jsonField({}, { label: t('Your answer') }));
  card.offer(
    keyed('a', button(t('Acknowledge'), () => card.resolve(undefined, t('Acknowledged')), 'primary')),
    button(t('Answer with text…'), () => card.open(text)),
    button(t('Answer with JSON…'), () => card.open(json)),
    cancel(card));
  return card;
}

/** Which card asks what: the first that fits, by the answer that the interrupt wants. */
const KINDS = [
  [isApproval, approvalCard],
  [isOutcomeUnknown, outcomeCard],
  [isFailure, failureCard],
  [isConfirmation, confirmationCard],
  [({ responseSchema }) => responseSchema !== undefined, questionCard],
  [() => true, freeCard],
];

export function cardFor(interrupt, person) {
  const [, card] = KINDS.find(([fits]) => fits(interrupt));
  return card(interrupt, person);
}
