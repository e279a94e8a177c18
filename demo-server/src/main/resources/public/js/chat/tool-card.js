import { el } from '../dom.js';
import { visible } from '../visible.js';
import { text } from './text.js';

/** One tool call: its name, its arguments as they stream in, its result once there is one. */
export class ToolCard {
  constructor(call) {
    this.args = el('code');
    this.result = el('p', { class: 'result' });
    this.state = el('span', { class: 'state' });
    this.element = el(
      'section',
      { class: 'tool', 'aria-label': `Tool call ${call.function.name}` },
      el('p', { class: 'tool-name' }, el('code', {}, visible(call.function.name)), this.state),
      el('pre', {}, this.args),
      this.result);
  }

  update(call, result) {
    if (this.shown !== call.function.arguments) {
      this.shown = call.function.arguments;
      this.args.replaceChildren(visible(this.shown));
    }
    this.state.textContent = state(result);
    this.result.hidden = result === undefined;
    this.result.replaceChildren(visible(text(result?.content)));
  }
}

function state(result) {
  if (result === undefined) return 'no result yet';
  return result.metadata?.langchain4j?.suppliedBy === 'person' ? 'answered by a person' : 'answered';
}
