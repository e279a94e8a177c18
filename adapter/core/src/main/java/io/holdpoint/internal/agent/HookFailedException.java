package io.holdpoint.internal.agent;

import io.holdpoint.RunRejectedException;
import io.holdpoint.internal.LogText;
import java.util.Optional;

/** Reports that code of the application threw which a run cannot do without, or returned something that it may not. Its message is for the log. */
public final class HookFailedException extends RuntimeException implements LogText.QuotesNothing {

    private static final long serialVersionUID = 1L;

    public HookFailedException(String hook, Throwable cause) {
        super(hook + " threw " + cause.getClass().getName(), cause);
    }

    /** The words in which the application has refused a run, if that is the failure: in a hook, or in other code of its own. */
    public static Optional<RunRejectedException> refusal(Throwable failure) {
        Throwable thrown = failure instanceof HookFailedException ? failure.getCause() : failure;
        return thrown instanceof RunRejectedException refused ? Optional.of(refused) : Optional.empty();
    }

    public HookFailedException(String message) {
        super(message);
    }
}
