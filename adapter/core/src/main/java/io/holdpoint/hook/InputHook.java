package io.holdpoint.hook;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.RunAgentInput;

/**
 * Sees each input first, and may change or refuse it. It is called on the thread that calls
 * {@link io.holdpoint.Holdpoint#run}, the transport's over HTTP, before it is known whether the caller may access the thread. Must be
 * quick and thread-safe.
 *
 * <p>The returned input is checked like one of a client. A hook cannot approve held calls: resume entries that it adds or
 * changes are the caller's answers, and need an open interrupt, a payload that fits and a caller who may decide.
 */
@FunctionalInterface
public interface InputHook {

    /**
     * Checks or replaces an input. To refuse it, throw a {@link RunRejectedException} with {@link ErrorCode#INPUT_REJECTED} and
     * a message that the client gets; the thread is unchanged then. Any other exception, and an input of another thread or run,
     * ends the run with {@link ErrorCode#HOOK_FAILED} before it has started.
     *
     * @param input the input of the client, within the limits; its JSON trees must not be changed
     * @return the input to go on with, of the same thread and run; must not be {@code null}
     * @throws RunRejectedException if the run is not to start
     */
    RunAgentInput take(Caller caller, RunAgentInput input);
}
