package io.holdpoint.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that happened to a call or a thread, as those who answer for it want to read it later. Immutable.
 *
 * @param at when
 * @param threadId the conversation
 * @param runId the run in which it happened
 * @param caller id of the caller that the run works for
 * @param kind what happened
 * @param toolCallId the call it happened to, if it happened to one
 * @param toolName the call's tool
 * @param interruptId the interrupt it is about
 * @param detail what else belongs to it, see {@link Kind}; a JSON object, possibly empty
 */
public record AuditEvent(
        Instant at,
        String threadId,
        String runId,
        String caller,
        Kind kind,
        Optional<String> toolCallId,
        Optional<String> toolName,
        Optional<String> interruptId,
        ObjectNode detail) {

    /** What happened. */
    public enum Kind {
        /** The model proposed a call: {@code {"arguments": {...}, "argumentsSha256": "..."}}. */
        PROPOSED,
        /** A person is asked about it: {@code {"reason": "tool_call", "expiresAt": "..."}}. */
        HELD,
        /** The open interrupt was given to a client again. */
        PRESENTED,
        /** A person answered: {@code {"how": "RESOLVED", "payload": {...}}}. */
        DECIDED,
        /** Nobody answered in time. */
        EXPIRED,
        /** The tool is about to be entered: {@code {"arguments": {...}, "argumentsSha256": "...", "attempt": 1}}. */
        CLAIMED,
        /** The tool returned, or a person said that it was done. */
        EXECUTED,
        /** The tool ended with an error, or its outcome stays unknown: {@code {"error": "..."}}. */
        FAILED,
        /** The tool was not entered and will not be: {@code {"error": "..."}}. */
        NOT_EXECUTED,
        /** An answer that was given before came again. */
        REPLAYED,
        /** A run lost its right to write; what it wanted to write afterwards was dropped: {@code {"lost": "..."}}. */
        LEASE_LOST
    }
}
