package io.holdpoint.agui;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads why a run or a subagent ended, interrupts and token usage from JSON trees. */
final class OutcomeReader {

    private OutcomeReader() {}

    /** The outcome; an absent one is a success, as before 1.0. */
    static RunFinishedOutcome read(@Nullable JsonFields outcome) {
        if (outcome == null) {
            return RunFinishedOutcome.success();
        }
        return switch (outcome.text("type")) {
            case "success" -> new RunFinishedOutcome.Success(outcome.optionalTexts("pendingToolCallIds"));
            case "interrupt" -> {
                List<Interrupt> interrupts = outcome.list("interrupts", OutcomeReader::interrupt);
                yield outcome.checked(() -> new RunFinishedOutcome.Interrupted(interrupts));
            }
            case "cancelled" -> new RunFinishedOutcome.Cancelled();
            default -> throw outcome.notOneOf("type", "\"success\", \"interrupt\" or \"cancelled\"");
        };
    }

    /** The outcome; an absent one is a success. */
    static SubagentEvent.Outcome readSubagent(@Nullable JsonFields outcome) {
        if (outcome == null) {
            return new SubagentEvent.Outcome.Success();
        }
        return switch (outcome.text("type")) {
            case "success" -> new SubagentEvent.Outcome.Success();
            case "suspended" -> new SubagentEvent.Outcome.Suspended(outcome.optionalTexts("interruptIds"));
            default -> throw outcome.notOneOf("type", "\"success\" or \"suspended\"");
        };
    }

    static Interrupt interrupt(JsonFields interrupt) {
        return new Interrupt(
                interrupt.text("id"),
                interrupt.text("reason"),
                interrupt.optionalText("message"),
                interrupt.optionalText("toolCallId"),
                interrupt.optionalObject("responseSchema"),
                instant(interrupt, "expiresAt"),
                interrupt.optionalObject("metadata"));
    }

    static TokenUsage usage(JsonFields usage) {
        return new TokenUsage(
                usage.optionalText("provider"),
                usage.optionalText("model"),
                usage.optionalCount("inputTokens"),
                usage.optionalCount("outputTokens"),
                usage.optionalCount("totalTokens"),
                usage.optionalCount("reasoningTokens"),
                usage.optionalCount("cachedInputTokens"),
                usage.optionalCount("cacheWriteInputTokens"));
    }

    private static @Nullable Instant instant(JsonFields fields, String name) {
        String text = fields.optionalText(name);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            throw fields.notOneOf(name, "an ISO-8601 time such as 2026-01-31T12:00:00Z");
        }
    }
}
