package io.holdpoint;

/**
 * Says who may decide. Asked before anything is consumed; an authorizer that throws says no. Must be thread-safe.
 *
 * <p>Cancelling an interrupt is no decision: whoever may access the thread may always let go.
 */
@FunctionalInterface
public interface ApprovalAuthorizer {

    /** The owner of a thread decides, and nobody else. The default. */
    ApprovalAuthorizer OWNER = request -> request.caller().id().equals(request.ownerId());

    /**
     * Whether a caller may give this answer. Asked for every approval, denial and other decision, with the arguments that
     * would run: after edits, if there are any.
     *
     * @param request the answer
     * @return {@code false} to refuse it with {@link ErrorCode#INTERRUPT_FORBIDDEN}; the interrupt stays open
     */
    boolean mayDecide(ApprovalRequest request);

    /**
     * Whether somebody else than the owner may see a thread and answer its interrupts. For callers that may not, the thread
     * does not exist. Only the owner can say something on the thread.
     *
     * @param caller who asks, not the owner
     * @param threadId the conversation
     * @param ownerId id of the caller that started it
     * @return {@code false} by default
     */
    default boolean mayAccess(Caller caller, String threadId, String ownerId) {
        return false;
    }
}
