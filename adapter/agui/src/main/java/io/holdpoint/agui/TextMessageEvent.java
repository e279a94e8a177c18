package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A streamed text message: its start, its fragments and its end. */
public sealed interface TextMessageEvent extends Event {

    private static String requireRole(String role) {
        return switch (role) {
            case "assistant", "user", "system", "developer" -> role;
            default ->
                throw new IllegalArgumentException(String.format(
                        "role: must be \"assistant\", \"user\", \"system\" or \"developer\", was \"%.40s\"", role));
        };
    }

    /**
     * Opens a streamed text message. When read, an absent role means {@code assistant}. JSON:
     * {@code {"type":"TEXT_MESSAGE_START","messageId":…,"role":"assistant","name"?:…}}. Mirrors AG-UI's
     * {@code TextMessageStartEvent}.
     *
     * @param messageId the id of the message, unique within the thread
     * @param role {@code assistant}, {@code user}, {@code system} or {@code developer}
     */
    @JsonTypeName("TEXT_MESSAGE_START")
    record Start(
            String messageId,
            @JsonProperty(defaultValue = "assistant") String role,
            @Nullable String name,
            @JsonUnwrapped EventBase base)
            implements TextMessageEvent, Event.Opening {

        /** Refuses other roles. */
        public Start {
            role = requireRole(Objects.requireNonNullElse(role, "assistant"));
        }

        /** Opens a message of the assistant. */
        public Start(String messageId) {
            this(messageId, "assistant", null, EventBase.NONE);
        }

        @Override
        public End closing() {
            return new End(messageId);
        }
    }

    /**
     * Appends a fragment to a streamed text message. JSON: {@code {"type":"TEXT_MESSAGE_CONTENT","messageId":…,"delta":…}}.
     * Mirrors AG-UI's {@code TextMessageContentEvent}.
     */
    @JsonTypeName("TEXT_MESSAGE_CONTENT")
    record Content(
            String messageId, String delta, @JsonUnwrapped EventBase base) implements TextMessageEvent, Event.Fragment {

        /** Checks that the required fields are there. */
        public Content {
            Objects.requireNonNull(messageId, "messageId");
            Objects.requireNonNull(delta, "delta");
            Objects.requireNonNull(base, "base");
        }

        /** Creates the event without base fields. */
        public Content(String messageId, String delta) {
            this(messageId, delta, EventBase.NONE);
        }

        @Override
        public Content withDelta(String delta) {
            return new Content(messageId, delta, base);
        }
    }

    /**
     * Closes a streamed text message. JSON: {@code {"type":"TEXT_MESSAGE_END","messageId":…}}. Mirrors AG-UI's
     * {@code TextMessageEndEvent}. Immutable, so thread-safe.
     */
    @JsonTypeName("TEXT_MESSAGE_END")
    record End(String messageId, @JsonUnwrapped EventBase base) implements TextMessageEvent, Event.Closing {

        /** Creates the event without base fields. */
        public End(String messageId) {
            this(messageId, EventBase.NONE);
        }
    }

    /**
     * Shorthand for start, content and end of a text message; a continuation omits what has not changed. JSON:
     * {@code {"type":"TEXT_MESSAGE_CHUNK","messageId"?:…,"role"?:…,"delta"?:…,"name"?:…}}. Mirrors AG-UI's
     * {@code TextMessageChunkEvent}.
     */
    @JsonTypeName("TEXT_MESSAGE_CHUNK")
    record Chunk(
            @Nullable String messageId,
            @Nullable String role,
            @Nullable String delta,
            @Nullable String name,
            @JsonUnwrapped EventBase base)
            implements TextMessageEvent {

        /** Refuses other roles. */
        public Chunk {
            role = role == null ? null : requireRole(role);
        }
    }
}
