package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Opens a named step within a run.
 *
 * <p>JSON: {@code {"type":"STEP_STARTED","stepName":…}}. Mirrors AG-UI's {@code StepStartedEvent}. Immutable, so
 * thread-safe.
 *
 * @param stepName the name of the step
 * @param base the fields every event may carry
 */
public record StepStartedEvent(
        String stepName, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public StepStartedEvent {
        Objects.requireNonNull(stepName, "stepName");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public StepStartedEvent(String stepName) {
        this(stepName, EventBase.NONE);
    }

    @Override
    public String type() {
        return "STEP_STARTED";
    }
}
