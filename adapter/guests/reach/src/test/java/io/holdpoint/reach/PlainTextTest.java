package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.testing.Bench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text in a mail, a chat or on a page without a script beside the card: whoever decides is warned of the same characters. */
class PlainTextTest {

    @Test
    void theLettersThatLookLikeOthersAreThoseOfTheCard() throws Exception {
        String card = Files.readString(Path.of("..", "..", "card", "src", "kit.js"));
        String letters = Pattern.compile("const ALIKE =\\s*/(.*)/u;")
                .matcher(card)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
        assertThat(PlainText.ALIKE.pattern()).isEqualTo(letters.replace("\\u{", "\\x{"));
    }

    @ParameterizedTest
    @CsvSource({
        "P\u0430yPal, P\\u0430yPal",
        "pay \u0441\u043e\u0440\u0435 now, pay \\u0441\\u043e\\u0440\\u0435 now",
        "a\u00a0b\u3164\u202e, a\\u00a0b\\u3164\\u202e",
        "\ud835\udc0d\ud835\udc28w, \\ud835\\udc0d\\ud835\\udc28w",
    })
    void whatIsNotWhatItLooksIsWrittenAsItsCode(String text, String shown) {
        assertThat(PlainText.of(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "one\n\ttwo \u0131\u015f\u0131k \ud83d\ude00 \u6771\u4eac",
                "\u041e\u043d\u0430 \u0441\u043a\u0430\u0437\u0430\u043b\u0430 PayPal",
                "\u0421\u0430\u0440\u0430"
            })
    void whatIsWrittenInAnyAlphabetStays(String text) {
        assertThat(PlainText.of(text)).isEqualTo(text);
    }

    @Test
    void aPageEscapesWhatIsLeftAndMarksTheRest() {
        assertThat(PlainText.of("<b>P\u0430y\u200b", text -> text.replace("<", "&lt;"), odd -> "[" + odd + "]"))
                .isEqualTo("&lt;b>P[1072]y[8203]");
    }

    @Test
    void argumentsStayTheSameJson() throws Exception {
        Bench bench = new Bench();
        String body = "\u0421\u0430\u0440\u0430 \\\"P\u0430yPal\\\"";
        bench.model.calls(call(
                "c1",
                "sendEmail",
                "{\"to\":\"\u0421\u0430\u0440\u0430\",\"subject\":\"P\u0430yPal\u202e\",\"body\":\"" + body + "\"}"));
        PendingInterrupt asked = bench.agent().send(THREAD, "Go").approval();

        String shown = PlainText.ofArguments(asked);

        assertThat(shown)
                .contains(": \"\u0421\u0430\u0440\u0430\"", "\"P\\u0430yPal\\u202e\"", "\\\"P\\u0430yPal\\\"")
                .doesNotContain("P\u0430yPal", "\u202e");
        assertThat(AguiCodec.mapper().readTree(shown)).isEqualTo(asked.arguments());
    }
}
