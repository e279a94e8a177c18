package io.holdpoint.internal.resume;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalRequest;
import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.store.Question;
import io.holdpoint.store.ThreadRecord;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may decide. Thread-safe. */
final class Deciders {

    private static final Logger LOG = LoggerFactory.getLogger(Deciders.class);

    private final ApprovalAuthorizer authorizer;

    Deciders(ApprovalAuthorizer authorizer) {
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
        PendingInterrupt interrupt = new PendingInterrupt(question.interrupt().copy());
        Optional<ObjectNode> wouldRun =
                valid ? QuestionKind.of(question).wouldRun(question, payload) : Optional.empty();
        ApprovalRequest request = new ApprovalRequest(
                caller,
                thread.owner(),
                thread.threadId(),
                interrupt,
                payload,
                wouldRun.isPresent(),
                wouldRun.orElseGet(interrupt::arguments));
        try {
            return authorizer.mayDecide(request);
        } catch (RuntimeException | Error e) { // a missing class too has not said yes
            LOG.warn("The authorizer failed for {} on {}: the answer is refused", caller.id(), interrupt.id(), e);
            return false;
        }
    }
}
