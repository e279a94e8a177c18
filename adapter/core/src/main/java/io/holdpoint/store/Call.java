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
 * CLAIMED → PENDING                     (asked about again: the outcome is unknown, the tool asks or has failed)
 * CLAIMED → CLAIMED                     (attempted again: only an idempotent tool)
 * DECIDED → EXECUTED                    (a person supplied the result, or said that the attempt took effect)
 * PENDING | DECIDED → EXECUTED | FAILED (a call of the client, which sent its result)
 * DECIDED → FAILED                      (after an attempt: it was not finished, or nobody knows)
 * </pre>
 *
 * @param toolCallId unique in the thread
 * @param toolName the tool as the model named it
 * @param arguments canonical JSON text of the proposed arguments; the text as proposed if it is not one JSON object
 * @param argumentsSha256 of {@code arguments}, hexadecimal
 * @param toolSha256 of the tool as it was when the call was gated (name and parameters), hexadecimal; empty if there was
 *     no such tool
 * @param idempotent whether the tool may be executed again after an attempt of unknown outcome
 * @param resultMessageId id of the transcript's message with the result
 * @param state how far the call has come
 * @param questions asked about it, oldest first
 * @param answers to the questions, in their order
 * @param attempts to execute it, oldest first
 * @param result present once the state is settled
 * @param grantId the {@link Grant} that let the call through, so that nobody was asked before it ran; {@code null} if none did
 * @param ofClient whether the client executes it, and sends its result
 */
