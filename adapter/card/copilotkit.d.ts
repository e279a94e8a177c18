import { HttpAgent } from '@copilotkit/react-core/v2';
import type { CardOptions } from './react.js';

/** An agent whose history CopilotKit shows when it opens a thread. */
export class HoldpointAgent extends HttpAgent {}

/** Shows the open questions in the chat: one of its provider's children. */
export function HoldpointInterrupts(options: CardOptions): null;
