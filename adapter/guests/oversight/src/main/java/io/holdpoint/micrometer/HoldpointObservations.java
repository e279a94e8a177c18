package io.holdpoint.micrometer;

import io.holdpoint.ErrorCode;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.RunObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Optional;

/**
 * Observations of agents' work, which become spans where a tracer listens (OpenTelemetry's or Brave's, by Micrometer Tracing).
 * Given to {@link io.holdpoint.HoldpointBuilder#observers}.
 *
 * <ul>
 *   <li>{@code holdpoint.run}: {@code outcome} and, if it is {@code failed}, {@code code}; {@code none} otherwise. Its parent is
 *       the observation that is current where the run is asked for, if there is one
 *   <li>{@code holdpoint.model}, a part of it: {@code provider}, {@code outcome}
 *   <li>{@code holdpoint.tool}, a part of it: {@code tool}, {@code outcome}; it is current in the tool's body
 * </ul>
 *
 * <p>They carry no texts, arguments, ids or messages of exceptions: a failed one has an error that names its outcome or code.
 * Thread-safe.
 */
public final class HoldpointObservations implements RunObserver {

    private final ObservationRegistry registry;

    private HoldpointObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    /** Creates observations. */
    public static HoldpointObservations of(ObservationRegistry registry) {
        return new HoldpointObservations(registry);
    }

    @Override
    public ObservedWork started(ObservedWork.Run run) {
        return new Observed(Observation.createNotStarted("holdpoint.run", registry), true);
    }

    /** Marks a failure for tracers: the exception itself may quote data that must not leave the process. */
    private static final class FailedWork extends Exception {

        private static final long serialVersionUID = 1L;

        private FailedWork(String why) {
            super(why, null, false, false);
        }
    }

    private final class Observed implements ObservedWork {

        private final Observation observation;
        private final boolean run;

        private Observed(Observation observation, boolean run) {
            this.observation = observation.start();
            this.run = run;
        }

        @Override
        public ObservedWork started(Part part) {
            Observation created = part instanceof ToolExecution tool
                    ? Observation.createNotStarted("holdpoint.tool", registry)
                            .lowCardinalityKeyValue("tool", tool.toolName())
                    : Observation.createNotStarted("holdpoint.model", registry)
                            .lowCardinalityKeyValue("provider", ((ModelCall) part).provider());
            return new Observed(created.parentObservation(observation), false);
        }

        @Override
        public Scope open() {
            Observation.Scope scope = observation.openScope();
            return scope::close;
        }

        @Override
        public void ended(Ending how, Optional<ErrorCode> code) {
            observation.lowCardinalityKeyValue("outcome", HoldpointMetrics.word(how));
            if (run) {
                observation.lowCardinalityKeyValue("code", HoldpointMetrics.word(code));
            }
            if (how == Ending.FAILED) {
                observation.error(new FailedWork(code.map(Enum::name).orElseGet(() -> HoldpointMetrics.word(how))));
            }
            observation.stop();
        }
    }
}
