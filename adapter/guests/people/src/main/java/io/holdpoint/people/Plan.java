package io.holdpoint.people;

import com.fasterxml.jackson.databind.node.ObjectNode;
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

    private final Object shown;
    private final Map<String, Object> facts;
    private final Map<String, ObjectNode> within;
    private final Optional<Duration> validFor;

    private Plan(Object shown, Map<String, Object> facts, Map<String, ObjectNode> within, Optional<Duration> validFor) {
        this.shown = shown;
        this.facts = facts;
        this.within = within;
        this.validFor = validFor;
    }

    /**
     * Shows what the call would do. Without facts, nothing is compared when it runs, and a person is asked again about edits only.
     *
     * @param shown anything that Jackson writes as JSON without modules: a record, a map, a list, a text, a number, a {@code JsonNode}
     */
    public static Plan of(Object shown) {
        return new Plan(Objects.requireNonNull(shown, "a plan shows something"), Map.of(), Map.of(), Optional.empty());
    }

    /**
     * Adds a fact that must be the same when the call runs. Numbers are the same if they are as large: 1.0 is 1.
     *
     * @param fact its name, as a person reads it
     * @param value anything that Jackson writes as JSON without modules, or a date or time of {@code java.time}; {@code null} is a value
     */
    public Plan holds(String fact, @Nullable Object value) {
        Object written = value instanceof TemporalAccessor time ? time.toString() : value;
        return new Plan(shown, with(facts, fact, written), within, validFor);
    }

    /** Adds a number that may differ by some tolerance when the call runs, from the one that was shown. */
    public Plan holdsWithin(String fact, Number value, Tolerance tolerance) {
        Map<String, Object> all = with(facts, fact, Objects.requireNonNull(value));
        return new Plan(shown, all, with(within, fact, tolerance.written()), validFor);
    }

    private static <V> Map<String, V> with(Map<String, V> before, String name, V value) {
        if (before.containsKey(name)) {
            throw new IllegalArgumentException("the plan has two facts of the name \"" + name + "\"");
        }
        Map<String, V> all = new LinkedHashMap<>(before);
        all.put(name, value);
        return all;
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
        return new Plan(shown, facts, within, Optional.of(time));
    }

    /** The parts as they are written. */
    Map<String, Object> written() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("plan", shown);
        all.put("facts", facts);
        if (!within.isEmpty()) {
            all.put("within", within);
        }
        validFor.ifPresent(time -> all.put("validFor", time.toString()));
        return all;
    }
}
