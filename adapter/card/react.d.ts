import type { DetailedHTMLProps, HTMLAttributes, ReactElement, ReactNode } from 'react';
import type { HoldpointCard as CardElement, Interrupt, ResumeEntry } from './index.js';

export type { Interrupt, ResumeEntry } from './index.js';

/** What `<HoldpointCard>` and `<HoldpointCards>` have in common; attributes such as `className` go to the element. */
export interface CardOptions extends Omit<HTMLAttributes<CardElement>, 'children'> {
  /** The person's id. It also keeps the drafts of several people in one tab apart. */
  caller?: string;
  busy?: boolean;
  compact?: boolean;
  mayDecide?: boolean;
  mayWithdraw?: boolean;
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
}

/** All open questions of a run, which are answered together. */
export function HoldpointCards(props: HoldpointCardsProps): ReactElement;

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
    }
  }
}
