// What a text from outside must not do on a page, in shadow roots too: become an element, run, or be on the screen in a way that hides what it is.
() => {
  const found = [];
  const tell = (what, node, text) => found.push(`${what}: <${node.localName ?? node.nodeName}${node.className ? ` class="${node.className.baseVal ?? node.className}"` : ''}${node.id ? ` id="${node.id}"` : ''}> ${JSON.stringify(text.slice(0, 90))}`);
  const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u3164]/u;
  const joins = /[\u00ad\u200c-\u200f]/g; // which words and emojis are made with: in what people and models say they are left
  const shown = ['title', 'placeholder', 'alt', 'aria-label', 'aria-description', 'label'];
  const foreign = ['script', 'iframe', 'object', 'embed', 'base', 'meta', 'link', 'style', 'video', 'audio', 'math', 'marquee', 'template', 'frame', 'form[action]'];
  const walk = (root) => {
    for (const node of root.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        const text = root.closest?.('.message, .thought') && !root.closest('.calls') ? node.data.replace(joins, '') : node.data;
        if (unseen.test(text)) tell('not marked', root, node.data);
        continue;
      }
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      if (foreign.includes(node.localName)) tell('foreign', node, node.outerHTML);
      if (node.localName === 'img' && !node.src.startsWith('data:image/')) tell('foreign', node, node.outerHTML);
      if (node.localName === 'svg' && node.getAttribute('aria-hidden') !== 'true' && !node.getAttribute('role')) tell('foreign', node, node.outerHTML);
      for (const { name, value } of node.attributes) {
        if (name === 'data-planted' || name.startsWith('on') || name === 'srcdoc' || name === 'action') tell('foreign', node, node.outerHTML);
        if (['href', 'src', 'xlink:href', 'formaction'].includes(name) && /^\s*(javascript|vbscript|data:text)/i.test(value)) tell('would run', node, value);
        if (shown.includes(name) && unseen.test(value)) tell(`not marked (${name})`, node, value);
      }
      walk(node);
      if (node.shadowRoot) walk(node.shadowRoot);
    }
  };
  walk(document.body);
  if (unseen.test(document.title)) found.push(`not marked: the title ${JSON.stringify(document.title)}`);
  if (globalThis.planted) found.push('it ran');
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`wider than the window: ${scrollWidth} > ${clientWidth}`);
  return [...new Set(found)].join('\n');
}
