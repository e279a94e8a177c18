package io.holdpoint.internal.turn;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.holdpoint.agui.TokenUsage;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts the tokens of this run's model calls, and of those of agents that work in its tools, per provider and model. A count that no model
 * reported stays absent.
 */
public final class UsageMeter {

    private record Key(@Nullable String provider, @Nullable String model) {}

    private final Map<Key, dev.langchain4j.model.output.TokenUsage> counts = new LinkedHashMap<>();

    /** Counts the tokens of an answer, and returns how many they are. */
    synchronized long count(
            @Nullable ModelProvider provider,
            @Nullable String model,
            dev.langchain4j.model.output.@Nullable TokenUsage usage) {
        if (usage == null
                || (usage.inputTokenCount() == null
                        && usage.outputTokenCount() == null
                        && usage.totalTokenCount() == null)) {
            return 0;
        }
        Key key = new Key(name(provider), model);
        counts.merge(key, usage, UsageMeter::sum);
        return tokens(usage);
    }

    /** All tokens; without a total, those of input and output. Models report strange counts. */
    static long tokens(dev.langchain4j.model.output.@Nullable TokenUsage usage) {
        if (usage == null) {
            return 0;
        }
        return usage.totalTokenCount() != null
                ? Math.max(0, usage.totalTokenCount())
                : Math.max(0L, Objects.requireNonNullElse(usage.inputTokenCount(), 0))
                        + Math.max(0L, Objects.requireNonNullElse(usage.outputTokenCount(), 0));
    }

    synchronized long tokens() {
        long sum = 0;
        for (dev.langchain4j.model.output.TokenUsage usage : counts.values()) {
            sum += tokens(usage);
        }
        return sum;
    }

    /** The model of an answer and its tokens, as the audit trail tells them. */
    static TokenUsage of(@Nullable ModelProvider provider, ChatResponse response) {
        dev.langchain4j.model.output.TokenUsage usage = response.tokenUsage();
        return new TokenUsage(
                name(provider),
                response.modelName(),
                usage == null ? null : usage.inputTokenCount(),
                usage == null ? null : usage.outputTokenCount(),
                usage == null ? null : usage.totalTokenCount(),
                null,
                null,
                null);
    }

    public synchronized List<TokenUsage> total() {
        List<TokenUsage> total = new ArrayList<>();
        counts.forEach((key, usage) -> {
            Details details = Details.of(usage);
            total.add(new TokenUsage(
                    key.provider(),
                    key.model(),
                    usage.inputTokenCount(),
                    usage.outputTokenCount(),
                    usage.totalTokenCount(),
                    details.reasoning(),
                    details.cached(),
                    details.cacheWrite()));
        });
        return total;
    }

    private static dev.langchain4j.model.output.TokenUsage sum(
            dev.langchain4j.model.output.TokenUsage a, dev.langchain4j.model.output.TokenUsage b) {
        return Objects.requireNonNull(dev.langchain4j.model.output.TokenUsage.sum(a, b));
    }

    private static @Nullable String name(@Nullable ModelProvider provider) {
        return provider == null || provider == ModelProvider.OTHER
                ? null
                : provider.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Counts that only the provider's own kind of usage has. LangChain4j gives them no common type, and its providers are no
     * dependencies, so they are found by the names of their methods; a count that is not there is {@code null}.
     */
    private record Details(
            @Nullable Integer reasoning,
            @Nullable Integer cached,
            @Nullable Integer cacheWrite) {

        private static final Details NONE = new Details(null, null, null);

        static Details of(dev.langchain4j.model.output.TokenUsage usage) {
            return usage.getClass() == dev.langchain4j.model.output.TokenUsage.class
                    ? NONE
                    : new Details(
                            first(usage, "outputTokensDetails.reasoningTokens", "thoughtsTokenCount"),
                            first(
                                    usage,
                                    "inputTokensDetails.cachedTokens",
                                    "cacheReadInputTokens",
                                    "cachedContentTokenCount"),
                            first(usage, "cacheCreationInputTokens", "cacheWriteInputTokens"));
        }

        private static @Nullable Integer first(dev.langchain4j.model.output.TokenUsage usage, String... paths) {
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
}
