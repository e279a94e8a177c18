import { newId, parsed } from './kit.js';

/** What this page can do for the model: it runs here, and the model hears what came of it. */
const TOOLS = {
  setBackground: {
    spec: {
      name: 'setBackground',
      description: 'Changes the background of the page',
      parameters: {
        type: 'object',
        properties: { colour: { type: 'string', description: 'the name of a colour', pattern: '^[a-z]+$' } },
        required: ['colour'],
        additionalProperties: false,
      },
    },
    run({ colour }) {
      if (typeof colour !== 'string' || !/^[a-z]+$/.test(colour) || !CSS.supports('color', colour)) throw new Error('This is no colour.');
      document.documentElement.style.setProperty('--tint', colour);
      return `The background is ${colour} now.`;
    },
  },
};

/** What the server has to know of them. */
export const pageTools = Object.values(TOOLS).map(({ spec }) => spec);

/** Runs a call, and makes the message with its result; undefined if this page has no such tool. */
export function resultOf(call) {
  if (!Object.hasOwn(TOOLS, call.function.name)) return undefined;
  const result = { id: newId(), role: 'tool', toolCallId: call.id };
  try {
    result.content = TOOLS[call.function.name].run(parsed(call.function.arguments) ?? {});
  } catch (error) {
    Object.assign(result, { content: error.message, error: error.message });
  }
  return result;
}