public record Call(
        String toolCallId,
        String toolName,
        String arguments,
        String argumentsSha256,
        String toolSha256,
        boolean idempotent,
        String resultMessageId,
        CallState state,
        List<Question> questions,
        List<Answer> answers,
        List<Attempt> attempts,
        @Nullable CallResult result,
        @Nullable String grantId,
        boolean ofClient) {

    /** Checks that a settled call has a result, and only a settled one. */
    public Call {
        questions = List.copyOf(questions);
        answers = List.copyOf(answers);
        attempts = List.copyOf(attempts);
        if (state.isSettled() != (result != null)) {
            throw new IllegalArgumentException("call " + toolCallId + " is " + state + " with result " + result);
        }
    }

    /**
     * A call that no grant let through, and that is not the client's.
     *
     * @param toolCallId unique in the thread
     * @param toolName the tool
     * @param arguments canonical JSON text
     * @param argumentsSha256 of {@code arguments}
     * @param toolSha256 of the tool
     * @param idempotent whether the tool may be executed again after an attempt of unknown outcome
     * @param resultMessageId id of the message with the result
     * @param state how far the call has come
     * @param questions asked about it
     * @param answers to the questions
     * @param attempts to execute it
     * @param result present once the state is settled
     */
    public Call(
            String toolCallId,
            String toolName,
            String arguments,
            String argumentsSha256,
            String toolSha256,
            boolean idempotent,
            String resultMessageId,
            CallState state,
            List<Question> questions,
            List<Answer> answers,
            List<Attempt> attempts,
            @Nullable CallResult result) {
        this(
                toolCallId,
                toolName,
                arguments,
                argumentsSha256,
                toolSha256,
                idempotent,
                resultMessageId,
                state,
                questions,
                answers,
                attempts,
                result,
                null,
                false);
    }

    /**
     * Leaves the call to the client.
     *
     * @return the call
     * @throws IllegalStateException unless the call has just been proposed
     */
    public Call leftToClient() {
        requireState(state == CallState.PENDING && answers.isEmpty(), "be left to the client");
        return with(resultMessageId, state, questions, answers, attempts, null, grantId, true);
    }

    /**
     * Notes that nobody has to be asked because a person decided before.
     *
     * @param grant id of the {@link Grant}
     * @return the call with it
     * @throws IllegalStateException unless the call has just been proposed, and nobody was asked
     */
    public Call letThroughBy(String grant) {
        requireState(state == CallState.PENDING && questions.isEmpty(), "be let through");
        return with(resultMessageId, state, questions, answers, attempts, result, grant, ofClient);
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

    /**
     * What was executed last, or was about to be.
     *
     * @return the last attempt, if there is one
     */
    public Optional<Attempt> lastAttempt() {
        return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.get(attempts.size() - 1));
    }

    /**
     * What identifies the call to systems that the tool talks to: the same for every attempt, in every run, and for no
     * other call.
     *
     * @return the id of the interrupt that asked before the first attempt; of a call that nobody was asked about before,
     *     an id of its own
     */
    public String idempotencyKey() {
        return questions.isEmpty() || questions.get(0).followsAttempt()
                ? resultMessageId
                : questions.get(0).interrupt().id();
    }

    /**
     * The answer to a question.
     *
     * @param interruptId the question's interrupt
     * @return the answer, if the question is of this call and was answered
     */
    public Optional<Answer> answerTo(String interruptId) {
        for (int i = 0; i < answers.size(); i++) {
            if (questions.get(i).interrupt().id().equals(interruptId)) {
                return Optional.of(answers.get(i));
            }
        }
        return Optional.empty();
    }

    Call decided(Answer answer) {
        requireState(openQuestion().isPresent(), "be decided");
        return with(CallState.DECIDED, questions, plus(answers, answer), attempts, null);
    }

    Call claimed(Attempt attempt) {
        requireState(
                state == CallState.DECIDED
                        || (state == CallState.PENDING && questions.isEmpty())
                        || (state == CallState.CLAIMED && idempotent),
                "be claimed");
        return with(CallState.CLAIMED, questions, answers, plus(attempts, attempt), null);
    }

    Call asked(Question question) {
        requireState(state == CallState.CLAIMED, "be asked about again");
        return with(CallState.PENDING, plus(questions, question), answers, attempts, null);
    }

    Call settled(CallState outcome, CallResult callResult) {
        boolean entered = outcome == CallState.EXECUTED || outcome == CallState.FAILED;
        boolean attempted = state == CallState.CLAIMED || (state == CallState.DECIDED && !attempts.isEmpty());
        boolean supplied = state == CallState.DECIDED && outcome == CallState.EXECUTED;
        boolean notStarted = state == CallState.DECIDED
                || (state == CallState.PENDING && openQuestion().isEmpty());
        requireState(
                entered ? attempted || supplied : outcome == CallState.NOT_EXECUTED && notStarted, "become " + outcome);
        return with(outcome, questions, answers, attempts, callResult);
    }

    private static <T> List<T> plus(List<T> list, T element) {
        List<T> all = new ArrayList<>(list);
        all.add(element);
        return all;
    }

    /** The client's own result of a call that was left to it. */
    Call suppliedByClient(String messageId, CallState outcome, CallResult callResult) {
        boolean left = ofClient
                && (state == CallState.DECIDED
                        || (state == CallState.PENDING && openQuestion().isEmpty()));
        requireState(left && outcome != CallState.NOT_EXECUTED && outcome.isSettled(), "get the client's result");
        return with(messageId, outcome, questions, answers, attempts, callResult, grantId, true);
    }

    private Call with(
            CallState next,
            List<Question> nextQuestions,
            List<Answer> nextAnswers,
            List<Attempt> nextAttempts,
            @Nullable CallResult nextResult) {
        return with(resultMessageId, next, nextQuestions, nextAnswers, nextAttempts, nextResult, grantId, ofClient);
    }

    private Call with(
            String messageId,
            CallState next,
            List<Question> nextQuestions,
            List<Answer> nextAnswers,
            List<Attempt> nextAttempts,
            @Nullable CallResult nextResult,
            @Nullable String grant,
            boolean clients) {
        return new Call(
                toolCallId,
                toolName,
                arguments,
                argumentsSha256,
                toolSha256,
                idempotent,
                messageId,
                next,
                nextQuestions,
                nextAnswers,
                nextAttempts,
                nextResult,
                grant,
                clients);
    }

    private void requireState(boolean allowed, String transition) {
        if (!allowed) {
            throw new IllegalStateException("call " + toolCallId + " is " + state + " and cannot " + transition);
        }
    }
}
