package io.holdpoint.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Describes failures for the log, and for what is stored beside the record, without quoting the arguments of a call: a redactor keeps them
 * from there, and code that is given arguments may quote them when it throws.
 */
public final class LogText {

    private static final int MOST_CAUSES = 20;

    /** Shorter values are in any text. */
    private static final int SHORTEST_VALUE = 3;

    private LogText() {}

    /** An exception of the library whose message quotes nothing. */
    public interface QuotesNothing {}

    /** Names the class of a failure's first cause, where it was thrown in the application, and which type Jackson expected: never its message. */
    public static String of(Throwable outermost) {
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

    /** The failure of code that was given arguments, for the log: classes and stack traces, and no messages. */
    public static Throwable silent(Throwable failure) {
        return new Silent(failure, 0);
    }

    /** A failure as it is, if no message in it quotes a value of these arguments; else {@link #silent}. */
    public static Throwable silentIfQuoting(Throwable failure, Stream<JsonNode> arguments) {
        List<String> values = arguments
                .flatMap(LogText::values)
                .filter(value -> value.length() >= SHORTEST_VALUE)
                .toList();
        Throwable each = failure;
        for (int depth = 0; each != null && depth < MOST_CAUSES; depth++, each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            if (values.stream().anyMatch(message::contains)) {
                return silent(failure);
            }
        }
        return failure;
    }

    private static Stream<String> values(JsonNode value) {
        return value.isContainerNode() ? value.valueStream().flatMap(LogText::values) : Stream.of(value.asText());
    }

    private static final class Silent extends Throwable {

        private static final long serialVersionUID = 1L;

        private final String text;

        Silent(Throwable failure, int depth) {
            super(
                    null,
                    Optional.ofNullable(failure.getCause())
                            .filter(any -> depth < MOST_CAUSES)
                            .map(cause -> new Silent(cause, depth + 1))
                            .orElse(null),
                    false,
                    true);
            text = failure instanceof Silent || failure instanceof QuotesNothing
                    ? failure.toString()
                    : failure.getClass().getName();
            setStackTrace(failure.getStackTrace());
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
