import { HoldpointCard } from './element.js';
import { button, el, parse, textOf, visible } from './kit.js';
import { speak, t } from './language.js';
import { sheet } from './style.js';
import { ours } from './subject.js';

/*
 * The card in the frame of an assistant, as an MCP App: it shows the question that a tool has given, and decides nothing. Its button has the tool
 * called that asks the person in a form of the assistant's program. The document says what the tools are called, and where else people decide.
 */
const { show: SHOW, decide: DECIDE, page: PAGE } = document.documentElement.dataset;

const appCard = new HoldpointCard();
const awaited = []; // what waits for an answer of the host, by the ids of what it was asked
let can = {}; // the host
let given; // the question, as the tool has given it
let isOver = false;

const post = (message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const fromHost = (method, params) => new Promise((answered) => post({ id: awaited.push(answered) - 1, method, params }));
const fromTool = (name) => fromHost('tools/call', { name, arguments: { threadId: given.threadId, interruptId: given.interruptId } });

const answerButton = button('', answerInForm, 'primary');
const pageButton = button('', () => fromHost('ui/open-link', { url: PAGE }));
const note = el('p', { class: 'hint', role: 'status' });

/** Has the person asked in a form, whatever of it comes, and shows what is open then. */
async function answerInForm() {
  answerButton.disabled = true;
  appCard.error = '';
  const told = await fromTool(DECIDE);
  if (told.isError) appCard.error = textOf(told.content);
  const now = await fromTool(SHOW);
  isOver = now.isError === true && !now.isOfHost;
  answerButton.disabled = false;
  if (now.isError) sayAll();
  else take(now);
}

/** Shows the question of a result, or what it says instead. */
function take({ isError, content }) {
  const text = textOf(content);
  given = isError ? undefined : questionIn(text);
  appCard.interrupt = given?.interrupt;
  appCard.hidden = !given;
  note.replaceChildren(given ? '' : visible(text));
  if (given) sayAll();
}

function questionIn(text) {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Says all that is not the card's own, in its language. */
function sayAll() {
  const isMine = DECIDE && can.serverTools && ours(given.interrupt.metadata).mayDecide !== false;
  speak(appCard.voice);
  answerButton.replaceChildren(t('Answer…'));
  answerButton.hidden = !isMine || isOver || appCard.card.expired === true;
  pageButton.replaceChildren(t('Open the page'));
  pageButton.hidden = !PAGE || !can.openLinks || isOver;
  appCard.classList.toggle('ended', isOver);
  const forMe = { 'Waiting for others': t('Waiting for you'), 'Waits for an approver': t('Your assistant shows a form: only what you say there counts.') };
  appCard.messages = isOver ? { 'Waiting for others': t('Not open any more'), 'Waits for an approver': '' } : isMine ? forMe : undefined;
}

function adapt({ theme, locale }) {
  if (theme) document.documentElement.style.colorScheme = theme;
  if (!locale) return;
  document.documentElement.lang = locale;
  appCard.setAttribute('lang', locale);
}

const TOLD = {
  'ui/notifications/tool-result': take,
  'ui/notifications/tool-cancelled': ({ reason }) => note.replaceChildren(visible(reason ?? '')),
  'ui/notifications/host-context-changed': adapt,
};

function heard({ source, data }) {
  if (source !== window.parent) return;
  const { id, method, params = {}, result, error } = data ?? {};
  if (method === undefined) awaited[id]?.(error ? { isError: true, isOfHost: true, content: error.message } : result);
  else if (['ping', 'ui/resource-teardown'].includes(method)) post({ id, result: {} });
  else if (id !== undefined) post({ id, error: { code: -32601, message: method } });
  else if (Object.hasOwn(TOLD, method)) TOLD[method](params);
}

function tellSize() {
  const { height } = document.body.getBoundingClientRect();
  post({ method: 'ui/notifications/size-changed', params: { width: window.innerWidth, height: Math.ceil(height) } });
}

async function beginApp() {
  // nothing of the card itself can be pressed, also when its time is over
  for (const [name, value] of Object.entries({ busy: '', 'may-decide': 'false', 'may-withdraw': 'false' })) appCard.setAttribute(name, value);
  appCard.hidden = true;
  appCard.append(el('p', { class: 'aside', slot: 'footer' }, answerButton, pageButton));
  for (const event of ['spoken', 'expire']) appCard.addEventListener(event, sayAll);
  document.adoptedStyleSheets = [sheet];
  document.body.append(appCard, note);
  window.addEventListener('message', heard);
  const about = { protocolVersion: '2026-01-26', appInfo: { name: 'holdpoint-card', version: '0.1' }, appCapabilities: { availableDisplayModes: ['inline'] } };
  const { hostCapabilities, hostContext } = await fromHost('ui/initialize', about);
  can = hostCapabilities ?? {};
  adapt(hostContext ?? {});
  post({ method: 'ui/notifications/initialized', params: {} });
  new ResizeObserver(tellSize).observe(document.body);
}

beginApp();
