import { approvalCard, isApproval } from './approval.js';
import { confirmationCard, isConfirmation } from './confirmation.js';
import { failureCard, isFailure } from './failure.js';
import { freeCard } from './free.js';
import { isOutcomeUnknown, outcomeCard } from './outcome.js';
import { questionCard } from './question.js';

/** Which card asks what: the first that fits, by the answer that the interrupt wants. */
const KINDS = [
  [isApproval, approvalCard],
  [isOutcomeUnknown, outcomeCard],
  [isFailure, failureCard],
  [isConfirmation, confirmationCard],
  [({ responseSchema }) => responseSchema !== undefined, questionCard],
  [() => true, freeCard],
];

export function cardFor({ responseSchema, ...rest }, onDecided) {
  const interrupt = { ...rest, responseSchema: responseSchema ?? undefined };
  const [, card] = KINDS.find(([fits]) => fits(interrupt));
  return card(interrupt, onDecided);
}
