import { button } from './kit.js';
import { speak, t } from './language.js';
import { MOMENT } from './watch.js';

/** So long a button is held for what cannot be taken back, in milliseconds. */
const HOLD = 1000;

/**
 * A button that one press is not enough for: it is pressed and held, or, by a key or without a pointer, pressed again after a moment.
 *
 * @param act what it does then
 */
export function held(card, label, act, className) {
  let holding;
  let armed = Infinity;
  const arm = (at) => {
    armed = at;
    on.classList.toggle('armed', at < Infinity);
  };
  const on = button(label, ({ detail }) => {
    const now = performance.now();
    if (detail === 0 && now - armed >= MOMENT) return act();
    card.news.textContent = detail === 0 ? t('Press again: it cannot be taken back.') : t('Press and hold: it cannot be taken back.');
    arm(detail === 0 ? Math.min(armed, now) : Infinity);
  }, className);
  const end = () => {
    clearTimeout(holding);
    on.classList.remove('held');
  };
  on.addEventListener('pointerdown', ({ button: which, isTrusted }) => {
    if (which !== 0 || !isTrusted || !card.isStill) return;
    on.classList.add('held');
    holding = setTimeout(() => {
      end();
      speak(card.element.voice);
      if (!on.disabled && !card.content.disabled && on.offsetParent && card.isStill) act();
    }, HOLD);
  });
  for (const event of ['pointerup', 'pointerleave', 'pointercancel', 'blur']) on.addEventListener(event, end);
  on.addEventListener('blur', () => arm(Infinity));
  return on;
}
