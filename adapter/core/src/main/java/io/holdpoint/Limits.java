package io.holdpoint;

/**
 * How much an agent takes in and keeps. Immutable. What exceeds a limit is refused with a message that names it, and nothing
 * is consumed. {@code Limits.DEFAULT.withResumeEntries(10)} changes one of them.
 *
 * <p>Not to be changed are: ids of at most {@value io.holdpoint.agui.Agui#MAX_ID_LENGTH} characters, inputs nested at most
 * {@value io.holdpoint.agui.AguiCodec#MAX_INPUT_DEPTH} levels deep, arguments of at most 100 levels, and numbers in either of
 * at most {@value io.holdpoint.agui.JsonValues#MAX_DIGITS} digits, with an exponent that is not larger. The size of a request's body is the transport's affair.
 *
 * @param resumeEntries most resume entries of an input; 256 by default
 * @param messages most messages of an input, those that are known already included; 10,000 by default
 * @param reasonLength longest reason or note in an answer, in characters; 10,000 by default
 * @param callsPerMessage most calls of one model message; 128 by default. Further ones are answered to the model, without
 *     running them and without asking anybody
 * @param argumentsLength longest arguments of a call, in characters; 1,000,000 by default. A longer proposal is answered
 *     to the model without asking anybody; longer edits are refused
 * @param declinedInARow how many calls of one turn a person may decline one after another before the turn ends with a text
 *     instead of asking the model again; 5 by default. Counts what was declined or let go of, and repetitions of that, which
 *     nobody is asked about; an executed call that needed approval starts the count again. For AI Service methods that return
 *     a {@code TokenStream}, a {@code String} or a {@code Result<String>}
 * @param resultLength longest text of a tool's result, in characters, and longest media in it, in characters of their JSON
 *     (Base64 has four for three bytes); 1,000,000 by default, {@value #MAX_RESULT_LENGTH} at most. A longer text is cut,
 *     and media beyond it are left out, for the model, the client and the record alike; the result says so
 * @param contentLength longest text, media data (in characters of their Base64) or URL in one part of a message of an input,
 *     and of its {@code context} altogether; {@value #MAX_CONTENT_LENGTH} by default, and at most. The largest body of a request
 *     usually ends before that
 * @param stateLength longest shared state of a thread, in characters of its JSON; 250,000 by default, because clients send
 *     it with every input. A client that sends
 *     a longer one is refused, and so is a tool that makes it longer
 */
public record Limits(
        int resumeEntries,
        int messages,
        int reasonLength,
        int callsPerMessage,
        int declinedInARow,
        int argumentsLength,
        int resultLength,
        int contentLength,
        int stateLength) {

    /** Longest results that can be asked for: LangChain4j does not read a message again whose texts are twice as long. */
    public static final int MAX_RESULT_LENGTH = 10_000_000;

    /** Longest content that can be asked for, for the same reason. */
    public static final int MAX_CONTENT_LENGTH = 10_000_000;

    /** The defaults. */
    public static final Limits DEFAULT =
            new Limits(256, 10_000, 10_000, 128, 5, 1_000_000, 1_000_000, MAX_CONTENT_LENGTH, 250_000);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if one is not positive, {@code resultLength} is larger than
     *     {@value #MAX_RESULT_LENGTH}, or {@code contentLength} larger than {@value #MAX_CONTENT_LENGTH}
     */
    public Limits {
        if (Math.min(Math.min(resumeEntries, messages), reasonLength) <= 0
                || Math.min(Math.min(callsPerMessage, argumentsLength), Math.min(declinedInARow, resultLength)) <= 0
                || Math.min(contentLength, stateLength) <= 0) {
            throw new IllegalArgumentException("limits must be positive");
        }
        if (resultLength > MAX_RESULT_LENGTH) {
            throw new IllegalArgumentException("resultLength must be at most " + MAX_RESULT_LENGTH);
        }
        if (contentLength > MAX_CONTENT_LENGTH) {
            throw new IllegalArgumentException("contentLength must be at most " + MAX_CONTENT_LENGTH);
        }
    }

    /**
     * With another number of resume entries.
     *
     * @param most resume entries of an input
     * @return the other limits
     */
    public Limits withResumeEntries(int most) {
        return new Limits(
                most,
                messages,
                reasonLength,
                callsPerMessage,
                declinedInARow,
                argumentsLength,
                resultLength,
                contentLength,
                stateLength);
    }

    /**
     * With another number of messages.
     *
     * @param most messages of an input
     * @return the other limits
     */
    public Limits withMessages(int most) {
        return new Limits(
                resumeEntries,
                most,
                reasonLength,
                callsPerMessage,
                declinedInARow,
                argumentsLength,
                resultLength,
                contentLength,
                stateLength);
    }

    /**
     * With another length of reasons.
     *
     * @param longest reason, in characters
     * @return the other limits
     */
    public Limits withReasonLength(int longest) {
        return new Limits(
                resumeEntries,
                messages,
                longest,
                callsPerMessage,
                declinedInARow,
                argumentsLength,
                resultLength,
                contentLength,
                stateLength);
    }

    /**
     * With another number of calls.
     *
     * @param most calls of one model message
     * @return the other limits
     */
    public Limits withCallsPerMessage(int most) {
        return new Limits(
                resumeEntries,
                messages,
                reasonLength,
                most,
                declinedInARow,
                argumentsLength,
                resultLength,
                contentLength,
                stateLength);
    }

    /**
     * With another number of declined calls.
     *
     * @param most calls that may be declined one after another; {@link Integer#MAX_VALUE} for no limit
     * @return the other limits
     */
    public Limits withDeclinedInARow(int most) {
        return new Limits(
                resumeEntries,
                messages,
                reasonLength,
                callsPerMessage,
                most,
                argumentsLength,
                resultLength,
                contentLength,
                stateLength);
    }

    /**
     * With another length of arguments.
     *
     * @param longest arguments, in characters
     * @return the other limits
     */
    public Limits withArgumentsLength(int longest) {
        return new Limits(
                resumeEntries,
                messages,
                reasonLength,
                callsPerMessage,
                declinedInARow,
                longest,
                resultLength,
                contentLength,
                stateLength);
    }

    /**
     * With another length of results.
     *
     * @param longest text of a result, and longest media, in characters
     * @return the other limits
     */
    public Limits withResultLength(int longest) {
        return new Limits(
                resumeEntries,
                messages,
                reasonLength,
                callsPerMessage,
                declinedInARow,
                argumentsLength,
                longest,
                contentLength,
                stateLength);
    }

    /**
     * With another length of contents.
     *
     * @param longest part of a message, and context, in characters
     * @return the other limits
     */
    public Limits withContentLength(int longest) {
        return new Limits(
                resumeEntries,
                messages,
                reasonLength,
                callsPerMessage,
                declinedInARow,
                argumentsLength,
                resultLength,
                longest,
                stateLength);
    }

    /**
     * With another length of shared states.
     *
     * @param longest shared state, in characters of its JSON
     * @return the other limits
     */
    public Limits withStateLength(int longest) {
        return new Limits(
                resumeEntries,
                messages,
                reasonLength,
                callsPerMessage,
                declinedInARow,
                argumentsLength,
                resultLength,
                contentLength,
                longest);
    }
}
