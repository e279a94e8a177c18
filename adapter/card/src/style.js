/*
 * The style of a card. Four sizes on a scale of 1.2, an 8-pixel rhythm, one accent; amber only for what waits, green for what ran, red for
 * what is denied or destroys. A page may set the variables that begin with --holdpoint; light and dark are as its color-scheme says.
 */
const CSS = `
:host, :root {
  --ground: light-dark(#f6f5f2, #131417);
  --surface: var(--holdpoint-surface, light-dark(#ffffff, #1b1d21));
  --raised: var(--holdpoint-raised, light-dark(#efede8, #25282e));
  --line: var(--holdpoint-line, light-dark(#dedad2, #343840));
  --edge: var(--holdpoint-edge, light-dark(#8b867c, #737984));
  --text: var(--holdpoint-text, light-dark(#1d1b18, #e9e8e5));
  --soft: var(--holdpoint-soft, light-dark(#5d584f, #a9acb3));
  --accent: var(--holdpoint-accent, light-dark(#2f4bc7, #a3b4ff));
  --on-accent: var(--holdpoint-on-accent, light-dark(#ffffff, #0f1738));
  --accent-ground: light-dark(#e8ecfb, #232a4a);
  --wait: var(--holdpoint-wait, light-dark(#8a5200, #ffc14d));
  --wait-edge: var(--holdpoint-wait-edge, light-dark(#e59a1a, #ffc14d));
  --wait-ground: var(--holdpoint-wait-ground, light-dark(#fff5e0, #2c2414));
  --done: var(--holdpoint-done, light-dark(#1a7042, #6fd69b));
  --danger: var(--holdpoint-danger, light-dark(#b0261c, #ff9d93));
  --on-danger: var(--holdpoint-on-danger, light-dark(#ffffff, #3a0a06));
  --escape: light-dark(#7a1fa2, #e3b4f5);
  --escape-ground: light-dark(#f3e2fa, #42244f);
  --shadow: var(--holdpoint-shadow, 0 1px 2px light-dark(rgb(40 30 10 / 8%), rgb(0 0 0 / 40%)), 0 6px 24px light-dark(rgb(40 30 10 / 7%), rgb(0 0 0 / 30%)));
  --small: 0.8125rem;
  --normal: 0.9375rem;
  --large: 1.125rem;
  --huge: 1.375rem;
  --sans: var(--holdpoint-font, Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
  --mono: var(--holdpoint-font-mono, ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace);
}

:host { display: block; container-type: inline-size; min-inline-size: min(100%, 16rem); margin-block: 0.5rem; scroll-margin-block: 0.5rem; color: var(--text); font: var(--normal)/1.5 var(--sans); text-align: start; }

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h1, h2, h3, h4, p, ul, ol, dl, dd, pre, fieldset, legend, blockquote { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1, h2, h3, h4 { font-size: inherit; font-weight: 650; line-height: 1.3; }
a { color: var(--accent); }
code, pre, .code { font-family: var(--mono); font-size: 0.875em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
fieldset { min-width: 0; border: 0; }
time { font-variant-numeric: tabular-nums; }
del { color: var(--danger); }
ins { color: var(--done); font-weight: 600; text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
.hint { color: var(--soft); font-size: var(--small); overflow-wrap: anywhere; }
.over, .field-error { color: var(--danger); }
.field-error { font-size: var(--small); overflow-wrap: anywhere; }
.sr-only { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; border: 0; clip-path: inset(50%); white-space: nowrap; }
.icon { flex: none; width: 1rem; height: 1rem; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }

/* Buttons and fields */
button {
  min-height: 2.25rem;
  padding: 0.375rem 0.875rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--surface);
  color: inherit;
  font: inherit;
  font-weight: 500;
  cursor: pointer;
}

button:hover:enabled { background: var(--raised); }
button:disabled { opacity: 0.5; cursor: default; }
button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
button.primary:hover:enabled { background: color-mix(in oklab, var(--accent), var(--text) 12%); }
button.danger { border-color: color-mix(in oklab, var(--danger) 45%, transparent); color: var(--danger); }
button.danger.filled { border-color: var(--danger); background: var(--danger); color: var(--on-danger); font-weight: 600; }
button.danger.filled:hover:enabled { background: color-mix(in oklab, var(--danger), var(--text) 12%); }
button.quiet { border-color: transparent; background: transparent; color: var(--soft); }
button.quiet:hover:enabled { background: var(--raised); color: var(--text); }
button.small { min-height: 1.75rem; padding: 0.125rem 0.5rem; font-size: var(--small); }

input:is([type="text"], [type="password"], [type="search"], [type="date"]), textarea, select {
  width: 100%;
  min-height: 2.25rem;
  padding: 0.375rem 0.625rem;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  background: var(--surface);
  color: inherit;
  font: inherit;
}

textarea { resize: vertical; }
textarea.code { font-family: var(--mono); font-size: var(--small); }
input:is([type="checkbox"], [type="radio"]) { flex: none; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
:is(input, textarea, select, fieldset)[aria-invalid="true"] { border-color: var(--danger); }
.check { display: flex; align-items: center; gap: 0.5rem; }
summary { color: var(--soft); font-size: var(--small); cursor: pointer; }
table { border-collapse: collapse; font-size: var(--small); }
th, td { padding: 0.25rem 0.625rem; border: 1px solid var(--line); text-align: start; vertical-align: top; overflow-wrap: anywhere; }
th { background: var(--raised); font-weight: 600; }
.difference { font-size: var(--small); white-space: pre-wrap; overflow-wrap: anywhere; }

/* What waits is the brightest thing around */
.card { border: 1px solid var(--wait-edge); border-radius: 0.75rem; background: var(--surface); box-shadow: var(--shadow); }
.card-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; min-height: 2.5rem; padding: 0.375rem 1rem; border-radius: 0.7rem 0.7rem 0 0; background: var(--wait-ground); color: var(--wait); }
.card-head h2 { display: flex; flex: 1; flex-wrap: wrap; align-items: baseline; gap: 0 0.5rem; min-width: 0; overflow-wrap: anywhere; }
.card-head h2:focus-visible { outline: none; }
.card:has(h2:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; } /* around the heading it would look like a field */
.card-head h2 code { font-weight: 400; }
.decision-mark { display: flex; }
.card-head button { color: inherit; text-decoration: underline; }
.deadline { font-size: var(--small); }
.deadline.over { color: var(--danger); font-weight: 600; }
.card.folded { box-shadow: none; }
.card.folded .card-head { border-radius: 0.7rem; padding-block: 0.25rem; }
.card.folded .gist { padding: 0 1rem 0.5rem 2.5rem; overflow-wrap: anywhere; }
.card.folded { background: var(--wait-ground); }
.card.decided { border-color: var(--line); background: var(--surface); }
.card.decided .card-head { background: none; color: var(--text); }
.card.decided .gist { color: var(--soft); }
.card .bare { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; padding: 0.75rem 1rem 0; }
.card .bare[hidden] { display: none; }
.rest { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; }
.bare :is(input, textarea, select) { scroll-margin-block: 3rem 8rem; } /* not below the row of buttons */
.question { font-size: var(--large); font-weight: 600; line-height: 1.35; white-space: pre-wrap; overflow-wrap: anywhere; }
.card-body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
.card-body:empty, .card .hint:empty { display: none; }

/* the row stays in view as long as anything of its card does */
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
.foot { position: sticky; inset-block-end: 0; display: grid; gap: 0.5rem; margin-inline: -1rem; padding: 0.75rem 1rem; border-top: 1px solid var(--line); border-radius: 0 0 0.75rem 0.75rem; background: var(--surface); }
.more { border-color: var(--accent); color: var(--accent); font-variant-numeric: tabular-nums; }
.end, .spot { position: absolute; inset-block-end: 0; width: 1px; height: 1px; }
.spot { inset-block-end: auto; scroll-margin-block: 3rem; }
[aria-disabled="true"] > button, [aria-disabled="true"] > .split { cursor: default; }
.unsent { display: grid; gap: 0.375rem; justify-items: start; }
:host > .unsent { padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.75rem; }
.tick { display: flex; align-items: center; gap: 0.25rem; color: var(--done); font-size: var(--small); font-weight: 600; }
.card .actions :is(.over, .waits) { flex: 1 1 10rem; }
.waits { color: var(--wait); font-weight: 600; }
.apart { margin-inline-start: auto; }
.split { position: relative; display: flex; }
.split > button:first-child { border-start-end-radius: 0; border-end-end-radius: 0; }
.split > button + button { padding-inline: 0.5rem; border-start-start-radius: 0; border-end-start-radius: 0; border-inline-start-color: var(--on-accent); }
.menu { position: absolute; inset-block-end: calc(100% + 0.25rem); inset-inline-start: 0; z-index: 2; display: grid; width: max-content; max-width: min(26rem, 80vw); padding: 0.25rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--surface); box-shadow: var(--shadow); }
.menu button { border-color: transparent; text-align: start; }
.suggestions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.suggestions button { border-color: var(--accent); color: var(--accent); }

.arguments { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
.arguments dl { display: grid; grid-template-columns: fit-content(13rem) minmax(0, 1fr); gap: 0.375rem 1rem; }
.arguments dd > dl, .entries li { padding-inline-start: 0.75rem; border-inline-start: 2px solid var(--line); }
.entries { display: grid; gap: 0.375rem; }
.arguments dt { padding-top: 0.1875rem; color: var(--soft); font-size: var(--small); overflow-wrap: anywhere; }
.arguments dd { min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.number { font-variant-numeric: tabular-nums; }
details pre, .failure, .preview pre { margin-top: 0.375rem; padding: 0.5rem 0.75rem; border-radius: 0.5rem; background: var(--raised); }
details pre { max-height: 16rem; overflow-y: auto; }
.edited { padding: 0.5rem 0.75rem; border-inline-start: 3px solid var(--wait-edge); background: var(--wait-ground); }
.preview { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.375rem; padding: 0.625rem 0.75rem; border-radius: 0.5rem; background: var(--raised); }
.preview h3, .preview dt { color: var(--soft); font-size: var(--small); }
.preview dl { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem; }
.preview table { width: 100%; table-layout: fixed; background: var(--surface); }
.value { white-space: pre-wrap; overflow-wrap: anywhere; }
.escape { padding: 0 0.2em; border-radius: 0.2em; background: var(--escape-ground); color: var(--escape); font-family: var(--mono); font-size: 0.85em; font-weight: 600; }

/* Forms; a long word must not widen what it is in */
.panel form, .fields, .object, .array, .choice, .field, .optional, .items { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; }
.field, .optional { gap: 0.25rem; }
.choice { gap: 0.25rem; }
.object, .array { padding: 0.5rem 0.75rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; }
.choice legend { padding: 0; }
legend { max-width: 100%; padding: 0 0.375rem; overflow-wrap: anywhere; }
legend, .field label, .field .name { font-size: var(--small); font-weight: 600; overflow-wrap: anywhere; }
.option { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 0.5rem; align-items: center; }
.option label { padding: 0.1875rem 0; overflow-wrap: anywhere; }
.option .hint { grid-column: 2; }
.fixed .value { padding: 0.375rem 0.625rem; border-radius: 0.5rem; background: var(--raised); }
.field.check { display: flex; flex-wrap: wrap; }
.field.check label { order: 2; }
.field.check :is(.hint, .differences) { order: 3; width: 100%; }
.include label { min-width: 0; font-size: var(--small); font-weight: 400; overflow-wrap: anywhere; }
.item { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.5rem; align-items: end; }
.array > button { justify-self: start; overflow-wrap: anywhere; }
.hidden-text { font-size: var(--small); white-space: pre-wrap; overflow-wrap: anywhere; }

/* a card may be in a narrow place of a wide window; what else a page shows this way goes by the window */
@container (max-width: 30rem) {
  .arguments dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .arguments dd { margin-bottom: 0.375rem; }
}

@media (max-width: 48rem) {
  :root .arguments dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  :root .arguments dd { margin-bottom: 0.375rem; }
}

@media (max-height: 32rem) {
  .card-head { min-height: 1.75rem; padding-block: 0.125rem; }
  .foot { padding-block: 0.25rem; }
  .bare :is(input, textarea, select) { scroll-margin-block: 2rem 4rem; }
  .question { font-size: var(--normal); }
}

@media (max-height: 12rem) {
  .foot { position: static; }
}

@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
}

@media (forced-colors: active) {
  .card { border-width: 2px; }
  .escape { forced-color-adjust: none; }
}
`;

/** Adopted, so that a content security policy need not allow any inline style. */
export const sheet = globalThis.CSSStyleSheet && new CSSStyleSheet(); // a server that renders pages has none
sheet?.replaceSync(CSS);
