package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/** The start or the end of a step of a run. */
public sealed interface StepEvent extends Event {

    /** The name of the step. */
    String stepName();

    /**
     * Opens a named step within a run. JSON: {@code {"type":"STEP_STARTED","stepName":…}}. Mirrors AG-UI's
     * {@code StepStartedEvent}.
     */
    @JsonTypeName("STEP_STARTED")
    record Started(String stepName, @JsonUnwrapped EventBase base) implements StepEvent, Event.Opening {

        /** Creates the event without base fields. */
        public Started(String stepName) {
            this(stepName, EventBase.NONE);
        }

        @Override
        public Finished closing() {
            return new Finished(stepName);
        }
    }

    /** Closes a named step. JSON: {@code {"type":"STEP_FINISHED","stepName":…}}. Mirrors AG-UI's {@code StepFinishedEvent}. */
    @JsonTypeName("STEP_FINISHED")
    record Finished(String stepName, @JsonUnwrapped EventBase base) implements StepEvent, Event.Closing {

        /** Creates the event without base fields. */
        public Finished(String stepName) {
            this(stepName, EventBase.NONE);
        }
    }
}
