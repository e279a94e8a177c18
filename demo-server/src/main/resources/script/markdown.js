import { copyButton, el, visible } from './kit.js';
import { say } from './language.js';

/* marked and DOMPurify are classic scripts, served in front of this one */
const { marked, DOMPurify } = globalThis;

const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

marked.use({
  gfm: true,
  breaks: true,
  renderer: {
    // markup in a text is shown, not obeyed
    html: ({ text }) => escapeHtml(text),
    // what is shown does not load anything
    image: ({ href, text }) => escapeHtml(`![${text}](${href})`),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
  // an address in angle brackets keeps them
  tokenizer: { autolink: () => undefined },
});

const ALLOWED = {
  ALLOWED_TAGS: [
    'p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6',
    'table', 'thead', 'tbody', 'tr', 'th', 'td',
  ],
  ALLOWED_ATTR: ['href', 'start', 'align'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  RETURN_DOM_FRAGMENT: true,
};

/** What turns a text around, hides a part of it or breaks its lines; joiners, which letters and emojis are made with, are left. */
const TURNS = /((?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}])/u;

/** What somebody has said, which is read and not run: marked where it would be seen as another text. */
export function prose(text) {
  const fragment = document.createDocumentFragment();
  fragment.append(...text.replace(/\r\n?/g, '\n').split(TURNS).map((part, i) => (i % 2 === 0 ? part : visible(part))));
  return fragment;
}

/** Shows a text in Markdown that is still growing. What is complete of it is not made again, so a selection stays. */
export class Markdown {
  constructor(root) {
    this.root = root;
    this.blocks = [];
  }

  show(text) {
    if (this.text === text) return;
    this.text = text;
    const tokens = marked.lexer(text);
    let index = 0;
    while (index < tokens.length && this.blocks[index]?.raw === tokens[index].raw) index++;
    this.blocks.splice(index).forEach(({ node }) => node.remove());
    for (const token of tokens.slice(index)) {
      const node = el('div', { class: 'block' }, rendered(token, tokens.links));
      this.blocks.push({ raw: token.raw, node });
      this.root.append(node);
    }
  }
}

/** What is seen of a text in Markdown, without its marks. */
export const seen = (text) => DOMPurify.sanitize(marked.parse(text), ALLOWED).textContent;

function rendered(token, links) {
  const fragment = DOMPurify.sanitize(marked.parser(Object.assign([token], { links })), ALLOWED);
  if (TURNS.test(fragment.textContent)) {
    const texts = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
    const all = [];
    while (texts.nextNode()) all.push(texts.currentNode);
    all.forEach((node) => node.replaceWith(prose(node.data)));
  }
  for (const link of fragment.querySelectorAll('a')) {
    link.setAttribute('rel', 'noopener noreferrer');
    link.setAttribute('target', '_blank');
  }
  // below the headings of the page
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const level = Math.min(6, Number(heading.localName[1]) + 1);
    heading.replaceWith(el(`h${level}`, { class: 'heading' }, ...heading.childNodes));
  }
  for (const code of fragment.querySelectorAll('pre')) {
    code.setAttribute('tabindex', '0');
    const frame = el('div', { class: 'code-block' });
    code.replaceWith(frame);
    frame.append(code, copyButton(() => code.textContent));
  }
  for (const table of fragment.querySelectorAll('table')) {
    const frame = el('div', { class: 'table', tabindex: '0', role: 'group', 'aria-label': say('Table') });
    table.replaceWith(frame);
    frame.append(table);
  }
  return fragment;
}
