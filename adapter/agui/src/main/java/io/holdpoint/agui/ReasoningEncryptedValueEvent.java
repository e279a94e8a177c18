package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;

/**
 * Carries a provider's opaque reasoning artefact, to be stored and returned on a later turn.
 *
 * <p>JSON: {@code {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":…,"encryptedValue":…}}. Mirrors
 * AG-UI's {@code ReasoningEncryptedValueEvent}. Immutable, so thread-safe.
 *
 * @param subtype what the artefact belongs to
 * @param entityId the id of that message or tool call
 * @param encryptedValue the artefact
 * @param base the fields every event may carry
 */
public record ReasoningEncryptedValueEvent(
        Subtype subtype,
        String entityId,
        String encryptedValue,
        @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ReasoningEncryptedValueEvent {
        Objects.requireNonNull(subtype, "subtype");
        Objects.requireNonNull(entityId, "entityId");
        Objects.requireNonNull(encryptedValue, "encryptedValue");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ReasoningEncryptedValueEvent(Subtype subtype, String entityId, String encryptedValue) {
        this(subtype, entityId, encryptedValue, EventBase.NONE);
    }

    @Override
    public String type() {
        return "REASONING_ENCRYPTED_VALUE";
    }

    /** What an encrypted value belongs to. Mirrors AG-UI's {@code ReasoningEncryptedValueSubtype}. */
    public enum Subtype {
        /** {@code "tool-call"} on the wire. */
        TOOL_CALL("tool-call"),
        /** {@code "message"} on the wire. */
        MESSAGE("message");

        private final String wire;

        Subtype(String wire) {
            this.wire = wire;
        }

        /** The name on the wire. */
        @JsonValue
        public String wire() {
            return wire;
        }
    }
}
