package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ChatMessage;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.InputMedia;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.EditedQuestion;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.Rules;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.input.Plan.Step;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Change.Answered;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TurnRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an input means for its thread. Only reads; the plan contains every write. To be called by the run that holds the
 * thread's lease. Thread-safe.
 */
public final class Preflight {

    private final AgentConfig<?> config;
    private final IncomingMessages messages;
    private final AnswerChecks checks;
    private final Access access;

    /** The way in which answers come; no client can say it. */
    public enum Answers {
        /** One for each open question, or none is taken. */
        TOGETHER,
        /** Each by itself. */
        ONE_BY_ONE,
        /** By itself, on the page behind a link. */
        BY_LINK,
        /** By itself, an edit that others have to approve, whatever this agent wants. */
        FOR_OTHERS,
        FOR_OTHERS_BY_LINK;

        private @Nullable String via() {
            return this == BY_LINK || this == FOR_OTHERS_BY_LINK ? Answer.LINK : null;
        }

        private boolean areForOthers() {
            return this == FOR_OTHERS || this == FOR_OTHERS_BY_LINK;
        }
    }

    /** An input, with who has sent it, how its answers come, and when. */
    record Sent(Caller caller, RunAgentInput input, Answers how, Instant now) {

        private Sent with(RunAgentInput other) {
            return new Sent(caller, other, how, now);
        }
    }

    public Preflight(AgentConfig<?> config) {
        this.config = config;
        this.messages =
                new IncomingMessages(config.store, config.inputMedia.orElse(InputMedia.ALL), config.editsByHistory);
        this.access = new Access(config);
        this.checks = new AnswerChecks(config, access);
    }

    /** Finds out what an input means for its thread, which the caller may access. */
    public Plan plan(Optional<ThreadRecord> thread, Caller caller, RunAgentInput given, Answers how) {
        RunAgentInput input = given.resume().isEmpty() ? given : ResumeEntries.named(config.store, thread, given);
        Sent sent = new Sent(caller, input, how, config.clock.instant());
        if (thread.isPresent() && !Access.owns(caller, thread.get())) {
            return ofGuest(thread.get(), sent);
        }
        return planned(thread, isFresh(thread, input) ? sent.with(input.withState(NullNode.getInstance())) : sent);
    }

    /**
     * Finds out whether a caller may propose a call with an input, and what comes before it. A call that the thread has already goes on if it
     * has to, and is not made again.
     */
    public Plan propose(Optional<ThreadRecord> thread, Caller caller, ToolExecutionRequest call, RunAgentInput input) {
        if (thread.filter(known -> !Access.owns(caller, known)).isPresent()) {
            String why = "Only the owner of the thread can propose a call on it. Propose it on a thread of your own.";
            return new Plan.Rejected(ErrorCode.INTERRUPT_FORBIDDEN, why);
        }
        if (thread.filter(ThreadRecord::purged).isPresent()) {
            String why =
                    "threadId: what this thread had is removed, maybe this call too. Propose it on another thread.";
            return new Plan.Rejected(ErrorCode.INPUT_INVALID, why);
        }
        Instant now = config.clock.instant();
        Optional<Batch> batch = thread.flatMap(ThreadRecord::batch);
        boolean isThere =
                batch.filter(unfinished -> unfinished.id().equals(call.id())).isPresent();
        if (!isThere && config.store.has(Store.IdOf.TOOL_CALL, input.threadId(), call.id())) {
            return accepted(input, Commit.empty(), List.of(), Optional.empty());
        }
        List<Question> open = batch.map(Batch::openQuestions).orElse(List.of());
        boolean isAsked =
                batch.flatMap(left -> OutcomeUnknown.askAbout(left, now)).isPresent()
                        || !open.stream().allMatch(question -> question.isExpired(now));
        if (isThere || isAsked) {
            return goesOn(thread, Set.of(), Optional.empty(), new Sent(caller, input, Answers.TOGETHER, now));
        }
        Optional<Batch> expired = open.isEmpty() ? Optional.empty() : batch.map(left -> left.expired(caller.id(), now));
        List<Step> steps = new ArrayList<>();
        expired.or(() -> batch).ifPresent(left -> steps.add(Step.completing(left, true)));
        steps.add(new Step.Propose(call));
        return accepted(input, expired.map(Commit::of).orElse(Commit.empty()), steps, Optional.empty());
    }

    /** A client that has just started sends an empty state: it says that it knows none. */
    private static boolean isFresh(Optional<ThreadRecord> thread, RunAgentInput input) {
        JsonNode state = input.state();
        return state != null
                && state.isObject()
                && state.isEmpty()
                && thread.isPresent()
                && thread.get().state().isPresent();
    }

