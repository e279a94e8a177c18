import { el } from './kit.js';
import { duration, t, timeInFull } from './language.js';

/** Before the end, in seconds, people are warned. */
const WARNINGS = [10, 60];

/** Until when an answer is accepted. Only a help: the server decides. `show` is to be called every second; it calls `over` once. */
export function deadline(expiresAt, over, warn) {
  const element = el('time', { class: 'deadline', part: 'deadline' });
  let at;
  let isOver = false;
  let warned = Infinity;
  const until = (time) => {
    at = new Date(time);
    element.setAttribute('datetime', time);
    element.title = t('Answer until {time}', { time: timeInFull(at) });
  };
  until(expiresAt);
  const show = () => {
    const seconds = Math.ceil((at - Date.now()) / 1000);
    const words = seconds > 0 ? t('{time} left', { time: duration(seconds) }) : t('too late');
    if (element.textContent !== words) element.textContent = words; // or each card of a page would be laid out anew every second
    element.classList.toggle('over', seconds <= 60);
    const due = WARNINGS.find((each) => seconds <= each) ?? Infinity;
    if (seconds > 0 && due !== warned) warn(due);
    warned = due;
    if (seconds > 0 || isOver) return;
    isOver = true;
    over();
  };
  return { element, show, until };
}
