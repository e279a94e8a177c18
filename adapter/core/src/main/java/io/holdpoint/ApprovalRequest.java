package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A decision that somebody wants to make, for an {@link ApprovalAuthorizer}. Immutable, but for the JSON trees, which are
 * copies.
 *
 * @param caller who decides
 * @param ownerId id of the caller that the thread belongs to, who requested what is decided
 * @param threadId the conversation
 * @param interrupt what is decided
 * @param payload the answer as it came; JSON {@code null} if there is none
 * @param approves whether the tool would run
 * @param arguments what it would run with, complete: the edited arguments, or the proposed ones; if it would not run, those
 *     that the person was shown
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
