package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What is to be done with a call. Immutable. */
public sealed interface NextStep {

    /**
     * Takes every case into account.
     *
     * @param execute for a call that runs
     * @param settle for a call that gets its result without running
     * @param <T> what comes of it
     * @return the result of the case that applies
     */
    <T> T match(Function<Execute, T> execute, Function<Settle, T> settle);

    /**
     * It runs.
     *
     * @param arguments canonical text
     * @param edited whether they are not the proposed ones
     */
    record Execute(String arguments, boolean edited) implements NextStep {

        @Override
        public <T> T match(Function<Execute, T> execute, Function<Settle, T> settle) {
            return execute.apply(this);
        }
    }

    /**
     * It does not run, or not again.
     *
     * @param outcome a settled state
     * @param text what the model is told
     * @param suppliedNotice if the text is a result that a person gave in place of the tool: what the model reads before it
     */
    record Settle(Call.State outcome, String text, Optional<String> suppliedNotice) implements NextStep {

        /**
         * Without a notice.
         *
         * @param outcome a settled state
         * @param text what the model is told
         */
        public Settle(Call.State outcome, String text) {
            this(outcome, text, Optional.empty());
        }

        @Override
        public <T> T match(Function<Execute, T> execute, Function<Settle, T> settle) {
            return settle.apply(this);
        }
    }

    /**
     * Runs a call as the model proposed it.
     *
     * @param call the call
     * @return the decision
     */
    static Execute asProposed(Call call) {
        return new Execute(call.arguments(), false);
    }

    /** Runs a call with edited arguments, as its tool takes them. */
    static Execute edited(Call call, MethodArguments tool, ObjectNode edits) {
        String arguments = ToolArguments.write(tool.complete(edits));
        return new Execute(arguments, !arguments.equals(call.arguments()));
    }

    /**
     * Takes a person's answer for the result of a call that was never attempted.
     *
     * @param call the call
     * @param result what the person said
     * @return the decision
     */
    static Settle supplied(Call call, String result) {
        return new Settle(Call.State.EXECUTED, result, Optional.of(ModelTexts.suppliedNotice(call.toolName())));
    }

    /**
     * Runs a call as it was attempted last.
     *
     * @param call the call
     * @return the decision
     * @throws IllegalStateException if it was never attempted
     */
    static Execute again(Call call) {
        String arguments = call.lastAttempt()
                .map(Call.Attempt::arguments)
                .orElseThrow(() -> new IllegalStateException("call " + call.toolCallId() + " was never attempted"));
        return new Execute(arguments, !arguments.equals(call.arguments()));
    }

    /**
     * Does not run a call again that was to run again.
     *
     * @param call a call that was attempted
     * @param why {@link ModelTexts#TOOL_CHANGED}, {@link ModelTexts#ARGUMENTS_CHANGED} or {@link ModelTexts#TOOL_GONE}
     * @return the decision
     */
    static Settle notAgain(Call call, String why) {
        boolean stoppedByItself = call.questions().stream()
                .reduce((earlier, later) -> later)
                .filter(last -> last.kind() != Question.Kind.OUTCOME_UNKNOWN && last.followsAttempt())
                .isPresent();
        return new Settle(
                Call.State.FAILED,
                stoppedByItself
                        ? ModelTexts.notContinued(call.toolName(), why)
                        : ModelTexts.notRetried(call.toolName(), why));
    }

    /**
     * What the stored answer means for its call.
     *
     * @param call a decided call
     * @param tool how the call's tool takes its arguments
     * @return the decision
     * @throws IllegalStateException if nobody answered
     */
    static NextStep of(Call call, MethodArguments tool) {
        Call.Asked decisive = call.answered()
                .orElseThrow(() -> new IllegalStateException("call " + call.toolCallId() + " is not decided"));
        Question question = decisive.question();
        return QuestionKind.of(question)
                .decide(call, question, decisive.answer().orElseThrow(), tool);
    }

    // --- calls that the client executes

    /** Checks whether the client is to execute a call and has not sent its result; a call that waits for an answer is not. */
    static boolean isLeftToClient(Call call) {
        return call.proposal().ofClient()
                && (call.state() == Call.State.DECIDED
                        ? of(call, MethodArguments.NONE) instanceof Execute
                        : call.state() == Call.State.PENDING
                                && call.openQuestion().isEmpty());
    }

    /** The calls of a batch that are left to the client, in model order. */
    static List<Call> leftToClient(Batch batch) {
        List<Call> left = new ArrayList<>();
        for (Call call : batch.calls()) {
            if (isLeftToClient(call)) {
                left.add(call);
            }
        }
        return left;
    }

    /** The ids of the calls that a batch without questions waits for; empty if the server has something to do first. */
    static List<String> waitedFor(Batch batch) {
        boolean isClientsTurn = !batch.isOver()
                && batch.calls().stream().allMatch(call -> call.state().isSettled() || isLeftToClient(call));
        return isClientsTurn
                ? leftToClient(batch).stream().map(Call::toolCallId).toList()
                : List.of();
    }
}
