package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;

/**
 * An event of the application's own.
 *
 * <p>JSON: {@code {"type":"CUSTOM","name":…,"value":…}}. Mirrors AG-UI's {@code CustomEvent}. Immutable, so
 * thread-safe.
 *
 * @param name the name of the event
 * @param value its data, any JSON value
 * @param base the fields every event may carry
 */
public record CustomEvent(
        String name, JsonNode value, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public CustomEvent {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public CustomEvent(String name, JsonNode value) {
        this(name, value, EventBase.NONE);
    }

    @Override
    public String type() {
        return "CUSTOM";
    }
}
