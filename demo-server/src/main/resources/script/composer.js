import { button, byId, capital, el, inSight, visible } from './kit.js';
import { EXAMPLES } from './examples.js';
import { Film } from './film.js';
import { say } from './language.js';
import { isFirstVisit } from './people.js';

const TITLES = { waits: 'It waits for you', asks: 'It asks you', free: 'Several at once, and freely' };

const KINDS = { image: 'image', audio: 'audio', video: 'video' };

/** Base64 of it has to fit into a body that the server takes. */
const MOST_BYTES = 700_000;

/** A word that answers a question, and is no message of its own. */
const BARE = /^(?:y|yes|yep|yeah|ok|okay|sure|fine|approve|approved|go|go ahead|do it|n|no|nope|deny|denied)[.!]*$/i;

/** The message box. Asks first if sending means to cancel open questions. */
export class Composer {
  /** @param app tells `openQuestions` and `me`, and takes `say(content)`, `steerAway(content)`, `pointToQuestion()`, `pointToAnswer()` and `stop()` */
  constructor(app) {
    this.app = app;
    this.message = byId('message');
    this.files = [];
    this.chosen = new Map(); // those of other conversations
    byId('send').disabled = false; // before, it would leave the page
    byId('composer').addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    this.message.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.submit();
      }
    });
    this.message.addEventListener('input', () => {
      this.grow();
      this.keep();
    });
    this.message.addEventListener('paste', (event) => this.take([...event.clipboardData.files]));
    byId('attach').addEventListener('click', () => byId('file').click());
    byId('file').addEventListener('change', ({ target }) => {
      this.take([...target.files]);
      target.value = '';
    });
    byId('stop').addEventListener('click', () => app.stop());
    byId('steer-yes').addEventListener('click', () => this.send((content) => app.steerAway(content)));
    byId('steer-no').addEventListener('click', () => this.closeSteer());
    byId('examples').append(...Object.entries(EXAMPLES).map(([kind, texts]) =>
      el('section', {}, el('h3', {}, say(TITLES[kind])), ...texts.map((text) => Object.assign(button(text, () => this.try(text), 'example'), { lang: 'en', dir: 'ltr' })))));
    if (location.pathname + location.hash === '/') this.showFilm(); // before anything below it can move
  }

  showFilm() {
    if (isFirstVisit()) this.film ??= new Film();
  }

  endFilm() {
    this.film?.end();
    this.film = undefined;
  }

  try(text) {
    if (this.busy) return;
    this.message.value = text;
    this.submit();
  }

  /** Shows what this person wrote in a conversation and did not send, in this tab. */
  show(threadId) {
    const typed = this.isReady ? '' : this.message.value;
    if (this.isReady) this.chosen.set(this.key, this.files);
    if (this.isReady) this.files = this.chosen.get(this.keyOf(threadId)) ?? [];
    this.showFiles();
    this.belongTo(threadId);
    byId('steer').hidden = true;
    this.message.value = typed || (sessionStorage.getItem(this.key) ?? '');
    this.keep();
    this.grow();
    if (threadId === 'new') this.showFilm();
    else this.endFilm();
    this.film?.begin();
  }

  /** Before it is known who is there, and in which conversation, nothing is sent. */
  get isReady() {
    return this.key !== undefined;
  }

  /** Sends what was to be sent before that was known. */
  catchUp() {
    if (this.early) this.submit();
    this.early = false;
  }

  belongTo(threadId) {
    this.key = this.keyOf(threadId);
  }

  keyOf(threadId) {
    return `message-${this.app.me}-${threadId}`;
  }

  keep() {
    if (!this.isReady) return;
    if (this.message.value === '') sessionStorage.removeItem(this.key);
    else sessionStorage.setItem(this.key, this.message.value);
  }

  /** The box is as high as its text, up to a limit of the style. */
  grow() {
    this.message.style.height = 'auto';
    this.message.style.height = `${this.message.scrollHeight}px`;
  }

  get content() {
    const text = this.message.value.trim();
    if (this.files.length === 0) return text;
    return [...(text === '' ? [] : [{ type: 'text', text }]), ...this.files.map(({ part }) => part)];
  }

  submit() {
    if (this.content.length === 0) return;
    if (!this.isReady) {
      this.early = true;
      return;
    }
    if (this.busy) {
      this.app.pointToAnswer();
      return;
    }
    const open = this.app.openQuestions;
    if (open === 0) {
      this.send((content) => this.app.say(content));
      return;
    }
    if (this.files.length === 0 && BARE.test(this.content)) {
      this.message.value = '';
      this.keep();
      this.app.pointToQuestion();
      return;
    }
    byId('steer-text').textContent = [say('A question is still open.|{n} questions are still open.', { n: open }), say('Sending this message cancels what is waiting: none of it will run.')].join(' ');
    byId('steer-yes').textContent = say('Cancel it and send|Cancel them and send', { n: open });
    byId('steer-no').textContent = say('Keep it|Keep them', { n: open });
    byId('steer').hidden = false;
    byId('steer-no').focus(); // Enter cancels nothing
  }

  send(how) {
    const { content } = this;
    if (content.length === 0 || this.busy) return;
    this.endFilm();
    byId('steer').hidden = true;
    this.message.value = '';
    this.keep();
    this.files = [];
    this.showFiles();
    this.grow();
    how(content);
  }

  closeSteer() {
    byId('steer').hidden = true;
    this.message.focus();
  }

  /** Gives a message back that was not taken. */
  restore(content, threadId) {
    const key = this.keyOf(threadId);
    if (key !== this.key && typeof content === 'string') sessionStorage.setItem(key, sessionStorage.getItem(key) ?? content);
    if (key !== this.key || this.content.length > 0) return;
    if (typeof content === 'string') this.message.value = content;
    else {
      this.message.value = content.find(({ type }) => type === 'text')?.text ?? '';
      this.files = content.filter(({ type }) => type !== 'text').map((part) => ({ name: capital(part.type), part }));
      this.showFiles();
    }
    this.grow();
    this.keep();
  }

  async take(files) {
    const chosen = this.files;
    for (const file of files) {
      const kind = file.type === 'application/pdf' ? 'document' : KINDS[file.type.split('/')[0]];
      const size = chosen.reduce((sum, { bytes }) => sum + (bytes ?? 0), file.size);
      if (kind === undefined) this.app.complain(say('{file}: only pictures, sound, videos and PDF files can be sent.', { file: file.name }));
      else if (size > MOST_BYTES) this.app.complain(say('{file} is too large: {most} kB can be sent at a time.', { file: file.name, most: MOST_BYTES / 1000 }));
      else {
        const value = await base64(file);
        chosen.push({ name: file.name, bytes: file.size, part: { type: kind, source: { type: 'data', value, mimeType: file.type } } });
      }
    }
    this.showFiles();
    if (files.length > 0) this.message.focus();
  }

  showFiles() {
    byId('attachments').replaceChildren(...this.files.map((file) => {
      const remove = button('✕', () => {
        this.files.splice(this.files.indexOf(file), 1);
        this.showFiles();
        this.message.focus();
      }, 'quiet small');
      remove.setAttribute('aria-label', inSight(say('Remove {entry}', { entry: file.name })));
      return el('li', { class: 'chip' }, visible(file.name), remove);
    }));
  }

  set working(busy) {
    this.busy = busy;
    byId('send').hidden = busy;
    byId('stop').hidden = !busy;
    byId('steer-yes').disabled = busy;
    if (busy) byId('steer').hidden = true;
  }
}

async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
