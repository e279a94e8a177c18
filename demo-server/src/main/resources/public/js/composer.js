import { button, byId, el } from './dom.js';

const EXAMPLES = [
  "Find Ada's address",
  'Write to Ada that the meeting moved to Friday',
  'Transfer 500 to Bob',
  'Delete the inactive records from customers',
  'Book a flight to Rome',
  'Ask me which report to send: sales, costs or staff',
  'Ask me to confirm that the order is complete',
  'File the VAT return',
  'Send an email to ada@example.com and bob@example.com and transfer 200 to Carol',
];

/** The message box. Asks first if sending means to cancel open questions. */
export class Composer {
  /** @param app tells `openQuestions` and takes `say(text)` and `steerAway(text)` */
  constructor(app) {
    this.app = app;
    this.message = byId('message');
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
    byId('steer-yes').addEventListener('click', () => this.send((text) => app.steerAway(text)));
    byId('steer-no').addEventListener('click', () => this.closeSteer());
    byId('examples').append(...EXAMPLES.map((text) => el('li', {}, button(text, () => this.try(text)))));
  }

  try(text) {
    if (this.busy) return;
    this.message.value = text;
    this.submit();
  }

  submit() {
    const text = this.message.value.trim();
    if (text === '' || this.busy) return;
    const open = this.app.openQuestions;
    if (open === 0) {
      this.send((message) => this.app.say(message));
      return;
    }
    byId('steer-text').textContent = `${open === 1 ? 'A question is' : `${open} questions are`} still open. `
      + 'Sending this message cancels what is waiting: none of it will run.';
    byId('steer-yes').textContent = open === 1 ? 'Cancel it and send' : 'Cancel them and send';
    byId('steer-no').textContent = open === 1 ? 'Keep it' : 'Keep them';
    byId('steer').hidden = false;
    byId('steer-yes').focus();
  }

  send(how) {
    const text = this.message.value.trim();
    if (text === '' || this.busy) return;
    byId('steer').hidden = true;
    this.message.value = '';
    how(text);
  }

  closeSteer() {
    byId('steer').hidden = true;
    this.message.focus();
  }

  /** Gives a message back that was not taken. */
  restore(text) {
    if (this.message.value === '') this.message.value = text;
  }

  setBusy(busy) {
    this.busy = busy;
    byId('send').disabled = busy;
    byId('steer-yes').disabled = busy;
    if (busy) byId('steer').hidden = true;
  }
}