    /** Checks whether an input names what it replaces, whatever runs at present, and that was not replaced already. */
    public static boolean replaces(Store store, RunAgentInput input) {
        return Replacements.named(input)
                .filter(id -> !store.known(input.threadId(), List.of(id)).getOrDefault(id, false))
                .isPresent();
    }

    /** Returns what rules show, by their names, of the call that an answer would let run; it is not taken, and need not be finished. */
    public Map<String, ObjectNode> shown(ThreadRecord thread, Caller caller, RunAgentInput input) {
        ResumeEntry answer = input.resume().get(0);
        for (Question question : thread.batch().map(Batch::openQuestions).orElse(List.of())) {
            if (question.interrupt().id().equals(answer.interruptId())) {
                Sent sent = new Sent(caller, input, Answers.ONE_BY_ONE, config.clock.instant());
                return checks.shown(thread, question, answer, sent);
            }
        }
        throw new RunRejectedException(
                ErrorCode.INTERRUPT_UNKNOWN, "No open interrupt has this id. Read what is open.");
    }

    /** The texts of a thread as a model takes them, up to a message of its transcript. */
    public List<ChatMessage> texts(String threadId, Optional<String> untilMessageId) {
        return messages.texts(threadId, untilMessageId);
    }

    /** A caller who is not the owner may answer questions and see the thread; the rest of such an input does not count. */
    private Plan ofGuest(ThreadRecord thread, Sent sent) {
        List<Message> others = sent.input().messages().stream()
                .filter(message -> !(message instanceof Message.Tool))
                .toList();
        RunAgentInput answers = sent.input().withMessages(others).withState(NullNode.getInstance());
        if (messages.newTurn(answers, Optional.of(thread)).isPresent()) { // of what counts: it may end otherwise
            return new Plan.Rejected(
                    ErrorCode.INTERRUPT_FORBIDDEN,
                    "Only the owner of the thread can say something on it. Answer the open interrupts without a new"
                            + " message.");
        }
        return planned(Optional.of(thread), sent.with(answers));
    }

    private Plan planned(Optional<ThreadRecord> thread, Sent sent) {
        RunAgentInput input = sent.input();
        Optional<Batch> batch = thread.isPresent() ? thread.get().batch() : Optional.empty();
        List<Question> open = batch.isPresent() ? batch.get().openQuestions() : List.of();
        Optional<Step.Begin> newTurn = messages.newTurn(input, thread);
        if (input.resume().isEmpty()) {
            return !open.isEmpty() && newTurn.isPresent()
                    ? withoutAnswer(batch.orElseThrow(), open, newTurn.get(), sent)
                    : goesOn(thread, Set.of(), newTurn, sent);
        }
        ResumeEntries resume = ResumeEntries.sort(config.store, input.threadId(), open, input.resume());
        if (resume.isEmpty() && !open.isEmpty() && newTurn.isPresent()) {
            return withoutAnswer(batch.orElseThrow(), open, newTurn.get(), sent);
        }
        Optional<Plan.Rejected> rejected = checks.check(resume, open, thread, sent);
        if (rejected.isPresent()) {
            return rejected.get().hearing(heard(newTurn));
        }
        if (!resume.live().isEmpty()) {
            return answered(thread.orElseThrow(), resume.live(), newTurn, sent);
        }
        return goesOn(thread, resume.replayedTurns(), newTurn, sent);
    }

    /** An input that decides nothing; it may repeat the answers that were given in some turns. */
    private Plan goesOn(
            Optional<ThreadRecord> thread, Set<String> replayedTurns, Optional<Step.Begin> newTurn, Sent sent) {
        RunAgentInput input = sent.input();
        Optional<Batch> batch = thread.isPresent() ? thread.get().batch() : Optional.empty();
        Optional<Batch> askedAgain =
                batch.isPresent() ? OutcomeUnknown.askAbout(batch.get(), sent.now()) : Optional.empty();
        if (askedAgain.isPresent()) {
            return accepted(input, Commit.of(askedAgain.get()), List.of(), newTurn);
        }
        boolean bringsResults = batch.isPresent()
                && withClientResults(batch.get(), input, false).isPresent();
        if (newTurn.isEmpty()
                && !bringsResults
                && (isQuiet(thread) || isOnlyReplay(thread.orElseThrow(), replayedTurns, input))) {
            return accepted(input, Commit.empty(), seed(thread, sent), newTurn);
        }
        boolean reruns = !replayedTurns.isEmpty()
                || sent.how() == Answers.TOGETHER && thread.isPresent() && Access.owns(sent.caller(), thread.get());
        Optional<TurnRecord> rerun = reruns && thread.isPresent() ? thread.get().turn() : Optional.empty();
        return accepted(input, Commit.empty(), unanswered(rerun, batch, newTurn, input), newTurn);
    }

