package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SseFrameTest {

    @Test
    void anEventIsOneDataLineAndAnEmptyLine() {
        assertThat(SseFrame.of(new TextMessageEvent.Content("m", "Zürich\r\nline two")))
                .asString()
                .isEqualTo("data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\","
                        + "\"delta\":\"Zürich\\r\\nline two\"}\n\n");
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.agui.EventRoundTripTest#events")
    void noFrameHasALineBreakInsideOrACarriageReturn(Event event) {
        String frame = new String(SseFrame.of(event), StandardCharsets.UTF_8);

        assertThat(frame).doesNotContain("\r").endsWith("}\n\n");
        assertThat(frame.indexOf('\n')).isEqualTo(frame.length() - 2);
    }

    @Test
    void aCommentStartsWithAColon() {
        assertThat(SseFrame.comment("keep-alive")).asString().isEqualTo(": keep-alive\n\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\rb"})
    void aCommentIsOneLine(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SseFrame.comment(text));
    }
}
