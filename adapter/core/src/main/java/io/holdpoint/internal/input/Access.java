package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.EditedQuestion;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rights of a caller: to see a thread and answer on it, and to give a certain answer. Thread-safe. */
public final class Access {

    private static final Logger LOG = LoggerFactory.getLogger(Access.class);

    private final AgentConfig<?> config;

    public Access(AgentConfig<?> config) {
        this.config = config;
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
            return config.authorizer.mayAccess(caller, threadId, ownerId);
        } catch (Throwable e) { // a missing class too has not said yes, and not every language checks exceptions
            LOG.warn("The authorizer failed for {} on thread {}: no access", caller.id(), threadId, LogText.silent(e));
            return false;
        }
    }

    static boolean owns(Caller caller, ThreadRecord thread) {
        return thread.owner().equals(caller.id());
    }

    /**
     * Checks whether a caller may give an answer. The authorizer gets copies, so it cannot change what it decides about; one that
     * throws refuses. An answer that is not {@code valid} runs no call. A caller does not approve what they have edited themselves.
     * An agent that works as a tool is asked about its questions as well.
     */
    boolean mayDecide(Caller caller, ThreadRecord thread, Question question, ResumeEntry entry, boolean valid) {
        Optional<Given> given = Optional.of(new Given(Optional.ofNullable(entry.payload()), valid));
        return mayDecide(
                caller, thread.threadId(), thread.owner(), askedAbout(thread.batch(), question), question, given);
    }

    /** Checks whether a caller may approve what is asked, or answer it otherwise, and has not done so. */
    public boolean mayDecide(Caller caller, ThreadRecord thread, Question question) {
        return allows(caller, thread)
                && mayDecide(
                        caller,
                        thread.threadId(),
                        thread.owner(),
                        askedAbout(thread.batch(), question),
                        question,
                        Optional.empty());
    }

    private record Given(Optional<JsonNode> payload, boolean valid) {}

    /** Without an answer: whether the caller may approve, or answer otherwise, and has not done so. */
    private boolean mayDecide(
            Caller caller,
            String threadId,
            String ownerId,
            Optional<Call> about,
            Question question,
            Optional<Given> given) {
        boolean hasVoted = given.isEmpty()
                && about.isPresent()
                && Voices.isAmong(caller, about.get().votes());
        Given answer = given.isPresent() ? given.get() : plainest(question);
        ApprovalAuthorizer.Request request =
                request(caller, threadId, ownerId, question, about, answer.payload(), answer.valid());
        if (hasVoted || !hasVoice(request, question, about) || !mayDecide(request)) {
            return false;
        }
        Restart.Inside inside = Restart.inside(config, threadId, question).orElse(null);
        return inside == null || mayDecideInside(caller, inside, given);
    }

    private static Given plainest(Question question) {
        boolean isApproval = question.interrupt().reason().equals(PendingInterrupt.Approval.REASON);
        return new Given(isApproval ? Optional.of(ApprovalForm.approval()) : Optional.empty(), isApproval);
    }

    /** An answer to a question that is not open there any more is checked when that agent gets it. */
    private static boolean mayDecideInside(Caller caller, Restart.Inside inside, Optional<Given> given) {
        Access access = new Access(inside.agent().config());
        ThreadRecord thread = inside.thread();
        Question asked = inside.question().orElse(null);
        return asked == null
                || access.allows(caller, thread)
                        && access.mayDecide(
                                caller,
                                thread.threadId(),
                                thread.owner(),
                                askedAbout(thread.batch(), asked),
                                asked,
                                given);
    }

    static Optional<Call> askedAbout(Optional<Batch> batch, Question question) {
        for (Call call : batch.isPresent() ? batch.get().calls() : List.<Call>of()) {
            if (call.openQuestion().equals(Optional.of(question))) {
                return Optional.of(call);
            }
        }
        return Optional.empty();
    }

    /** A voter may approve again, which counts once; other people do not approve what they have edited themselves. */
    private static boolean hasVoice(ApprovalAuthorizer.Request request, Question question, Optional<Call> about) {
        Caller caller = request.caller();
        Voices asked = request.approves() || isOfTool(question) ? approvers(question, about) : Voices.of(question);
        boolean isAnybody = caller.id().equals(Caller.ANONYMOUS.id()) && request.approves();
        if (isAnybody && asked.areSeveral() || !asked.include(caller)) {
            return false;
        }
        List<Answer> votes = about.isPresent() ? about.get().votes() : List.of();
        return !request.approves()
                || Voices.isAmong(caller, votes)
                || !isEditorOf(request, question) && Voices.of(question).lack(caller, votes);
    }

    /** Checks whether an edit is its editor's voice for the call as it was edited, about which several people are asked. */
    boolean isVoice(Caller editor, ThreadRecord thread, Question edited) {
        Voices needed = Voices.of(edited);
        return needed.areSeveral()
                && needed.lack(editor, List.of())
                && mayDecide(request(editor, thread, edited, ApprovalForm.approval()));
    }

    /** Checks whether a tool has asked while it ran, and no agent that works in it, whose people are others. */
    private static boolean isOfTool(Question question) {
        return (question.kind() == Question.Kind.RESTART || question.kind() == Question.Kind.RESPONSE)
                && !Voices.isDelegated(question);
    }

    /** The people of whom one lets a call run: again, or by what its tool has asked, only one of those who had to approve it. */
    private static Voices approvers(Question question, Optional<Call> about) {
        boolean isAgain = question.kind() == Question.Kind.OUTCOME_UNKNOWN
                || question.kind() == Question.Kind.TOOL_ERROR
                || isOfTool(question);
        Question last = question;
        for (Question earlier : isAgain && about.isPresent() ? about.get().questions() : List.<Question>of()) {
            last = earlier.isForApproval() ? earlier : last;
        }
        return Voices.of(last);
    }

    /** The approvals of those who may still approve when the last one comes, the earlier ones with the roles of now. */
    List<Answer> standing(List<Answer> votes, Answer last, ThreadRecord thread, Question question) {
        return votes.stream()
                .flatMap(vote -> (vote.equals(last) ? Optional.of(vote) : knownNow(vote)).stream())
                .filter(vote -> Voices.of(question).include(Voices.voter(vote))
                        && allows(Voices.voter(vote), thread)
                        && mayDecide(request(Voices.voter(vote), thread, question, vote.payload())))
                .toList();
    }

    private Optional<Answer> knownNow(Answer vote) {
        try {
            return now(vote);
        } catch (Throwable e) { // checked ones too: not every application is written in Java
            LOG.warn(
                    "people(...) failed for {}: an approval of theirs does not count",
                    vote.answeredBy(),
                    LogText.silent(e));
            return Optional.empty();
        }
    }

    /** A vote with the roles that its voter has now; empty if there is no such person any more, or it is somebody else's id. */
    private Optional<Answer> now(Answer vote) {
        return config.people.isEmpty()
                ? Optional.of(vote)
                : config.people
                        .get()
                        .apply(vote.answeredBy())
                        .filter(person -> person.id().equals(vote.answeredBy()))
                        .map(person -> vote.with(person.roles()));
    }

    /**
     * The open questions of a thread, each with {@code mayDecide}: whether the caller who reads it may approve it, or answer it
     * otherwise. It is a hint for people: an answer is checked when it comes. Where only owners decide, it would say nothing.
     */
    public List<Question> shown(Caller caller, String threadId, String ownerId, Optional<Batch> batch) {
        List<Question> open = batch.isPresent() ? batch.get().openQuestions() : List.of();
        boolean isOwners = config.authorizer == ApprovalAuthorizer.OWNER;
        for (Question question : open) {
            isOwners &= !Voices.isDelegated(question);
        }
        return isOwners
                ? open
                : open.stream()
                        .map(question -> shown(caller, threadId, ownerId, batch, question))
                        .toList();
    }

    private Question shown(Caller caller, String threadId, String ownerId, Optional<Batch> batch, Question question) {
        boolean may = mayDecide(caller, threadId, ownerId, askedAbout(batch, question), question, Optional.empty());
        return Gate.annotated(question, metadata -> metadata.put("mayDecide", may));
    }

    /** Checks whether a caller has edited the arguments, and others have to approve them. */
    private static boolean isEditorOf(ApprovalAuthorizer.Request request, Question question) {
        return !EditedQuestion.isOpenToEditor(question)
                && request.interrupt()
                        .editedBy()
                        .equals(Optional.of(request.caller().id()));
    }

    /** The arguments that a valid answer has edited, as the tool takes them. */
    Optional<ObjectNode> edits(Caller caller, ThreadRecord thread, Question question, @Nullable JsonNode payload) {
        return payload != null && QuestionKind.isEdited(question, payload)
                ? Optional.of(request(caller, thread, question, payload).arguments())
                : Optional.empty();
    }

    /** Checks whether somebody else has to approve edited arguments first. */
    boolean asksAboutEdits(Caller caller, ThreadRecord thread, Question question, @Nullable JsonNode payload) {
        ApprovalAuthorizer.Request request = request(caller, thread, question, payload);
        try {
            return !config.authorizer.mayDecide(request) || request.asksAboutEdits();
        } catch (Throwable e) { // a missing class too has not said no, and not every language checks exceptions
            LOG.warn("The authorizer failed for {}: its edits are asked about", caller.id(), LogText.silent(e));
            return true;
        }
    }

    /**
     * Checks whether the people who have let a call run may still do so, and its edits run unasked. An authorizer or {@code people} that
     * throws has not said no: the call must wait.
     */
    public boolean mayStillRun(Call call, String threadId, String ownerId) {
        try {
            return mayStillRunNow(call, threadId, ownerId);
        } catch (RuntimeException e) {
            throw new HookFailedException("The authorizer, or people(...),", e);
        }
    }

    private boolean mayStillRunNow(Call call, String threadId, String ownerId) {
        Optional<Call.Asked> approval = ToolApproval.asked(call);
        for (Call.Asked asked : call.asked()) {
            Answer answer = asked.answer().orElse(null);
            if (asked.question().isForApproval() && !approval.equals(Optional.of(asked)) && !isEdited(asked)) {
                continue; // people were asked again in its place
            }
            boolean isApproved = answer != null && ApprovalForm.approves(answer.payload());
            boolean isDecisive = call.answered().equals(Optional.of(asked));
            if (isApproved && asked.question().kind() == Question.Kind.APPROVALS) {
                List<Answer> votes = asked.votes().stream()
                        .flatMap(vote -> now(vote).stream())
                        .toList();
                answer = answer == null ? null : now(answer).orElse(null);
                if (votes.size() < asked.votes().size()
                        || answer == null
                        || isDecisive && !Voices.of(asked.question()).areEnough(Voices.with(votes, answer))
                        || !votes.stream()
                                .map(vote -> request(vote, threadId, ownerId, asked.question(), Optional.empty()))
                                .allMatch(this::mayStillDecide)) {
                    return false;
                }
            }
            if (answer != null && answer.payload() != null) {
                ApprovalAuthorizer.Request request =
                        request(answer, threadId, ownerId, asked.question(), Optional.of(call));
                if (request.approves()
                        && (isEditorOf(request, asked.question())
                                || !mayStillDecide(request)
                                || isDecisive && isEdited(asked) && request.asksAboutEdits())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isEdited(Call.Asked asked) {
        JsonNode payload = asked.answer().isPresent() ? asked.answer().get().payload() : null;
        return payload != null && QuestionKind.isEdited(asked.question(), payload);
    }

    private boolean mayStillDecide(ApprovalAuthorizer.Request request) {
        Caller caller = request.caller();
        return (request.ownerId().equals(caller.id())
                        || config.authorizer.mayAccess(caller, request.threadId(), request.ownerId()))
                && config.authorizer.mayDecide(request);
    }

    /** Checks whether the person who gave a grant could approve this call as well, here and now, as who they are now. */
    public boolean mayHaveApproved(Grant grant, String threadId, String ownerId, Question question) {
        Answer approval = new Answer(
                Answer.How.RESOLVED, ApprovalForm.approval(), grant.grantedBy(), grant.grantedAt(), grant.roles());
        boolean isOfOwner = config.authorizer == ApprovalAuthorizer.OWNER; // for whom roles say nothing
        return (isOfOwner ? Optional.of(approval) : knownNow(approval))
                .filter(now -> allows(Voices.voter(now), threadId, ownerId)
                        && mayDecide(request(now, threadId, ownerId, question, Optional.empty())))
                .isPresent();
    }

    /** The request of an answer that is stored already. */
    private ApprovalAuthorizer.Request request(
            Answer answer, String threadId, String ownerId, Question question, Optional<Call> about) {
        Optional<JsonNode> payload = Optional.ofNullable(answer.payload());
        return request(Voices.voter(answer), threadId, ownerId, question, about, payload, true);
    }

    private ApprovalAuthorizer.Request request(
            Caller caller, ThreadRecord thread, Question question, @Nullable JsonNode payload) {
        Optional<Call> about = askedAbout(thread.batch(), question);
        return request(caller, thread.threadId(), thread.owner(), question, about, Optional.ofNullable(payload), true);
    }

    private ApprovalAuthorizer.Request request(
            Caller caller,
            String threadId,
            String ownerId,
            Question question,
            Optional<Call> about,
            Optional<JsonNode> payload,
            boolean valid) {
        boolean isOurs = config.authorizer == ApprovalAuthorizer.OWNER; // which changes nothing
        JsonNode sent = payload.orElse(NullNode.getInstance());
        JsonNode answer = isOurs ? sent : sent.deepCopy();
        Interrupt asked = question.interrupt();
        PendingInterrupt interrupt = PendingInterrupt.of(isOurs ? asked : asked.copy());
        Optional<ObjectNode> wouldRun = valid ? QuestionKind.of(question).wouldRun(question, answer) : Optional.empty();
        if (wouldRun.isPresent()
                && about.isPresent()
                && ApprovalForm.sentEdits(answer).isPresent()
                && !Voices.isDelegated(question)) { // that agent asks its own authorizer about its own tool
            String tool = about.get().proposal().toolSha256();
            wouldRun = Optional.of(config.policyReader.arguments(tool).edited(wouldRun.get()));
        }
        return new ApprovalAuthorizer.Request(
                caller,
                ownerId,
                threadId,
                interrupt,
                answer,
                wouldRun.isPresent(),
                wouldRun.isPresent() ? wouldRun.get() : interrupt.arguments());
    }

    private boolean mayDecide(ApprovalAuthorizer.Request request) {
        try {
            return config.authorizer.mayDecide(request);
        } catch (Throwable e) { // a missing class too has not said yes, and not every language checks exceptions
            LOG.warn(
                    "The authorizer failed for {} on {}: that is a no",
                    request.caller().id(),
                    request.interrupt().id(),
                    LogText.silent(e));
            return false;
        }
    }
}
