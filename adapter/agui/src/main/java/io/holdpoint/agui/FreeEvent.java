package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event whose content AG-UI leaves open. Immutable, so thread-safe, as long as the JSON trees are not changed afterwards.
 */
public sealed interface FreeEvent extends Event {

    /**
     * Passes an event of the provider through untranslated.
     *
     * <p>JSON: {@code {"type":"RAW","event":…,"source"?:…}}. Mirrors AG-UI's {@code RawEvent}.
     *
     * @param event the event of the provider, any JSON value
     */
    @JsonTypeName("RAW")
    record Raw(
            JsonNode event,
            @Nullable String source,
            @JsonUnwrapped EventBase base) implements FreeEvent {

        /** Checks that the required fields are there. */
        public Raw {
            Objects.requireNonNull(event, "event");
            Objects.requireNonNull(base, "base");
        }

        /** Creates the event without base fields. */
        public Raw(JsonNode event, @Nullable String source) {
            this(event, source, EventBase.NONE);
        }

        @Override
        public int contentLength() {
            return event.toString().length();
        }
    }

    /**
     * An event of the application's own.
     *
     * <p>JSON: {@code {"type":"CUSTOM","name":…,"value":…}}. Mirrors AG-UI's {@code CustomEvent}.
     *
     * @param value its data, any JSON value
     */
    @JsonTypeName("CUSTOM")
    record Custom(
            String name, JsonNode value, @JsonUnwrapped EventBase base) implements FreeEvent {

        /** Checks that the required fields are there. */
        public Custom {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(base, "base");
        }

        /** Creates the event without base fields. */
        public Custom(String name, JsonNode value) {
            this(name, value, EventBase.NONE);
        }

        @Override
        public int contentLength() {
            return value.toString().length();
        }
    }
}
