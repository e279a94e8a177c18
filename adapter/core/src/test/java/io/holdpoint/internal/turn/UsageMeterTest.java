package io.holdpoint.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.output.TokenUsage;
import org.junit.jupiter.api.Test;

class UsageMeterTest {

    private static io.holdpoint.agui.TokenUsage total(TokenUsage... used) {
        UsageMeter meter = new UsageMeter();
        for (TokenUsage each : used) {
            meter.count(ModelProvider.OPEN_AI, "m", each);
        }
        return meter.total().get(0);
    }

    @Test
    void aCountThatNobodySaysIsAbsent() {
        assertThat(total(new TokenUsage(1, 2, 3)))
                .isEqualTo(new io.holdpoint.agui.TokenUsage("open_ai", "m", 1, 2, 3, null, null, null));
    }
}
