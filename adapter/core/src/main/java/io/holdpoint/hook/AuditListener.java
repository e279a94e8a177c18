package io.holdpoint.hook;

import io.holdpoint.store.AuditEvent;

/**
 * Gets every event of the audit trail, after it was stored, in order. It is called on the thread of the run, which waits, so it
 * must be quick; must be thread-safe. An exception is logged and has no other effect.
 *
 * <p>The store is the authority: if a store fails in a way that leaves open whether it has written, the listener does not get
 * the event, though the trail may have it. An answer that is refused is no event: it has changed no thread, and a client must
 * not be able to fill the trail with answers.
 */
@FunctionalInterface
public interface AuditListener {

    /** Gets an event, whose arguments the agent's {@link ArgumentRedactor} has redacted. */
    void happened(AuditEvent event);
}
