package io.holdpoint;

import java.util.function.Consumer;

/**
 * The amounts that an agent takes in and keeps. An input that exceeds a limit is refused with a message that names the limit,
 * and no answer is consumed. {@code Limits.DEFAULT.withResumeEntries(10)} changes one of them. Immutable and thread-safe: every
 * {@code with} method returns other limits, and throws an {@link IllegalArgumentException} if its value is not positive.
 *
 * <p>These limits are fixed: ids have at most {@value io.holdpoint.agui.Agui#MAX_ID_LENGTH} characters, inputs are nested at
 * most {@value io.holdpoint.agui.AguiCodec#MAX_INPUT_DEPTH} levels deep, arguments at most 100 levels, and numbers in either have
 * at most {@value io.holdpoint.agui.JsonValues#MAX_DIGITS} digits, with an exponent that is not larger. The transport limits the
 * size of a request's body.
 */
public final class Limits implements Cloneable {

    /** Largest {@link #resultLength()}: LangChain4j does not read a message again whose texts are twice as long. */
    public static final int MAX_RESULT_LENGTH = 10_000_000;

    /** Largest {@link #contentLength()}, for the same reason. */
    public static final int MAX_CONTENT_LENGTH = 10_000_000;

    /** The defaults, as the methods state them. */
    public static final Limits DEFAULT = new Limits();

    private int resumeEntries = 256;
    private int messages = 10_000;
    private int reasonLength = 10_000;
    private int callsPerMessage = 128;
    private int declinedInARow = 5;
    private int argumentsLength = 1_000_000;
    private int resultLength = 1_000_000;
    private int contentLength = MAX_CONTENT_LENGTH;
    private int stateLength = 250_000;

    private Limits() {}

    /**
     * Returns the largest number of resume entries of an input.
     *
     * @return 256 by default
     */
    public int resumeEntries() {
        return resumeEntries;
    }

    /**
     * Changes {@link #resumeEntries()}.
     *
     * @param most the largest number of resume entries of an input
     */
    public Limits withResumeEntries(int most) {
        return with(most, limits -> limits.resumeEntries = most);
    }

    /**
     * Returns the largest number of messages of an input, including those that the thread has already.
     *
     * @return 10,000 by default
     */
    public int messages() {
        return messages;
    }

    /**
     * Changes {@link #messages()}.
     *
     * @param most the largest number of messages of an input
     */
    public Limits withMessages(int most) {
        return with(most, limits -> limits.messages = most);
    }

    /**
     * Returns the largest length of a reason, comment or note in an answer.
     *
     * @return in characters; 10,000 by default
     */
    public int reasonLength() {
        return reasonLength;
    }

    /** Changes {@link #reasonLength()}. */
    public Limits withReasonLength(int longest) {
        return with(longest, limits -> limits.reasonLength = longest);
    }

    /**
     * Returns the largest number of calls of one model message. The model is told that further ones are not executed; no person
     * is asked about them.
     *
     * @return 128 by default
     */
    public int callsPerMessage() {
        return callsPerMessage;
    }

    /**
     * Changes {@link #callsPerMessage()}.
     *
     * @param most the largest number of calls of one model message
     */
    public Limits withCallsPerMessage(int most) {
        return with(most, limits -> limits.callsPerMessage = most);
    }

    /**
     * Returns the number of calls that may come to nothing one after another in one turn before the turn ends with a text
     * instead of another call of the model. Denied and cancelled calls count, their repetitions, about which no person is
     * asked, and calls that are refused without asking: arguments that do not fit, a condition that denies. An executed call
     * that needed approval starts the count again. The limit holds for AI Service methods that return a
     * {@code TokenStream}, a {@code String} or a {@code Result<String>}.
     *
     * @return 5 by default
     */
    public int declinedInARow() {
        return declinedInARow;
    }

    /**
     * Changes {@link #declinedInARow()}.
     *
     * @param most the number of calls; {@link Integer#MAX_VALUE} for no limit
     */
    public Limits withDeclinedInARow(int most) {
        return with(most, limits -> limits.declinedInARow = most);
    }

    /**
     * Returns the largest length of the arguments of a call. The model is told that a longer proposal is not executed; no person
     * is asked about it. Longer edits are refused.
     *
     * @return in characters; 1,000,000 by default
     */
    public int argumentsLength() {
        return argumentsLength;
    }

    /** Changes {@link #argumentsLength()}. */
    public Limits withArgumentsLength(int longest) {
        return with(longest, limits -> limits.argumentsLength = longest);
    }

    /**
     * Returns the largest length of the text of a tool's result, and of the media in it, in characters of their JSON (Base64 has
     * four characters for three bytes). A longer text is cut, and media beyond it are left out, for the model, the client and
     * the record alike; the result says so.
     *
     * @return in characters; 1,000,000 by default
     */
    public int resultLength() {
        return resultLength;
    }

    /**
     * Changes {@link #resultLength()}.
     *
     * @throws IllegalArgumentException if the length is not positive, or larger than {@value #MAX_RESULT_LENGTH}
     */
    public Limits withResultLength(int longest) {
        requireAtMost("resultLength", longest, MAX_RESULT_LENGTH);
        return with(longest, limits -> limits.resultLength = longest);
    }

    /**
     * Returns the largest length of a text, of media data (in characters of their Base64) or of a URL in one part of a message
     * of an input, and of its {@code context} altogether. The transport's limit for a body is usually reached before.
     *
     * @return in characters; {@value #MAX_CONTENT_LENGTH} by default
     */
    public int contentLength() {
        return contentLength;
    }

    /**
     * Changes {@link #contentLength()}.
     *
     * @throws IllegalArgumentException if the length is not positive, or larger than {@value #MAX_CONTENT_LENGTH}
     */
    public Limits withContentLength(int longest) {
        requireAtMost("contentLength", longest, MAX_CONTENT_LENGTH);
        return with(longest, limits -> limits.contentLength = longest);
    }

    /**
     * Returns the largest length of a thread's shared state. The default is small because clients send the state with every
     * input. A client that sends a longer state is refused, and so is a tool that makes it longer.
     *
     * @return in characters of its JSON; 250,000 by default
     */
    public int stateLength() {
        return stateLength;
    }

    /**
     * Changes {@link #stateLength()}.
     *
     * @param longest the largest length, in characters of its JSON
     */
    public Limits withStateLength(int longest) {
        return with(longest, limits -> limits.stateLength = longest);
    }

    private Limits with(int value, Consumer<Limits> change) {
        if (value <= 0) {
            throw new IllegalArgumentException("limits must be positive, but one is " + value);
        }
        Limits copy = clone();
        change.accept(copy);
        return copy;
    }

    private static void requireAtMost(String limit, int value, int most) {
        if (value > most) {
            throw new IllegalArgumentException(limit + " must be at most " + most);
        }
    }

    @Override
    protected Limits clone() {
        try {
            return (Limits) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
