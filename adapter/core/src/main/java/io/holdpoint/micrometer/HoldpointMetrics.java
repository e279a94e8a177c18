package io.holdpoint.micrometer;

import io.holdpoint.ErrorCode;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.RunObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Meters of agents' work, given to {@link io.holdpoint.HoldpointBuilder#observers}. Several agents may share one, which adds up
 * their figures then. Timers have the unit of the registry. Every tag has few values: words of this library in lower case,
 * names of tools and providers.
 *
 * <ul>
 *   <li>timer {@code holdpoint.runs}: {@code outcome} and, if it is {@code failed}, {@code code}; {@code none} otherwise
 *   <li>timer {@code holdpoint.model.calls}: {@code provider}, {@code outcome}
 *   <li>timer {@code holdpoint.tool.executions}: {@code tool}, {@code outcome}
 *   <li>counter {@code holdpoint.questions}: {@code tool}
 *   <li>timer {@code holdpoint.decisions}, from the question to its end: {@code tool}, {@code decision}
 *   <li>counter {@code holdpoint.streams.dropped}, if {@link #streamDropped} is called
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class HoldpointMetrics implements RunObserver {

    private final MeterRegistry registry;
    private final Counter dropped;

    private HoldpointMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.dropped = Counter.builder("holdpoint.streams.dropped")
                .description("Clients that were dropped because they did not read")
                .register(registry);
    }

    /**
     * Creates meters.
     *
     * @param registry the registry of the meters; its clock times them
     * @return the observer, for one agent or several
     */
    public static HoldpointMetrics of(MeterRegistry registry) {
        return new HoldpointMetrics(registry);
    }

    /** Counts a client that did not read: {@code agui.onDrop(metrics::streamDropped)}. */
    public void streamDropped() {
        dropped.increment();
    }

    @Override
    public ObservedWork started(ObservedWork.Run run) {
        return new TimedRun(Timer.start(registry));
    }

    @Override
    public void asked(String toolName) {
        Counter.builder("holdpoint.questions")
                .description("Questions to people")
                .tag("tool", toolName)
                .register(registry)
                .increment();
    }

    @Override
    public void decided(String toolName, Decision decision, Duration waited) {
        Timer.builder("holdpoint.decisions")
                .description("From questions to what became of them")
                .tag("tool", toolName)
                .tag("decision", word(decision))
                .register(registry)
                .record(waited);
    }

    private Timer timer(String name, String description, Tags tags) {
        return Timer.builder(name).description(description).tags(tags).register(registry);
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static String word(Optional<ErrorCode> code) {
        return code.map(Enum::name).orElse("none");
    }

    private final class TimedRun implements ObservedWork {

        private final Timer.Sample sample;

        private TimedRun(Timer.Sample sample) {
            this.sample = sample;
        }

        @Override
        public ObservedWork started(Part part) {
            return new TimedPart(part, Timer.start(registry));
        }

        @Override
        public void ended(Ending how, Optional<ErrorCode> code) {
            Tags tags = Tags.of("outcome", word(how), "code", word(code));
            sample.stop(timer("holdpoint.runs", "Runs, from input to last event", tags));
        }
    }

    private final class TimedPart implements ObservedWork {

        private final Part part;
        private final Timer.Sample sample;

        private TimedPart(Part part, Timer.Sample sample) {
            this.part = part;
            this.sample = sample;
        }

        @Override
        public void ended(Ending how, Optional<ErrorCode> code) {
            Tags outcome = Tags.of("outcome", word(how));
            if (part instanceof ModelCall call) {
                sample.stop(
                        timer("holdpoint.model.calls", "Calls of models", outcome.and("provider", call.provider())));
            } else if (part instanceof ToolExecution execution) {
                Tags tags = outcome.and("tool", execution.toolName());
                sample.stop(timer("holdpoint.tool.executions", "Executions of tools", tags));
            }
        }
    }
}
