package io.holdpoint.people;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ProposedCall;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Lets people who may decide give a question that expires more time, for {@link io.holdpoint.HoldpointBuilder#rules} and {@link
 * io.holdpoint.ToolPolicy#rules}. A question shows {@code metadata.langchain4j.moreTime}: {@code {"by": "PT10M", "left": 2}}, how much they may give
 * each time and how often they still may. {@link Questions#moreTime} gives it. Immutable.
 *
 * @param by how much is given each time
 * @param times how often, for each call: what was given to one question is not given to the next
 */
public record MoreTime(Duration by, int times) implements Rule {

    static final String NAME = "moreTime";

    private static final Duration LONGEST = Duration.ofDays(36_525);

    /** Refuses no time, more than 100 years, and no times, with an {@link IllegalArgumentException}. */
    public MoreTime {
        if (by.isNegative() || by.isZero() || by.compareTo(LONGEST) > 0 || times < 1) {
            throw new IllegalArgumentException(
                    "more time must be longer than zero and at most 100 years, at least once: " + by + ", " + times);
        }
    }

    /** Gives this much each time, and so many times. */
    public static MoreTime of(Duration by, int times) {
        return new MoreTime(by, times);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
        int left = before.map(section -> section.path("left").asInt()).orElse(times);
        return Say.remark(
                JsonNodeFactory.instance.objectNode().put("by", by.toString()).put("left", Math.min(left, times)));
    }

    @Override
    public Set<String> unredacted() {
        return Set.of("by", "left");
    }

    /** Gives what both give. */
    @Override
    public Rule and(Rule other) {
        MoreTime their = (MoreTime) other;
        return new MoreTime(by.compareTo(their.by) <= 0 ? by : their.by, Math.min(times, their.times));
    }
}
