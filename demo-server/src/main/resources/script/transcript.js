import {
  argumentList, button, clock, copyButton, difference, differences, el, icon, inLocale, inOrder, inWords, isNumber, isObject, listed, parsed, plain, rowsShown, same, short, stringify, textOf, visible,
} from './kit.js';
import { wordsOf } from './alike.js';
import { grouped, pieces, say } from './language.js';
import { Markdown, prose } from './markdown.js';

/** So many messages are shown of a longer conversation, and as many more whenever somebody asks for earlier ones. */
const MANY = 200;

const ROLES = { user: 'You', assistant: 'Agent', reasoning: 'Agent' };

/**
 * Shows the messages of a conversation, one element for each, which stays the same while its message changes. A tool call is one
 * line or, while it waits for a person, its card.
 *
 * `scene` says what is known of calls beside their messages: `lives` by id from the audit trail, open `cards` by id, whether a
 * run is active, whether something `waits` for a person, and `me`; and it takes `edit(id, content)` and `answerAgain(id)`.
 */
export class Transcript {
  constructor(root, scene) {
    this.root = root;
    this.scene = scene;
    this.views = new Map();
    this.earlier = new Set();
    this.more = button('', () => this.showEarlier(), 'quiet small earlier');
    root.before(this.more);
  }

  update(conversation, id) {
    const message = conversation.messages.get(id);
    if (!isShown(message) || this.earlier.has(id)) return;
    if (!this.views.has(id)) {
      this.views.set(id, message.role === 'reasoning' ? new ThoughtView() : new MessageView(message, this.scene));
      this.root.append(this.views.get(id).element);
      this.root.classList.toggle('long', this.views.size >= MANY);
    }
    this.views.get(id).update(message, conversation, this.scene);
  }

  /** Shows the calls again, of which something else is known now, and what can be done with the messages. */
  refresh(conversation) {
    for (const [id, message] of conversation.messages) if (message.toolCalls?.length > 0) this.update(conversation, id);
    this.offer(conversation);
  }

  /** Messages can be edited while nothing runs or waits, and the last answer can be asked for again. */
  offer(conversation) {
    const last = [...conversation.messages.values()].findLast(({ role }) => role === 'user' || role === 'assistant');
    for (const [id, view] of this.views) if (view instanceof MessageView) view.offer(!this.scene.running && !this.scene.waits, id === last?.id);
  }

  /** Shows the list as it is now, in its order, each message once. */
  replace(conversation) {
    for (const [id, view] of this.views) {
      if (conversation.messages.has(id)) continue;
      view.element.remove();
      this.views.delete(id);
    }
    this.conversation = conversation;
    this.earlier = new Set(this.earlierOf(conversation));
    this.more.hidden = this.earlier.size === 0;
    this.more.textContent = say('Show earlier messages ({count})', { count: grouped(this.earlier.size) });
    let previous = null;
    for (const id of conversation.messages.keys()) {
      this.update(conversation, id);
      const element = this.views.get(id)?.element;
      if (!element) continue;
      const place = previous ? previous.nextSibling : this.root.firstChild;
      if (place !== element) this.root.insertBefore(element, place);
      previous = element;
    }
    this.offer(conversation);
  }

  /** The messages before the last ones, and before the first one that is shown or has a call without a result. */
  earlierOf({ messages, results }) {
    const all = [...messages.values()].filter(isShown);
    if (all.length <= MANY) return [];
    const shown = all.findIndex(({ id }) => this.views.has(id));
    const open = all.findIndex(({ toolCalls }) => toolCalls?.some(({ id }) => !results.has(id)));
    const from = Math.min(shown < 0 ? all.length - MANY : shown, open < 0 ? all.length : open);
    return all.slice(0, from).map(({ id }) => id);
  }

  /** Shows more, while what is in sight stays where it is. */
  showEarlier() {
    const first = this.root.firstElementChild;
    const area = this.root.closest('.scroll');
    const before = first.getBoundingClientRect().top;
    for (const id of [...this.earlier].slice(-MANY)) {
      this.earlier.delete(id);
      this.update(this.conversation, id);
    }
    this.replace(this.conversation);
    area.scrollTop += first.getBoundingClientRect().top - before;
  }
}

const isShown = (message) => message !== undefined && Object.hasOwn(ROLES, message.role);

