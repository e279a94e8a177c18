import { el } from './dom.js';

// everything that a browser would hide, reorder or show as an ordinary blank; line feeds and tabs are left
const HIDDEN =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

const escape = (character) => {
  const code = character.codePointAt(0);
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** Whether some of the text would not be seen. */
export const hasHidden = (text) => text.search(HIDDEN) >= 0;

/**
 * The text as nodes: what is shown is what will run. Control, bidirectional, zero-width and other invisible characters
 * appear as highlighted escapes such as \u202e.
 */
export function visible(text) {
  const fragment = document.createDocumentFragment();
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    fragment.append(text.slice(from, match.index));
    fragment.append(el('span', { class: 'escape', title: 'an invisible character' }, escape(match[0])));
    from = match.index + match[0].length;
  }
  fragment.append(text.slice(from));
  return fragment;
}
