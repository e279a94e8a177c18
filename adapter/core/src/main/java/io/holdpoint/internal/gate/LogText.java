package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.util.Arrays;

/** Describes a failure for the log without quoting the arguments of a call, which a redactor keeps from logs. */
final class LogText {

    private static final int MOST_CAUSES = 20;

    private LogText() {}

    /** Names the class of a failure's first cause, where it was thrown in the application, and which type Jackson expected: never its message. */
    static String of(Throwable outermost) {
        Throwable failure = outermost;
        for (int depth = 0; failure.getCause() != null && depth < MOST_CAUSES; depth++) {
            failure = failure.getCause();
        }
        String name = failure.getClass().getName();
        if (failure instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return name + ", expected " + mismatch.getTargetType().getName();
        }
        return Arrays.stream(failure.getStackTrace())
                .findFirst()
                .map(frame -> name + " at " + frame)
                .orElse(name);
    }
}
