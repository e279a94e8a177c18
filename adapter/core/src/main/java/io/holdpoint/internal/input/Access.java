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
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.Optional;
import java.util.Set;
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
     * throws refuses. An answer that is not {@code valid} runs no call. A caller does not approve what they have edited themselves.
     */
    boolean mayDecide(Caller caller, ThreadRecord thread, Question question, ResumeEntry entry, boolean valid) {
        Optional<JsonNode> payload = Optional.ofNullable(entry.payload());
        ApprovalAuthorizer.Request request =
                request(caller, thread.threadId(), thread.owner(), question, payload, valid);
        return !(request.approves() && isEditorOf(request)) && mayDecide(request);
    }

    private static boolean isEditorOf(ApprovalAuthorizer.Request request) {
        return request.interrupt()
                .editedBy()
                .filter(request.caller().id()::equals)
                .isPresent();
    }

    /** The arguments that somebody else has to approve first, if a valid answer has edited them and the authorizer wants that. */
    Optional<ObjectNode> askedAboutEdits(Caller caller, ThreadRecord thread, Question question, ResumeEntry entry) {
        Optional<JsonNode> payload = Optional.ofNullable(entry.payload());
        if (payload.isEmpty() || !isEdited(question, payload.get())) {
            return Optional.empty();
        }
        ApprovalAuthorizer.Request request =
                request(caller, thread.threadId(), thread.owner(), question, payload, true);
        try {
            return authorizer.asksAboutEdits(request) ? Optional.of(request.arguments()) : Optional.empty();
        } catch (Throwable e) { // a missing class too has not said no, and not every language checks exceptions
            LOG.warn("The authorizer failed for {}: its edits are asked about", caller.id(), e);
            return Optional.of(request.arguments());
        }
    }

    /**
     * Checks whether the people who have let a call run may still do so, and its edits run unasked. Answers of an earlier version
     * have no roles, and count as they were taken. An authorizer that throws has not said no: the call must wait.
     */
    public boolean mayStillRun(Call call, String threadId, String ownerId) {
        for (Call.Asked asked : call.asked()) {
            Optional<Answer> answer = asked.answer().filter(given -> given.how() == Answer.How.RESOLVED);
            Optional<JsonNode> payload = answer.map(Answer::payload);
            Set<String> roles = answer.map(Answer::roles).orElse(null);
            if (payload.isPresent() && roles != null) {
                Caller caller = new Caller(answer.get().answeredBy(), roles);
                ApprovalAuthorizer.Request request =
                        request(caller, threadId, ownerId, asked.question(), payload, true);
                if (request.approves()
                        && (isEditorOf(request)
                                || !(ownerId.equals(caller.id()) || authorizer.mayAccess(caller, threadId, ownerId))
                                || !authorizer.mayDecide(request)
                                || runsEdited(call, asked, payload.get()) && authorizer.asksAboutEdits(request))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isEdited(Question question, JsonNode payload) {
        return ApprovalForm.sentEdits(payload).isPresent() && QuestionKind.isEdited(question, payload);
    }

    /** Checks whether the call runs with what this answer has edited, and not with what somebody has approved after it. */
    private static boolean runsEdited(Call call, Call.Asked asked, JsonNode payload) {
        boolean isLast = call.answered().filter(asked::equals).isPresent();
        return isLast && isEdited(asked.question(), payload);
    }

    /** Checks whether the person who gave a grant could approve this call as well, here and now. */
    public boolean mayHaveApproved(Grant grant, ThreadRecord thread, Question question) {
        Caller granter = new Caller(grant.grantedBy(), grant.roles());
        return allows(granter, thread)
                && mayDecide(request(
                        granter,
                        thread.threadId(),
                        thread.owner(),
                        question,
                        Optional.of(ApprovalForm.approval()),
                        true));
    }

    private static ApprovalAuthorizer.Request request(
            Caller caller,
            String threadId,
            String ownerId,
            Question question,
            Optional<JsonNode> payload,
            boolean valid) {
        JsonNode answer = payload.<JsonNode>map(JsonNode::deepCopy).orElseGet(NullNode::getInstance);
        PendingInterrupt interrupt = PendingInterrupt.of(question.interrupt().copy());
        Optional<ObjectNode> wouldRun = valid ? QuestionKind.of(question).wouldRun(question, answer) : Optional.empty();
        return new ApprovalAuthorizer.Request(
                caller,
                ownerId,
                threadId,
                interrupt,
                answer,
                wouldRun.isPresent(),
                wouldRun.orElseGet(interrupt::arguments));
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
