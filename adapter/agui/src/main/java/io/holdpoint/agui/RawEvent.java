package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Passes an event of the provider through untranslated.
 *
 * <p>JSON: {@code {"type":"RAW","event":…,"source"?:…}}. Mirrors AG-UI's {@code RawEvent}. Immutable, so thread-safe.
 *
 * @param event the event of the provider, any JSON value
 * @param source where it came from; {@code null} if absent
 * @param base the fields every event may carry
 */
public record RawEvent(
        JsonNode event,
        @Nullable String source,
        @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public RawEvent {
        Objects.requireNonNull(event, "event");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public RawEvent(JsonNode event, @Nullable String source) {
        this(event, source, EventBase.NONE);
    }

    @Override
    public String type() {
        return "RAW";
    }
}
