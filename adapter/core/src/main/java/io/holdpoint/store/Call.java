package io.holdpoint.store;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.Interrupt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One tool call of a batch. Immutable; every transition gives a new record.
 *
 * <pre>
 * PENDING → DECIDED → CLAIMED → EXECUTED | FAILED
 * PENDING | DECIDED → NOT_EXECUTED      (ungated: PENDING → CLAIMED)
 * CLAIMED → PENDING                     (asked about again: the outcome is unknown, the tool asks or has failed)
 * DECIDED → PENDING                     (asked about again in place of the claim: what was shown no longer holds)
 * PENDING → PENDING                     (answered and asked about again: somebody has edited the arguments; voted on)
 * CLAIMED → CLAIMED                     (attempted again: only an idempotent tool)
 * DECIDED → EXECUTED                    (a person supplied the result, or said that the attempt took effect)
 * PENDING | DECIDED → EXECUTED | FAILED (a call of the client, which sent its result)
 * DECIDED → FAILED                      (after an attempt: it was not finished, or its outcome stays unknown)
 * </pre>
 *
 * @param toolCallId unique in the thread
 * @param proposal what the model proposed, as the gate found it
 * @param resultMessageId id of the transcript's message with the result
 * @param asked the questions about it with their answers, oldest first; only the last one may be without an answer
 * @param result present once the state is settled
 */
