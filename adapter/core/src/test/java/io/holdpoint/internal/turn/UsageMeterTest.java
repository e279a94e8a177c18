package io.holdpoint.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.output.TokenUsage;
import org.junit.jupiter.api.Test;

class UsageMeterTest {

    /** As the module for OpenAI has it. */
    public static final class Nested extends TokenUsage {

        private final int cached;
        private final int reasoning;

        Nested(int cached, int reasoning) {
            super(100, 50, 150);
            this.cached = cached;
            this.reasoning = reasoning;
        }

        /** Part of the input. */
        public record In(Integer cachedTokens) {}

        /** Part of the output. */
        public record Out(Integer reasoningTokens) {}

        public In inputTokensDetails() {
            return new In(cached);
        }

        public Out outputTokensDetails() {
            return new Out(reasoning);
        }

        @Override
        public TokenUsage add(TokenUsage that) {
            Nested other = (Nested) that;
            return new Nested(cached + other.cached, reasoning + other.reasoning);
        }
    }

    /** As the module for Anthropic has it. */
    public static final class Flat extends TokenUsage {

        Flat() {
            super(100, 50, 150);
        }

        public Integer cacheReadInputTokens() {
            return 7;
        }

        public Integer cacheCreationInputTokens() {
            return 3;
        }
    }

    private static io.holdpoint.agui.TokenUsage total(TokenUsage... used) {
        UsageMeter meter = new UsageMeter();
        for (TokenUsage each : used) {
            meter.count(ModelProvider.OPEN_AI, "m", each);
        }
        return meter.total().get(0);
    }

    @Test
    void cachedAndReasoningTokensAreCountedWhereTheProviderSaysThem() {
        io.holdpoint.agui.TokenUsage nested = total(new Nested(10, 5), new Nested(20, 6));
        io.holdpoint.agui.TokenUsage flat = total(new Flat());

        assertThat(nested.cachedInputTokens()).isEqualTo(30);
        assertThat(nested.reasoningTokens()).isEqualTo(11);
        assertThat(nested.cacheWriteInputTokens()).isNull();
        assertThat(flat.cachedInputTokens()).isEqualTo(7);
        assertThat(flat.cacheWriteInputTokens()).isEqualTo(3);
        assertThat(flat.reasoningTokens()).isNull();
    }

    @Test
    void aCountThatNobodySaysIsAbsent() {
        assertThat(total(new TokenUsage(1, 2, 3)))
                .isEqualTo(new io.holdpoint.agui.TokenUsage("open_ai", "m", 1, 2, 3, null, null, null));
    }
}
