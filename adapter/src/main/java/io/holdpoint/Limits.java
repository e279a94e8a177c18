package io.holdpoint;

/**
 * How much an agent takes in and keeps. Immutable. What exceeds a limit is refused with a message that names it, and nothing
 * is consumed.
 *
 * @param resumeEntries most resume entries of an input; 256 by default
 * @param reasonLength longest reason of a denial, in characters; 10,000 by default
 * @param argumentsLength longest canonical arguments of a call, in characters; 1,000,000 by default. A longer proposal is
 *     answered to the model without asking anybody
 * @param resultLength longest text of a tool's result, in characters; 1,000,000 by default. A longer text is cut, for the
 *     model and the record alike, and says so
 */
public record Limits(int resumeEntries, int reasonLength, int argumentsLength, int resultLength) {

    /** The defaults. */
    public static final Limits DEFAULT = new Limits(256, 10_000, 1_000_000, 1_000_000);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if one is not positive
     */
    public Limits {
        if (resumeEntries <= 0 || reasonLength <= 0 || argumentsLength <= 0 || resultLength <= 0) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }
}
