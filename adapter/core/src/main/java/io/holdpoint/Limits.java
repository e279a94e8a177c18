package io.holdpoint;

/**
 * The amounts that an agent takes in and keeps. An input that exceeds a limit is refused with a message that names the limit,
 * and no answer is consumed. {@code Limits.DEFAULT.withMessages(1_000)} changes one of them. Immutable.
 *
 * <p>Besides the constants here, these limits are fixed: ids have at most {@value io.holdpoint.agui.Agui#MAX_ID_LENGTH} characters,
 * inputs are nested at most {@value io.holdpoint.agui.AguiCodec#MAX_INPUT_DEPTH} levels deep, arguments at most 100 levels, and
 * numbers in either have at most {@value io.holdpoint.agui.JsonValues#MAX_DIGITS} digits, with an exponent that is not larger. The
 * transport limits the size of a request's body.
 *
 * @param messages the largest number of messages of an input, including those that the thread has already; 10,000 by default
 * @param stateLength the largest length of a thread's shared state, in characters of its JSON; 250,000 by default. The default is
 *     small because clients send the state with every input. A client that sends a longer state is refused, and so is a tool that
 *     makes it longer
 * @param resultLength the largest length of the text of a tool's result, and of the media in it, in characters of their JSON (Base64
 *     has four characters for three bytes); 1,000,000 by default. A longer text is cut, and media beyond it are left out, for the
 *     model, the client and the record alike; the result says so
 * @param declinedInARow the number of calls that may come to nothing one after another in one turn before the turn ends with a text
 *     instead of another call of the model; 5 by default, {@link Integer#MAX_VALUE} for no limit. Denied and cancelled calls count,
 *     their repetitions, about which no person is asked, and calls that are refused without asking: arguments that do not fit, a
 *     condition that denies. An executed call that needed approval starts the count again. The limit holds for AI Service methods
 *     that return a {@code TokenStream}, a {@code String} or a {@code Result<String>}
 * @param questionsPerTurn the calls that people are asked about in one turn, in whatever runs of it; {@link Integer#MAX_VALUE}, the
 *     default, for no limit. A further call of which somebody would have to be asked is not executed, nobody is asked, and the model is
 *     told to come to an end or to ask the user. Only the question about a proposal counts, whatever its answer: not those that follow it about the
 *     same call (an edit for somebody else, a failure, an unknown outcome), nor those of an agent that works in a tool, which has limits
 *     of its own. The count begins anew with the user's next message
 * @param tokensPerTurn the tokens, as the model's answers report them ({@code ChatResponse.tokenUsage}), after which a turn asks its
 *     model no longer, in whatever run of it; {@link Long#MAX_VALUE}, the default, for no limit. An answer is counted when it has come,
 *     so the last one may pass the limit. Answers that failed a run count, rules, and agents that work in tools. The run
 *     ends with {@link ErrorCode#TOO_MANY_TOKENS}; what was done is kept
 * @param tokensPerDay the same for a caller and a day of the agent's clock, over all threads that the caller has with this agent and all its
 *     nodes, whoever answers the questions on them: {@link ErrorCode#TOKENS_USED_UP}. Runs that are active at the same time may pass it by
 *     one answer each
 */
public record Limits(
        int messages,
        int stateLength,
        int resultLength,
        int declinedInARow,
        int questionsPerTurn,
        long tokensPerTurn,
        long tokensPerDay) {

    /** Largest number of resume entries of an input. */
    public static final int RESUME_ENTRIES = 256;

    /** Largest length of a reason, comment or note in an answer, in characters. */
    public static final int REASON_LENGTH = 10_000;

    /** Largest number of calls of one model message. The model is told that further ones are not executed; nobody is asked. */
    public static final int CALLS_PER_MESSAGE = 128;

    /**
     * Largest length of the arguments of a call, in characters. The model is told that a longer proposal is not executed; nobody is
     * asked. Longer edits are refused.
     */
    public static final int ARGUMENTS_LENGTH = 1_000_000;

    /**
     * Largest length of a text, of media data (in characters of their Base64) or of a URL in one part of a message of an input, and
     * of its {@code context} altogether. LangChain4j does not read a message again whose texts are twice as long.
     */
    public static final int CONTENT_LENGTH = 10_000_000;

    /** Largest {@link #resultLength}, for the same reason. */
    public static final int MAX_RESULT_LENGTH = 10_000_000;

    /** The defaults. */
    public static final Limits DEFAULT =
            new Limits(10_000, 250_000, 1_000_000, 5, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if one is not positive, or {@code resultLength} larger than {@value #MAX_RESULT_LENGTH}
     */
    public Limits {
        requirePositive("messages", messages);
        requirePositive("stateLength", stateLength);
        requirePositive("resultLength", resultLength);
        requirePositive("declinedInARow", declinedInARow);
        requirePositive("questionsPerTurn", questionsPerTurn);
        requirePositive("tokensPerTurn", tokensPerTurn);
        requirePositive("tokensPerDay", tokensPerDay);
        if (resultLength > MAX_RESULT_LENGTH) {
            throw new IllegalArgumentException("resultLength must be at most " + MAX_RESULT_LENGTH);
        }
    }

    private static void requirePositive(String name, long limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException(name + " must be positive, but is " + limit);
        }
    }

    /** Changes {@link #messages()}. */
    public Limits withMessages(int most) {
        return new Limits(
                most, stateLength, resultLength, declinedInARow, questionsPerTurn, tokensPerTurn, tokensPerDay);
    }

    /** Changes {@link #stateLength()}. */
    public Limits withStateLength(int longest) {
        return new Limits(
                messages, longest, resultLength, declinedInARow, questionsPerTurn, tokensPerTurn, tokensPerDay);
    }

    /** Changes {@link #resultLength()}. */
    public Limits withResultLength(int longest) {
        return new Limits(
                messages, stateLength, longest, declinedInARow, questionsPerTurn, tokensPerTurn, tokensPerDay);
    }

    /** Changes {@link #declinedInARow()}. */
    public Limits withDeclinedInARow(int most) {
        return new Limits(messages, stateLength, resultLength, most, questionsPerTurn, tokensPerTurn, tokensPerDay);
    }

    /** Changes {@link #questionsPerTurn()}. */
    public Limits withQuestionsPerTurn(int most) {
        return new Limits(messages, stateLength, resultLength, declinedInARow, most, tokensPerTurn, tokensPerDay);
    }

    /** Changes {@link #tokensPerTurn()}. */
    public Limits withTokensPerTurn(long most) {
        return new Limits(messages, stateLength, resultLength, declinedInARow, questionsPerTurn, most, tokensPerDay);
    }

    /** Changes {@link #tokensPerDay()}. */
    public Limits withTokensPerDay(long most) {
        return new Limits(messages, stateLength, resultLength, declinedInARow, questionsPerTurn, tokensPerTurn, most);
    }
}
