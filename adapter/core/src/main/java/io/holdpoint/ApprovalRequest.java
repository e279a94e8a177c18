package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A decision that a caller wants to make, for an {@link ApprovalAuthorizer}. Immutable; the JSON trees are copies.
 *
 * @param caller the caller who decides
 * @param ownerId id of the caller that owns the thread and so requested the call
 * @param threadId the conversation
 * @param interrupt the question that is decided
 * @param payload the answer as it came; JSON {@code null} if there is none
 * @param approves {@code true} if the tool would run
 * @param arguments the complete arguments that the tool would run with: the edited ones, or the proposed ones; if it would not
 *     run, those that the person was shown
 */
public record ApprovalRequest(
        Caller caller,
        String ownerId,
        String threadId,
        PendingInterrupt interrupt,
        JsonNode payload,
        boolean approves,
        ObjectNode arguments) {

    /**
     * The tool.
     *
     * @return its name as the model sees it
     */
    public String toolName() {
        return interrupt.toolName();
    }
}
