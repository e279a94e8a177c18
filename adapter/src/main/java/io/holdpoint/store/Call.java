package io.holdpoint.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One tool call of a batch. Immutable; every transition gives a new record.
 *
 * <pre>
 * PENDING → DECIDED → CLAIMED → EXECUTED | FAILED
 * PENDING | DECIDED → NOT_EXECUTED      (ungated: PENDING → CLAIMED)
 * </pre>
 *
 * @param toolCallId unique in the thread
 * @param toolName the tool as the model named it
 * @param arguments canonical JSON text of the proposed arguments; the text as proposed if it is not one JSON object
 * @param argumentsSha256 of {@code arguments}, hexadecimal
 * @param resultMessageId id of the transcript's message with the result
 * @param state how far the call has come
 * @param questions asked about it, oldest first
 * @param answers to the questions, in their order
 * @param result present once the state is settled
 */
public record Call(
        String toolCallId,
        String toolName,
        String arguments,
        String argumentsSha256,
        String resultMessageId,
        CallState state,
        List<Question> questions,
        List<Answer> answers,
        @Nullable CallResult result) {

    /** Checks that a settled call has a result, and only a settled one. */
    public Call {
        questions = List.copyOf(questions);
        answers = List.copyOf(answers);
        if (state.isSettled() != (result != null)) {
            throw new IllegalArgumentException("call " + toolCallId + " is " + state + " with result " + result);
        }
    }

    /**
     * The question that waits for an answer.
     *
     * @return the last question, if the call is pending and was asked about
     */
    public Optional<Question> openQuestion() {
        return state == CallState.PENDING && !questions.isEmpty()
                ? Optional.of(questions.get(questions.size() - 1))
                : Optional.empty();
    }

    /**
     * The answer that decides.
     *
     * @return the last answer, if there is one
     */
    public Optional<Answer> decision() {
        return answers.isEmpty() ? Optional.empty() : Optional.of(answers.get(answers.size() - 1));
    }

    Call decided(Answer answer) {
        requireState(state == CallState.PENDING && openQuestion().isPresent(), "be decided");
        List<Answer> all = new ArrayList<>(answers);
        all.add(answer);
        return with(CallState.DECIDED, all, null);
    }

    Call claimed() {
        requireState(state == CallState.DECIDED || (state == CallState.PENDING && questions.isEmpty()), "be claimed");
        return with(CallState.CLAIMED, answers, null);
    }

    Call settled(CallState outcome, CallResult callResult) {
        boolean entered = outcome == CallState.EXECUTED || outcome == CallState.FAILED;
        requireState(entered == (state == CallState.CLAIMED) && !state.isSettled(), "become " + outcome);
        return with(outcome, answers, callResult);
    }

    private Call with(CallState next, List<Answer> nextAnswers, @Nullable CallResult nextResult) {
        return new Call(
                toolCallId,
                toolName,
                arguments,
                argumentsSha256,
                resultMessageId,
                next,
                questions,
                nextAnswers,
                nextResult);
    }

    private void requireState(boolean allowed, String transition) {
        if (!allowed) {
            throw new IllegalStateException("call " + toolCallId + " is " + state + " and cannot " + transition);
        }
    }
}
