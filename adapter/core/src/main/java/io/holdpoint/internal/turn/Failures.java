package io.holdpoint.internal.turn;

import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import dev.langchain4j.guardrail.InputGuardrailException;
import dev.langchain4j.guardrail.OutputGuardrailException;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.ModerationException;
import io.holdpoint.ErrorCode;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.internal.Sentences;
import io.holdpoint.internal.agent.HookFailedException;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Map;

/**
 * The code and the sentence that a client gets for an exception that ended a run. The exception's own text stays out of them,
 * because it may hold an answer of a provider, or a key.
 */
public final class Failures {

    private static final String KEPT = " What was decided and done is kept: send the same input again";

    private static final Map<ErrorCode, String> MESSAGES = Map.ofEntries(
            Map.entry(ErrorCode.MODEL_TIMEOUT, "The model did not answer in time." + KEPT + "."),
            Map.entry(
                    ErrorCode.MODEL_UNAUTHORIZED,
                    "The model's provider does not accept this server's credentials." + KEPT + " when that is mended."),
            Map.entry(
                    ErrorCode.MODEL_RATE_LIMITED,
                    "The model's provider gets too many requests." + KEPT + " after a while."),
            Map.entry(ErrorCode.MODEL_UNAVAILABLE, "The model could not be reached, or broke off." + KEPT + "."),
            Map.entry(
                    ErrorCode.MODEL_REFUSED,
                    "The model's provider refused to answer." + KEPT + ", or say something else."),
            Map.entry(
                    ErrorCode.MODEL_REQUEST_INVALID,
                    "The model's provider did not accept the request: the conversation"
                            + " may be too long, or the model may not exist." + KEPT + " when that is mended."),
            Map.entry(ErrorCode.MODEL_ANSWER_EMPTY, "The model answered with nothing." + KEPT + "."),
            Map.entry(
                    ErrorCode.TOO_MANY_ROUNDS,
                    "The model called tools again and again and was stopped. What was done is"
                            + " kept: say how to go on."),
            Map.entry(
                    ErrorCode.MODEL_ANSWER_INCOMPLETE,
                    "The model's answer ended in its middle, and nothing of it counts." + KEPT
                            + ". If the model's token limit has cut it, raise that limit, or ask for less at a time."),
            Map.entry(
                    ErrorCode.MODEL_REPEATS_ITSELF,
                    "The model made the same tool calls again and again, which cannot run. What was done is kept: say"
                            + " how to go on."),
            Map.entry(ErrorCode.INPUT_GUARDRAIL, "A guardrail refused the message. Say something else."),
            Map.entry(
                    ErrorCode.OUTPUT_GUARDRAIL,
                    "A guardrail accepted none of the model's answers." + KEPT + ", or say something else."),
            Map.entry(ErrorCode.MODERATION, "The message was flagged by moderation. Say something else."),
            Map.entry(
                    ErrorCode.APPLICATION_FAULT,
                    "This server's application has a fault, which its log names. What was decided and done is kept, but"
                            + " sending it again does not help before that is mended."),
            Map.entry(ErrorCode.HOOK_FAILED, "An extension of this server failed." + KEPT + " when that is mended."),
            Map.entry(ErrorCode.RUN_FAILED, "The run failed." + KEPT + "."));

    /** The code of the first type that fits. */
    private static final List<Map.Entry<Class<? extends Throwable>, ErrorCode>> CODES = List.of(
            Map.entry(HookFailedException.class, ErrorCode.HOOK_FAILED),
            Map.entry(TooManyRoundsException.class, ErrorCode.TOO_MANY_ROUNDS),
            Map.entry(EmptyAnswerException.class, ErrorCode.MODEL_ANSWER_EMPTY),
            Map.entry(IncompleteAnswerException.class, ErrorCode.MODEL_ANSWER_INCOMPLETE),
            Map.entry(RepetitionException.class, ErrorCode.MODEL_REPEATS_ITSELF),
            Map.entry(InputGuardrailException.class, ErrorCode.INPUT_GUARDRAIL),
            Map.entry(OutputGuardrailException.class, ErrorCode.OUTPUT_GUARDRAIL),
            Map.entry(ModerationException.class, ErrorCode.MODERATION),
            Map.entry(MisuseException.class, ErrorCode.APPLICATION_FAULT),
            Map.entry(ToolInterrupt.MisuseException.class, ErrorCode.APPLICATION_FAULT),
            Map.entry(IllegalConfigurationException.class, ErrorCode.APPLICATION_FAULT),
            Map.entry(TimeoutException.class, ErrorCode.MODEL_TIMEOUT),
            Map.entry(AuthenticationException.class, ErrorCode.MODEL_UNAUTHORIZED),
            Map.entry(RateLimitException.class, ErrorCode.MODEL_RATE_LIMITED),
            Map.entry(ContentFilteredException.class, ErrorCode.MODEL_REFUSED),
            Map.entry(InvalidRequestException.class, ErrorCode.MODEL_REQUEST_INVALID),
            Map.entry(ModelNotFoundException.class, ErrorCode.MODEL_REQUEST_INVALID),
            Map.entry(InternalServerException.class, ErrorCode.MODEL_UNAVAILABLE),
            Map.entry(UnresolvedModelServerException.class, ErrorCode.MODEL_UNAVAILABLE),
            Map.entry(HttpException.class, ErrorCode.MODEL_UNAVAILABLE));

    /** The part that failed. */
    public enum Origin {
        /** The model, which threw or reported it. */
        MODEL,
        /** Any other part, a store for instance; an {@code IOException} is not about the model there. */
        ELSEWHERE
    }

    private Failures() {}

    public static ErrorCode code(Throwable failure, Origin origin) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            for (Map.Entry<Class<? extends Throwable>, ErrorCode> known : CODES) {
                if (known.getKey().isInstance(each)) {
                    return known.getValue();
                }
            }
            if (origin == Origin.MODEL && each instanceof IOException broken) {
                return broken instanceof HttpTimeoutException ? ErrorCode.MODEL_TIMEOUT : ErrorCode.MODEL_UNAVAILABLE;
            }
        }
        return ErrorCode.RUN_FAILED;
    }

    /** The sentence for the person about what threw outside of the model. */
    public static String sentence(Throwable failure) {
        return Sentences.of(code(failure, Origin.ELSEWHERE));
    }

    /** The sentence for a code from {@link #code}. */
    public static String message(ErrorCode code) {
        return MESSAGES.getOrDefault(code, "The run failed.");
    }

    /** The model answered with neither text nor tool calls. */
    static final class EmptyAnswerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        EmptyAnswerException() {
            super("the model answered with neither text nor tool calls");
        }
    }

    /** The model's answer has ended in its middle. */
    static final class IncompleteAnswerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        IncompleteAnswerException(String what) {
            super(what);
        }
    }

    /** The model makes the same useless tool calls all the time. */
    static final class RepetitionException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RepetitionException(int times) {
            super("the model made the same tool calls " + times + " times in a row, of which none can run");
        }
    }

    /** A mistake of the application's author, which no repetition heals. */
    public static final class MisuseException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        public MisuseException(String what) {
            super(what);
        }

        public MisuseException(String what, Throwable cause) {
            super(what, cause);
        }
    }

    /** The model has called tools more often than a turn allows. */
    static final class TooManyRoundsException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        TooManyRoundsException(int most) {
            super("Exceeded " + most
                    + " tool calling round trips (maxToolCallingRoundTrips), rounds before a hold included");
        }
    }
}
