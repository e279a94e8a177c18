package io.holdpoint.hook;

import io.holdpoint.Holdpoint;

/**
 * An addition of a module to an agent, given to {@link io.holdpoint.HoldpointBuilder#with}. One extension may be given to several agents,
 * and several extensions may bring the same guest of an agent.
 */
@FunctionalInterface
public interface Extension {

    /**
     * Joins an agent when it has been built, before its first run. {@code build()} throws whatever it throws.
     *
     * @param agent what is called on it here counts as called by {@link io.holdpoint.Caller#ANONYMOUS}
     */
    Guest join(Holdpoint agent);
}
