import { visible } from '/agent/card.js';

const TOKEN = 'holdpoint-token';
const byId = (id) => document.getElementById(id);
const cards = new Map();

async function ask(method, path, body) {
  const token = sessionStorage.getItem(TOKEN);
  const response = await fetch(path, {
    method,
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: body && JSON.stringify(body),
  });
  byId('sign-in').hidden = response.status !== 401;
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? `The gateway answered with status ${response.status}.`);
  return answer;
}

function cardOf({ threadId, interrupt }) {
  const card = document.createElement('holdpoint-card');
  card.interrupt = interrupt;
  card.addEventListener('decide', async ({ detail }) => {
    card.busy = true;
    try {
      await ask('POST', '/agent/decisions', { threadId, ...detail });
    } catch (error) {
      card.error = error.message;
    }
    card.busy = false;
    await look();
  });
  return card;
}

async function look() {
  try {
    const interrupts = [];
    let next;
    do {
      const cursor = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
      const page = await ask('GET', `/agent/interrupts?threads=accessible&limit=100${cursor}`);
      interrupts.push(...page.interrupts);
      next = page.next;
    } while (next !== undefined);
    const open = new Set(interrupts.map(({ interrupt }) => interrupt.id));
    for (const [id, card] of cards) {
      if (!open.has(id)) {
        card.remove();
        cards.delete(id);
      }
    }
    for (const item of interrupts) {
      if (cards.has(item.interrupt.id)) {
        cards.get(item.interrupt.id).interrupt = item.interrupt; // votes have come, perhaps
      } else {
        const card = cardOf(item);
        cards.set(item.interrupt.id, card);
        byId('cards').append(card);
      }
    }
    byId('state').textContent = interrupts.length === 0 ? 'Nothing waits. This page looks again by itself.' : `${interrupts.length} waiting`;
    document.title = `${interrupts.length > 0 ? `(${interrupts.length}) ` : ''}Holdpoint gateway`;
  } catch (error) {
    byId('state').replaceChildren(visible(error.message));
  }
}

byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, byId('token').value);
  look();
});
look();
setInterval(look, 2_000);
