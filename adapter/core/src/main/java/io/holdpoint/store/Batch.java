package io.holdpoint.store;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A batch: all tool calls of one model message, in model order, with everything needed to go on from them. A batch with an
 * open question is held: it starts {@link State#OPEN}, any other starts {@link State#ANSWERED}. Immutable; every transition
 * gives a new record whose version is one higher, to be committed on its own.
 *
 * <pre>
 * OPEN → ANSWERED → RESULTS → REMEMBERED → FINISHED
 * OPEN → OPEN          (some questions are answered or voted on; somebody else has to approve what an answer has edited)
 * ANSWERED → OPEN      (a person has to be asked about a call that was attempted)
 * </pre>
 *
 * <p>While a batch is open no call of it begins. Those that were running when another one asked run on, and a client may give the
 * results of what it was left; what is decided waits for the answers to the others.
 *
 * @param version counts transitions; a store accepts a batch only if it holds the version before
 * @param calls in model order, at least one
 * @param givenUp whether the answers left no decision: people cancelled every question, or they all expired, and no call that was
 *     decided before waits to run; {@code false} while a question is open. Kept, because times do not tell which answer came last: every node has a
 *     clock of its own
 * @param changes what the transition to this version has changed, in the order of the calls. A store does not keep them: they
 *     count in a {@link Commit}, and neither in JSON nor in a comparison
 */
public record Batch(
        String id,
        String threadId,
        long version,
        State state,
        TurnRecord turn,
        ModelMessage message,
        List<Call> calls,
        boolean givenUp,
        List<Change> changes) {

    /** The field of remarks, of questions and of the audit trail with the id of the caller who has proposed the call, if no model did. */
    public static final String PROPOSED_BY = "proposedBy";

    /** The stages of a batch. The order of the constants is the order in which they are passed. */
    public enum State {
        /** Waits for answers. */
        OPEN,
        /** Every question is answered; the calls may be claimed. */
        ANSWERED,
        /** Every call has its result. */
        RESULTS,
        /** The chat memory holds the assistant message and all results. */
        REMEMBERED,
        /** The model has taken up the results, or the turn was given up: the last state. */
        FINISHED,
        /** This version does not know: another one stored it. The batch runs no call. */
        @JsonEnumDefaultValue
        UNKNOWN
    }

    /** The model's message with the calls, as LangChain4j's own JSON of an {@code AiMessage}. */
    public record ModelMessage(String id, String json) {}

    /** Copies the lists; a batch that was read has no changes. A batch of an unknown state whose calls all have their results has {@link State#RESULTS}. */
    public Batch {
        calls = List.copyOf(calls);
        changes = changes == null ? List.of() : List.copyOf(changes);
        state = state == State.UNKNOWN && allSettled(calls) ? State.RESULTS : state;
        if (calls.isEmpty()) {
            throw new IllegalArgumentException("a batch has at least one call");
        }
    }

    /**
     * Makes a batch that the gate has just decided about.
     *
     * @param calls in model order
     * @return the batch: open if a call has a question, with results if the gate refused every call
     */
    public static Batch of(String id, String threadId, TurnRecord turn, ModelMessage message, List<Call> calls) {
        State state = isAsked(calls) ? State.OPEN : allSettled(calls) ? State.RESULTS : State.ANSWERED;
        return new Batch(id, threadId, 0, state, turn, message, calls, false, Change.proposed(calls));
    }

    /** Compares what a store keeps of it: all but the {@link #changes}. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Batch batch && kept().equals(batch.kept());
    }

    @Override
    public int hashCode() {
        return kept().hashCode();
    }

    private List<Object> kept() {
        return List.of(id, threadId, version, state, turn, message, calls, givenUp);
    }

    /** Says whether a caller has proposed the call, of which there is one then, and no model. */
    public boolean isProposal() {
        return calls.get(0).proposedBy().isPresent();
    }

    /** The questions that wait for an answer, in model order; empty unless the batch is open. */
    public List<Question> openQuestions() {
        List<Question> open = new ArrayList<>();
        for (Call call : calls) {
            Optional<Question> question = call.openQuestion();
            if (question.isPresent()) {
                open.add(question.get());
            }
        }
        return Collections.unmodifiableList(open);
    }

    /** Says whether there are open questions. */
    public boolean isOpen() {
        return isAsked(calls);
    }

    private static boolean isAsked(List<Call> calls) {
        for (Call call : calls) {
            if (call.openQuestion().isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** The time when the first of the open questions was asked; empty if there is none. */
    public Optional<Instant> askedAt() {
        Instant first = null;
        for (Question question : openQuestions()) {
            first = first == null || question.askedAt().isBefore(first) ? question.askedAt() : first;
        }
        return Optional.ofNullable(first);
    }

    /**
     * Says when time has something to do: the next step of an open question, or, if it has ended one and no question is open, what follows
     * from that, until the batch is finished. Where calls run after that, or are left to the client, it is nothing until all have their
     * results.
     *
     * @return the time; empty if people or programs have to act
     */
    public Optional<Instant> dueAt() {
        return switch (state) {
            case OPEN, UNKNOWN -> nextStep();
            case ANSWERED ->
                endedByTime()
                        .filter(at -> calls.stream().anyMatch(Batch::waitsForServer)
                                && calls.stream()
                                        .filter(call -> call.state() != Call.State.DECIDED // by clocks of two servers
                                                && endedByTime(call).isEmpty())
                                        .flatMap(call -> call.attempts().stream())
                                        .noneMatch(
                                                attempt -> attempt.startedAt().isAfter(at)));
            case RESULTS, REMEMBERED -> endedByTime();
            case FINISHED -> Optional.empty();
        };
    }

    private Optional<Instant> nextStep() {
        Instant next = null;
        for (Call call : calls) {
            Optional<Question> open = call.openQuestion();
            if (open.isPresent()) {
                for (TimeStep step : open.get().timeline()) {
                    next = next == null || step.at().isBefore(next) ? step.at() : next;
                }
            }
        }
        return Optional.ofNullable(next);
    }

    private Optional<Instant> endedByTime() {
        Instant last = null;
        for (Call call : calls) {
            Optional<Answer> ended = endedByTime(call);
            if (ended.isPresent()) {
                Instant at = ended.get().answeredAt();
                last = last == null || at.isAfter(last) ? at : last;
            }
        }
        return Optional.ofNullable(last);
    }

    private static Optional<Answer> endedByTime(Call call) {
        Optional<Answer> answer = call.answer();
        return answer.isPresent() && answer.get().answeredBy().equals(TimeStep.TIME) ? answer : Optional.empty();
    }

    /** Checks whether a call without an open question is not left to the client: one that nobody has answered in time is not. */
    private static boolean waitsForServer(Call call) {
        return !call.state().isSettled()
                && (!call.proposal().ofClient() || endedByTime(call).isPresent());
    }

    /** The call of that id, if it is of this batch. */
    public Optional<Call> call(String toolCallId) {
        for (Call call : calls) {
            if (call.toolCallId().equals(toolCallId)) {
                return Optional.of(call);
            }
        }
        return Optional.empty();
    }

    /** The call that an interrupt asks about, or has asked about, if it is of this batch. */
    public Optional<Call> asked(String interruptId) {
        for (Call call : calls) {
            if (call.asked(interruptId).isPresent()) {
                return Optional.of(call);
            }
        }
        return Optional.empty();
    }

    /** Says whether every call has its result: {@code true} from {@link State#RESULTS} on. */
    public boolean isSettled() {
        return allSettled(calls);
    }

    /**
     * Says whether the batch is over: the person steered away, or the questions expired, or a later version has stored something of
     * it that this one does not know. None of its calls run from then on, ungated ones included, whatever comes next.
     *
     * @return {@code false} also if the person cancelled the questions without steering away
     */
    public boolean isOver() {
        for (Call call : calls) {
            if (endsAll(call)) {
                return true;
            }
        }
        return state == State.UNKNOWN;
    }

    private static boolean endsAll(Call call) {
        Answer answer = call.answer().orElse(null);
        boolean byAnswer = answer != null
                && switch (answer.how()) {
                    case RESOLVED, CANCELLED, UNANSWERED -> false;
                    case STEERED_AWAY, EXPIRED, UNKNOWN -> true;
                };
        return byAnswer || call.state() == Call.State.UNKNOWN;
    }

    /**
     * Accepts the answers, all at once, and asks about some of the calls again: somebody else has to approve what they have become
     * by their answers.
     *
     * @param answers by interrupt id, at least one; a question without an answer stays open
     * @param next the questions that follow from some of the answers, by the interrupt id of the question that was answered
     * @return the batch: answered, or open as long as a question is
     * @throws IllegalStateException unless all answers are to open questions of the batch
     */
    public Batch answered(Map<String, Answer> answers, Map<String, Question> next) {
        require(isOpen() && !answers.isEmpty() && answers.keySet().containsAll(next.keySet()), "be answered");
        List<Change> made = new ArrayList<>();
        int answered = 0;
        for (Call call : calls) {
            Question question = call.openQuestion().orElse(null);
            String id = question == null ? "" : question.interrupt().id();
            Answer answer = answers.get(id);
            if (question != null && answer != null) {
                Question another = next.get(id);
                Call decided = another == null ? call.decided(answer) : call.decided(answer, another);
                if (another != null && !call.votes().isEmpty()) {
                    made.add(new Change.Voided(decided, question, call.votes()));
                }
                answered++;
                made.add(new Change.Answered(decided, question, answer));
                if (another != null) {
                    made.add(new Change.Asked(decided, another));
                }
            }
        }
        require(answered == answers.size(), "be answered with answers to other questions");
        List<Call> all = after(made);
        boolean waits = isAsked(all);
        return next(waits ? State.OPEN : State.ANSWERED, made, !waits && !hasDecided(all));
    }

    /**
     * Takes votes on open questions, all at once.
     *
     * @param voted by interrupt id, at least one: the open question, as it is shown from now on, with all of its votes
     * @return the batch, open; what other calls have stays
     * @throws IllegalStateException unless the batch is open and has these questions
     */
    public Batch voted(Map<String, Call.Asked> voted) {
        require(isOpen() && !voted.isEmpty(), "be voted on");
        List<Change> made = new ArrayList<>();
        for (Call call : calls) {
            Call.Asked open = call.openQuestion()
                    .map(question -> voted.get(question.interrupt().id()))
                    .orElse(null);
            if (open != null) {
                Call after = call.voted(open);
                List<Answer> lost = ofOthers(call.votes(), open.votes());
                if (!lost.isEmpty()) {
                    made.add(new Change.Voided(after, open.question(), lost));
                }
                ofOthers(open.votes(), call.votes())
                        .forEach(vote -> made.add(new Change.Voted(after, open.question(), vote)));
            }
        }
        require(made.stream().map(Change::call).distinct().count() == voted.size(), "be voted on otherwise");
        return next(State.OPEN, made, givenUp);
    }

    /**
     * Puts an open question otherwise, which answers nothing: what it asks, and the votes on it, stay.
     *
     * @param question with the id of an open question
     * @param kind of the audit event, with its detail
     * @throws IllegalStateException unless the batch is open and has the question
     */
    public Batch amended(Question question, AuditEvent.Kind kind, ObjectNode detail) {
        Call call = asked(question.interrupt().id()).orElse(null);
        boolean isOpen = call != null
                && call.openQuestion()
                        .filter(open -> open.interrupt()
                                .id()
                                .equals(question.interrupt().id()))
                        .isPresent();
        require(isOpen, "have a question amended that is not open");
        Call after = call.voted(new Call.Asked(question, Optional.empty(), call.votes()));
        return next(state, List.of(new Change.Amended(after, question, kind, detail)), givenUp);
    }

    /** The votes of people who are not among other voters; that somebody has other roles now makes no other vote. */
    private static List<Answer> ofOthers(List<Answer> votes, List<Answer> others) {
        return votes.stream()
                .filter(vote ->
                        others.stream().noneMatch(other -> other.answeredBy().equals(vote.answeredBy())))
                .toList();
    }

    /** Checks whether a person has decided about a call that did not run yet. */
    private static boolean hasDecided(List<Call> calls) {
        for (Call call : calls) {
            Answer answer = call.answer().orElse(null);
            if (call.state() == Call.State.DECIDED && answer != null && answer.how() == Answer.How.RESOLVED) {
                return true;
            }
        }
        return false;
    }

    /**
     * Answers every open question with its expiry. Decisions about other calls stand.
     *
     * @param noticedBy id of the caller whose run settles it
     * @throws IllegalStateException unless the batch is open
     */
    public Batch expired(String noticedBy, Instant at) {
        return unanswered(hasDecided(calls) ? Answer.How.UNANSWERED : Answer.How.EXPIRED, noticedBy, at);
    }

    /**
     * Answers every open question with what decides nothing.
     *
     * @param by id of the caller whose run settles it
     * @throws IllegalStateException unless the batch is open
     */
    public Batch unanswered(Answer.How how, String by, Instant at) {
        Map<String, Answer> answers = new HashMap<>();
        for (Question question : openQuestions()) {
            answers.put(question.interrupt().id(), new Answer(how, null, by, at));
        }
        return answered(answers, Map.of());
    }

    /**
     * Does what time has to do about the open questions. Of several steps of one that are due at once, only the last one counts. A
     * question that ends here leaves the others open; the last one ends the batch, unless something is to go on.
     *
     * @param counts the steps that time may take at present
     * @return the batch; empty if nothing is due
     */
    public Optional<Batch> timed(Instant now, Predicate<TimeStep> counts) {
        Map<String, TimeStep> due = new HashMap<>();
        for (Call call : calls) {
            call.openQuestion().stream()
                    .flatMap(question -> question.timeline().stream())
                    .filter(step -> step.isDue(now) && counts.test(step))
                    .forEach(step -> due.put(call.toolCallId(), step));
        }
        if (due.isEmpty()) {
            return Optional.empty();
        }
        boolean waits = calls.stream().anyMatch(call -> call.openQuestion().isPresent() && !ends(call, due));
        boolean decided = hasDecided(calls);
        boolean goesOn = waits || decided || calls.stream().anyMatch(call -> goesOn(call, due));
        Answer none = new Answer(goesOn ? Answer.How.UNANSWERED : Answer.How.EXPIRED, null, TimeStep.TIME, now);
        List<Change> made = new ArrayList<>();
        for (Call call : calls) {
            TimeStep step = due.get(call.toolCallId());
            if (step != null) {
                Question question = call.openQuestion().orElseThrow();
                made.add(
                        step.kind().isEnd()
                                ? new Change.Answered(call.decided(none), question, none)
                                : new Change.Timed(
                                        call.voted(new Call.Asked(question.after(now), Optional.empty(), call.votes())),
                                        question,
                                        step));
            }
        }
        return Optional.of(next(waits ? State.OPEN : State.ANSWERED, made, !waits && !decided));
    }

    private static boolean ends(Call call, Map<String, TimeStep> due) {
        TimeStep step = due.get(call.toolCallId());
        return step != null && step.kind().isEnd();
    }

    /** Checks whether nobody has answered the last question about a call, and the model is to be told so. */
    private static boolean goesOn(Call call, Map<String, TimeStep> due) {
        boolean isOver = ends(call, due)
                || call.answer()
                        .filter(answer -> answer.how() == Answer.How.UNANSWERED)
                        .isPresent();
        return isOver
                && call.questions().get(call.questions().size() - 1).timeline().stream()
                        .anyMatch(step -> step.kind() == TimeStep.Kind.GO_ON);
    }

    /**
     * Takes a call for execution.
     *
     * @throws IllegalStateException if a call of the batch waits for an answer; if this one has been claimed and is not idempotent, or is
     *     settled
     */
    public Batch claimed(String toolCallId, Call.Attempt attempt) {
        require(state == State.ANSWERED, "have a call claimed");
        return next(state, List.of(new Change.Claimed(required(toolCallId).claimed(attempt))), givenUp);
    }

    /**
     * Says whether a call is decided and waits for the answers to other calls: of what people decide about, nothing runs before the
     * last question is answered.
     */
    public boolean waitsForOthers(Call call) {
        return state == State.OPEN && call.state() == Call.State.DECIDED;
    }

    /** The calls that a run has started and not settled. If no run is active, nobody knows what came of them. */
    public List<Call> claimed() {
        List<Call> claimed = List.of();
        for (Call call : calls) {
            if ((state == State.ANSWERED || state == State.OPEN) && call.state() == Call.State.CLAIMED) {
                claimed = claimed.isEmpty() ? new ArrayList<>() : claimed;
                claimed.add(call);
            }
        }
        return claimed;
    }

    private boolean isRunning() {
        return state == State.ANSWERED || state == State.OPEN || state == State.UNKNOWN;
    }

    /**
     * Asks about calls that were attempted, or that people have decided about and that nobody has claimed, all at once.
     *
     * @param questions by tool call id, at least one
     * @return the batch, open; what other calls have stays
     * @throws IllegalStateException unless the calls are claimed or decided
     */
    public Batch askedAgain(Map<String, Question> questions) {
        require(isRunning() && !questions.isEmpty(), "be asked about again");
        List<Change> made = new ArrayList<>();
        for (Call call : calls) {
            Question question = questions.get(call.toolCallId());
            if (question != null) {
                made.add(new Change.Asked(call.askedAgain(question), question));
            }
        }
        require(made.size() == questions.size(), "be asked about calls of another batch");
        return next(State.OPEN, made, givenUp);
    }

    /**
     * Gives a call its result.
     *
     * @param outcome {@code EXECUTED} or {@code FAILED} for a call that was attempted, {@code NOT_EXECUTED} for one that
     *     does not run
     * @return the batch; {@link State#RESULTS} with the last result
     * @throws IllegalStateException if the call cannot have that outcome
     */
    public Batch settled(String toolCallId, Call.State outcome, Call.Result result) {
        require(isRunning(), "have a call settled");
        Call call = required(toolCallId);
        return next(state, List.of(new Change.Settled(call.settled(outcome, result), call.state())), givenUp);
    }

    /**
     * Takes the results of calls that were left to the client, all at once.
     *
     * @param results by tool call id, at least one
     * @return the batch; {@link State#RESULTS} with the last result
     * @throws IllegalStateException if a call was not left to the client, or waits for an answer
     */
    public Batch suppliedByClient(Map<String, Call.ClientResult> results) {
        require(isRunning() && !results.isEmpty(), "take results of the client");
        List<Change> made = new ArrayList<>();
        for (Call call : calls) {
            Call.ClientResult result = results.get(call.toolCallId());
            if (result != null) {
                require(!waitsForOthers(call), "take results of the client");
                made.add(new Change.Settled(call.suppliedByClient(result), call.state()));
            }
        }
        return next(state, made, givenUp);
    }

    /**
     * Notes that the chat memory holds the batch.
     *
     * @throws IllegalStateException unless every call has its result
     */
    public Batch remembered() {
        require(state == State.RESULTS, "be remembered");
        return next(State.REMEMBERED, List.of(), givenUp);
    }

    /**
     * Notes that this was the last transition.
     *
     * @throws IllegalStateException unless the chat memory holds it
     */
    public Batch finished() {
        require(state == State.REMEMBERED, "be finished");
        return next(State.FINISHED, List.of(), givenUp);
    }

    private Call required(String toolCallId) {
        return call(toolCallId).orElseThrow(() -> refused("change its call " + toolCallId + ": there is none"));
    }

    private List<Call> after(List<Change> made) {
        Map<String, Call> changed = new HashMap<>();
        for (Change change : made) {
            changed.put(change.call().toolCallId(), change.call());
        }
        List<Call> after = new ArrayList<>();
        for (Call call : calls) {
            after.add(changed.getOrDefault(call.toolCallId(), call));
        }
        return after;
    }

    /** The batch after a transition. With its last result it has {@link State#RESULTS}; until then, an unknown state stays. */
    private Batch next(State nextState, List<Change> made, boolean nextGivenUp) {
        List<Call> all = made.isEmpty() ? calls : after(made);
        State reached = !made.isEmpty() && allSettled(all) ? State.RESULTS : nextState;
        return new Batch(
                id,
                threadId,
                version + 1,
                state == State.UNKNOWN ? state : reached,
                turn,
                message,
                all,
                nextGivenUp,
                made);
    }

    private static boolean allSettled(List<Call> calls) {
        for (Call call : calls) {
            if (!call.state().isSettled()) {
                return false;
            }
        }
        return true;
    }

    private void require(boolean allowed, String transition) {
        if (!allowed) {
            throw refused(transition);
        }
    }

    private IllegalStateException refused(String transition) {
        return new IllegalStateException("batch " + id + " is " + state + " and cannot " + transition);
    }
}
