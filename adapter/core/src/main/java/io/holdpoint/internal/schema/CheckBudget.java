package io.holdpoint.internal.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The work of one check, bounded in steps instead of time, so that the same answer always gives the same result. A step is
 * roughly one look at a character of a text. Belongs to the thread that makes the check; not thread-safe.
 */
final class CheckBudget {

    /** Some tenths of a second; an approval with large arguments takes a hundredth of it. */
    static final int MAX_STEPS = 20_000_000;

    private static final int STEPS_PER_KEYWORD = 20;
    private static final int STEPS_PER_ERROR = 1_000;

    /** The validator hands neither its context nor the check to a regular expression. */
    private static final ThreadLocal<CheckBudget> CURRENT = new ThreadLocal<>();

    private long left;
    private @Nullable RuntimeException givenUp;

    private CheckBudget(long steps) {
        this.left = steps;
    }

    /** The check takes more steps than it may. */
    static final class ExceededException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ExceededException() {
            super("takes too many steps", null, false, false);
        }
    }

    /** Does a check within a number of steps. */
    static <T> T within(long steps, Function<CheckBudget, T> check) {
        CheckBudget budget = new CheckBudget(steps);
        CURRENT.set(budget);
        try {
            T result = check.apply(budget);
            if (budget.givenUp != null) {
                throw budget.givenUp;
            }
            return result;
        } finally {
            CURRENT.remove();
        }
    }

    /** The budget of this thread's check; outside of {@link #within} a new one. */
    static CheckBudget current() {
        CheckBudget current = CURRENT.get();
        return current != null ? current : new CheckBudget(MAX_STEPS);
    }

    void steps(long count) {
        left -= count;
        if (left < 0) {
            throw giveUp(new ExceededException());
        }
    }

    /** Fails the whole check, even if the validator catches the exception and goes on. */
    RuntimeException giveUp(RuntimeException reason) {
        givenUp = reason;
        return reason;
    }

    /** The context of a validation, in which every keyword and every error counts. */
    ExecutionContext context() {
        ExecutionConfig config = ExecutionConfig.builder()
                .locale(Locale.ENGLISH)
                .formatAssertionsEnabled(false)
                .build();
        return new ExecutionContext(config) {

            @Override
            public void evaluationPathAddLast(String keyword) {
                steps(STEPS_PER_KEYWORD);
                super.evaluationPathAddLast(keyword);
            }

            @Override
            public void addError(Error error) {
                steps(STEPS_PER_ERROR);
                super.addError(error);
            }
        };
    }

    /**
     * Counts the work of {@code uniqueItems} in advance: the validator puts elements into a hash table, and values of one
     * hash code are easily made.
     */
    void countUniqueItems(ObjectNode schema, JsonNode value) {
        if (schema.findValue("uniqueItems") != null) {
            countElements(value);
        }
    }

    private void countElements(JsonNode value) {
        if (value.isArray()) {
            Map<Integer, Integer> sameHash = new HashMap<>();
            int most = 0;
            for (JsonNode element : value) {
                most = Math.max(most, sameHash.merge(element.hashCode(), 1, Integer::sum));
            }
            steps(most * size(value));
        }
        value.forEach(this::countElements);
    }

    private static long size(JsonNode value) {
        long size = 1 + (value.isTextual() ? value.textValue().length() : 0);
        for (JsonNode child : value) {
            size += size(child);
        }
        return size;
    }
}