/** What the model thought before it spoke: one line until somebody wants to read it. */
class ThoughtView {
  constructor() {
    this.text = el('p', { class: 'text', dir: 'auto' });
    this.summary = el('summary', {});
    this.element = el('details', { class: 'thought' }, this.summary, this.text);
  }

  update(message, conversation) {
    this.summary.textContent = conversation.isStreaming(message.id) ? say('Thinking…') : say('Thought about it');
    this.text.replaceChildren(prose(textOf(message.content)));
  }
}

class MessageView {
  constructor(message, scene) {
    this.scene = scene;
    this.change = message.role === 'user'
      ? button(say('Edit'), () => this.edit(), 'quiet small')
      : button(say('Answer again'), () => scene.answerAgain(message.id), 'quiet small');
    this.change.hidden = true;
    this.isUser = message.role === 'user';
    this.body = el('div', { class: 'text', dir: 'auto' });
    this.media = el('div', { class: 'media' });
    this.calls = el('div', { class: 'calls' });
    this.views = new Map();
    this.markdown = message.role === 'assistant' ? new Markdown(this.body) : undefined;
    this.time = el('time', { class: 'hint' });
    this.tools = el('div', { class: 'message-tools' }, copyButton(() => this.content), this.change, this.time);
    this.element = el(
      'article',
      { class: `message ${message.role}`, 'aria-label': say(ROLES[message.role]) },
      this.body,
      this.media,
      this.tools,
      this.calls);
  }

  offer(free, isLast) {
    this.change.hidden = !free || !(this.isUser || isLast);
    if (!free) this.form?.remove();
  }

