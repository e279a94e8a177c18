import { el } from '../dom.js';
import { text } from './text.js';
import { ToolCard } from './tool-card.js';

const SPEAKERS = { user: 'You', assistant: 'Agent' };

/** Shows the messages of a conversation, one element for each, which stays the same while its message changes. */
export class Transcript {
  constructor(root) {
    this.root = root;
    this.views = new Map();
  }

  update(conversation, id) {
    const message = conversation.messages.get(id);
    if (!message || !(message.role in SPEAKERS)) return;
    if (!this.views.has(id)) {
      this.views.set(id, new MessageView(message));
      this.root.append(this.views.get(id).element);
    }
    this.views.get(id).update(message, conversation);
  }

  /** Shows the list as it is now, in its order, each message once. */
  replace(conversation) {
    for (const [id, view] of this.views) {
      if (!conversation.messages.has(id)) {
        view.element.remove();
        this.views.delete(id);
      }
    }
    let previous = null;
    for (const id of conversation.messages.keys()) {
      this.update(conversation, id);
      const element = this.views.get(id)?.element;
      if (!element) continue;
      const place = previous ? previous.nextSibling : this.root.firstChild;
      if (place !== element) this.root.insertBefore(element, place);
      previous = element;
    }
  }
}

class MessageView {
  constructor(message) {
    this.body = el('div', { class: 'text', dir: 'auto' });
    this.calls = el('div', { class: 'tool-cards' });
    this.cards = new Map();
    this.element = el(
      'article',
      { class: `message ${message.role}` },
      el('h3', { class: 'speaker' }, SPEAKERS[message.role]),
      this.body,
      this.calls);
  }

  update(message, conversation) {
    const content = text(message.content);
    if (this.body.textContent !== content) this.body.textContent = content;
    this.body.hidden = content === '';
    // assistive technology waits for the whole message instead of reading every piece of it
    this.element.setAttribute('aria-busy', String(conversation.isBusy(message.id)));
    this.element.classList.toggle('streaming', conversation.isStreaming(message.id));
    for (const call of message.toolCalls ?? []) {
      if (!this.cards.has(call.id)) {
        this.cards.set(call.id, new ToolCard(call));
        this.calls.append(this.cards.get(call.id).element);
      }
      this.cards.get(call.id).update(call, conversation.results.get(call.id));
    }
  }
}
