package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A span of the agent's reasoning, the messages in it, and what a provider keeps of it. */
public sealed interface ReasoningEvent extends Event {

    /**
     * Opens a span of reasoning, which may contain several reasoning messages. JSON:
     * {@code {"type":"REASONING_START","messageId":…}}. Mirrors AG-UI's {@code ReasoningStartEvent}.
     */
    @JsonTypeName("REASONING_START")
    record Start(String messageId, @JsonUnwrapped EventBase base) implements ReasoningEvent, Event.Opening {

        /** Creates the event without base fields. */
        public Start(String messageId) {
            this(messageId, EventBase.NONE);
        }

        @Override
        public End closing() {
            return new End(messageId);
        }
    }

    /**
     * Opens a streamed reasoning message. JSON: {@code {"type":"REASONING_MESSAGE_START","messageId":…,"role":"reasoning"}}.
     * Mirrors AG-UI's {@code ReasoningMessageStartEvent}.
     */
    @JsonTypeName("REASONING_MESSAGE_START")
    record MessageStart(String messageId, @JsonUnwrapped EventBase base) implements ReasoningEvent, Event.Opening {

        /** Creates the event without base fields. */
        public MessageStart(String messageId) {
            this(messageId, EventBase.NONE);
        }

        @Override
        public MessageEnd closing() {
            return new MessageEnd(messageId);
        }

        /** The role on the wire, always {@code reasoning}. */
        @JsonProperty("role")
        public String role() {
            return "reasoning";
        }
    }

    /**
     * Appends a fragment to a streamed reasoning message. JSON: {@code
     * {"type":"REASONING_MESSAGE_CONTENT","messageId":…,"delta":…}}. Mirrors AG-UI's {@code ReasoningMessageContentEvent}.
     */
    @JsonTypeName("REASONING_MESSAGE_CONTENT")
    record MessageContent(
            String messageId, String delta, @JsonUnwrapped EventBase base) implements ReasoningEvent, Event.Fragment {

        /** Checks that the required fields are there. */
        public MessageContent {
            Objects.requireNonNull(messageId, "messageId");
            Objects.requireNonNull(delta, "delta");
            Objects.requireNonNull(base, "base");
        }

        /** Creates the event without base fields. */
        public MessageContent(String messageId, String delta) {
            this(messageId, delta, EventBase.NONE);
        }

        @Override
        public MessageContent withDelta(String delta) {
            return new MessageContent(messageId, delta, base);
        }
    }

    /**
     * Closes a streamed reasoning message. JSON: {@code {"type":"REASONING_MESSAGE_END","messageId":…}}. Mirrors AG-UI's
     * {@code ReasoningMessageEndEvent}.
     */
    @JsonTypeName("REASONING_MESSAGE_END")
    record MessageEnd(String messageId, @JsonUnwrapped EventBase base) implements ReasoningEvent, Event.Closing {

        /** Creates the event without base fields. */
        public MessageEnd(String messageId) {
            this(messageId, EventBase.NONE);
        }
    }

    /**
     * Shorthand for start, content and end of a reasoning message; a continuation omits what has not changed. JSON:
     * {@code {"type":"REASONING_MESSAGE_CHUNK","messageId"?:…,"delta"?:…}}. Mirrors AG-UI's {@code ReasoningMessageChunkEvent}.
     */
    @JsonTypeName("REASONING_MESSAGE_CHUNK")
    record MessageChunk(
            @Nullable String messageId,
            @Nullable String delta,
            @JsonUnwrapped EventBase base) implements ReasoningEvent {}

    /**
     * Closes a span of reasoning. JSON: {@code {"type":"REASONING_END","messageId":…}}. Mirrors AG-UI's
     * {@code ReasoningEndEvent}.
     */
    @JsonTypeName("REASONING_END")
    record End(String messageId, @JsonUnwrapped EventBase base) implements ReasoningEvent, Event.Closing {

        /** Creates the event without base fields. */
        public End(String messageId) {
            this(messageId, EventBase.NONE);
        }
    }

    /**
     * Carries a provider's opaque reasoning artefact, to be stored and returned on a later turn. JSON:
     * {@code {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":…,"encryptedValue":…}}. Mirrors AG-UI's
     * {@code ReasoningEncryptedValueEvent}.
     */
    @JsonTypeName("REASONING_ENCRYPTED_VALUE")
    record EncryptedValue(
            Subtype subtype,
            String entityId,
            String encryptedValue,
            @JsonUnwrapped EventBase base) implements ReasoningEvent {

        @Override
        public @Nullable String messageId() {
            return subtype == Subtype.MESSAGE ? entityId : null;
        }

        /** The owner of an encrypted value. Mirrors AG-UI's {@code ReasoningEncryptedValueSubtype}. */
        public enum Subtype {
            /** {@code "tool-call"} on the wire. */
            TOOL_CALL,
            /** {@code "message"} on the wire. */
            MESSAGE;

            /** The name on the wire. */
            @JsonValue
            public String wire() {
                return name().toLowerCase(Locale.ROOT).replace('_', '-');
            }
        }
    }
}
