import type { DetailedHTMLProps, HTMLAttributes, ReactElement, ReactNode } from 'react';
import type {
  HoldpointCall as CallElement, HoldpointCard as CardElement, HoldpointCards as CardsElement, Attend, Interrupt, Message, Messages, PlanOf, ResumeEntry, ToolCall, ToolMessage,
} from './index.js';

export type { Attend, Interrupt, Messages, PlanOf, ResumeEntry } from './index.js';

/** What `<HoldpointCard>` and `<HoldpointCards>` have in common; attributes such as `className` go to the element. */
export interface CardOptions extends Omit<HTMLAttributes<CardElement>, 'children'> {
  /** The person's id. It also keeps the drafts of several people in one tab apart. */
  caller?: string;
  busy?: boolean;
  compact?: boolean;
  mayDecide?: boolean;
  mayWithdraw?: boolean;
  /** Texts in the place of the card's, by the English ones. */
  messages?: Messages;
  /** The messages of the conversation, of which the card shows who asked and what they said last. */
  conversation?: readonly Message[];
  /** Says what a call would do with the edits of an entry, which is not sent. */
  planOf?: PlanOf;
  /** Does something with a question besides deciding it: more time, handing it to somebody, saying that the person looks at it. */
  attend?: Attend;
  /** Ids of people to choose from, to whom it can be handed. */
  people?: readonly string[];
  /** Shown once `busy` is false, also if it is the same as before. */
  error?: string;
}

export interface HoldpointCardProps extends CardOptions {
  interrupt: Interrupt;
  onDecide?: (entry: ResumeEntry) => void;
  onReopen?: () => void;
  onSeen?: () => void;
  /** For the slots `context` and `footer`. */
  children?: ReactNode;
}

/** One open question. */
export function HoldpointCard(props: HoldpointCardProps): ReactElement;

export interface HoldpointCardsProps extends CardOptions {
  interrupts: readonly Interrupt[];
  /**
   * Called once each question has an answer. The cards are busy until the promise that it may return is settled, and show its error if it is
   * rejected.
   */
  onAnswers: (entries: ResumeEntry[]) => void | Promise<void>;
  /** For so many seconds an answer is held back, in which it can be undone. */
  undo?: number;
  /** Called with what is held back when the page is left, or the cards are removed: it is to be sent now, by `fetch` with `keepalive`. */
  onLeave?: (entries: ResumeEntry[]) => void;
}

/** All open questions of a run, which are answered together. */
export function HoldpointCards(props: HoldpointCardsProps): ReactElement;

export interface CallOptions extends Omit<HTMLAttributes<CallElement>, 'children'> {
  /** Who has decided. */
  by?: string;
  messages?: Messages;
}

export interface HoldpointCallProps extends CallOptions {
  call: ToolCall;
  /** The message with its result, if there is one. */
  result?: ToolMessage;
  /** The entry of `resume`, if it was decided on this page. */
  answer?: ResumeEntry;
}

/** A call after somebody has decided about it. */
export function HoldpointCall(props: HoldpointCallProps): ReactElement;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'holdpoint-card': DetailedHTMLProps<HTMLAttributes<CardElement>, CardElement> & {
        caller?: string;
        interrupt?: Interrupt;
        busy?: boolean;
        compact?: boolean;
        error?: string;
        'may-decide'?: 'false';
        'may-withdraw'?: 'false';
        ondecide?: (event: CustomEvent<ResumeEntry>) => void;
        onreopen?: (event: Event) => void;
        onseen?: (event: Event) => void;
      };
      'holdpoint-cards': DetailedHTMLProps<HTMLAttributes<CardsElement>, CardsElement> & {
        caller?: string;
        interrupts?: readonly Interrupt[];
        busy?: boolean;
        error?: string;
        onanswers?: (event: CustomEvent<ResumeEntry[]>) => void;
      };
      'holdpoint-call': DetailedHTMLProps<HTMLAttributes<CallElement>, CallElement> & { call?: ToolCall; result?: ToolMessage; answer?: ResumeEntry; by?: string };
    }
  }
}
