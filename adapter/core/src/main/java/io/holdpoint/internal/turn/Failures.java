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
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.guardrail.InputGuardrailException;
import dev.langchain4j.guardrail.OutputGuardrailException;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.ModerationException;
import io.holdpoint.ErrorCode;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.store.HaltedException;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The code that a client gets for an exception that ended a run. The exception's own text stays out of what the client gets,
 * because it may hold an answer of a provider, or a key.
 */
public final class Failures {

    /** The code of the first type that fits. */
    private static final List<Map.Entry<Class<? extends Throwable>, ErrorCode>> CODES = List.of(
            Map.entry(HookFailedException.class, ErrorCode.HOOK_FAILED),
            Map.entry(HaltedException.class, ErrorCode.AGENT_HALTED),
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
            Map.entry(UnsupportedFeatureException.class, ErrorCode.MODEL_REQUEST_INVALID),
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

    /** The failures after which the same input would fail again. */
    private static final Set<ErrorCode> STAYING = Set.of(
            ErrorCode.INPUT_INVALID,
            ErrorCode.INPUT_REJECTED,
            ErrorCode.INPUT_GUARDRAIL,
            ErrorCode.MODERATION,
            ErrorCode.MODEL_REPEATS_ITSELF,
            ErrorCode.TOO_MANY_ROUNDS,
            ErrorCode.TOO_MANY_TOKENS);

    private static final int MOST_CAUSES = 50;

    private Failures() {}

    /** Tells whether a run goes on from where it failed, when it gets its input again: then its work has no end that a model could hear of. */
    public static boolean goesOn(ErrorCode code) {
        return !STAYING.contains(code);
    }

    public static ErrorCode code(Throwable failure, Origin origin) {
        boolean isUnknownToModule = false; // a content that it cannot send
        for (Throwable each : causes(failure)) {
            if (each instanceof TurnException ended) {
                return ended.code;
            }
            for (Map.Entry<Class<? extends Throwable>, ErrorCode> known : CODES) {
                if (known.getKey().isInstance(each)) {
                    return known.getValue();
                }
            }
            if (origin == Origin.MODEL && each instanceof IOException broken) {
                return broken instanceof HttpTimeoutException ? ErrorCode.MODEL_TIMEOUT : ErrorCode.MODEL_UNAVAILABLE;
            }
            isUnknownToModule |= origin == Origin.MODEL && each instanceof IllegalArgumentException;
        }
        return isUnknownToModule ? ErrorCode.MODEL_REQUEST_INVALID : ErrorCode.RUN_FAILED;
    }

    /** A failure, its cause, the cause of that and so on, as far as anybody would read on: there are some that go in a circle. */
    public static List<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .toList();
    }

    /** Ends a turn for a reason that has a code of its own. */
    public static final class TurnException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        private final ErrorCode code;

        public TurnException(ErrorCode code, String what) {
            super(what);
            this.code = code;
        }

        public TurnException(ErrorCode code, String what, @Nullable Throwable cause) {
            super(what, cause);
            this.code = code;
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

    /**
     * Carries an exception that is the failure of the turn, and not of a tool, out of a tool's executor. It is an
     * {@code Error}, because LangChain4j tells the model about every {@code Exception} as if it were the tool's result.
     */
    public static final class TurnFailedError extends Error {

        private static final long serialVersionUID = 1L;

        public TurnFailedError(Exception cause) {
            super(cause.toString(), cause, false, false);
        }

        /** The exception without the wrapping that brought it here. */
        static Throwable unwrap(Throwable failure) {
            for (Throwable each : causes(failure)) {
                Throwable carried = each.getCause();
                if (each instanceof TurnFailedError && carried != null) {
                    return carried;
                }
            }
            return failure;
        }
    }
}
