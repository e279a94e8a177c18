package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rights of a caller: to see a thread and answer on it, and to give a certain answer. Thread-safe. */
public final class Access {

    private static final Logger LOG = LoggerFactory.getLogger(Access.class);

    private final ApprovalAuthorizer authorizer;

    public Access(ApprovalAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    /** Checks whether a caller may see a thread and answer its interrupts. An authorizer that throws lets no caller in. */
    public boolean allows(Caller caller, ThreadRecord thread) {
        return allows(caller, thread.threadId(), thread.owner());
    }

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

    /** Checks whether the caller started the thread. */
    static boolean owns(Caller caller, ThreadRecord thread) {
        return thread.owner().equals(caller.id());
    }

    /**
     * Checks whether a caller may give an answer. The authorizer gets copies, so it cannot change what it decides about; one that
     * throws refuses. An answer that is not {@code valid} runs no call.
     */
    boolean mayDecide(Caller caller, ThreadRecord thread, Question question, ResumeEntry entry, boolean valid) {
        JsonNode payload = Optional.ofNullable(entry.payload())
                .<JsonNode>map(JsonNode::deepCopy)
                .orElseGet(NullNode::getInstance);
        PendingInterrupt interrupt = PendingInterrupt.of(question.interrupt().copy());
        Optional<ObjectNode> wouldRun =
                valid ? QuestionKind.of(question).wouldRun(question, payload) : Optional.empty();
        ApprovalAuthorizer.Request request = new ApprovalAuthorizer.Request(
                caller,
                thread.owner(),
                thread.threadId(),
                interrupt,
                payload,
                wouldRun.isPresent(),
                wouldRun.orElseGet(interrupt::arguments));
        return mayDecide(request);
    }

    /** Checks whether the person who gave a grant could approve this call as well, here and now. */
    public boolean mayHaveApproved(Grant grant, ThreadRecord thread, Question question) {
        Caller granter = new Caller(grant.grantedBy(), grant.roles());
        PendingInterrupt interrupt = PendingInterrupt.of(question.interrupt().copy());
        return allows(granter, thread)
                && mayDecide(new ApprovalAuthorizer.Request(
                        granter,
                        thread.owner(),
                        thread.threadId(),
                        interrupt,
                        ApprovalForm.approval(),
                        true,
                        interrupt.arguments()));
    }

    private boolean mayDecide(ApprovalAuthorizer.Request request) {
        try {
            return authorizer.mayDecide(request);
        } catch (Throwable e) { // a missing class too has not said yes, and not every language checks exceptions
            LOG.warn(
                    "The authorizer failed for {} on {}: the answer is refused",
                    request.caller().id(),
                    request.interrupt().id(),
                    e);
            return false;
        }
    }
}
