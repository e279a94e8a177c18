import { HttpAgent } from '@ag-ui/client';
import type { ThreadHistoryAdapter, ToolCallMessagePartProps } from '@assistant-ui/react';
import type { ReactElement } from 'react';
import type { CardOptions } from './react.js';

/** Makes the server speak as to the client that react-ag-ui brings. */
export class HoldpointAgent extends HttpAgent {}

/** An adapter `history`: a page that is opened again shows the thread as the server has it, with its open questions. */
export function holdpointHistory(options: {
  /** The agent's, `/agent` by default. */
  url?: string;
  threadId: string;
  headers?: Record<string, string>;
  /** Called when the history was read, or could not be. */
  onLoaded?: () => void;
}): ThreadHistoryAdapter;

/** Shows the open questions. react-ag-ui sends the answers together; what went wrong is on the cards, and in its `onError`. */
export function HoldpointInterrupts(options: CardOptions): ReactElement;

/** Shows what was decided about a call: a `Fallback` for tools. */
export function HoldpointCall(part: ToolCallMessagePartProps): ReactElement;
