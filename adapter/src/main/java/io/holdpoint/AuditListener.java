package io.holdpoint;

import io.holdpoint.store.AuditEvent;

/**
 * Hears of everything that happens to gated calls, after it was stored. Called on the thread of the run, so it must be quick;
 * must be thread-safe. What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface AuditListener {

    /**
     * Something happened.
     *
     * @param event what; arguments are redacted as the agent was told to
     */
    void happened(AuditEvent event);
}