  /** A box in the place of the message, with all that will be replaced by it. */
  edit() {
    const box = el('textarea', { 'aria-label': say('Your message'), rows: '1', dir: 'auto' });
    const grow = () => {
      box.style.height = 'auto';
      box.style.height = `${box.scrollHeight + 2}px`;
    };
    const close = () => {
      this.form.remove();
      this.element.classList.remove('editing');
      this.change.focus();
    };
    const send = () => {
      const text = box.value.trim();
      const rest = Array.isArray(this.message.content) ? this.message.content.filter(({ type }) => type !== 'text') : [];
      if (text === '' && rest.length === 0) return;
      this.scene.edit(this.message.id, rest.length === 0 ? text : [...(text === '' ? [] : [{ type: 'text', text }]), ...rest]);
    };
    const follows = this.element.nextElementSibling !== null;
    box.value = this.content;
    box.addEventListener('input', grow);
    this.form = el(
      'form',
      {
        class: 'edit-message',
        onsubmit: (event) => {
          event.preventDefault();
          send();
        },
        onkeydown: (event) => {
          if (event.key === 'Escape') close();
          if (event.key !== 'Enter' || event.target !== box || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        },
      },
      box,
      el('p', { class: 'hint' }, follows ? say('What follows is replaced. What has been done stays done.') : ''),
      el('div', { class: 'edit-actions' }, button(say('Cancel'), close), el('button', { type: 'submit', class: 'primary' }, say('Send again'))));
    this.element.classList.add('editing');
    this.element.append(this.form);
    grow();
    box.focus();
  }

  update(message, conversation, scene) {
    this.message = message;
    this.content = textOf(message.content);
    if (this.markdown) this.markdown.show(this.content);
    else if (this.shown !== this.content) this.body.replaceChildren(prose(this.content));
    this.shown = this.content;
    this.body.hidden = this.content === '';
    const streaming = conversation.isStreaming(message.id);
    this.tools.hidden = this.content === '' || streaming || message.toolCalls?.length > 0;
    const came = conversation.times.of(message.id);
    if (came) {
      this.time.dateTime = new Date(came).toISOString();
      this.time.textContent = clock(came);
    }
    if (this.media.childElementCount === 0) this.media.append(...mediaOf(message.content));
    // assistive technology waits for the whole message instead of reading every piece of it
    this.element.setAttribute('aria-busy', String(conversation.isBusy(message.id)));
    this.element.classList.toggle('streaming', streaming);
    for (const call of message.toolCalls ?? []) {
      if (!this.views.has(call.id)) {
        this.views.set(call.id, new CallView(call));
        this.calls.append(this.views.get(call.id).element);
      }
      this.views.get(call.id).update(call, conversation, scene);
    }
    this.element.classList.toggle('asks', this.calls.querySelector('holdpoint-card') !== null);
  }
}

const KINDS = { image: 'Picture', audio: 'Sound', video: 'Video', document: 'Document', binary: 'File' };

/** Pictures that came with the message are shown, other media named; nothing is loaded from elsewhere. */
function mediaOf(content) {
  if (!Array.isArray(content)) return [];
  return content.filter(({ type }) => Object.hasOwn(KINDS, type)).map(({ type, source }) => {
    const ofImage = type === 'image' && source?.type === 'data' && /^image\/(png|jpeg|gif|webp)$/.test(source.mimeType);
    return ofImage
      ? el('img', { src: `data:${source.mimeType};base64,${source.value}`, alt: say('The picture that you sent'), width: '160' })
      : el('span', { class: 'chip' }, visible(`${say(KINDS[type])} ${source?.mimeType ?? ''}`));
  });
}

/** How a call stands: its drawing, and the words for people. */
const FATES = {
  writing: ['run', 'Being prepared'],
  checking: ['run', 'Checking'],
  running: ['run', 'Running'],
  waiting: ['wait', 'Waiting for you'],
  left: ['run', 'This page runs it'],
  executed: ['done', 'Executed'],
  edited: ['edit', 'Executed with changes'],
  reasked: ['edit', 'Edited, asked again'],
  again: ['clock', 'Approved, asked again'],
  answered: ['person', 'Answered'],
  supplied: ['person', 'Answered by a person'],
  denied: ['no', 'Denied'],
  cancelled: ['no', 'Cancelled'],
  expired: ['clock', 'Expired'],
  failed: ['alert', 'Failed'],
  refused: ['no', 'Not run'],
  approved: ['clock', 'Approved, not run yet'],
  open: ['clock', 'Not run yet'],
};

/** Nothing is said to run before its step has begun, or the trail says so. */
function fateOf(result, life = {}, scene, { writing = false, inStep = false } = {}) {
  const { how, payload } = life.DECIDED?.detail ?? {};
  if (!result && !writing && (inStep || (life.CLAIMED && !life.ended))) return 'running';
  if (!result) return writing ? 'writing' : scene.running ? 'checking' : life.askedAgain && !life.DECIDED ? (life.HELD.detail.editedBy === undefined ? 'again' : 'reasked') : payload?.approved === true ? 'approved' : payload?.approved === false ? 'denied' : 'open';
  const notes = result.metadata?.langchain4j ?? {};
  if (notes.suppliedBy === 'person') return 'supplied';
  if (life.EXECUTED || (!life.ended && result.error === undefined)) {
    if (notes.edited) return 'edited';
    return life.DECIDED && !life.CLAIMED && !life.EXECUTED?.detail.byClient ? 'answered' : 'executed';
  }
  if (life.EXPIRED || ((how === 'CANCELLED' || how === 'STEERED_AWAY') && new Date(life.HELD?.detail.expiresAt) <= new Date(life.DECIDED.at))) return 'expired';
  if (how === 'CANCELLED' || how === 'STEERED_AWAY') return 'cancelled';
  if (payload?.approved === false) return 'denied';
  return life.FAILED ? 'failed' : 'refused';
}

/** One tool call: one line that can be opened, or the card with which a person decides about it. */
class CallView {
  constructor(call) {
    this.summary = el('summary', {});
    this.detail = el('div', { class: 'call-detail' });
    this.line = el('details', { class: 'call-line' }, this.summary, this.detail);
    this.element = el('div', { class: 'call', role: 'group', 'aria-label': say('Tool call {tool}', { tool: call.function.name }), 'data-tool': call.function.name }, this.line);
  }

