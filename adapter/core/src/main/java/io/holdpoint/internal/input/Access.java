package io.holdpoint.internal.input;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.store.ThreadRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** For whom a thread exists. Thread-safe. */
public final class Access {

    private static final Logger LOG = LoggerFactory.getLogger(Access.class);

    private final ApprovalAuthorizer authorizer;

    /**
     * Creates it.
     *
     * @param authorizer says who but the owner may access a thread
     */
    public Access(ApprovalAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * Whether a caller may see a thread and answer its interrupts.
     *
     * @param caller who asks
     * @param thread the thread
     * @return {@code true} for the owner, and for whom the authorizer lets in; {@code false} if the authorizer throws
     */
    public boolean allows(Caller caller, ThreadRecord thread) {
        return allows(caller, thread.threadId(), thread.owner());
    }

    /**
     * Whether a caller may see a thread and answer its interrupts.
     *
     * @param caller who asks
     * @param threadId the thread
     * @param ownerId id of the caller that started it
     * @return as {@link #allows(Caller, ThreadRecord)}
     */
    public boolean allows(Caller caller, String threadId, String ownerId) {
        if (ownerId.equals(caller.id())) {
            return true;
        }
        try {
            return authorizer.mayAccess(caller, threadId, ownerId);
        } catch (Throwable e) { // a missing class too has not said yes, and not every language checks exceptions
            LOG.warn("The authorizer failed for {} on thread {}: no access", caller.id(), threadId, e);
            return false;
        }
    }

    /**
     * Whether a thread belongs to a caller.
     *
     * @param caller who asks
     * @param thread the thread
     * @return whether the caller started it
     */
    static boolean owns(Caller caller, ThreadRecord thread) {
        return thread.owner().equals(caller.id());
    }
}
