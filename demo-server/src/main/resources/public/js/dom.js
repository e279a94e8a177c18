/**
 * Makes an element. Strings among the children become text nodes: nothing on this page is ever parsed as HTML.
 * Attributes: `on…` adds a listener, `true` sets an empty attribute, `false` and `undefined` set none.
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

/** A button that does not submit a form. */
export function button(label, onclick, className = '') {
  return el('button', { type: 'button', class: className, onclick }, label);
}

export const byId = (id) => document.getElementById(id);

let ids = 0;

/** An id for an element that a label or a description refers to. */
export const freshId = (prefix) => `${prefix}-${++ids}`;
