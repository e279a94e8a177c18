package io.holdpoint.hook;

import io.holdpoint.store.AuditEvent;

/**
 * Hears of everything that the audit trail keeps, after it was stored, in order. Called on the thread of the run, which waits,
 * so it must be quick; must be thread-safe. What it throws is logged and changes nothing.
 *
 * <p>The store is the authority: if a store fails in a way that leaves open whether it has written, the listener does not hear
 * of it, though the trail may have it. An answer that is refused is no event: nothing has changed, and whoever may send
 * answers must not be able to fill the trail with them.
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
