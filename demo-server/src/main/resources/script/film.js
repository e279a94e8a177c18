import { button, byId, el, icon, inLocale, money } from './kit.js';
import { say } from './language.js';

/** How long each picture stands, in milliseconds; the last one stays. */
const TIMES = [2600, 2200, 1700, 1700, 1400];
const LAST = TIMES.length;

/** The picture that says most, for whom nothing is to move. */
const STILL = 1;

const motion = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * What the page is about, in ten seconds, for who has not been here: a call waits, a person changes it, the server dies and is back, and what was
 * approved runs. It is played once, in the card's own elements, of which none can be pressed or reached, and stops when somebody types or looks
 * elsewhere. To assistive technology it is one picture with a description.
 */
export class Film {
  #at = 0;
  #timer;
  #hasBegun = false;
  #over = new AbortController();

  constructor() {
    const [asked, made] = [500, 5].map((amount) => money(amount, 'EUR'));
    const held = cardOf('held');
    const edited = edit(cardOf('edited'));
    const approved = approve(cardOf('approved'));
    const done = el('div', { class: 'film-done' }, executed(), el('p', {}, icon('done'), say('Transferred {amount} to Bob.', { amount: made })));
    const lost = el('p', { class: 'film-lost' }, say('The server is gone'));
    const back = el('p', { class: 'film-back' }, say('The server is back.'));
    this.pictures = [[held], [edited], [edited, lost], [edited, back], [approved], [done]];
    this.steps = [
      say('The agent wants to transfer {amount}. It waits for you.', { amount: asked }),
      say('You make it {amount}.', { amount: made }),
      say('The server is killed.'),
      say('It is back, and so is the question, with your change.'),
      say('You approve.'),
      say('{amount} is transferred, once.', { amount: made }),
    ].map((words) => el('li', {}, words));
    this.screen = el('div', { class: 'film-screen' }, held, edited, approved, done, lost, back);
    this.control = button('', () => (this.#timer ? this.stop() : this.#play()), 'quiet small');
    const picture = el('div', { role: 'img' }, el('div', { class: 'film-stage', inert: true, 'aria-hidden': 'true' }, el('ol', { class: 'film-steps' }, ...this.steps), this.screen));
    picture.ariaLabel = say('A story, not a real question: an agent wants to transfer {asked} to Bob and waits. You make it {made}. The server is killed and comes back, and the question is still there, with your change. You approve, and {made} is transferred, once.', { asked, made });
    this.element = el(
      'div', {},
      el('figure', { class: 'film' }, el('figcaption', {}, say('A story in ten seconds: nothing in it is real.')), this.control, picture),
      el('p', { class: 'film-next' }, el('strong', {}, say('Try it')), el('a', { href: 'https://github.com/holdpoint/holdpoint', target: '_blank', rel: 'noopener noreferrer' }, say('What Holdpoint is'))));
    const { signal } = this.#over;
    byId('message').addEventListener('input', () => this.stop(), { signal });
    document.addEventListener('visibilitychange', () => document.hidden && this.stop(), { signal });
    motion.addEventListener('change', () => this.stop(), { signal });
    this.stop();
    byId('examples').before(this.element);
  }

  /** Plays it, once, for who is there and has nothing else to do. */
  begin() {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    if (!motion.matches && !document.hidden && byId('message').value === '') this.#play();
  }

  /** Nothing is left of it. */
  end() {
    clearTimeout(this.#timer);
    this.#over.abort();
    this.element.remove();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.control.textContent = say(this.#at === LAST ? 'Play again' : 'Play');
    this.#show(motion.matches ? STILL : this.#at);
  }

  #play() {
    this.#show(this.#at === LAST ? 0 : this.#at);
    this.control.textContent = say('Pause');
    this.#timer = setTimeout(() => {
      this.#at++;
      if (this.#at === LAST) this.stop();
      else this.#play();
    }, TIMES[this.#at]);
  }

  #show(at) {
    this.#at = at;
    for (const each of this.screen.children) each.classList.toggle('on', this.pictures[at].includes(each));
    this.steps.forEach((step, i) => step.classList.toggle('on', i === at));
  }
}

/** A question that nobody asks. */
function cardOf(id) {
  const editedArgs = {
    type: 'object',
    properties: { amount: { type: 'number', title: say('Amount'), 'x-unit': 'EUR' }, to: { type: 'string', title: say('To') } },
    required: ['amount', 'to'],
  };
  const element = Object.assign(el('holdpoint-card'), {
    interrupt: {
      id: `film-${id}`,
      reason: 'tool_call',
      message: say('Transfer {amount} euros to {who}?', { amount: 500, who: 'Bob' }),
      responseSchema: { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs, reason: { type: 'string' } }, required: ['approved'] },
      metadata: { langchain4j: { toolName: 'transferMoney', args: { amount: 500, to: 'Bob' } } },
    },
  });
  element.card.seen = true; // its buttons are part of the picture
  element.card.gate();
  return element;
}

/** The same with something filled in, of which no draft is kept. */
function edit(element) {
  const { actions, panel } = element.card;
  actions.querySelector('[data-key="e"]').click();
  panel.firstElementChild.addEventListener('input', (event) => event.stopPropagation());
  const field = panel.querySelector('input');
  field.value = inLocale('5');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return element;
}

function approve(element) {
  element.card.settleOn({}, say('Approved with {n} change|Approved with {n} changes', { n: 1 }), 'approved with changes');
  return element;
}

function executed() {
  const [amount, to] = [say('Amount'), say('To')];
  return Object.assign(el('holdpoint-call'), {
    answer: {},
    result: { metadata: { langchain4j: { edited: true, executedArgs: { [amount]: 5, [to]: 'Bob' } } } },
    call: { function: { name: 'transferMoney', arguments: JSON.stringify({ [amount]: 500, [to]: 'Bob' }) } },
  });
}
