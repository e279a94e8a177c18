package io.holdpoint.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that time does about a question, once, while nobody answers it. Immutable.
 *
 * @param audience who is asked as well; {@code null} unless the question escalates
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TimeStep(Instant at, Kind kind, @Nullable String audience) {

    /** The caller whose name time acts in. */
    public static final String TIME = "holdpoint:time";

    /** The name of a caller for people and programs: that of time is {@code time}. */
    public static String nameOf(String caller) {
        return caller.equals(TIME) ? "time" : caller;
    }

    /** The kind of a step. */
    public enum Kind {
        /** The people who may decide are reminded. */
        REMIND,
        /** They are warned that the question expires. */
        WARN,
        /** Others are asked as well. */
        ESCALATE,
        /** The question expires; if it was the last one, the batch is settled without the model. */
        GIVE_UP,
        /** The question expires, and the model is told so. */
        GO_ON;

        /** Says whether the question ends with the step. */
        public boolean isEnd() {
            return this == GIVE_UP || this == GO_ON;
        }
    }

    /** The same step of a question that is asked later. */
    public TimeStep later(Duration than) {
        return new TimeStep(at.plus(than), kind, audience);
    }

    boolean isDue(Instant now) {
        return !now.isBefore(at);
    }
}
