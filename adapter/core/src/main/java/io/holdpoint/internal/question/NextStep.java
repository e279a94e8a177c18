package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.Edits;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The next step of a call: it runs, or it gets its result without running. Immutable. */
public sealed interface NextStep {

    /** The call runs with these arguments, a canonical text; {@code edited} if they are not the proposed ones. */
    record Execute(String arguments, boolean edited) implements NextStep {}

    /**
     * The call does not run, or not again: the model gets the text. The notice comes before a text that a person gave
     * in place of the tool.
     */
    record Settle(Call.State outcome, String text, Optional<String> suppliedNotice) implements NextStep {

        public Settle(Call.State outcome, String text) {
            this(outcome, text, Optional.empty());
        }

        /** The same with more after its text. */
        public Settle with(String more) {
            return new Settle(outcome, text + more, suppliedNotice);
        }
    }

    /** The call gets a new question in place of its claim. */
    record Ask(Question question) implements NextStep {}

    /** Does not run a call that was never entered. */
    static Settle notExecuted(String text) {
        return new Settle(Call.State.NOT_EXECUTED, text);
    }

    /** Does not run a call again that was started, and whose result was lost. */
    static Settle unknownOutcome(Call call) {
        return new Settle(Call.State.FAILED, ModelTexts.unknownOutcome(call.toolName()));
    }

    static Execute asProposed(Call call) {
        return new Execute(call.arguments(), false);
    }

    /** Runs a call with edited arguments, as its tool takes them. */
    static Execute edited(Call call, MethodArguments tool, ObjectNode edits) {
        String arguments = ToolArguments.write(tool.edited(edits));
        return new Execute(arguments, !arguments.equals(call.arguments()));
    }

    /** Takes a person's answer for the result of a call, in place of the tool, which may have begun and asked. */
    static Settle supplied(Call call, String result) {
        String notice = call.attempts().isEmpty()
                ? ModelTexts.suppliedNotice(call.toolName())
                : ModelTexts.finishedByPerson(call.toolName());
        return new Settle(Call.State.EXECUTED, result, Optional.of(notice));
    }

    /** Runs a call as it was attempted last; throws if it never was. */
    static Execute again(Call call) {
        String arguments = call.lastAttempt()
                .map(Call.Attempt::arguments)
                .orElseThrow(() -> new IllegalStateException("call " + call.toolCallId() + " was never attempted"));
        return new Execute(arguments, !arguments.equals(call.arguments()));
    }

    /**
     * The arguments that a question of ours is about, as the rest of the call's record has them: those that somebody had edited
     * before it was asked, as the tool takes them, those of the last attempt, or the proposed ones.
     */
    static String asked(Call call, Question question, MethodArguments tool) {
        int place = call.questions().indexOf(question);
        if (place > 0 && Payloads.isOfEdit(question)) {
            Call.Asked before = call.asked().get(place - 1);
            ObjectNode edits = before.answer()
                    .map(Call.Answer::payload)
                    .flatMap(edit -> QuestionKind.of(before.question()).wouldRun(before.question(), edit))
                    .orElse(null);
            if (edits == null) {
                return "";
            }
            String sent = ToolArguments.write(edits);
            ObjectNode taken = tool.edited(edits);
            boolean isAsSent = Edits.isSame(taken, edits); // but for digits
            return isAsSent && Payloads.showed(question, new Execute(sent, true)) ? sent : ToolArguments.write(taken);
        }
        return question.followsAttempt() ? again(call).arguments() : call.arguments();
    }

    /** Runs a call as the person was shown it; empty if the record says something else. */
    static Optional<Execute> asShown(Call call, Question question, MethodArguments tool) {
        Execute shown = new Execute(asked(call, question, tool), false);
        return Payloads.showed(question, shown)
                ? Optional.of(new Execute(shown.arguments(), !shown.arguments().equals(call.arguments())))
                : Optional.empty();
    }

    /**
     * Does not run a call again that was to run again, to go on after an answer, or to be tried again; {@code why} is a sentence of
     * {@link ModelTexts}.
     */
    static Settle notAgain(Call call, String why) {
        Optional<Question> last = call.state() == Call.State.CLAIMED
                ? Optional.empty() // what came of the last attempt is not known
                : call.questions().stream().reduce((earlier, later) -> later).filter(Question::followsAttempt);
        Question.Kind kind = last.map(Question::kind).orElse(Question.Kind.OUTCOME_UNKNOWN);
        return new Settle(
                Call.State.FAILED,
                switch (kind) {
                    case OUTCOME_UNKNOWN -> ModelTexts.notRetried(call.toolName(), why);
                    case TOOL_ERROR -> ModelTexts.notTriedAgain(ToolError.error(last.orElseThrow()), why);
                    default -> ModelTexts.notContinued(call.toolName(), why);
                });
    }

    /** Runs a call again only with the arguments that the person was shown. */
    static NextStep againAsShown(Call call, Question question) {
        Execute again = again(call);
        return Payloads.showed(question, again) ? again : notAgain(call, ModelTexts.ARGUMENTS_CHANGED);
    }

    /**
     * Settles a call that does not run any more, also if a person has approved it; {@code notAgain} is a sentence of {@link ModelTexts}
     * about one that was attempted.
     */
    static Settle withoutRunning(Call call, String notExecuted, String notAgain) {
        if (call.state() == Call.State.DECIDED && of(call, MethodArguments.NONE) instanceof Settle settle) {
            return settle;
        }
        return call.attempts().isEmpty() ? notExecuted(notExecuted) : notAgain(call, notAgain);
    }

    static NextStep of(Call call, MethodArguments tool) {
        Call.Asked decisive = call.answered().orElseThrow();
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
            if (isLeftToClient(call) && !batch.waitsForOthers(call)) {
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