    /** Answers that were given before finish what they were given for, and what the input itself says, but no later turn. */
    private static boolean isOnlyReplay(ThreadRecord thread, Set<String> replayedTurns, RunAgentInput input) {
        return !replayedTurns.isEmpty()
                && thread.turn().map(TurnRecord::userMessageId).stream()
                        .noneMatch(unfinished -> replayedTurns.contains(unfinished)
                                || input.messages().stream()
                                        .anyMatch(message -> message.id().equals(unfinished)));
    }

    /** Checks that the thread has no unfinished turn or batch. */
    private static boolean isQuiet(Optional<ThreadRecord> thread) {
        return thread.isEmpty()
                || thread.get().turn().isEmpty() && thread.get().batch().isEmpty();
    }

    private List<Step> seed(Optional<ThreadRecord> thread, Sent sent) {
        return thread.isEmpty()
                        || isQuiet(thread)
                                && Access.owns(sent.caller(), thread.get())
                                && !thread.get().purged()
                ? messages.seed(sent.input()).<Step>map(seed -> seed).stream().toList()
                : List.of();
    }

    /**
     * A bare new message settles interrupts that have all expired; otherwise they have to be answered first. A client that
     * cancels a stale interrupt knows nothing of the open ones: it gets them, and its message waits.
     */
    private static Plan withoutAnswer(Batch batch, List<Question> open, Step.Begin newTurn, Sent sent) {
        RunAgentInput input = sent.input();
        Instant now = sent.now();
        if (!open.stream().allMatch(question -> question.isExpired(now))) {
            if (!input.resume().isEmpty()) {
                return accepted(input, Commit.empty(), List.of(), Optional.of(newTurn));
            }
            return new Plan.Rejected(
                            ErrorCode.INTERRUPT_PENDING,
                            open.size()
                                    + " open interrupt(s) wait for an answer. Send resume entries for all of them; to go on"
                                    + " without deciding, cancel them in the same input as the new message.")
                    .hearing(newTurn.transcript());
        }
        Batch expired = batch.expired(sent.caller().id(), now);
        return accepted(
                input, Commit.of(expired), List.of(Step.completing(expired, true), newTurn), Optional.of(newTurn));
    }

    private Plan answered(ThreadRecord thread, List<ResumeEntry> live, Optional<Step.Begin> newTurn, Sent sent) {
        RunAgentInput input = sent.input();
        Caller caller = sent.caller();
        Instant now = sent.now();
        boolean steersAway =
                newTurn.isPresent() && live.stream().allMatch(entry -> entry.status() == ResumeEntry.Status.CANCELLED);
        Batch batch = thread.batch().orElseThrow();
        Map<String, Answer> answers = new HashMap<>();
        for (ResumeEntry entry : live) {
            Answer.How how = steersAway ? Answer.How.STEERED_AWAY : how(entry);
            answers.put(
                    entry.interruptId(),
                    new Answer(
                            how,
                            entry.payload(),
                            caller.id(),
                            now,
                            caller.roles(),
                            sent.how().via()));
        }
        Map<String, Call.Asked> begun = new HashMap<>();
        List<Answered> given = given(batch, answers);
        Map<String, Question> edited = edited(thread, given, sent, begun);
        Map<String, Call.Asked> voted = voted(thread, given, answers, edited.keySet());
        List<Answered> decided = given(batch, answers); // votes that are not enough decide nothing
        List<Grant> grants = remembered(thread, decided, edited.keySet(), caller);
        if (!Grant.haveRoom(grants, config.store, batch.threadId(), thread.owner(), now)) {
            return new Plan.Rejected(
                            ErrorCode.INTERRUPT_PAYLOAD_INVALID,
                            "This thread remembers " + Grant.MAX_PER_THREAD
                                    + " decisions at most. Approve without remember, or revoke some.",
                            "This conversation has reached its limit of remembered approvals. Approve this call once.")
                    .hearing(heard(newTurn));
        }
        Batch answered = batch;
        Commit commit = Commit.empty().grant(grants).revoke(ended(thread, decided));
        if (!voted.isEmpty()) {
            answered = answered.voted(voted);
            commit = commit.with(answered);
        }
        if (!answers.isEmpty()) {
            answered = answered.answered(answers, edited);
            commit = commit.with(answered);
        }
        if (!begun.isEmpty()) {
            answered = answered.voted(begun);
            commit = commit.with(answered);
        }
        if (answered.isOpen()) {
            return accepted(input, commit, List.of(), newTurn);
        }
        List<Step> steps = new ArrayList<>();
        steps.add(
                answered.isOver()
                        ? new Step.Settle(answered)
                        : withClientResults(answered, input, newTurn.isPresent())
                                .orElse(new Step.Continue(answered)));
        if (newTurn.isPresent()) {
            steps.add(newTurn.get());
        }
        return accepted(input, commit, steps, newTurn);
    }

