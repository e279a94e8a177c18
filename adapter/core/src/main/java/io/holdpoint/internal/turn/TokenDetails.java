package io.holdpoint.internal.turn;

import dev.langchain4j.model.output.TokenUsage;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * Counts that only the provider's own kind of usage has. LangChain4j gives them no common type, and its providers are no
 * dependencies, so they are found by the names of their methods; a count that is not there is {@code null}.
 */
record TokenDetails(@Nullable Integer reasoning, @Nullable Integer cached, @Nullable Integer cacheWrite) {

    private static final TokenDetails NONE = new TokenDetails(null, null, null);

    static TokenDetails of(TokenUsage usage) {
        return usage.getClass() == TokenUsage.class
                ? NONE
                : new TokenDetails(
                        first(usage, "outputTokensDetails.reasoningTokens", "thoughtsTokenCount"),
                        first(
                                usage,
                                "inputTokensDetails.cachedTokens",
                                "cacheReadInputTokens",
                                "cachedContentTokenCount"),
                        first(usage, "cacheCreationInputTokens", "cacheWriteInputTokens"));
    }

    private static @Nullable Integer first(TokenUsage usage, String... paths) {
        for (String path : paths) {
            Object value = usage;
            for (String name : path.split("\\.")) {
                value = value == null ? null : call(value, name);
            }
            if (value instanceof Integer count) {
                return count;
            }
        }
        return null;
    }

    private static @Nullable Object call(Object target, String name) {
        try {
            return target.getClass().getMethod(name).invoke(target);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return null; // another provider
        }
    }
}
