// Texts of a model or a tool that want to become markup or code, in every field of a question and of a call; tells what has become an element.
async () => {
  await import('/agent/card.js?part=cards');
  const bad = 'globalThis.pwned=1';
  const payloads = [`<script>${bad}</script>`, `<img src=x onerror=${bad}>`, `<svg onload=${bad}>`, `<svg><script>${bad}</script></svg>`, `<iframe srcdoc="<script>parent.pwned=1</script>">`,
    `<iframe src="javascript:parent.pwned=1">`, `<a href="javascript:${bad}" autofocus onfocus=${bad}>x</a>`, `<body onload=${bad}>`, `<details open ontoggle=${bad}>`, `<video><source onerror=${bad}></video>`,
    `<input autofocus onfocus=${bad}>`, `<style>@import 'javascript:${bad}'</style>`, `<math><mtext></form><form><mglyph><style></math><img src onerror=${bad}>`, `"><img src=x onerror=${bad}>`, `' onmouseover='${bad}`,
    `" autofocus onfocus="${bad}`, `</textarea><script>${bad}</script>`, `</title><script>${bad}</script>`, `--><script>${bad}</script>`, `]]><script>${bad}</script>`, `\${${bad}}`, `{{constructor.constructor('${bad}')()}}`,
    `javascript:${bad}`, `data:text/html,<script>${bad}</script>`, `&lt;script&gt;${bad}&lt;/script&gt;`, `\u003cscript\u003e${bad}\u003c/script\u003e`, `<scr\u0000ipt>${bad}</scr\u0000ipt>`, `<ScRiPt>${bad}</sCrIpT>`,
    `<object data="javascript:${bad}">`, `<embed src="javascript:${bad}">`, `<form action="javascript:${bad}"><button>x</button></form>`, `<base href="https://example.com/">`, `<link rel=stylesheet href="javascript:${bad}">`,
    `<meta http-equiv=refresh content="0;url=javascript:${bad}">`, `<marquee onstart=${bad}>`, `<holdpoint-card onclick=${bad}></holdpoint-card>`, `<slot name=context></slot>`, `<template shadowrootmode=open><script>${bad}</script></template>`,
    `a\u202egnp.exe\u2066b\u200bc\u061cd\u2028e\u0007f`, `__proto__`, `constructor`, `{name} {n} {who}|{n}`, `$&$1$\`$'`];
  const found = [];
  const look = (root, what) => {
    const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) if (unseen.test(texts.currentNode.data)) found.push(`not marked: ${texts.currentNode.parentNode.outerHTML.slice(0, 120)}`);
    for (const each of root.querySelectorAll('*')) {
      for (const name of ['title', 'aria-label', 'placeholder']) if (unseen.test(each.getAttribute(name) ?? '')) found.push(`not marked: ${name} of ${each.outerHTML.slice(0, 120)}`);
      const isOurs = ['svg', 'path'].includes(each.localName) ? each.closest('svg').getAttribute('aria-hidden') === 'true' : true;
      if (['script', 'img', 'iframe', 'object', 'embed', 'a', 'style', 'link', 'meta', 'base', 'math', 'video', 'marquee', 'template', 'body', 'holdpoint-card'].includes(each.localName) || !isOurs
          || [...each.attributes].some(({ name }) => name.startsWith('on') || ['src', 'href', 'srcdoc', 'action', 'formaction', 'style'].includes(name))) found.push(`${what}: ${each.outerHTML.slice(0, 80)}`);
    }
  };
  const at = new Date(Date.now() + 9e6).toISOString();
  const past = new Date(Date.now() - 9e5).toISOString();
  for (const [index, x] of payloads.entries()) {
    const schema = { type: 'object', title: x, description: x, required: [x], properties: {
      [x]: { type: 'string', title: x, description: x }, long: { type: 'string', description: x + '.' }, n: { type: 'number', 'x-unit': x, title: x }, choice: { enum: [x, 'other'], title: x },
      rows: { type: 'array', title: x, items: { type: 'object', properties: { [x]: { type: 'string', title: x } } } }, fixed: { type: 'string', readOnly: true, title: x } } };
    const args = { [x]: x, long: x + '\n'.repeat(3) + x, n: 5, choice: x, rows: [{ [x]: x }], fixed: x, to: x, file: x, currency: x, options: [x, 'two'] };
    const said = { toolName: x, args, argsOrder: [x], editedBy: x, editedFrom: { at: past, args: { ...args, long: 'before ' + x, n: 4 }, approvals: [{ by: x, at: past }] },
      delegatedBy: { toolName: x }, proposedBy: x, reversibility: x, secondOpinion: { concern: 'serious', reason: x }, why: [x], refused: { code: x, message: x },
      approvals: { needed: 2, groups: [{ needed: 1, audience: x }], have: [{ by: x, at: past }] }, timeline: [{ step: 'escalate', audience: x, at: past }, { step: 'escalate', audience: x, at }],
      effect: { plan: { [x]: x, rows: [{ [x]: x }, { [x]: 2 }] }, facts: { [x]: x }, changed: { was: { [x]: 'a' }, is: { [x]: x } } }, preview: x, previewError: x,
      rememberWithin: { same: [x], count: 3, sum: { argument: x, seconds: 60 }, perOwner: true }, attempts: [{ startedAt: x }, { startedAt: past }], error: x, [x]: x,
      provenance: { arguments: { [`/${x}`]: { from: 'tool', toolName: x, toolCallId: 't', at: 3, untrusted: true }, '/n': { from: x } } } };
    const asked = (more) => ({ id: `int_${x}_${Math.random()}`, reason: x, toolCallId: x, message: x, expiresAt: at, metadata: { langchain4j: said, [x]: x, prices: { [x]: x } }, ...more });
    const approval = { type: 'object', required: ['approved'], properties: { approved: { type: 'boolean' }, reason: { type: 'string', title: x }, response: { type: 'string' }, editedArgs: schema,
      remember: { enum: ['tool', 'within', x] }, rememberMinutes: { default: 5 }, bounds: schema } };
    const actions = (own) => ({ type: 'object', required: ['action'], properties: { action: { enum: own }, note: { type: 'string' }, editedArgs: schema } });
    card.caller = x;
    card.conversation = [{ id: x, role: 'user', name: x, content: x }, { id: 'r', role: 'tool', toolCallId: 't', content: `abc${x}` }, { id: 'a', role: 'assistant', content: [{ type: 'text', text: x }], toolCalls: [{ id: x, function: { name: x, arguments: x } }] }];
    const kinds = [asked({ responseSchema: approval }), asked({ responseSchema: { ...approval, properties: { ...approval.properties, confirm: { type: 'string', title: x } } } }),
      asked({ reason: 'langchain4j:tool_error', responseSchema: actions(['retry', 'give_up']) }), asked({ reason: 'langchain4j:outcome_unknown', responseSchema: actions(['retry', 'done']) }),
      asked({ responseSchema: schema }), asked({ responseSchema: { type: 'boolean', title: x } }), asked({ responseSchema: { enum: [x, 'b'], title: x } }), asked({})];
    for (const interrupt of [kinds[0], kinds[index % kinds.length], kinds[(index + 3) % kinds.length]]) {
      card.interrupt = interrupt;
      look(card.shadowRoot, x);
      const key = card.shadowRoot.querySelector('[data-key="e"]');
      key?.click();
      card.error = x;
      look(card.shadowRoot, x);
    }
    const call = document.createElement('holdpoint-call');
    call.by = x;
    call.setAttribute('by', x);
    document.body.append(call);
    for (const text of [JSON.stringify(args), x]) {
      Object.assign(call, { call: { id: x, function: { name: x, arguments: text } }, result: { content: x, error: undefined, metadata: { langchain4j: { executedArgs: { ...args, to: `${x}2` }, approvalComment: x } } } });
      look(call.shadowRoot, `call ${x}`);
    }
    call.remove();
  }
  return found.concat(globalThis.pwned ? ['it ran'] : []).join('\n');
}