    /**
     * Takes the approvals that are not enough out of the answers, and gives the questions with the votes that they have then, by their
     * ids. Voters are asked about again when the count is reached.
     */
    private Map<String, Call.Asked> voted(
            ThreadRecord thread, List<Answered> given, Map<String, Answer> answers, Set<String> edited) {
        Map<String, Call.Asked> voted = new HashMap<>();
        for (Answered each : given) {
            Call call = each.call();
            Question question = each.question();
            Answer answer = each.answer();
            String id = question.interrupt().id();
            if (edited.contains(id) || !Voices.of(question).areSeveral() || !ApprovalForm.approves(answer.payload())) {
                continue;
            }
            List<Answer> votes = Voices.with(call.votes(), answer);
            if (Voices.of(question).areEnough(votes)) {
                votes = access.standing(votes, answer, thread, question);
            }
            if (Voices.of(question).areEnough(votes)) {
                votes = votes.stream() // one of them may have approved again
                        .filter(vote -> Voices.isAmong(Voices.voter(vote), call.votes()))
                        .toList();
            } else {
                answers.remove(id);
            }
            if (!Voices.isOfSamePeople(votes, call.votes())) {
                voted.put(id, Voices.asked(question, votes));
            }
        }
        return voted;
    }

    /**
     * The questions that follow from answers which edit calls, by the id of the question that was answered. Where several people are
     * needed there is always one, and where policies want more of the call as it was edited; it begins with the vote of the editor, unless
     * that needs others.
     */
    private Map<String, Question> edited(
            ThreadRecord thread, List<Answered> given, Sent sent, Map<String, Call.Asked> begun) {
        Caller caller = sent.caller();
        String runId = sent.input().runId();
        Caller owner =
                new Caller(thread.owner(), thread.batch().orElseThrow().turn().roles());
        Gate.Scope scope = new Gate.Scope(owner, thread.threadId(), runId, Optional.empty());
        Map<String, Question> edited = new HashMap<>();
        for (Answered each : given) {
            Call call = each.call();
            Question question = each.question();
            Answer answer = each.answer();
            ObjectNode arguments =
                    access.edits(caller, thread, question, answer.payload()).orElse(null);
            if (arguments == null) {
                continue;
            }
            boolean asks =
                    sent.how().areForOthers() || access.asksAboutEdits(caller, thread, question, answer.payload());
            if (asks || Voices.of(question).areSeveral() || needsMore(call, question, arguments, answer, scope)) {
                AnswerChecks.About about = checks.about(thread, call, question);
                Question next = new EditedQuestion(
                                about.call(), question, arguments, caller, about.agent().policyReader.rules)
                        .ask(about.tool(), owner, about.thread().threadId(), runId, sent.now());
                boolean isVoice = !asks && access.isVoice(caller, thread, next);
                boolean isSeen = isVoice && isSeen(call, question, arguments, answer, scope);
                boolean isOpen = isVoice ? !isSeen : !asks && !Voices.of(next).areSeveral();
                edited.put(question.interrupt().id(), isOpen ? EditedQuestion.openToEditor(next) : next);
                if (isSeen) {
                    begun.put(next.interrupt().id(), Voices.begun(next, caller, sent.now()));
                }
            }
        }
        return edited;
    }

    /** Checks whether rules would let an edit run if its editor decided alone: else it is no vote for what the new question shows of it. */
    private boolean isSeen(Call call, Question shown, ObjectNode edited, Answer answer, Gate.Scope scope) {
        GatedTool tool = config.policyReader.known(call.proposal().toolSha256()).orElse(null);
        return tool == null
                || Rules.beforeClaim(
                                tool.rules(),
                                tool.name(),
                                rule -> Gate.approved(
                                        Gate.proposed(scope, tool, call.toolCallId(), edited),
                                        rule,
                                        shown,
                                        true,
                                        answer,
                                        answer.answeredAt()))
                        .isEmpty();
    }

