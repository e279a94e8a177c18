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
 */
public record Answering(ProposedCall call, PendingInterrupt question, JsonNode payload, Caller caller) {}
