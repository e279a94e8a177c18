package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Closes a named step.
 *
 * <p>JSON: {@code {"type":"STEP_FINISHED","stepName":…}}. Mirrors AG-UI's {@code StepFinishedEvent}. Immutable, so
 * thread-safe.
 *
 * @param stepName the name of the step
 * @param base the fields every event may carry
 */
public record StepFinishedEvent(
        String stepName, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public StepFinishedEvent {
        Objects.requireNonNull(stepName, "stepName");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public StepFinishedEvent(String stepName) {
        this(stepName, EventBase.NONE);
    }

    @Override
    public String type() {
        return "STEP_FINISHED";
    }
}
