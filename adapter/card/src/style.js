/*
 * The style of a card. Four sizes on a scale of 1.2 and an 8-pixel rhythm, whatever the size of the page's root is, one accent; amber only for what waits, green for what ran, red for
 * what is denied or destroys. A page may set the variables that begin with --holdpoint; light and dark are as its color-scheme says.
 */
const CSS = `
:host, :root {
  --surface: var(--holdpoint-surface, light-dark(#fff, #1b1d21));
  --raised: var(--holdpoint-raised, light-dark(#efede8, #25282e));
  --line: var(--holdpoint-line, light-dark(#dedad2, #343840));
  --edge: var(--holdpoint-edge, light-dark(#8b867c, #737984));
  --text: var(--holdpoint-text, light-dark(#1d1b18, #e9e8e5));
  --soft: var(--holdpoint-soft, light-dark(#5d584f, #a9acb3));
  --accent: var(--holdpoint-accent, light-dark(#2f4bc7, #a3b4ff));
  --on-accent: var(--holdpoint-on-accent, light-dark(#fff, #0f1738));
  --accent-ground: light-dark(#e8ecfb, #232a4a);
  --wait: var(--holdpoint-wait, light-dark(#8a5200, #ffc14d));
  --wait-edge: var(--holdpoint-wait-edge, light-dark(#e59a1a, #ffc14d));
  --wait-ground: var(--holdpoint-wait-ground, light-dark(#fff5e0, #2c2414));
  --done: var(--holdpoint-done, light-dark(#1a7042, #6fd69b));
  --danger: var(--holdpoint-danger, light-dark(#b0261c, #ff9d93));
  --on-danger: var(--holdpoint-on-danger, light-dark(#fff, #3a0a06));
  --shadow: var(--holdpoint-shadow, 0 1px 2px light-dark(rgb(40 30 10 / 8%), rgb(0 0 0 / 40%)), 0 6px 24px light-dark(rgb(40 30 10 / 7%), rgb(0 0 0 / 30%)));
  --small: 13px;
  --normal: 15px;
  --large: 18px;
  --huge: 22px;
  --sans: var(--holdpoint-font, Inter, system-ui, sans-serif);
  --mono: var(--holdpoint-font-mono, ui-monospace, Menlo, Consolas, monospace);
}

:host { display: block; container-type: inline-size; min-inline-size: min(100%, 256px); margin-block: 8px; scroll-margin-block: 8px; overflow-wrap: anywhere; color: var(--text); font: var(--normal)/1.5 var(--sans); text-align: start; }

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h2, h3, p, ul, ol, dl, dd, pre, fieldset, legend { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h2, h3 { font-size: inherit; font-weight: 650; line-height: 1.3; }
code, pre, .code { font-family: var(--mono); font-size: 0.875em; }
pre, .difference, .hidden-text, .value, .question, .arguments dd { white-space: pre-wrap; }
fieldset { min-width: 0; border: 0; }
time { font-variant-numeric: tabular-nums; }
del { color: var(--danger); }
ins { color: var(--done); font-weight: 600; text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.hint { color: var(--soft); }
.hint, .field-error, summary, .difference, .deadline, .tick, .hidden-text, .story { font-size: var(--small); }
.over, .field-error { color: var(--danger); }
.sr-only { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; border: 0; clip-path: inset(50%); white-space: nowrap; }
.icon { flex: none; width: 16px; height: 16px; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }

/* Buttons and fields */
button {
  min-height: 36px;
  padding: 6px 14px;
  border: 1px solid var(--line);
  border-radius: 8px;
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
button.grave, button.grave:hover:enabled { position: relative; overflow: hidden; border-color: var(--danger); background: var(--danger); color: var(--on-danger); }
button.grave::after { content: ""; position: absolute; inset: 0; background: currentcolor; opacity: 0.35; scale: 0 1; transform-origin: left; }
button.grave:dir(rtl)::after { transform-origin: right; }
button.held::after { scale: 1; transition: scale 1s linear; }
button.armed { outline: 2px solid var(--danger); outline-offset: 2px; }
button.danger { border-color: color-mix(in oklab, var(--danger) 45%, transparent); color: var(--danger); }
button.danger.filled { border-color: var(--danger); background: var(--danger); color: var(--on-danger); font-weight: 600; }
button.danger.filled:hover:enabled { background: color-mix(in oklab, var(--danger), var(--text) 12%); }
button.quiet { border-color: transparent; background: transparent; color: var(--soft); }
button.quiet:hover:enabled { background: var(--raised); color: var(--text); }
button.small { min-height: 28px; padding: 2px 8px; font-size: var(--small); }

input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, select {
  width: 100%;
  min-height: 36px;
  padding: 6px 10px;
  border: 1px solid var(--edge);
  border-radius: 8px;
  background: var(--surface);
  color: inherit;
  font: inherit;
}

textarea { resize: vertical; }
textarea.code { font-family: var(--mono); font-size: var(--small); }
input:is([type="checkbox"], [type="radio"]) { flex: none; width: 18px; height: 18px; margin: 0; accent-color: var(--accent); }
:is(input, textarea, select, fieldset)[aria-invalid="true"] { border-color: var(--danger); }
.check { display: flex; align-items: center; gap: 8px; }
summary { color: var(--soft); cursor: pointer; }
table { border-collapse: collapse; font-size: var(--small); }
th, td { padding: 4px 10px; border: 1px solid var(--line); text-align: start; vertical-align: top; }
th { background: var(--raised); font-weight: 600; }

/* One column, which a long word must not widen */
.card .bare, .rest, .card-body, .arguments, .preview, .preview dl, .panel form, .fields, .object, .array, .choice, .field, .optional, .items { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
.card-body, .arguments { gap: 8px; }
.preview dl, .choice, .field, .optional { gap: 4px; }

/* What waits is the brightest thing around */
.card { border: 1px solid var(--wait-edge); border-radius: 12px; background: var(--surface); box-shadow: var(--shadow); content-visibility: auto; contain-intrinsic-size: auto 256px; overflow-clip-margin: 256px; }
.card-head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; min-height: 40px; padding: 6px 16px; border-radius: 11.2px 11.2px 0 0; background: var(--wait-ground); color: var(--wait); }
.card-head h2 { display: flex; flex: 1; flex-wrap: wrap; align-items: baseline; gap: 0 8px; min-width: 0; }
.card-head h2:focus-visible { outline: none; }
.card:has(h2:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; } /* around the heading it would look like a field */
.card-head h2 code { font-weight: 400; }
.decision-mark { display: flex; }
.card-head button { color: inherit; text-decoration: underline; }
.deadline.over { color: var(--danger); font-weight: 600; }
.card.loading { visibility: hidden; }
.card.folded .card-head { border-radius: 11.2px; padding-block: 4px; }
.card.folded .gist { padding: 0 16px 8px 40px; }
.card.folded { background: var(--wait-ground); box-shadow: none; }
.card.decided { border-color: var(--line); background: var(--surface); }
.card.decided .card-head { background: none; color: var(--text); }
.card.decided .gist { color: var(--soft); }
.card .bare { position: relative; padding: 12px 16px 0; }
.bare :is(input, textarea, select) { scroll-margin-block: 48px 128px; } /* not below the row of buttons */
.question { font-size: var(--large); font-weight: 600; line-height: 1.35; }
.bare[hidden], .aside:not(:has(:not([hidden]))), .foot:not(:has(.grave:not([hidden]))) > .hint, :is(.card-body, .hint, .lookers, .events, .said):empty { display: none; }

/* the row stays in view as long as anything of its card does */
.actions, .aside, .suggestions { display: flex; flex-wrap: wrap; gap: 8px; }
.actions { align-items: center; }
.foot { position: sticky; inset-block-end: 0; display: grid; gap: 8px; margin-inline: -16px; padding: 12px 16px; border-top: 1px solid var(--line); border-radius: 0 0 12px 12px; background: var(--surface); }
.lookers { flex: 1 0 100%; order: 1; font-size: var(--small); }
.more { border-color: var(--accent); color: var(--accent); font-variant-numeric: tabular-nums; }
.end, .spot { position: absolute; inset-block-end: 0; width: 1px; height: 1px; }
.spot { inset-block-end: auto; scroll-margin-block: 48px; }
[aria-disabled="true"] > button, [aria-disabled="true"] > .split { cursor: default; }
.unsent { display: grid; gap: 6px; justify-items: start; }
:host > .unsent { padding: 12px 16px; border: 1px solid var(--line); border-radius: 12px; }
.tick { display: flex; align-items: center; gap: 4px; color: var(--done); font-weight: 600; }
.actions :is(.over, .waits) { flex: 1 1 160px; }
.waits { color: var(--wait); font-weight: 600; }
.apart { margin-inline-start: auto; }
.split { position: relative; display: flex; }
.split > button:first-child { border-start-end-radius: 0; border-end-end-radius: 0; }
.split > button + button { padding-inline: 8px; border-start-start-radius: 0; border-end-start-radius: 0; border-inline-start-color: var(--on-accent); }
.menu { position: absolute; inset-block-end: calc(100% + 4px); inset-inline-start: 0; z-index: 2; display: grid; width: max-content; max-width: min(416px, 80cqi); padding: 4px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); box-shadow: var(--shadow); }
.menu button { border-color: transparent; text-align: start; }
.suggestions button { border-color: var(--accent); color: var(--accent); }

.arguments dl { display: grid; grid-template-columns: fit-content(208px) minmax(0, 1fr); gap: 6px 16px; }
.arguments dd > dl, .entries li { padding-inline-start: 12px; border-inline-start: 2px solid var(--line); }
.arguments dt { padding-top: 3px; }
.arguments dd { min-width: 0; }
.number { font-variant-numeric: tabular-nums; }
.arguments > dl > .amount { font-size: var(--huge); font-weight: 650; line-height: 1.2; }
.arguments dd:is(.person, .mail, .file, .date) { display: grid; grid-template-columns: 16px minmax(0, 1fr); gap: 0 6px; font-weight: 600; }
.arguments dd .icon { margin-block: 4px; color: var(--soft); }
.arguments dd > bdi { justify-self: start; }
.arguments dd .hint { grid-column: 2; font-weight: 400; }
details pre, .failure, .preview pre { margin-top: 6px; padding: 8px 12px; border-radius: 8px; background: var(--raised); }
details pre { max-height: 256px; overflow-y: auto; }
.story { display: grid; gap: 8px; }
.story li, .said p { position: relative; display: grid; grid-template-columns: 24px minmax(0, 1fr); gap: 0 8px; align-items: start; }
.story li + li::before { content: ""; position: absolute; inset-block: -8px calc(100% - 1px); inset-inline-start: 11px; border-inline-start: 2px solid var(--line); }
.said, .entries { display: grid; gap: 6px; }
.said .icon { margin: 2px 4px; }
.story > li > .icon { margin: 4px; color: var(--soft); }
.story time { color: var(--soft); unicode-bidi: isolate; }
.face { display: grid; place-items: center; width: 24px; height: 24px; border-radius: 50%; background: var(--accent-ground); color: var(--accent); font-size: 12px; font-weight: 650; line-height: 1; }
.face .icon { margin: 0; width: 14px; height: 14px; }
.preview { gap: 6px; padding: 10px 12px; border-radius: 8px; background: var(--raised); }
.arguments dt, .preview :is(h3, dt), .said { color: var(--soft); font-size: var(--small); }
.preview table { width: 100%; table-layout: fixed; background: var(--surface); }
.escape { padding: 0 0.2em; border-radius: 0.2em; background: light-dark(#f3e2fa, #42244f); color: light-dark(#7a1fa2, #e3b4f5); font-family: var(--mono); font-size: 0.85em; font-weight: 600; }

/* Forms */
.object, .array { padding: 8px 12px 12px; border: 1px solid var(--line); border-radius: 8px; }
.choice legend { padding: 0; }
legend { max-width: 100%; padding: 0 6px; }
legend, .field label, .field .name { font-size: var(--small); font-weight: 600; }
.option { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 8px; align-items: center; }
.option label { padding: 3px 0; }
.option .hint { grid-column: 2; }
.fixed .value { padding: 6px 10px; border-radius: 8px; background: var(--raised); }
.field.check { display: flex; flex-wrap: wrap; }
.field.check label { order: 2; }
.field.check :is(.hint, .differences) { order: 3; width: 100%; }
.include label { min-width: 0; font-size: var(--small); font-weight: 400; }
.item { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px; align-items: end; }
.array > button { justify-self: start; }

/* a card may be in a narrow place of a wide window */
@container (max-width: 480px) {
  .arguments dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .arguments dd { margin-bottom: 6px; }
}

@container (max-width: 340px) {
  .card .bare, .card-head, .foot { padding-inline: 12px; }
  .foot { margin-inline: -12px; }
  .actions > button, .split { flex: 1 1 auto; }
  .split > button:first-child { flex: 1; }
  .question { font-size: 16px; }
}

@container (min-width: 700px) {
  .arguments dl { grid-template-columns: fit-content(288px) minmax(0, 1fr); }
  .question { font-size: 20px; }
}

@media (max-height: 512px) {
  .card-head { min-height: 28px; padding-block: 2px; }
  .foot { padding-block: 4px; }
  .bare :is(input, textarea, select) { scroll-margin-block: 32px 64px; }
  .question { font-size: var(--normal); }
}

@media (max-height: 192px) {
  .foot { position: static; }
}

@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
}

@media (forced-colors: active) {
  .card { border-width: 2px; }
  button.primary, button.filled { border-color: ButtonText; background: ButtonText; color: ButtonFace; forced-color-adjust: none; }
  button:disabled { color: GrayText; opacity: 1; }
  .escape { forced-color-adjust: none; }
}
`;

/** Adopted, so that a content security policy need not allow any inline style. */
export const sheet = globalThis.CSSStyleSheet && new CSSStyleSheet(); // a server that renders pages has none
sheet?.replaceSync(CSS);
