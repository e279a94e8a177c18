import { el } from '../dom.js';

/** Until when an answer is accepted. Only a help: the server decides. */
export function expiry(expiresAt) {
  const at = new Date(expiresAt);
  const left = el('span');
  const line = el('p', { class: 'expiry' }, el('time', { datetime: expiresAt }, at.toLocaleString()), left);
  const show = () => {
    const seconds = Math.ceil((at - Date.now()) / 1000);
    line.classList.toggle('over', seconds <= 0);
    left.textContent = seconds > 0 ? ` (in ${duration(seconds)})` : ' (over: dismiss it or send a new message)';
  };
  line.prepend('Answer until ');
  show();
  const timer = setInterval(() => (line.isConnected ? show() : clearInterval(timer)), 1000);
  return line;
}

function duration(seconds) {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h ${Math.floor((seconds % 3600) / 60)} min` : `${Math.floor(hours / 24)} days`;
}
