package io.holdpoint.internal.aiservice;

/**
 * Leaves a blocking AI Service when its batch is held. An {@code Error}, because LangChain4j tells its error listeners
 * about every {@code Exception}, and a hold is not an error.
 */
final class HoldSignal extends Error {

    private static final long serialVersionUID = 1L;

    HoldSignal() {
        super("the batch is held", null, false, false);
    }
}
