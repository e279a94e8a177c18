package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An event whose content AG-UI leaves open. */
public sealed interface FreeEvent extends Event {

    /**
     * Passes an event of the provider through untranslated. JSON: {@code {"type":"RAW","event":…,"source"?:…}}. Mirrors
     * AG-UI's {@code RawEvent}.
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
     * An event of the application's own. JSON: {@code {"type":"CUSTOM","name":…,"value":…}}. Mirrors AG-UI's
     * {@code CustomEvent}.
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