  update(call, conversation, scene) {
    const card = scene.cards.get(call.id);
    const result = conversation.results.get(call.id);
    this.element.classList.toggle('unsettled', !card && !result && scene.running);
    if (card && !(result && card.kind?.startsWith('approved'))) {
      if (card.element.parentNode !== this.element) this.element.replaceChildren(card.element);
      return;
    }
    if (this.line.parentNode !== this.element) this.element.replaceChildren(this.line);
    const life = scene.lives.get(call.id);
    const fate = fateOf(result, life, scene, { writing: conversation.openCalls.has(call.id), inStep: conversation.isInStep(call) });
    const shown = `${fate}|${call.function.arguments}|${result?.id}|${result?.error}|${life?.count ?? 0}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.show(call, result, life, fate, scene);
  }

  show(call, result, life, fate, scene) {
    const [mark, words] = FATES[fate];
    const args = parsed(call.function.arguments);
    const executed = result?.metadata?.langchain4j?.executedArgs ?? (fate === 'reasked' ? life.HELD.detail.arguments : undefined);
    this.line.className = `call-line ${fate}`;
    this.summary.replaceChildren(
      icon(mark),
      el('span', { class: 'state' }, say(words)),
      el('code', {}, visible(call.function.name)),
      el('span', { class: 'call-gist', dir: 'auto' }, ...gistOf(args, executed, life)),
      el('span', { class: life?.ALLOWED && !life.DECIDED ? 'who unasked' : 'who' }, ...who(life, fate, scene)));
    const said = saidOf(life, fate, scene);
    this.detail.replaceChildren(...[
      el('p', { class: 'hint narrow' }, ...who(life, fate, scene)),
      said ? el('p', { class: 'said' }, visible(said)) : undefined,
      args === undefined ? el('pre', {}, visible(call.function.arguments)) : argumentList(inOrderOf(args, executed ?? args), life),
      ...(executed ? rowsShown(differences(args, executed, life)) : []),
      ...(result?.content && !UNSAID.has(fate) ? [el('p', { class: 'result', dir: 'auto' }, visible(textOf(result.content)))] : []),
    ].filter((child) => child !== undefined));
  }
}

/** One line of what was decided about a call, by the audit trail alone, which does not have what the tool returned. */
export function decidedLine(life, scene) {
  const { toolCallId, toolName, detail } = life.PROPOSED;
  const { payload } = life.DECIDED?.detail ?? {};
  const ran = life.CLAIMED?.detail.arguments;
  const edited = ran !== undefined && differences(detail.arguments, ran).length > 0;
  const notes = { edited, executedArgs: edited ? ran : undefined, suppliedBy: payload?.response === undefined ? undefined : 'person' };
  const isDecided = payload?.approved !== undefined && notes.suppliedBy === undefined;
  const isOpen = !life.ended && (life.CLAIMED !== undefined || life.askedAgain !== undefined || isDecided);
  const result = isOpen ? undefined : { metadata: { langchain4j: notes } };
  const call = { id: toolCallId, function: { name: toolName, arguments: stringify(detail.arguments ?? {}) } };
  const view = new CallView(call);
  view.show(call, result, life, fateOf(result, life, { ...scene, running: false }), scene);
  return view.line;
}

/** The result then is a text for the model, and nothing that a tool or a person said. */
const UNSAID = new Set(['denied', 'cancelled', 'expired', 'refused']);

/** The same arguments in the order in which they were proposed. */
const inOrderOf = (args, executed) =>
  isObject(args) && isObject(executed)
    ? Object.fromEntries([...Object.keys(args).filter((name) => Object.hasOwn(executed, name)), ...Object.keys(executed)].map((name) => [name, executed[name]]))
    : executed;

/** Values within a value one after another, also those within a text, without the signs of JSON. */
function onOneLine(value) {
  const within = typeof value === 'string' && value.startsWith('{') ? parsed(value) ?? value : value;
  const values = isObject(within) || Array.isArray(within) ? Object.values(within) : [];
  return values.length > 0 ? values.map(onOneLine).join(', ') : isNumber(value) ? inLocale(stringify(value)) : plain(value);
}

/** The arguments on one line, amounts as on the card; edited ones come first, with the old value struck out. */
function gistOf(args, executed, life) {
  if (!isObject(args)) return [];
  const changed = (name) => isObject(executed) && differences(args[name], executed[name]).length > 0;
  const names = inOrder(args, life).sort((one, other) => changed(other) - changed(one));
  return names.slice(0, 4).flatMap((name, index) => {
    const of = args[name];
    const words = () => (isNumber(of) ? wordsOf(of, args, life?.properties?.[name]) : visible(short(onOneLine(of), 40)));
    const value = changed(name) ? difference(of, executed[name]) : words();
    return [...(index > 0 ? [' · '] : []), el('span', { title: inWords(name) }, value)];
  });
}

/** Who it is, as the person who looks calls them. */
export const nameOf = (caller, { me }) => (caller === me ? say('you') : caller);

function who(life, fate, scene) {
  const decided = life?.DECIDED ?? life?.askedAgain;
  const last = decided ?? life?.last;
  if (!last) return [];
  if (!decided && life.ALLOWED) return notAsked(life, scene);
  const names = (decided?.detail.voices ?? [decided?.caller]).map((name) => nameOf(name, scene));
  const by = decided && fate !== 'expired' ? `${say('by {who}', { who: listed(names) })} ` : '';
  return [visible(by), el('time', { datetime: last.at }, clock(last.at))];
}

/** Who has decided about a call what, in the past tense. */
export function fateInWords(life, scene) {
  const { caller, detail } = life?.DECIDED ?? life?.askedAgain ?? {};
  if (caller === undefined) return say('This came to its end');
  const approved = detail.payload?.approved;
  const words = life.DECIDED === undefined && life.HELD.detail.editedBy !== undefined ? '{who} changed this'
    : approved === true ? (detail.edited ? '{who} approved this with changes' : '{who} approved this')
      : approved === false ? '{who} denied this' : detail.how === 'RESOLVED' ? '{who} answered this' : '{who} cancelled this';
  return say(words, { who: caller === scene.me ? say('Another page of yours') : caller });
}

const ALLOWED = { same_call: 'exactly this call', tool: 'this tool', within: 'calls within bounds' };

/** Why nobody was asked about a call. */
function notAsked({ last, granted }, scene) {
  const time = el('time', { datetime: last.at }, clock(last.at));
  if (!granted) return [say('not asked'), ' · ', time];
  const { caller, detail } = granted;
  const text = caller === scene.me ? 'not asked: you allowed {calls} until {time}' : 'not asked: {who} allowed {calls} until {time}';
  return [...pieces(text, { who: visible(caller), calls: say(ALLOWED[detail.scope] ?? ''), time: clock(detail.expiresAt) }), ' · ', time];
}

/** What a person said with their decision. */
function saidOf(life, fate, scene) {
  const { caller: who, detail } = life?.DECIDED ?? {};
  const { reason, note } = detail?.payload ?? {};
  const told = (mine, theirs) => say(who === scene.me ? mine : theirs, { who, reason, note });
  if (fate === 'denied') return reason ? told('You denied this: {reason}', '{who} denied this: {reason}') : told('You denied this.', '{who} denied this.');
  if (fate === 'cancelled') {
    return detail?.how === 'STEERED_AWAY'
      ? told('You said something else instead.', '{who} said something else instead.')
      : told('You cancelled this. It has not run.', '{who} cancelled this. It has not run.');
  }
  if (fate === 'expired') return say('Nobody answered in time. It has not run.');
  if (fate === 'refused') return life?.NOT_EXECUTED?.detail.error ?? say('The server did not let this run.');
  if (note) return told('You noted: {note}', '{who} noted: {note}');
  return reason ? told('You said: {reason}', '{who} said: {reason}') : undefined;
}

/**
 * What the audit trail tells of each call: its events by kind, the last of each, and as `properties` what a question called the arguments of
 * its tool, so that what was decided reads as what was asked.
 */
export function livesOf(events) {
  const lives = new Map();
  const labels = new Map();
  const grants = new Map();
  for (const event of events) {
    if (event.toolCallId === undefined) continue;
    if (event.kind === 'GRANTED') grants.set(event.detail.grant, event);
    if (!lives.has(event.toolCallId)) lives.set(event.toolCallId, { count: 0 });
    const life = lives.get(event.toolCallId);
    life.count++;
    life[event.kind] = event;
    const isApproved = life.DECIDED?.detail.payload?.approved === true && !life.CLAIMED;
    if (event.kind === 'HELD' && (event.detail.editedBy !== undefined || isApproved)) { // what was decided before does not count any more
      life.askedAgain = life.DECIDED ?? life.askedAgain;
      delete life.DECIDED;
    }
    if (event.detail.labels) labels.set(event.toolName, event.detail.labels);
    life.properties = labels.get(event.toolName) ?? life.properties;
    if (event.kind === 'ALLOWED') life.granted = grants.get(event.detail.grant);
    if (event.kind !== 'PRESENTED' && event.kind !== 'REPLAYED') life.last = event;
    life.ended ||= ['EXECUTED', 'FAILED', 'NOT_EXECUTED', 'EXPIRED'].includes(event.kind);
  }
  return lives;
}
