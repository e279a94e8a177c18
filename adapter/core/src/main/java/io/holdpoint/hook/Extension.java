package io.holdpoint.hook;

import io.holdpoint.Holdpoint;

/**
 * What a module adds to an agent, given to {@link io.holdpoint.HoldpointBuilder#with}: notifiers, links. One extension may be given to
 * several agents.
 */
@FunctionalInterface
public interface Extension {

    /**
     * Joins an agent when it has been built, before its first run. What it throws, {@code build()} throws.
     *
     * @param agent what is called on it here counts as called by {@link io.holdpoint.Caller#ANONYMOUS}
     */
    Guest join(Holdpoint agent);
}
