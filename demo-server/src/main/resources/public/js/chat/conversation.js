/**
 * The messages of a thread in AG-UI's shape, kept up to date by the events of its runs.
 * `changed(id)` is called for each message that changed, `replaced()` when the whole list did.
 */
export class Conversation {
  constructor({ changed, replaced }) {
    this.changed = changed;
    this.replaced = replaced;
    this.clear();
  }

  clear() {
    this.messages = new Map();
    this.results = new Map();
    this.parents = new Map();
    this.open = new Set();
    this.openCalls = new Set();
    this.replaced();
  }

  /** All known user messages. */
  get userMessages() {
    return [...this.messages.values()].filter((message) => message.role === 'user');
  }

  addUser(message) {
    this.messages.set(message.id, message);
    this.changed(message.id);
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
    open.forEach((id) => this.changed(id));
  }

  apply(event) {
    const handler = HANDLERS[event.type];
    if (handler) handler(this, event);
  }

  assistant(id) {
    if (!this.messages.has(id)) this.messages.set(id, { id, role: 'assistant', content: '', toolCalls: [] });
    const message = this.messages.get(id);
    message.content ??= '';
    message.toolCalls ??= [];
    return message;
  }

  call(id) {
    return this.messages.get(this.parents.get(id))?.toolCalls.find((call) => call.id === id);
  }
}

const HANDLERS = {
  TEXT_MESSAGE_START(conversation, { messageId }) {
    conversation.assistant(messageId);
    conversation.open.add(messageId);
    conversation.changed(messageId);
  },

  TEXT_MESSAGE_CONTENT(conversation, { messageId, delta }) {
    conversation.assistant(messageId).content += delta;
    conversation.changed(messageId);
  },

  TEXT_MESSAGE_END(conversation, { messageId }) {
    conversation.open.delete(messageId);
    conversation.changed(messageId);
  },

  TOOL_CALL_START(conversation, { toolCallId, toolCallName, parentMessageId = toolCallId }) {
    conversation.parents.set(toolCallId, parentMessageId);
    conversation.openCalls.add(toolCallId);
    const call = { id: toolCallId, type: 'function', function: { name: toolCallName, arguments: '' } };
    conversation.assistant(parentMessageId).toolCalls.push(call);
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
    conversation.changed(conversation.parents.get(toolCallId));
  },

  TOOL_CALL_RESULT(conversation, { toolCallId, messageId, content, metadata }) {
    const message = { id: messageId, role: 'tool', toolCallId, content, metadata };
    conversation.messages.set(messageId, message);
    conversation.results.set(toolCallId, message);
    conversation.changed(conversation.parents.get(toolCallId));
  },

  MESSAGES_SNAPSHOT(conversation, { messages }) {
    conversation.messages = new Map(messages.map((message) => [message.id, message]));
    conversation.results = new Map(
      messages.filter((message) => message.role === 'tool').map((message) => [message.toolCallId, message]));
    conversation.parents = new Map(
      messages.flatMap((message) => (message.toolCalls ?? []).map((call) => [call.id, message.id])));
    conversation.replaced();
  },
};
