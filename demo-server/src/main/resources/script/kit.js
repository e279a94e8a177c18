import { button, el, parse } from '/agent/card.js';
import { locale, say } from './language.js';

export * from '/agent/card.js';

/** What has the focus, inside of a card too. */
export function focused() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/** The elements of open questions; those that were there `before` stay, with what was filled in. */
export const cardsOf = (interrupts, { me, mine, before, ...more }) => interrupts.map((interrupt) => {
  const element = before?.cards.find((card) => card.interrupt.id === interrupt.id)?.element ?? el('holdpoint-card', { caller: me });
  return Object.assign(element, { mayWithdraw: mine, ...more, interrupt });
});

export const byId = (id) => document.getElementById(id);

/** As `parse`; undefined if the text is no JSON, such as arguments that are still on their way. */
export function parsed(text) {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The text of a message's content: a string, or the text parts of a list. */
export function textOf(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).filter((part) => part.type === 'text').map((part) => part.text).join('\n');
}

export const clockSeconds = (at) => new Date(at).toLocaleTimeString(locale());

/** How long ago it was, in its largest unit. */
export function ago(at) {
  const minutes = Math.floor((Date.now() - new Date(at)) / 60_000);
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : minutes < 48 * 60 ? [Math.floor(minutes / 60), 'hour'] : [Math.floor(minutes / 1440), 'day'];
  return minutes < 1 ? say('just now') : new Intl.RelativeTimeFormat(locale(), { style: 'short' }).format(-count, unit);
}

export const newId = () =>
  // randomUUID exists only on https and localhost
  crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-');

/** A button that puts a text on the clipboard. */
export function copyButton(text, label = say('Copy')) {
  const copy = button(label, async () => {
    await navigator.clipboard.writeText(text());
    copy.textContent = say('Copied');
    setTimeout(() => (copy.textContent = label), 1500);
  }, 'quiet small');
  return copy;
}

/** What several ask for at the same time: an answer that comes after the one to a later question is old, and undefined. */
export class Readings {
  begun = 0;
  ended = 0;

  async latest(read) {
    const reading = ++this.begun;
    const found = await read();
    if (reading < this.ended) return undefined;
    this.ended = reading;
    return found;
  }
}

/** Names of people in a row. */
export const listed = (names) => new Intl.ListFormat(locale()).format(names);
