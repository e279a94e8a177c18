package io.holdpoint.rule;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;

/**
 * An answer that would let a call run.
 *
 * @param call with the arguments that would run, edited ones too; a copy
 * @param question what was asked; a copy
 * @param payload the answer as it was sent; a copy
 * @param caller who gives it
 * @param terms what was kept of the rule's {@link Rule#terms} when the question was asked, a copy: the schema of its field; missing if it had
 *     none
 */
public record Answering(
        ProposedCall call, PendingInterrupt question, JsonNode payload, Caller caller, JsonNode terms) {}
