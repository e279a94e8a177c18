import { HttpAgent } from '@copilotkit/react-core/v2';
import type { CardOptions } from './react.js';

/** An agent whose history CopilotKit shows when it opens a thread. */
export class HoldpointAgent extends HttpAgent {}

/** Shows the open questions in the chat, and what went wrong with an answer: one of its provider's children. */
export function HoldpointInterrupts(options: Omit<CardOptions, 'busy' | 'error'>): null;
