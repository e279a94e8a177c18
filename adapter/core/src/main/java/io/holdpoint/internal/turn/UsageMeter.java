package io.holdpoint.internal.turn;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.holdpoint.agui.TokenUsage;
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
        counts.merge(new Key(name(provider), model), usage, UsageMeter::sum);
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
        return counted(name(provider), response.modelName(), usage);
    }

    private static TokenUsage counted(
            @Nullable String provider,
            @Nullable String model,
            dev.langchain4j.model.output.@Nullable TokenUsage usage) {
        return new TokenUsage(
                provider,
                model,
                usage == null ? null : usage.inputTokenCount(),
                usage == null ? null : usage.outputTokenCount(),
                usage == null ? null : usage.totalTokenCount(),
                null,
                null,
                null);
    }

    public synchronized List<TokenUsage> total() {
        List<TokenUsage> total = new ArrayList<>();
        for (Map.Entry<Key, dev.langchain4j.model.output.TokenUsage> each : counts.entrySet()) {
            total.add(counted(each.getKey().provider(), each.getKey().model(), each.getValue()));
        }
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
}
