import { isObject } from './kit.js';

const TIMES = 'message-times';
const MOST_TIMES = 500;

/** When messages came that this browser saw coming, by id: messages of AG-UI have no times. */
class Times {
  constructor() {
    this.all = this.stored();
  }

  stored() {
    try {
      return new Map(JSON.parse(localStorage.getItem(TIMES)));
    } catch {
      return new Map();
    }
  }

  cameNow(id) {
    if (this.all.has(id)) return;
    this.all = this.stored().set(id, Date.now()); // with those of other tabs
    localStorage.setItem(TIMES, JSON.stringify([...this.all].slice(-MOST_TIMES)));
  }

  of(id) {
    return this.all.get(id);
  }
}

/**
 * The messages of a thread in AG-UI's shape and its shared state, kept up to date by the events of its runs.
 * `changed(id)` is called for each message that changed, `replaced()` when the whole list did.
 */
export class Conversation {
  constructor({ changed, replaced }) {
    this.changed = changed;
    this.replaced = replaced;
    this.times = new Times();
    this.clear();
  }

  clear() {
    this.messages = new Map();
    this.results = new Map();
    this.parents = new Map();
    this.open = new Set();
    this.openCalls = new Set();
    this.steps = [];
    this.state = undefined;
    this.replaced();
  }

  /** All known user messages. */
  get userMessages() {
    return [...this.messages.values()].filter((message) => message.role === 'user');
  }

  add(message) {
    this.times.cameNow(message.id);
    this.messages.set(message.id, message);
    this.changed(message.id);
  }

  /** What a tool of this page returned. */
  addResult(message) {
    this.results.set(message.toolCallId, message);
    this.messages.set(message.id, message);
    this.changed(this.parents.get(message.toolCallId));
  }

  /** Forgets a message and all that follow. */
  cutFrom(id) {
    const ids = [...this.messages.keys()];
    if (this.messages.has(id)) ids.slice(ids.indexOf(id)).forEach((each) => this.messages.delete(each));
    this.replaced();
  }

  /** The first message that is replaced: the edited one, or what follows the message that is answered again. */
  firstReplaced({ replaces, message }) {
    const all = [...this.messages.values()];
    const at = all.findIndex(({ id }) => id === replaces);
    return message ? replaces : all[all.findLastIndex(({ role }, index) => role === 'user' && index < at) + 1]?.id;
  }

  /** Takes back a message that the server refused. */
  remove(id) {
    this.messages.delete(id);
    this.replaced();
  }

  /** Whether more text is on its way. */
  isStreaming(id) {
    return this.open.has(id);
  }

  /** Whether more text or arguments are on their way. */
  isBusy(id) {
    return this.open.has(id) || this.messages.get(id).toolCalls?.some((call) => this.openCalls.has(call.id)) === true;
  }

  /** Nothing more will come: the run is over, however it ended. */
  close() {
    const open = [...this.open, ...[...this.openCalls].map((id) => this.parents.get(id))];
    this.open.clear();
    this.openCalls.clear();
    this.steps = [];
    open.forEach((id) => this.changed(id));
  }

  apply(event) {
    if (Object.hasOwn(HANDLERS, event.type)) HANDLERS[event.type](this, event);
  }

  /** Whether this call runs: a step is called like its tool, and calls of one tool run in their order. */
  isInStep({ id, function: { name } }) {
    if (!this.steps.includes(name)) return false;
    const calls = this.messages.get(this.parents.get(id))?.toolCalls ?? [];
    return calls.find((call) => call.function.name === name && !this.results.has(call.id))?.id === id;
  }

  showCalls(name) {
    for (const { id, toolCalls } of this.messages.values()) if (toolCalls?.some((call) => call.function.name === name && !this.results.has(call.id))) this.changed(id);
  }

  message(id, role) {
    if (!this.messages.has(id)) this.messages.set(id, { id, role, content: '', toolCalls: [] });
    const message = this.messages.get(id);
    message.content ??= '';
    message.toolCalls ??= [];
    return message;
  }

  call(id) {
    return this.messages.get(this.parents.get(id))?.toolCalls.find((call) => call.id === id);
  }

  begin(id, role) {
    this.message(id, role);
    this.times.cameNow(id);
    this.open.add(id);
    this.changed(id);
  }

  end(id) {
    this.open.delete(id);
    if (this.messages.has(id)) this.changed(id);
  }
}

