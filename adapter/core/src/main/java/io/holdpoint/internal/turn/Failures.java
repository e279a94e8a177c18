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
import io.holdpoint.ErrorCode;
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
            Map.entry(ErrorCode.HOOK_FAILED, "An extension of this server failed." + KEPT + " when that is mended."),
            Map.entry(ErrorCode.RUN_FAILED, "The run failed." + KEPT + "."));

    /** The code of the first type that fits. */
    private static final List<Map.Entry<Class<? extends Throwable>, ErrorCode>> CODES = List.of(
            Map.entry(HookFailedException.class, ErrorCode.HOOK_FAILED),
            Map.entry(TooManyRoundsException.class, ErrorCode.TOO_MANY_ROUNDS),
            Map.entry(EmptyAnswerException.class, ErrorCode.MODEL_ANSWER_EMPTY),
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

    /** The model has called tools more often than a turn allows. */
    static final class TooManyRoundsException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        TooManyRoundsException(int most) {
            super("Exceeded " + most
                    + " tool calling round trips (maxToolCallingRoundTrips), rounds before a hold included");
        }
    }
}
