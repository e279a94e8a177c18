/** So long a card has to stand still on the screen before a press counts, and so long none counts after a decision; in milliseconds. */
export const MOMENT = 600;
const BETWEEN_LOOKS = 200;

const watched = new Map();
const onScreen = new Set();
let observer;
let timer;
let frame;

/**
 * Looks where the open cards of a page are, all of them at once: when something scrolls, when one of them changes its size, and five times a
 * second while one is on the screen, because anything on the page may move it.
 */
export function watch(card) {
  observer ??= begin();
  watched.set(card.content, card);
  observer.places.observe(card.content);
  observer.sizes.observe(card.content);
}

export function unwatch(card) {
  watched.delete(card.content);
  onScreen.delete(card.content);
  observer?.places.unobserve(card.content);
  observer?.sizes.unobserve(card.content);
  keepLooking();
}

/** After a decision nothing on the page can be pressed for a moment: what slides under the pointer was not meant. */
export const pauseAll = () => watched.forEach((card) => card.pause());

/** The observer tells of an element that it observes anew, with what its surroundings leave of it. */
function look(elements = onScreen) {
  for (const element of elements) {
    observer.places.unobserve(element);
    observer.places.observe(element);
  }
}

function begin() {
  const moved = () => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      look();
    });
  };
  document.addEventListener('scroll', moved, { capture: true, passive: true });
  window.addEventListener('resize', moved);
  return {
    places: new IntersectionObserver((entries) => {
      // all of them are read before anything is written
      const found = entries.filter(({ target }) => watched.has(target)).map((entry) => [watched.get(entry.target), entry, watched.get(entry.target).measure(entry)]);
      found.forEach(([card, { target, isIntersecting }, measured]) => {
        if (isIntersecting) onScreen.add(target);
        else onScreen.delete(target);
        card.placed(measured);
      });
      keepLooking();
    }),
    sizes: new ResizeObserver((entries) => {
      entries.forEach(({ target }) => watched.get(target)?.pause());
      look(entries.map(({ target }) => target).filter((target) => watched.has(target)));
    }),
  };
}

function keepLooking() {
  if (onScreen.size > 0) timer ??= setInterval(look, BETWEEN_LOOKS);
  else timer = clearInterval(timer);
}
