package io.holdpoint;

import io.holdpoint.store.TimeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The steps that time takes about a question while nobody answers it, for {@link ToolPolicy#timeline}. Each step happens once over all servers, and
 * never approves: {@link Holdpoint#actOnTime}.
 *
 * <pre>{@code
 * Timeline.expiresAfter(Duration.ofDays(2))
 *         .remind(Duration.ofHours(4)).warn(Duration.ofHours(2))
 *         .escalate(Duration.ofDays(1), Audience.role("manager"))
 *         .then(WhenExpired.GO_ON)
 * }</pre>
 *
 * <p>Immutable: every method returns another timeline.
 *
 * @param expiry after asking, when the question may no longer be answered; empty if it does not expire
 * @param whenExpired what happens then
 * @param steps what happens before, in any order
 */
public record Timeline(Optional<Duration> expiry, WhenExpired whenExpired, List<Step> steps) {

    private static final Duration LONGEST = Duration.ofDays(36_525);

    /**
     * A step before the end.
     *
     * @param after asking, when it is due
     * @param audience who is asked as well; empty unless the question escalates
     */
    public record Step(TimeStep.Kind kind, Duration after, Optional<Audience> audience) {

        /**
         * Refuses a kind that is not {@code REMIND}, {@code WARN} or {@code ESCALATE}, an audience of the first two, and an escalation to
         * nobody, with an {@link IllegalArgumentException}.
         */
        public Step {
            require(
                    kind == TimeStep.Kind.REMIND || kind == TimeStep.Kind.WARN || kind == TimeStep.Kind.ESCALATE,
                    "a step before the end is REMIND, WARN or ESCALATE, but is " + kind
                            + ". What happens at the end is whenExpired.");
            require(
                    audience.isPresent() == (kind == TimeStep.Kind.ESCALATE),
                    kind + " has " + audience.map(Audience::name).orElse("no audience")
                            + ": an escalation needs an audience, and nothing else has one.");
        }
    }

    /**
     * Refuses an end that is not within 100 years, a step that is not between the question and its end, and something that is to happen at
     * an end that there is not, with an {@link IllegalArgumentException}.
     */
    public Timeline {
        steps = List.copyOf(steps);
        expiry.ifPresent(end -> require(
                !end.isNegative() && !end.isZero() && end.compareTo(LONGEST) <= 0,
                "expiresAfter = \"" + end + "\" must be longer than zero and at most 100 years."));
        for (Step step : steps) {
            boolean isBetween = !step.after().isNegative()
                    && !step.after().isZero()
                    && expiry.filter(end -> step.after().compareTo(end) >= 0).isEmpty();
            require(
                    isBetween,
                    name(step.kind()) + " must be between the question and its end"
                            + expiry.map(end -> " (" + end + ")").orElse("") + ", but would be " + step.after()
                            + " after the question.");
        }
        require(
                expiry.isPresent() || whenExpired == WhenExpired.WAIT,
                "whenExpired = " + whenExpired + " has no effect: the question does not expire. Set expiresAfter.");
    }

    private static void require(boolean isRight, String message) {
        if (!isRight) {
            throw new IllegalArgumentException(message);
        }
    }

    private static String name(TimeStep.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Begins with the end, after more than no time and at most 100 years, or it is an {@link IllegalArgumentException}. A question that is
     * still open then is given up ({@link WhenExpired#GIVE_UP}), unless {@link #then} says otherwise.
     */
    public static Timeline expiresAfter(Duration duration) {
        return new Timeline(Optional.of(duration), WhenExpired.GIVE_UP, List.of());
    }

    /** Reminds the people who may decide. A time that is not before the end is an {@link IllegalArgumentException}. */
    public Timeline remind(Duration after) {
        return plus(new Step(TimeStep.Kind.REMIND, after, Optional.empty()));
    }

    /** Warns the people who may decide that the question expires. A time not after the question is an {@link IllegalArgumentException}. */
    public Timeline warn(Duration before) {
        return plus(new Step(TimeStep.Kind.WARN, expiry.orElseThrow().minus(before), Optional.empty()));
    }

    /**
     * Asks others as well. The {@link ApprovalAuthorizer} says what they may do; where the policy needs people of certain audiences, they
     * count from then on for each of them. A time that is not before the end is an {@link IllegalArgumentException}.
     */
    public Timeline escalate(Duration after, Audience audience) {
        return plus(new Step(TimeStep.Kind.ESCALATE, after, Optional.of(audience)));
    }

    /** Says what happens when the question has expired. */
    public Timeline then(WhenExpired then) {
        return new Timeline(expiry, then, steps);
    }

    private Timeline plus(Step step) {
        List<Step> all = new ArrayList<>(steps);
        all.add(step);
        return new Timeline(expiry, whenExpired, all);
    }

    /** The timeline of a call that two policies ask about: the earlier end with what happens at it, and the steps of both before it. */
    public Timeline and(Timeline other) {
        boolean isOther = other.expiry.isPresent()
                && expiry.filter(end -> end.compareTo(other.expiry.get()) <= 0).isEmpty();
        Timeline first = isOther ? other : this;
        List<Step> all = new ArrayList<>(steps);
        all.addAll(other.steps);
        all.removeIf(step ->
                first.expiry.filter(end -> step.after().compareTo(end) >= 0).isPresent());
        return new Timeline(first.expiry, first.whenExpired, all);
    }

    /** The steps of a question, in the order of their times. */
    public List<TimeStep> of(Instant askedAt) {
        List<TimeStep> all = new ArrayList<>();
        for (Step step : steps) {
            all.add(new TimeStep(
                    askedAt.plus(step.after()),
                    step.kind(),
                    step.audience().map(Audience::name).orElse(null)));
        }
        expiry.filter(end -> whenExpired != WhenExpired.WAIT)
                .ifPresent(end -> all.add(new TimeStep(
                        askedAt.plus(end),
                        whenExpired == WhenExpired.GO_ON ? TimeStep.Kind.GO_ON : TimeStep.Kind.GIVE_UP,
                        null)));
        all.sort(Comparator.comparing(TimeStep::at));
        return all;
    }
}
