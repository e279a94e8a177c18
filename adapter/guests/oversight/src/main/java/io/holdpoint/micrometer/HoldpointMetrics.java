package io.holdpoint.micrometer;

import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.oversight.Figures;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

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
 *   <li>timer {@code holdpoint.decisions}, from the question to its end: {@code tool}, {@code decision}, {@code edited}, {@code quick}
 *   <li>time gauge {@code holdpoint.notifier.lag}, gauge {@code holdpoint.notifier.undelivered}, counter
 *       {@code holdpoint.notifier.failures}, as far as this server knows: {@code agent}, {@code notifier}
 *   <li>counter {@code holdpoint.streams.dropped}, if {@link #streamDropped} is called
 *   <li>gauge {@code holdpoint.threads.unfinished}, if an agent is given to {@link #watch}
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class HoldpointMetrics implements RunObserver {

    private final MeterRegistry registry;
    private final Counter dropped;
    private final Map<String, AtomicReference<ReaderStatus>> notifiers = new ConcurrentHashMap<>();
    private final Set<Holdpoint> watched = new CopyOnWriteArraySet<>();

    private HoldpointMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.dropped = Counter.builder("holdpoint.streams.dropped")
                .description("Clients that were dropped because they did not read")
                .register(registry);
    }

    /** Creates meters in a registry, whose clock times them. */
    public static HoldpointMetrics of(MeterRegistry registry) {
        return new HoldpointMetrics(registry);
    }

    /** Counts a client that did not read: {@code agui.onDrop(metrics::streamDropped)}. */
    public void streamDropped() {
        dropped.increment();
    }

    /** Adds {@link Figures#unfinished} of an agent to the gauge: a query of its store, whenever the gauge is read. */
    public void watch(Holdpoint agent) {
        boolean isFirst = watched.isEmpty();
        watched.add(agent);
        if (isFirst) {
            Gauge.builder("holdpoint.threads.unfinished", this::unfinished)
                    .description("Threads with an unfinished turn whose run has died")
                    .register(registry);
        }
    }

    private int unfinished() {
        return watched.stream().mapToInt(Figures::unfinished).sum();
    }

    @Override
    public ObservedWork started(ObservedWork.Run run) {
        return new Timed((how, code) -> timer(
                "holdpoint.runs", "Runs, from input to last event", Tags.of("outcome", word(how), "code", word(code))));
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
    public void decided(Decided what) {
        Timer.builder("holdpoint.decisions")
                .description("From questions to what became of them")
                .tag("tool", what.toolName())
                .tag("decision", word(what.decision()))
                .tag("edited", String.valueOf(what.edited()))
                .tag("quick", String.valueOf(what.quick()))
                .register(registry)
                .record(what.waited());
    }

    @Override
    public void reader(ReaderStatus status) {
        AtomicReference<ReaderStatus> present =
                notifiers.computeIfAbsent(status.agent() + " " + status.name(), key -> meters(status));
        present.set(status);
    }

    private AtomicReference<ReaderStatus> meters(ReaderStatus first) {
        AtomicReference<ReaderStatus> present = new AtomicReference<>(first);
        Tags tags = Tags.of("agent", first.agent(), "notifier", first.name());
        TimeGauge.builder("holdpoint.notifier.lag", () -> lag(present.get()), TimeUnit.MILLISECONDS)
                .description("Since the oldest event that a notifier has not come to")
                .tags(tags)
                .register(registry);
        Gauge.builder("holdpoint.notifier.undelivered", () -> present.get().undelivered())
                .description("Notices that are not tried again")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("holdpoint.notifier.failures", present, status -> status.get()
                        .failures())
                .description("Failed calls of a notifier")
                .tags(tags)
                .register(registry);
        return present;
    }

    private long lag(ReaderStatus status) {
        long now = registry.config().clock().wallTime();
        return status.waitingSince()
                .map(since -> Math.max(0, now - since.toEpochMilli()))
                .orElse(0L);
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

    /** A run or a part of one, and the timer for its end. */
    private final class Timed implements ObservedWork {

        private final Timer.Sample sample = Timer.start(registry);
        private final BiFunction<Ending, Optional<ErrorCode>, Timer> timer;

        private Timed(BiFunction<Ending, Optional<ErrorCode>, Timer> timer) {
            this.timer = timer;
        }

        @Override
        public ObservedWork started(Part part) {
            return new Timed((how, code) -> ofPart(part, Tags.of("outcome", word(how))));
        }

        private Timer ofPart(Part part, Tags outcome) {
            return part instanceof ToolExecution tool
                    ? timer("holdpoint.tool.executions", "Executions of tools", outcome.and("tool", tool.toolName()))
                    : timer(
                            "holdpoint.model.calls",
                            "Calls of models",
                            outcome.and("provider", ((ModelCall) part).provider()));
        }

        @Override
        public void ended(Ending how, Optional<ErrorCode> code) {
            sample.stop(timer.apply(how, code));
        }
    }
}
