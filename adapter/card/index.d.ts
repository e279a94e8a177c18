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

/** Asks for the plan of an answer that is not sent; what the card shows of it, and its fingerprint, are in `effect`. */
export type PlanOf = (entry: ResumeEntry) => Promise<{ effect?: unknown }>;

/** What somebody does with a question besides deciding it; with the id of its thread it is the body of `POST .../questions`. */
export interface Attention {
  interruptId: string;
  action: 'moreTime' | 'hand' | 'look';
  /** Of `hand`: the person's id, or the name of a group that the question asks. */
  to?: string;
  audience?: string;
  reason?: string;
}

/** Sends it, and returns what the server answers. An error has the server's `code`, if there is one. */
export type Attend = (attention: Attention) => Promise<{ expiresAt?: string }>;

/** Texts by the English ones, which are the names in the files of `src/lang`; forms for a number stand between `|`. */
export type Messages = Readonly<Record<string, string>>;

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
  /** Texts in the place of the card's, by the English ones. */
  messages: Messages | undefined;
  /** The messages of the conversation, of which the card shows who asked for this and what they said last. */
  conversation: readonly Message[] | undefined;
  /** Says what a call would do with the edits of an entry, which is not sent: what `POST .../plans` answers. */
  planOf: PlanOf | undefined;
  /** Does something with the question besides deciding it: more time, handing it to somebody, saying that the person looks at it. */
  attend: Attend | undefined;
  /** Ids of people to choose from, to whom it can be handed; others can be typed. */
  people: readonly string[] | undefined;
  /** Somebody else is looking at it; forgotten after 30 seconds. */
  lookedAt(who: string): void;
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

/** `decide`: there is a decision. `reopen`: it was taken back. `seen`: all of what is asked was on the screen. `expire`: the time for an answer is over. */
export interface HoldpointCardEvents {
  decide: CustomEvent<ResumeEntry>;
  reopen: Event;
  seen: Event;
  expire: Event;
}

/** A message of AG-UI, as far as it is shown. */
export interface Message {
  id?: string;
  role: string;
  name?: string;
  content?: unknown;
  toolCalls?: readonly ToolCall[];
}

/** A tool call in a message of the assistant. */
export interface ToolCall {
  id: string;
  function: { name: string; arguments: string };
}

/** The message with a call's result. */
export interface ToolMessage {
  content?: unknown;
  error?: string;
  metadata?: unknown;
}

/** `<holdpoint-cards>`: all open questions of a run, which are answered together. Importing `@holdpoint/card/cards` defines it. */
export class HoldpointCards extends HTMLElement {
  /** What is in the list again keeps what was filled in and decided. */
  interrupts: readonly Interrupt[];
  busy: boolean;
  /** What went wrong with the answers: their cards show it, and can be answered again. */
  error: string;
  messages: Messages | undefined;
  conversation: readonly Message[] | undefined;
  planOf: PlanOf | undefined;
  attend: Attend | undefined;
  people: readonly string[] | undefined;
  /** Somebody else is looking at one of them. */
  lookedAt(interruptId: string, who: string): void;
  /** Nobody knows whether the answers arrived: their cards say so, and can be answered again. */
  lost(why?: string): void;

  /** The page is left while an answer can still be undone (attribute `undo`, seconds): its entries are to be sent now. */
  addEventListener(type: 'leave', listener: (event: CustomEvent<ResumeEntry[]>) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: 'answers', listener: (event: CustomEvent<ResumeEntry[]>) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** `<holdpoint-call>`: a call after somebody has decided about it. Importing `@holdpoint/card/call` defines it. */
export class HoldpointCall extends HTMLElement {
  call: ToolCall | undefined;
  result: ToolMessage | undefined;
  /** The entry of `resume`, if it was decided on this page. */
  answer: ResumeEntry | undefined;
  messages: Messages | undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    'holdpoint-card': HoldpointCard;
    'holdpoint-cards': HoldpointCards;
    'holdpoint-call': HoldpointCall;
  }
}
