package io.holdpoint.hook;

import io.holdpoint.ToolCallContext;

/**
 * Surrounds the body of every tool, on the thread that executes it, to set what tools find there: a security context, a tenant.
 * Must be thread-safe.
 */
@FunctionalInterface
public interface ToolScope {

    /**
     * Begins, right before the body is entered.
     *
     * @param call the call; {@link ToolCallContext#owner()} is the caller whom the tool works for, also if another caller has
     *     approved it and works for this run
     * @return is closed on the same thread when the body has been left, whatever came of it; an exception of
     *     {@code close} is logged
     * @throws RuntimeException if the tool is not to be entered: the call fails as if the tool had thrown it
     */
    ObservedWork.Scope open(ToolCallContext call);
}
