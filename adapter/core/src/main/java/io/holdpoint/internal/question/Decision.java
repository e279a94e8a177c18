package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import java.util.Optional;
import java.util.function.Function;

/** What is to be done with a call. Immutable. */
public sealed interface Decision {

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
    record Execute(String arguments, boolean edited) implements Decision {

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
    record Settle(Call.State outcome, String text, Optional<String> suppliedNotice) implements Decision {

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
    static Decision of(Call call, MethodArguments tool) {
        Call.Asked decisive = call.answered()
                .orElseThrow(() -> new IllegalStateException("call " + call.toolCallId() + " is not decided"));
        Question question = decisive.question();
        return QuestionKind.of(question)
                .decide(call, question, decisive.answer().orElseThrow(), tool);
    }
}
