import { isMissing, isRightToLeft, load, speak, t, tagOf } from '/agent/card.js';

/** The languages of the page, as they call themselves. English is in the code itself, each other one in a file of its own. */
const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ar: 'العربية' };

/** Where the browser keeps which one was chosen. */
const CHOICE = 'language';

const READ_OUT = ['aria-label', 'title', 'placeholder', 'data-hint'];

let voice = { lang: tagOf('en') };

/** A text in the language of the page. The English text is its name, as in the card, whose texts it takes where they are the same. */
export function say(text, values) {
  speak(voice); // cards have spoken since
  return t(text, values);
}

/** The same in pieces, with elements in the places of values. */
export const pieces = (text, elements) => say(text).split(/(\{\w+})/).map((piece, i) => (i % 2 === 0 ? piece : elements[piece.slice(1, -1)]));

/** The language of numbers and times, with the person's region. */
export const locale = () => voice.lang;

/** A number with what stands between its thousands. */
export const grouped = (number) => number.toLocaleString(voice.lang);

/** Makes the page speak the language that was chosen in this browser, or else the first of the browser's own that there is. */
export async function openLanguage() {
  const wanted = [localStorage.getItem(CHOICE), ...navigator.languages.map((tag) => tag.split('-')[0])];
  const code = wanted.find((each) => each !== null && Object.hasOwn(LANGUAGES, each)) ?? 'en';
  const { documentElement: root } = document;
  root.lang = code;
  root.dir = isRightToLeft(code) ? 'rtl' : 'ltr';
  const lang = tagOf(code);
  const texts = code === 'en' ? {} : import(`/page.js?lang=${code}`).then((found) => found.default, () => ({})); // what cannot be loaded is in English
  const [messages] = await Promise.all([texts, isMissing(lang) ? load(lang) : undefined]);
  voice = { lang, messages };
  speak(voice);
  sayDocument(root);
  offer(document.getElementById('language'), code);
  root.dataset.spoken = code;
}

/** Says what stands in the document. */
function sayDocument(root) {
  for (const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT); walker.nextNode();) {
    const { currentNode: node } = walker;
    const text = node.data.trim();
    if (text !== '') node.data = node.data.replace(text, () => say(text));
  }
  for (const name of READ_OUT) root.querySelectorAll(`[${name}]`).forEach((element) => element.setAttribute(name, say(element.getAttribute(name))));
}

function offer(select, chosen) {
  select.replaceChildren(...Object.entries(LANGUAGES).map(([code, name]) => {
    const option = new Option(name, code, false, code === chosen);
    option.lang = code;
    return option;
  }));
  select.addEventListener('change', () => {
    localStorage.setItem(CHOICE, select.value);
    location.reload();
  });
}
