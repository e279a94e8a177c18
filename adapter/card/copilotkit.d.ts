import { HttpAgent } from '@copilotkit/react-core/v2';
import type { CallOptions, CardOptions } from './react.js';

/** An agent whose history CopilotKit shows when it opens a thread. */
export class HoldpointAgent extends HttpAgent {}

/** Shows the open questions in the chat: one of its provider's children. */
export function HoldpointInterrupts(options: CardOptions): null;

/** Shows what was decided about each call, in the place of CopilotKit's own line: one of its provider's children. */
export function HoldpointCalls(options: CallOptions): null;
