package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An answer to one interrupt. JSON: {@code {"interruptId":…,"status":"resolved","payload"?:…,"metadata"?:{…}}}. Mirrors
 * AG-UI's {@code ResumeEntry}. Immutable, so thread-safe, as long as the JSON trees are not changed afterwards.
 *
 * @param interruptId the interrupt this answers; the empty string if a draft-dialect resume did not name one
 * @param payload the answer; {@code null} if absent, a {@code NullNode} if it was JSON null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResumeEntry(
        String interruptId,
        Status status,
        @Nullable JsonNode payload,
        @Nullable ObjectNode metadata) {

    /** Checks that the required fields are there. */
    public ResumeEntry {
        Objects.requireNonNull(interruptId, "interruptId");
        Objects.requireNonNull(status, "status");
    }

    /** Answers an interrupt. */
    public static ResumeEntry resolved(String interruptId, JsonNode payload) {
        return new ResumeEntry(interruptId, Status.RESOLVED, payload, null);
    }

    /** Cancels an interrupt without an answer. */
    public static ResumeEntry cancelled(String interruptId) {
        return new ResumeEntry(interruptId, Status.CANCELLED, null, null);
    }

    /**
     * Answers an interrupt in the form in which it was asked: {@link Dialect#write(RunAgentInput)} writes the answer as the
     * interrupts draft has it if the interrupt was read so.
     */
    public static ResumeEntry resolved(Interrupt asked, JsonNode payload) {
        return new ResumeEntry(asked.id(), Status.RESOLVED, payload, Dialect.ofAnswerTo(asked));
    }

    /** Cancels an interrupt in the form in which it was asked, see {@link #resolved(Interrupt, JsonNode)}. */
    public static ResumeEntry cancelled(Interrupt asked) {
        return new ResumeEntry(asked.id(), Status.CANCELLED, null, Dialect.ofAnswerTo(asked));
    }

    /** The fate of an interrupt. */
    public enum Status {
        /** Answered; {@code "resolved"} on the wire. */
        RESOLVED,
        /** Cancelled without an answer; {@code "cancelled"} on the wire. */
        CANCELLED;

        /** The name on the wire. */
        @JsonValue
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
