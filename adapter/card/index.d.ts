/** An AG-UI interrupt, as it came in the outcome of a run. Nothing of Holdpoint's is required in it. */
export interface Interrupt {
  id: string;
  reason?: string;
  message?: string;
  toolCallId?: string;
  responseSchema?: unknown;
  expiresAt?: string;
  metadata?: unknown;
}

/** What a person has decided: an entry of `resume`. */
export interface ResumeEntry {
  interruptId: string;
  status: 'resolved' | 'cancelled';
  payload?: unknown;
}

/** `<holdpoint-card>`: an open question of an agent, and everything that a person can answer. Importing the package defines it. */
export class HoldpointCard extends HTMLElement {
  /** The same question again keeps what was filled in. */
  interrupt: Interrupt | undefined;
  /** `undefined` before there is a decision. */
  readonly answer: ResumeEntry | undefined;
  /** What went wrong with the answer: it is shown, and the question can be answered again. Empty for nothing. */
  error: string;
  /** Whether nothing can be pressed. */
  busy: boolean;
  /** Whether it is one line, until somebody opens it. */
  compact: boolean;
  /** Whether the person who looks at it may decide. */
  mayDecide: boolean;
  /** Whether they can withdraw it, if they may not decide. */
  mayWithdraw: boolean;
  /** Whether the page gives more time, which `extend` asks for. */
  mayExtend: boolean;
  /** What was filled in and not sent, as text; empty for nothing. */
  readonly typed: string;
  /** The person's id; set by the attribute `caller`. */
  readonly caller: string | undefined;
  /** Makes the question answerable again, because the answer was not taken. */
  reopen(): void;

  addEventListener<K extends keyof HoldpointCardEvents>(
    type: K, listener: (event: HoldpointCardEvents[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener<K extends keyof HTMLElementEventMap>(
    type: K, listener: (event: HTMLElementEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** `decide`: there is a decision. `reopen`: it was taken back. `seen`: all of what is asked was on the screen. `expire`: the time for an answer is over. `extend`: somebody asks for more. */
export interface HoldpointCardEvents {
  decide: CustomEvent<ResumeEntry>;
  reopen: Event;
  seen: Event;
  expire: Event;
  extend: Event;
}

declare global {
  interface HTMLElementTagNameMap {
    'holdpoint-card': HoldpointCard;
  }
}
