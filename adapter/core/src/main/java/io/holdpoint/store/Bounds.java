package io.holdpoint.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The bounds within which calls like an approved one need no question, see {@link io.holdpoint.ToolPolicy#rememberWithin}: the developer
 * says which arguments may be bounded, the person who approves chooses the numbers. Immutable.
 *
 * <p>{@code Bounds.same("vendor", "currency").sum("amount", Duration.ofDays(1)).count(20)}: calls with the vendor and the currency of the
 * approved call, up to an amount in any 24 hours that the person names, and 20 calls at most. A part of an argument has a path:
 * {@code same("payment.vendor").sum("payment.amount", ...)}, with the names that a person is shown.
 *
 * @param same the arguments that must be those of the approved call
 * @param sum the argument whose values are added up
 * @param count the most calls in all
 * @param perOwner whether the calls of all threads of the owner with the agent count together, and need no question there; else each
 *     thread is counted apart, and its calls only need none
 */
public record Bounds(
        List<String> same,
        Optional<Sum> sum,
        Optional<Integer> count,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean perOwner) {

    /**
     * A sum of the values of an argument.
     *
     * @param argument a number, which is added up as a decimal one
     * @param seconds the time that counts, back from each call
     */
    public record Sum(String argument, long seconds) {

        /** The time that counts. */
        public Duration per() {
            return Duration.ofSeconds(seconds);
        }
    }

    /** Copies the list. */
    public Bounds {
        same = List.copyOf(same);
    }

    /** Begins with the arguments, or parts of them, that must be those of the approved call. The currency of an amount is one of them. */
    public static Bounds same(String... arguments) {
        return new Bounds(List.of(arguments), Optional.empty(), Optional.empty(), false);
    }

    /**
     * Bounds the sum of an argument: the answer says how much.
     *
     * @param argument a required number, or a path to one that every call has. A call with a negative one is asked about
     * @param per whole seconds
     * @throws IllegalArgumentException if the time is shorter than a second
     */
    public Bounds sum(String argument, Duration per) {
        if (per.toSeconds() <= 0) {
            throw new IllegalArgumentException(
                    "sum(\"" + argument + "\", " + per + "): the time must be a second or more");
        }
        return new Bounds(same, Optional.of(new Sum(argument, per.toSeconds())), count, perOwner);
    }

    /**
     * Bounds the number of calls.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Bounds count(int most) {
        if (most <= 0) {
            throw new IllegalArgumentException("count(" + most + ") must be positive");
        }
        return new Bounds(same, sum, Optional.of(most), perOwner);
    }

    /**
     * Lets an approval count on all threads of the thread's owner with the agent, where all calls are added up: who answers decides about
     * those conversations too. Owners who are {@linkplain io.holdpoint.Caller#ANONYMOUS anonymous} are nobody in particular: theirs count on
     * their own thread.
     */
    public Bounds ofOwner() {
        return new Bounds(same, sum, count, true);
    }
}
