const DRAFTS = 'holdpoint-drafts';
const MOST_DRAFTS = 20;

/** Who signs in after somebody else in the same tab gets none of their drafts. */
const keyOf = ({ me }) => (me === undefined ? DRAFTS : `${DRAFTS}-${me}`);

/** What a person typed into cards and did not send, by interrupt, in this tab. A page without storage keeps nothing. */
function allDrafts(card) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(card))) ?? [];
  } catch {
    return [];
  }
}

export function storeDraft(card, draft) {
  const { id } = card.interrupt;
  const others = allDrafts(card).filter(([each]) => each !== id);
  try {
    sessionStorage.setItem(keyOf(card), JSON.stringify([...(draft ? [[id, draft]] : []), ...others].slice(0, MOST_DRAFTS)));
  } catch {
    // full, or not allowed
  }
}

const inputsOf = (panel) => [...panel.querySelectorAll('input, textarea, select')];
const listsOf = (panel) => [...panel.querySelectorAll('.items')];

/** Remembers what is in a card's panel, and by which button it was opened. */
export function keepDraft(card) {
  const { panel, opener } = card;
  const values = inputsOf(panel).map((input) => (['checkbox', 'radio'].includes(input.type) ? input.checked : input.value));
  storeDraft(card, { ...draftOf(card), opener, rows: listsOf(panel).map((list) => list.childElementCount), values });
}

export const draftOf = (card) => allDrafts(card).find(([id]) => id === card.interrupt.id)?.[1];

export const forgetDraft = (card) => storeDraft(card, undefined);

/** Opens the panel again and fills it; a form that has changed meanwhile stays as it is. */
export function restoreDraft(card) {
  const draft = draftOf(card);
  if (!draft?.values) return;
  const { panel } = card;
  if (panel.hidden) card.buttons[draft.opener]?.click();
  if (panel.hidden) return;
  draft.rows.forEach((count, index) => {
    const list = listsOf(panel)[index];
    while (list && list.childElementCount < count) list.nextElementSibling.click();
    while (list && list.childElementCount > count) list.lastElementChild.querySelector(':scope > button').click();
  });
  const found = inputsOf(panel);
  if (found.length !== draft.values.length) return;
  found.forEach((input, index) => {
    if (typeof draft.values[index] === 'boolean') input.checked = draft.values[index];
    else input.value = draft.values[index];
    for (const event of ['input', 'change']) input.dispatchEvent(new Event(event, { bubbles: true }));
  });
}
