import { byId, duration, el, svg, visible } from './kit.js';
import { grouped, locale, say } from './language.js';
import { inPeoplesWords, server } from './server.js';

const DAY = 86_400_000;

/** The parts of a bar, from the ground up. */
const PARTS = [['approved', 'approved as proposed'], ['edited', 'approved with edits'], ['denied', 'denied'], ['unanswered', 'not decided']];

const partOf = (counts, part) => (part === 'approved' ? counts.approved - counts.edited : counts[part]);

const dayOf = (time) => new Date(time).toISOString().slice(0, 10);

const inShort = (day) => new Date(day).toLocaleDateString(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' });

const shownAs = (value) => (typeof value === 'number' ? grouped(value) : value);

const inTime = (millis) => (millis === undefined ? '–' : duration(Math.round(millis / 1000)));

/** What became of the approvals that people were asked for: a chart and a table for each tool, by days in UTC. */
export class Figures {
  constructor() {
    for (const option of byId('figures-days').options) option.textContent = say('{n} day|{n} days', { n: Number(option.value) });
    byId('figures-days').addEventListener('change', () => this.read());
  }

  async read() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const days = Number(byId('figures-days').value);
    const today = Date.now();
    const all = Array.from({ length: days }, (_, index) => dayOf(today - (days - 1 - index) * DAY));
    let shown;
    try {
      shown = this.shown(await server.figures(all[0], dayOf(today + DAY)), all);
    } catch (error) {
      const { title, text } = inPeoplesWords(error);
      shown = [el('p', { class: 'field-error', role: 'alert' }, title, '. ', visible(text))];
    }
    if (turn === this.turn) byId('figures-list').replaceChildren(...shown);
  }

  shown({ tools, people, incompleteAfter }, days) {
    const notes = incompleteAfter ? [el('p', { class: 'hint' }, visible(say('There is more than can be read at once: these figures end at {time}.', { time: incompleteAfter })))] : [];
    if (tools.length === 0) return [...notes, el('p', { class: 'inbox-empty' }, say('Nobody was asked for an approval in this time.'))];
    return [...notes, ...tools.map((tool) => this.tool(tool, days)), ...(people.length > 0 ? [this.people(people)] : [])];
  }

  tool(tool, days) {
    const byDay = new Map(tool.days.map((counts) => [counts.day, counts]));
    return el(
      'article',
      { class: 'figure' },
      el('h2', {}, visible(tool.tool)),
      ...tool.advice.map((advice) => el('p', { class: 'advice' }, visible(advice))),
      el('dl', {}, ...[
        ['asked', tool.asked],
        ['approved', tool.approved],
        ['of them with edits', tool.edited],
        ['denied', tool.denied],
        ['not decided', tool.unanswered],
        ['faster than it can be read', tool.quick],
        ['longest row of plain approvals', tool.longestRow],
        ['half were decided within', inTime(tool.medianMillis)],
        ...(tool.drills ? [['planted calls caught', say('{n} of {all}', { n: tool.drills.caught, all: tool.drills.planted })]] : []),
        ['nine of ten within', inTime(tool.p90Millis)],
        ...(tool.opinions > 0 ? [['agreed with the second opinion', say('{n} of {all}', { n: tool.agreed, all: tool.opinions })]] : []),
      ].map(([name, value]) => el('div', {}, el('dt', {}, say(name)), el('dd', {}, shownAs(value))))),
      this.chart(tool, days, byDay),
      el('p', { class: 'chart-ends', 'aria-hidden': 'true' }, el('span', {}, inShort(days[0])), el('span', {}, inShort(days.at(-1)))),
      el('ul', { class: 'keys-of-chart', 'aria-hidden': 'true' },
        ...PARTS.map(([part, name]) => el('li', {}, el('span', { class: `key ${part}` }), say(name)))),
      el('details', {}, el('summary', {}, say('The days as a table')), table(say('Days'), say('Day'), tool.days, (counts) => counts.day)));
  }

  /** Bars of days, which the table beside it has in words. */
  chart(tool, days, byDay) {
    const highest = Math.max(...tool.days.map(({ asked }) => asked), 1);
    const bars = days.flatMap((day, index) => {
      const counts = byDay.get(day);
      let from = 100;
      return counts === undefined ? [] : PARTS.map(([part]) => {
        const height = (partOf(counts, part) / highest) * 100;
        from -= height;
        return svg('rect', { class: part, x: index * 10 + 1, y: from, width: 8, height });
      });
    });
    const questions = say('{n} question|{n} questions', { n: tool.asked });
    const text = say('{questions} on {n} day, at most {most} on one|{questions} on {n} days, at most {most} on one', { questions, n: tool.days.length, most: highest });
    return svg('svg', { class: 'chart', viewBox: `0 0 ${days.length * 10} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': text }, ...bars);
  }

  people(people) {
    return el('article', { class: 'figure' }, el('h2', {}, say('People')), table(say('People'), say('Person'), people, (counts) => counts.person));
  }
}

const COLUMNS = [
  ['Asked', ({ asked }) => asked],
  ['Approved', ({ approved }) => approved],
  ['Edited', ({ edited }) => edited],
  ['Denied', ({ denied }) => denied],
  ['Not decided', ({ unanswered }) => unanswered],
  ['Unread', ({ quick }) => quick],
  ['Row', ({ longestRow }) => longestRow],
  ['Half within', ({ medianMillis }) => inTime(medianMillis)],
  ['Nine of ten', ({ p90Millis }) => inTime(p90Millis)],
];

function table(name, first, rows, nameOf) {
  return el('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': name }, el(
    'table',
    {},
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, first), ...COLUMNS.map(([column]) => el('th', { scope: 'col' }, say(column))))),
    el('tbody', {}, ...rows.map((counts) => el(
      'tr', {}, el('th', { scope: 'row' }, visible(nameOf(counts))), ...COLUMNS.map(([, value]) => el('td', {}, shownAs(value(counts)))))))));
}
