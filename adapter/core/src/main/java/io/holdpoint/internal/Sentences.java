package io.holdpoint.internal;

import io.holdpoint.ErrorCode;

/** The sentence for the person in front of the page when a run did not end well. Developers get sentences of their own. */
public final class Sentences {

    private Sentences() {}

    public static String of(ErrorCode code) {
        return switch (code) {
            case INTERRUPT_PENDING ->
                "A question is still open. Answer or cancel it first. Your message waits, and comes along with the answer.";
            case INTERRUPT_UNKNOWN -> "This question is not open in this conversation.";
            case INTERRUPT_ALREADY_RESOLVED -> "This question is settled already. That decision stands.";
            case INTERRUPT_DUPLICATE -> "Two answers to one question arrived, and none was taken. Answer it again.";
            case INTERRUPT_PARTIAL_RESUME ->
                "Several questions are open, and none of the answers was taken. Answer all of them together.";
            case INTERRUPT_FORBIDDEN ->
                "You may not decide this. Somebody else has to answer, or the question can be cancelled.";
            case INTERRUPT_EXPIRED -> "The time to answer is over, and nothing was done. Deny or cancel it to go on.";
            case INTERRUPT_PAYLOAD_INVALID -> "The answer does not fit the question, and was not taken.";
            case RUN_IN_PROGRESS -> "The assistant is still at work in this conversation. Wait, then say it again.";
            case RUN_TIMEOUT -> "This took too long and was stopped. What was done is kept. Try again.";
            case SHUTTING_DOWN -> "The server is restarting. What was done is kept. Try again in a moment.";
            case MODEL_TIMEOUT -> "The assistant did not answer in time. Try again.";
            case MODEL_RATE_LIMITED -> "The assistant has too much to do at the moment. Try again in a while.";
            case MODEL_UNAVAILABLE, MODEL_ANSWER_EMPTY ->
                "The assistant could not be reached, or broke off. Try again.";
            case MODEL_ANSWER_INCOMPLETE ->
                "The assistant's answer was cut off in the middle, and was not used. Try again, or ask for less at a time.";
            case MODEL_REFUSED, INPUT_GUARDRAIL, OUTPUT_GUARDRAIL, MODERATION ->
                "The assistant refused to answer this. Say it in another way.";
            case MODEL_REQUEST_INVALID ->
                "The assistant could not take this conversation; it may be too long. Begin a new one, or tell those who"
                        + " run this site.";
            case TOO_MANY_ROUNDS, MODEL_REPEATS_ITSELF ->
                "The assistant took too many steps and was stopped. Say how to go on.";
            case MODEL_UNAUTHORIZED, APPLICATION_FAULT, HOOK_FAILED ->
                "The assistant does not work at the moment. Tell those who run this site.";
            default -> "Something went wrong. What was done is kept. Try again.";
        };
    }
}
