package io.holdpoint.internal.turn;

/**
 * Carries an exception that is the failure of the turn, and not of a tool, out of a tool's executor. An {@code Error},
 * because LangChain4j tells the model about every {@code Exception} as if it were the tool's result.
 */
public final class TurnFailure extends Error {

    private static final long serialVersionUID = 1L;

    public TurnFailure(RuntimeException cause) {
        super(cause.toString(), cause, false, false);
    }

    /** What went wrong, without the wrapping that brought it here. */
    static Throwable unwrap(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            Throwable carried = each.getCause();
            if (each instanceof TurnFailure && carried != null) {
                return carried;
            }
        }
        return failure;
    }
}
