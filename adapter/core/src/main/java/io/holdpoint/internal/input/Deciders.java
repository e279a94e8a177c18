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
import io.holdpoint.store.ThreadRecord;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may decide. Thread-safe. */
public final class Deciders {

    private static final Logger LOG = LoggerFactory.getLogger(Deciders.class);

    private final ApprovalAuthorizer authorizer;

    /**
     * Creates it.
     *
     * @param authorizer says who may decide
     */
    public Deciders(ApprovalAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * Whether a caller may give an answer. The authorizer gets copies: what it does to them changes nothing.
     *
     * @param valid whether the answer is what was asked for; one that is not runs nothing
     * @return {@code false} also if the authorizer throws
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

    /**
     * Whether the person who had a decision remembered could approve this call too, here and now.
     *
     * @param grant the decision
     * @param thread the thread that it belongs to
     * @param question what a person would be asked about the call
     * @return {@code false} also if the authorizer throws
     */
    public boolean mayHaveApproved(Grant grant, ThreadRecord thread, Question question) {
        Caller granter = new Caller(grant.grantedBy(), grant.roles());
        PendingInterrupt interrupt = PendingInterrupt.of(question.interrupt().copy());
        return new Access(authorizer).allows(granter, thread)
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
