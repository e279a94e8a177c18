package io.holdpoint.people;

import java.time.Duration;
import java.time.temporal.TemporalAccessor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a call: what it would do, as a person sees it, and the facts that must be the same when it runs. Immutable.
 */
public final class Plan {

    private final Object value;
    private final Map<String, Fact> facts;
    private final Optional<Duration> validFor;

    private record Fact(@Nullable Object value, Optional<Tolerance> within) {}

    private Plan(Object value, Map<String, Fact> facts, Optional<Duration> validFor) {
        this.value = value;
        this.facts = facts;
        this.validFor = validFor;
    }

    /**
     * Shows what the call would do. Without facts, nothing is compared when it runs, and a person is asked again about edits only.
     *
     * @param shown anything that Jackson writes as JSON without modules: a record, a map, a list, a text, a number, a {@code JsonNode}
     */
    public static Plan of(Object shown) {
        return new Plan(Objects.requireNonNull(shown, "a plan shows something"), Map.of(), Optional.empty());
    }

    /**
     * Adds a fact that must be the same when the call runs. Numbers are the same if they are as large: 1.0 is 1.
     *
     * @param fact its name, as a person reads it
     * @param value anything that Jackson writes as JSON without modules, or a date or time of {@code java.time}; {@code null} is a value
     */
    public Plan holds(String fact, @Nullable Object value) {
        return with(fact, new Fact(value, Optional.empty()));
    }

    /** Adds a number that may differ by some tolerance when the call runs, from the one that was shown. */
    public Plan holdsWithin(String fact, Number value, Tolerance tolerance) {
        return with(fact, new Fact(Objects.requireNonNull(value), Optional.of(tolerance)));
    }

    private Plan with(String name, Fact fact) {
        Map<String, Fact> all = new LinkedHashMap<>(facts);
        if (all.put(name, fact) != null) {
            throw new IllegalArgumentException("the plan has two facts of the name \"" + name + "\"");
        }
        return new Plan(value, all, validFor);
    }

    /**
     * Sets the time after asking within which the call may run; after it, the question is asked again. By default, there is no limit.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Plan validFor(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("validFor(" + time + ") must be positive, such as PT4H");
        }
        return new Plan(value, facts, Optional.of(time));
    }

    /** The parts as they are written. */
    Map<String, Object> written() {
        Map<String, Object> values = new LinkedHashMap<>();
        Map<String, Object> within = new LinkedHashMap<>();
        facts.forEach((name, fact) -> {
            values.put(name, fact.value instanceof TemporalAccessor time ? time.toString() : fact.value);
            fact.within.ifPresent(tolerance -> within.put(name, tolerance.written()));
        });
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("plan", value);
        all.put("facts", values);
        if (!within.isEmpty()) {
            all.put("within", within);
        }
        validFor.ifPresent(time -> all.put("validFor", time.toString()));
        return all;
    }
}
