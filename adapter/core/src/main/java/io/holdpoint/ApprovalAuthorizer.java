package io.holdpoint;

import java.util.List;

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
     * Callers with a role may access every thread and decide there. The owner of a thread may decide only with the role, and
     * may always let go.
     *
     * @param role one of {@link Caller#roles}
     * @return the authorizer
     */
    static ApprovalAuthorizer role(String role) {
        return new ApprovalAuthorizer() {

            @Override
            public boolean mayDecide(ApprovalRequest request) {
                return request.caller().roles().contains(role);
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return caller.roles().contains(role);
            }
        };
    }

    /**
     * Four eyes: whoever requested a call by starting the thread does not decide about it, even if they otherwise might.
     *
     * @param others who may decide on the threads of others, for instance {@link #role}
     * @return the authorizer
     */
    static ApprovalAuthorizer fourEyes(ApprovalAuthorizer others) {
        return new ApprovalAuthorizer() {

            @Override
            public boolean mayDecide(ApprovalRequest request) {
                return !request.caller().id().equals(request.ownerId()) && others.mayDecide(request);
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return others.mayAccess(caller, threadId, ownerId);
            }
        };
    }

    /**
     * Whatever one of several authorizers allows is allowed. If one throws that was asked, nothing is.
     *
     * @param authorizers asked in this order
     * @return the authorizer
     */
    static ApprovalAuthorizer anyOf(ApprovalAuthorizer... authorizers) {
        List<ApprovalAuthorizer> all = List.of(authorizers);
        return new ApprovalAuthorizer() {

            @Override
            public boolean mayDecide(ApprovalRequest request) {
                return all.stream().anyMatch(each -> each.mayDecide(request));
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return all.stream().anyMatch(each -> each.mayAccess(caller, threadId, ownerId));
            }
        };
    }

    /**
     * Whether a caller may give this answer. Asked for every approval, denial and other decision, with the arguments that
     * would run: after edits, if there are any, and with the defaults of what they leave out. An answer that is not what was
     * asked for is asked about as one that does not approve; it is refused anyway.
     *
     * <p>Asked again whenever a remembered decision ({@link io.holdpoint.store.Grant}) is to let a call through: whether the
     * person who gave it, with the roles that they had then, may approve this call. Whoever takes a role away from somebody
     * should revoke what they had remembered.
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
