package io.holdpoint.rule;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ProposedCall;
import java.time.Instant;

/**
 * A call that a person has approved and nobody has claimed yet.
 *
 * @param call with the arguments that would run, edited ones too; a copy
 * @param shown the rule's section of the question that was answered last, or of the last one before it that has one; a copy, missing if
 *     none has
 * @param edited whether the arguments are others than those that this question showed; {@code true} if none has the section
 * @param said the member of the answer under the rule's name, a copy; missing if it has none
 * @param askedAt when this question was asked
 * @param now the time by the agent's clock
 */
public record Approved(
        ProposedCall call, JsonNode shown, boolean edited, JsonNode said, Instant askedAt, Instant now) {}
