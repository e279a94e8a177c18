import { byId, counted, duration, el, svg, visible } from './kit.js';
import { inPeoplesWords, server } from './server.js';

const DAY = 86_400_000;

/** The parts of a bar, from the ground up. */
const PARTS = [['approved', 'approved as proposed'], ['edited', 'approved with edits'], ['denied', 'denied'], ['unanswered', 'not decided']];

const partOf = (counts, part) => (part === 'approved' ? counts.approved - counts.edited : counts[part]);

const dayOf = (time) => new Date(time).toISOString().slice(0, 10);

const inShort = (day) => new Date(day).toLocaleDateString([], { day: 'numeric', month: 'short', timeZone: 'UTC' });

const inTime = (millis) => (millis === undefined ? '–' : duration(Math.round(millis / 1000)));

/** What became of the approvals that people were asked for: a chart and a table for each tool, by days in UTC. */
export class Figures {
  constructor() {
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
    const notes = incompleteAfter ? [el('p', { class: 'hint' }, visible(`There is more than can be read at once: these figures end at ${incompleteAfter}.`))] : [];
    if (tools.length === 0) return [...notes, el('p', { class: 'inbox-empty' }, 'Nobody was asked for an approval in this time.')];
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
        ...(tool.drills ? [['planted calls caught', `${tool.drills.caught} of ${tool.drills.planted}`]] : []),
        ['nine of ten within', inTime(tool.p90Millis)],
        ...(tool.opinions > 0 ? [['agreed with the second opinion', `${tool.agreed} of ${tool.opinions}`]] : []),
      ].map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, String(value))))),
      this.chart(tool, days, byDay),
      el('p', { class: 'chart-ends', 'aria-hidden': 'true' }, el('span', {}, inShort(days[0])), el('span', {}, inShort(days.at(-1)))),
      el('ul', { class: 'keys-of-chart', 'aria-hidden': 'true' },
        ...PARTS.map(([part, name]) => el('li', {}, el('span', { class: `key ${part}` }), name))),
      el('details', {}, el('summary', {}, 'The days as a table'), table('Day', tool.days, (counts) => counts.day)));
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
    const text = `${counted(tool.asked, 'question')} on ${counted(tool.days.length, 'day')}, at most ${highest} on one`;
    return svg('svg', { class: 'chart', viewBox: `0 0 ${days.length * 10} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': text }, ...bars);
  }

  people(people) {
    return el('article', { class: 'figure' }, el('h2', {}, 'People'), table('Person', people, (counts) => counts.person));
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

function table(first, rows, nameOf) {
  return el('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': `${first}s` }, el(
    'table',
    {},
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, first), ...COLUMNS.map(([name]) => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, ...rows.map((counts) => el(
      'tr', {}, el('th', { scope: 'row' }, visible(nameOf(counts))), ...COLUMNS.map(([, value]) => el('td', {}, String(value(counts)))))))));
}