const HANDLERS = {
  TEXT_MESSAGE_START: (conversation, { messageId }) => conversation.begin(messageId, 'assistant'),

  TEXT_MESSAGE_CONTENT(conversation, { messageId, delta }) {
    conversation.message(messageId, 'assistant').content += delta;
    conversation.changed(messageId);
  },

  TEXT_MESSAGE_END: (conversation, { messageId }) => conversation.end(messageId),

  REASONING_MESSAGE_START: (conversation, { messageId }) => conversation.begin(messageId, 'reasoning'),

  REASONING_MESSAGE_CONTENT(conversation, { messageId, delta }) {
    conversation.message(messageId, 'reasoning').content += delta;
    conversation.changed(messageId);
  },

  REASONING_MESSAGE_END: (conversation, { messageId }) => conversation.end(messageId),

  TOOL_CALL_START(conversation, { toolCallId, toolCallName, parentMessageId = toolCallId }) {
    conversation.parents.set(toolCallId, parentMessageId);
    conversation.openCalls.add(toolCallId);
    const call = { id: toolCallId, type: 'function', function: { name: toolCallName, arguments: '' } };
    conversation.message(parentMessageId, 'assistant').toolCalls.push(call);
    conversation.changed(parentMessageId);
  },

  TOOL_CALL_ARGS(conversation, { toolCallId, delta }) {
    const call = conversation.call(toolCallId);
    if (!call) return;
    call.function.arguments += delta;
    conversation.changed(conversation.parents.get(toolCallId));
  },

  TOOL_CALL_END(conversation, { toolCallId }) {
    conversation.openCalls.delete(toolCallId);
    if (conversation.parents.has(toolCallId)) conversation.changed(conversation.parents.get(toolCallId));
  },

  TOOL_CALL_RESULT(conversation, { toolCallId, messageId, content, metadata }) {
    const message = { id: messageId, role: 'tool', toolCallId, content, metadata };
    conversation.messages.set(messageId, message);
    conversation.results.set(toolCallId, message);
    if (conversation.parents.has(toolCallId)) conversation.changed(conversation.parents.get(toolCallId));
  },

  MESSAGES_SNAPSHOT(conversation, { messages }) {
    conversation.messages = new Map(messages.map((message) => [message.id, message]));
    conversation.results = new Map(
      messages.filter((message) => message.role === 'tool').map((message) => [message.toolCallId, message]));
    conversation.parents = new Map(
      messages.flatMap((message) => (message.toolCalls ?? []).map((call) => [call.id, message.id])));
    conversation.replaced();
  },

  STATE_SNAPSHOT(conversation, { snapshot }) {
    conversation.state = snapshot;
  },

  STATE_DELTA(conversation, { delta }) {
    conversation.state = patched(conversation.state, delta);
  },

  STEP_STARTED(conversation, { stepName }) {
    conversation.steps = [...conversation.steps, stepName];
    conversation.showCalls(stepName);
  },

  STEP_FINISHED(conversation, { stepName }) {
    conversation.steps = conversation.steps.filter((name) => name !== stepName);
    conversation.showCalls(stepName);
  },
};

/** A value after the operations of a JSON Patch (RFC 6902). The value itself is not changed. */
export function patched(value, operations) {
  const root = { whole: structuredCopy(value) };
  for (const { op, path, from, value: given } of operations) {
    const moved = from === undefined ? given : at(root, from);
    if (op === 'remove' || op === 'move') take(root, op === 'move' ? from : path);
    if (op !== 'remove' && op !== 'test') put(root, path, structuredCopy(moved), op);
  }
  return root.whole;
}

/** Numbers are not copied: they keep their digits. */
function structuredCopy(value) {
  if (Array.isArray(value)) return value.map(structuredCopy);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, structuredCopy(inner)])) : value;
}

const keysOf = (path) => ['whole', ...path.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))];

function place(root, path) {
  const keys = keysOf(path);
  const key = keys.pop();
  return [keys.reduce((node, each) => node?.[each], root), key];
}

const at = (root, path) => keysOf(path).reduce((node, key) => node?.[key], root);

function take(root, path) {
  const [node, key] = place(root, path);
  if (Array.isArray(node)) node.splice(Number(key), 1);
  else if (node) delete node[key];
}

function put(root, path, value, op) {
  const [node, key] = place(root, path);
  if (!node) return;
  if (!Array.isArray(node)) Object.defineProperty(node, key, { value, writable: true, enumerable: true, configurable: true });
  else if (op === 'replace') node[Number(key)] = value;
  else node.splice(key === '-' ? node.length : Number(key), 0, value);
}