public record Call(
        String toolCallId,
        Proposal proposal,
        String resultMessageId,
        State state,
        List<Asked> asked,
        List<Attempt> attempts,
        @Nullable Result result) {

    /**
     * The model's proposal, as the gate found it.
     *
     * @param toolName the tool as the model named it
     * @param arguments canonical JSON text of the proposed arguments; the text as proposed if it is not one JSON object
     * @param argumentsSha256 of {@code arguments}, hexadecimal
     * @param toolSha256 of the tool as it was when the call was gated (name, parameters, method, sentences for the person),
     *     hexadecimal; empty if there was no such tool
     * @param idempotent whether the tool may be executed again after an attempt of unknown outcome
     * @param ofClient whether the client executes the call, and sends its result
     * @param grantId the {@link Grant} that lets the call run without a question; {@code null} if none does
     * @param remarks what the audit trail says besides about the call, by the names of its fields; {@code null} if there is nothing
     */
    public record Proposal(
            String toolName,
            String arguments,
            String argumentsSha256,
            String toolSha256,
            boolean idempotent,
            boolean ofClient,
            @Nullable String grantId,
            @Nullable ObjectNode remarks) {

        private Proposal letThroughBy(String grant) {
            return new Proposal(toolName, arguments, argumentsSha256, toolSha256, idempotent, ofClient, grant, remarks);
        }

        private Proposal remarked(String field, JsonNode value) {
            ObjectNode all = remarks == null ? JsonNodeFactory.instance.objectNode() : remarks.deepCopy();
            all.set(field, value);
            return new Proposal(toolName, arguments, argumentsSha256, toolSha256, idempotent, ofClient, grantId, all);
        }
    }

    /** The stages of a tool call. */
    public enum State {
        /** Proposed by the model. A call with an open question waits for its answer; any other may be claimed. */
        PENDING,
        /** Its question is answered; the answer says whether it may be claimed. */
        DECIDED,
        /** Taken for execution, right before the tool's body is entered. Without a result, the outcome is unknown. */
        CLAIMED,
        /** The body ran and returned. */
        EXECUTED,
        /** The body was entered, or was about to be, and ended with an error. */
        FAILED,
        /** The body was never entered and never will be. */
        NOT_EXECUTED,
        /** This version does not know: another one stored it. The call does not run, and may have run. */
        @JsonEnumDefaultValue
        UNKNOWN;

        /** Says whether this is the call's last state, so that the call has its result. */
        public boolean isSettled() {
            return this == EXECUTED || this == FAILED || this == NOT_EXECUTED;
        }
    }

    /**
     * A question to a person about a call. Immutable.
     *
     * @param kind what an answer is for; the client is not told, and cannot change it
     * @param interrupt what the client sees; its {@code responseSchema} is the one the answer is checked against
     * @param kept what the tool that asked has kept for itself; {@code null} if it kept none. No client is told
     * @param timeline what time is still to do about it, in the order of the times
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Question(
            Kind kind,
            Interrupt interrupt,
            Instant askedAt,
            @Nullable JsonNode kept,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TimeStep> timeline) {

        /** Copies the list. */
        public Question {
            timeline = timeline == null ? List.of() : List.copyOf(timeline);
        }

        /** Asks a question without data of the tool, and without a timeline. */
        public Question(Kind kind, Interrupt interrupt, Instant askedAt) {
            this(kind, interrupt, askedAt, null, List.of());
        }

        /** Asks the same in other words. */
        public Question with(Interrupt next) {
            return new Question(kind, next, askedAt, kept, timeline);
        }

        /** The same question when time has done what is due. */
        Question after(Instant now) {
            List<TimeStep> left =
                    timeline.stream().filter(step -> !step.isDue(now)).toList();
            return new Question(kind, interrupt, askedAt, kept, left);
        }

        /** The purpose of an answer. */
        public enum Kind {
            /** It says whether the call may run. */
            APPROVAL(false),
            /** It says whether the call may run, and certain people or several of them have to say so. */
            APPROVALS(false),
            /** It is the call's result: the tool has no body. */
            RESULT(false),
            /** It says what came of an attempt whose end was not seen. */
            OUTCOME_UNKNOWN(true),
            /** The tool asked while it ran: it runs again and is given the answer. */
            RESTART(true),
            /** The tool asked while it ran: the answer is the call's result. */
            RESPONSE(true),
            /** The tool failed: the answer says whether it is tried again. */
            TOOL_ERROR(true),
            /** This version does not know: another one stored it. */
            @JsonEnumDefaultValue
            UNKNOWN(true);

            private final boolean followsAttempt;

            Kind(boolean followsAttempt) {
                this.followsAttempt = followsAttempt;
            }
        }

        /**
         * Says whether an answer tells if the call may run.
         *
         * @return {@code true} for {@link Kind#APPROVAL} and {@link Kind#APPROVALS}
         */
        public boolean isForApproval() {
            return kind == Kind.APPROVAL || kind == Kind.APPROVALS;
        }

        /**
         * Says whether this was asked because the call had been attempted already.
         *
         * @return {@code false} if it was asked before anything ran
         */
        public boolean followsAttempt() {
            return kind.followsAttempt;
        }

        /** Says whether an answer that decides comes too late: {@code true} from {@code expiresAt} on. */
        public boolean isExpired(Instant now) {
            Instant expiresAt = interrupt.expiresAt();
            return expiresAt != null && !now.isBefore(expiresAt);
        }
    }

    /**
     * The answer that settled a question. Immutable. Of what the client sent, only what is read later is kept: no metadata, and no payload
     * unless it decides.
     *
     * @param payload what the person decided; {@code null} unless the answer is {@link How#RESOLVED}
     * @param answeredBy id of the caller whose input it came with
     * @param roles of that caller at that time: whether they may decide is checked again when the call runs
     * @param via how it came, if not from a client: {@link #LINK}
     */
    public record Answer(
            How how,
            @Nullable JsonNode payload,
            String answeredBy,
            Instant answeredAt,
            Set<String> roles,
            @Nullable String via) {

        /** The answer came from the page behind a link. */
        public static final String LINK = "link";

        /** Drops the payload of an answer that is no decision, and copies the roles. */
        public Answer {
            payload = how == How.RESOLVED ? payload : null;
            roles = roles == null ? Set.of() : Set.copyOf(roles); // absent in JSON
        }

        /** Makes an answer that came from a client. */
        public Answer(How how, @Nullable JsonNode payload, String answeredBy, Instant answeredAt, Set<String> roles) {
            this(how, payload, answeredBy, answeredAt, roles, null);
        }

        /** The same answer of a person who has these roles. */
        public Answer with(Set<String> present) {
            return new Answer(how, payload, answeredBy, answeredAt, present, via);
        }

        /** Makes an answer that lets nothing run. */
        public Answer(How how, @Nullable JsonNode payload, String answeredBy, Instant answeredAt) {
            this(how, payload, answeredBy, answeredAt, Set.of());
        }

        /** The kind of the answer. */
        public enum How {
            /** The person decided; the payload says what. */
            RESOLVED,
            /** The person cancelled the question without deciding. */
            CANCELLED,
            /** The person cancelled everything to say something else: the batch runs no further. */
            STEERED_AWAY,
            /** The question expired: the batch runs no further. */
            EXPIRED,
            /** The question expired by itself, and the others count: only its own call does not run. */
            UNANSWERED,
            /** This version does not know: another one stored it. The batch runs no further. */
            @JsonEnumDefaultValue
            UNKNOWN
        }
    }

    /**
     * A question with its answer.
     *
     * @param answer the answer; empty while the question is open
     * @param votes the approvals that were not enough by themselves, of different callers, oldest first
     * @param sha256 hexadecimal, of what was asked of whom and answered by whom, made when that was stored; {@code null} until there is
     *     an answer, if one is enough; see {@link #isIntact}
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Asked(
            Question question,
            Optional<Answer> answer,
            List<Answer> votes,
            @Nullable String sha256) {

        /** Copies the list. */
        public Asked {
            votes = votes == null ? List.of() : List.copyOf(votes);
        }

        /** Makes a question with its votes, as it is stored first. */
        public Asked(Question question, Optional<Answer> answer, List<Answer> votes) {
            this(
                    question,
                    answer,
                    votes,
                    isNew(question, answer, votes) ? null : DecisionHash.of(question, answer, votes));
        }

        /** Makes a question without votes. */
        public Asked(Question question, Optional<Answer> answer) {
            this(question, answer, List.of());
        }

        /** The same question later; what was changed behind the library's back stays recognizable. */
        private Asked next(Question now, Optional<Answer> given, List<Answer> voted) {
            return new Asked(now, given, voted, isIntact() ? DecisionHash.of(now, given, voted) : sha256);
        }

        /** Checks whether nothing has to be kept yet: neither who has to approve, nor who did. */
        private static boolean isNew(Question question, Optional<Answer> answer, List<Answer> votes) {
            return question.kind() != Question.Kind.APPROVALS && answer.isEmpty() && votes.isEmpty();
        }

        /**
         * Says whether this is what was stored when it was decided: who had to approve, who did, and with what. A call whose record was
         * changed since does not run. This finds what was changed in the row, not somebody who can make the hash again: they are found by
         * {@link Store#check}, which compares with the audit trail.
         */
        public boolean isIntact() {
            return sha256 == null
                    ? isNew(question, answer, votes)
                    : sha256.equals(DecisionHash.of(question, answer, votes));
        }
    }

    /**
     * One execution, noted before the tool's body is entered.
     *
     * @param arguments canonical JSON text of what is executed, after edits
     */
    public record Attempt(String runId, String arguments, Instant startedAt) {}

    /**
     * The one result of a call.
     *
     * @param message the result as the chat memory and the model get it: LangChain4j's own JSON of a
     *     {@code ToolExecutionResultMessage}
     * @param clientText the result as the client gets it: the tool's own result as text, without what is only for the model
     * @param metadata what the client gets besides, for instance how the arguments were edited
     */
    public record Result(
            String message, String clientText, @Nullable ObjectNode metadata) {}

    /**
     * The result of a call that the client executed.
     *
     * @param messageId id of the transcript's message with it
     * @param outcome {@code EXECUTED}, or {@code FAILED} if the client says so
     */
    public record ClientResult(String messageId, State outcome, Result result) {}

    /**
     * Copies the lists. A call of an unknown state that has its result has {@link State#FAILED}.
     *
     * @throws IllegalArgumentException if a settled call has no result, or another one has
     */
    public Call {
        asked = List.copyOf(asked);
        attempts = List.copyOf(attempts);
        state = state == State.UNKNOWN && result != null ? State.FAILED : state;
        if (state.isSettled() != (result != null)) {
            throw new IllegalArgumentException("call " + toolCallId + " is " + state + " with result " + result);
        }
    }

    /**
     * Makes a call that the gate has let through.
     *
     * @param toolCallId unique in the thread
     * @param resultMessageId id of the message with the result
     */
    public static Call pending(String toolCallId, Proposal proposal, String resultMessageId) {
        return new Call(toolCallId, proposal, resultMessageId, State.PENDING, List.of(), List.of(), null);
    }

    /**
     * Holds a call that has just been proposed.
     *
     * @param question what a person is asked before it runs
     * @throws IllegalStateException unless the call has just been proposed
     */
    public Call heldBy(Question question) {
        requireState(isNew(), "be held");
        return with(State.PENDING, plus(asked, new Asked(question, Optional.empty())), attempts, null);
    }

    /**
     * Refuses a call that has just been proposed.
     *
     * @throws IllegalStateException unless the call has just been proposed
     */
    public Call refused(Result refusal) {
        requireState(isNew(), "be refused");
        return with(State.NOT_EXECUTED, asked, attempts, refusal);
    }

    /**
     * Notes the remembered decision that makes a question unnecessary.
     *
     * @param grant id of the {@link Grant}
     * @throws IllegalStateException unless the call has just been proposed
     */
    public Call letThroughBy(String grant) {
        requireState(isNew(), "be let through");
        return new Call(toolCallId, proposal.letThroughBy(grant), resultMessageId, state, asked, attempts, result);
    }

    /** Notes what the audit trail says besides, see {@link Proposal#remarks}. */
    public Call remarked(String field, JsonNode value) {
        Proposal remarked = proposal.remarked(field, value);
        return new Call(toolCallId, remarked, resultMessageId, state, asked, attempts, result);
    }

    /** The id of the caller who has proposed the call, if no model did. */
    public Optional<String> proposedBy() {
        return Optional.ofNullable(proposal.remarks())
                .map(all -> all.path(Batch.PROPOSED_BY).textValue());
    }

    private boolean isNew() {
        return state == State.PENDING && asked.isEmpty() && attempts.isEmpty();
    }

    /** Names the tool. */
    public String toolName() {
        return proposal.toolName();
    }

    /** The proposed arguments as canonical JSON text; the text as proposed if it is not one JSON object. */
    public String arguments() {
        return proposal.arguments();
    }

    /** The id of the {@link Grant} that made a question unnecessary; {@code null} if the call needed none. */
    public @Nullable String grantId() {
        return proposal.grantId();
    }

    /** The questions without their answers. */
    public List<Question> questions() {
        List<Question> questions = new ArrayList<>();
        for (Asked each : asked) {
            questions.add(each.question());
        }
        return Collections.unmodifiableList(questions);
    }

    /** The answers that were given. */
    public List<Answer> answers() {
        return asked.stream().flatMap(each -> each.answer().stream()).toList();
    }

    /** The question that waits for an answer: the last one, if the call is pending and was asked about. */
    public Optional<Question> openQuestion() {
        return state == State.PENDING && !asked.isEmpty()
                ? Optional.of(asked.get(asked.size() - 1).question())
                : Optional.empty();
    }

    /**
     * The votes on the question that waits for an answer.
     *
     * @return oldest first; empty without an open question
     */
    public List<Answer> votes() {
        return openQuestion().isPresent() ? asked.get(asked.size() - 1).votes() : List.of();
    }

    /**
     * The answered question that decides: the last one.
     *
     * @return the question with its answer; empty before the first answer
     */
    public Optional<Asked> answered() {
        for (int i = asked.size() - 1; i >= 0; i--) {
            if (asked.get(i).answer().isPresent()) {
                return Optional.of(asked.get(i));
            }
        }
        return Optional.empty();
    }

    /** The last answer, which decides; empty before the first one. */
    public Optional<Answer> answer() {
        return answered().flatMap(Asked::answer);
    }

    /** The question of that interrupt, open or not, with its answer; empty if it is not of this call. */
    public Optional<Asked> asked(String interruptId) {
        for (Asked each : asked) {
            if (each.question().interrupt().id().equals(interruptId)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** The record of a question of this call. */
    public Asked asked(Question question) {
        return asked(question.interrupt().id()).orElseThrow();
    }

    /** The last attempt, if there is one: what was executed, or was about to be. */
    public Optional<Attempt> lastAttempt() {
        return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.get(attempts.size() - 1));
    }

    /**
     * Identifies the call to systems that the tool talks to: the same for every attempt, in every run, and for no other
     * call.
     *
     * @return the id of the interrupt that asked before the first attempt; an id of its own if there was none
     */
    public String idempotencyKey() {
        return asked.isEmpty() || asked.get(0).question().followsAttempt()
                ? resultMessageId
                : asked.get(0).question().interrupt().id();
    }

    Call decided(Answer answer) {
        Question question = openQuestion().orElse(null);
        requireState(question != null, "be decided");
        List<Asked> next = new ArrayList<>(asked);
        next.set(next.size() - 1, next.get(next.size() - 1).next(question, Optional.of(answer), votes()));
        return with(State.DECIDED, next, attempts, null);
    }

    /** The question is answered, and there is another one in its place; votes were for the first one. */
    Call decided(Answer answer, Question next) {
        Call decided = votes().isEmpty()
                ? decided(answer)
                : voted(new Asked(openQuestion().orElseThrow(), Optional.empty()))
                        .decided(answer);
        return decided.with(State.PENDING, plus(decided.asked, new Asked(next, Optional.empty())), attempts, null);
    }

    Call voted(Asked open) {
        requireState(openQuestion().isPresent(), "be voted on");
        List<Asked> next = new ArrayList<>(asked);
        next.set(next.size() - 1, next.get(next.size() - 1).next(open.question(), open.answer(), open.votes()));
        return with(state, next, attempts, null);
    }

    Call claimed(Attempt attempt) {
        requireState(
                state == State.DECIDED
                        || (state == State.PENDING && asked.isEmpty())
                        || (state == State.CLAIMED && proposal.idempotent()),
                "be claimed");
        return with(State.CLAIMED, asked, plus(attempts, attempt), null);
    }

    Call askedAgain(Question question) {
        requireState(state == State.CLAIMED || state == State.DECIDED, "be asked about again");
        return with(State.PENDING, plus(asked, new Asked(question, Optional.empty())), attempts, null);
    }

    Call settled(State outcome, Result end) {
        boolean entered = outcome == State.EXECUTED || outcome == State.FAILED;
        boolean attempted =
                state == State.CLAIMED || state == State.UNKNOWN || (state == State.DECIDED && !attempts.isEmpty());
        boolean supplied = state == State.DECIDED && outcome == State.EXECUTED;
        requireState(
                entered ? attempted || supplied : outcome == State.NOT_EXECUTED && waitsToStart(), "become " + outcome);
        return with(outcome, asked, attempts, end);
    }

    Call suppliedByClient(ClientResult supplied) {
        requireState(
                proposal.ofClient()
                        && waitsToStart()
                        && supplied.outcome() != State.NOT_EXECUTED
                        && supplied.outcome().isSettled(),
                "get the client's result");
        return new Call(
                toolCallId, proposal, supplied.messageId(), supplied.outcome(), asked, attempts, supplied.result());
    }

    private boolean waitsToStart() {
        return state == State.DECIDED
                || (state == State.PENDING && openQuestion().isEmpty());
    }

    private static <T> List<T> plus(List<T> list, T element) {
        List<T> all = new ArrayList<>(list);
        all.add(element);
        return all;
    }

    private Call with(State next, List<Asked> nextAsked, List<Attempt> nextAttempts, @Nullable Result nextResult) {
        return new Call(toolCallId, proposal, resultMessageId, next, nextAsked, nextAttempts, nextResult);
    }

    private void requireState(boolean allowed, String transition) {
        if (!allowed) {
            throw new IllegalStateException("call " + toolCallId + " is " + state + " and cannot " + transition);
        }
    }
}