    /** Checks whether policies want more of a call as it was edited than the answer to the question about it as it was. */
    private boolean needsMore(Call call, Question question, ObjectNode edited, Answer answer, Gate.Scope scope) {
        return question.isForApproval()
                && config.policyReader
                        .known(call.proposal().toolSha256())
                        .map(tool -> config.gate.decide(call.toolCallId(), ToolArguments.write(edited), tool, scope))
                        .filter(verdict -> verdict.kind() == Gate.Verdict.Kind.ASK
                                && !verdict.isApprovedBy(question, List.of(answer)))
                        .isPresent();
    }

    /**
     * An approval that became another question lets nothing run, so it is not remembered either; nor is one for calls like one that is
     * denied beside it.
     */
    private List<Grant> remembered(ThreadRecord thread, List<Answered> given, Set<String> edited, Caller caller) {
        List<Grant> remembered = new ArrayList<>();
        for (Answered each : given) {
            Grant grant = edited.contains(each.question().interrupt().id())
                    ? null
                    : ToolApproval.remembered(
                                    each.call(),
                                    each.question(),
                                    each.answer(),
                                    config.policyReader,
                                    caller,
                                    thread.owner())
                            .orElse(null);
            if (grant != null && denied(given).stream().noneMatch(denied -> ToolApproval.covers(grant, denied))) {
                remembered.add(grant);
            }
        }
        return remembered;
    }

    /** The decisions that a denial ends: an earlier yes does not beat a later no. */
    private List<Grant> ended(ThreadRecord thread, List<Answered> given) {
        Set<Grant> ended = new LinkedHashSet<>();
        for (Call call : denied(given)) {
            Optional<GatedTool> tool = config.policyReader.known(call.proposal().toolSha256());
            if (tool.isEmpty() || tool.get().mayBeRemembered()) { // a provider's, or one that has changed
                Grant.of(config.store, thread.threadId(), thread.owner()).stream()
                        .filter(grant -> ToolApproval.covers(grant, call))
                        .forEach(ended::add);
            }
        }
        return List.copyOf(ended);
    }

    private static List<Call> denied(List<Answered> given) {
        List<Call> denied = new ArrayList<>();
        for (Answered each : given) {
            if (ToolApproval.denies(each.question(), each.answer())) {
                denied.add(each.call());
            }
        }
        return denied;
    }

    /** The calls whose open questions are answered, in model order. */
    private static List<Answered> given(Batch batch, Map<String, Answer> answers) {
        List<Answered> given = new ArrayList<>();
        for (Call call : batch.calls()) {
            Question question = call.openQuestion().orElse(null);
            Answer answer =
                    question == null ? null : answers.get(question.interrupt().id());
            if (question != null && answer != null) {
                given.add(new Answered(call, question, answer));
            }
        }
        return given;
    }

    private static Answer.How how(ResumeEntry entry) {
        return entry.status() == ResumeEntry.Status.RESOLVED ? Answer.How.RESOLVED : Answer.How.CANCELLED;
    }

    /** First completes what is unfinished; an input without news presents a thread that is complete. */
    private static List<Step> unanswered(
            Optional<TurnRecord> rerun, Optional<Batch> batch, Optional<Step.Begin> newTurn, RunAgentInput input) {
        List<Step> steps = new ArrayList<>();
        if (batch.isPresent()) {
            Optional<Step> results = withClientResults(batch.get(), input, newTurn.isPresent());
            if (results.isPresent()) {
                steps.add(results.get());
            } else if (!batch.get().isOpen()) {
                steps.add(Step.completing(batch.get(), newTurn.isPresent()));
            }
        } else if (newTurn.isEmpty() && rerun.isPresent()) {
            steps.add(new Step.Rerun(rerun.get()));
        }
        if (newTurn.isPresent()) {
            steps.add(newTurn.get());
        }
        return steps;
    }

    /** A batch goes on with what the client has done for it. */
    private static Optional<Step> withClientResults(Batch batch, RunAgentInput input, boolean newMessage) {
        List<Message.Tool> results = batch.isOver() ? List.of() : IncomingMessages.clientResults(batch, input);
        return results.isEmpty() ? Optional.empty() : Optional.of(new Step.ClientResults(batch, results, newMessage));
    }

    private static Plan accepted(RunAgentInput input, Commit commit, List<Step> steps, Optional<Step.Begin> newTurn) {
        boolean hasState = input.state() != null && !input.state().isNull();
        return new Plan.Accepted(
                hasState ? commit.state(input.state()) : commit, steps, heard(newTurn), input.resume());
    }

    private static List<Message> heard(Optional<Step.Begin> newTurn) {
        return newTurn.isPresent() ? newTurn.get().transcript() : List.of();
    }
}
