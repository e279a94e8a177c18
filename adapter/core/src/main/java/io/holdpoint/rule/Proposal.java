package io.holdpoint.rule;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ProposedCall;
import io.holdpoint.store.Reversibility;
import java.util.Optional;

/**
 * A call that the model, or a caller in its place, has proposed.
 *
 * @param call with the complete arguments, a copy
 * @param request the user's own words of this turn; empty if another agent gives the task, or no model made the call. Neither what the model said, nor results of
 *     tools, nor retrieved texts
 * @param asks whether a person would be asked about it without any rule, unless somebody has had such calls remembered
 * @param reversibility whether what the tool does can be taken back, if that is said
 * @param preview as {@link io.holdpoint.ApprovalPreview} has made it; missing if there is none
 */
public record Proposal(
        ProposedCall call, String request, boolean asks, Optional<Reversibility> reversibility, JsonNode preview) {}
