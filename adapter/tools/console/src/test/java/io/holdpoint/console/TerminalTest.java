package io.holdpoint.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the person types, or pipes in, and what they read. */
class TerminalTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Terminal terminal(String typed, boolean interactive) {
        return new Terminal(
                new BufferedReader(new StringReader(typed)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                interactive);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x1b, 0x85, 0xa0, 0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x180b, 0x200b, 0x202e, 0x2028, 0x2800, 0x3000,
                0x3164, 0xfe0f, 0xffa0, 0xe0101
            })
    void whatNobodyWouldSeeIsShownAsItsCode(int letter) {
        terminal("", false).line("a" + Character.toString(letter) + "b");

        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("a\\u").endsWith("b\n");
    }

    @Test
    void everythingElseIsShownAsItIs() {
        terminal("", false).line("grüß dich,\tAda: 100 € 🙂 日本");

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("grüß dich,\tAda: 100 € 🙂 日本\n");
    }

    private static Interrupt approval(String id) {
        return new Interrupt(
                id,
                "tool_call",
                "Sure?",
                "c1",
                AguiCodec.mapper()
                        .createObjectNode()
                        .set("properties", AguiCodec.mapper().createObjectNode().put("approved", true)),
                null,
                null);
    }

    @Test
    void aLineThatIsPipedInAfterADenialAnswersTheNextQuestionAndIsNoReason() {
        Terminal piped = terminal("d\na\n", false);

        List<ResumeEntry> answers = List.of(
                new Card(piped, approval("i1")).ask().orElseThrow(),
                new Card(piped, approval("i2")).ask().orElseThrow());

        assertThat(answers)
                .extracting(answer -> AguiCodec.write(answer.payload()))
                .containsExactly("{\"approved\":false}", "{\"approved\":true}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            deny  too much. Less!  | false
            D too much. Less!      | false
            d too much. Less!      | true
            """)
    void aReasonStandsOnTheLineOfTheDenial(String line, boolean interactive) {
        ResumeEntry denied = new Card(terminal(line + "\n", interactive), approval("i1"))
                .ask()
                .orElseThrow();

        assertThat(AguiCodec.write(denied.payload())).isEqualTo("{\"approved\":false,\"reason\":\"too much. Less!\"}");
    }

    @Test
    void whoTypesIsAskedForTheReason() {
        ResumeEntry denied =
                new Card(terminal("d\ntoo much\n", true), approval("i1")).ask().orElseThrow();

        assertThat(AguiCodec.write(denied.payload())).isEqualTo("{\"approved\":false,\"reason\":\"too much\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h"})
    void helpIsNoMistake(String option) {
        int status = Console.run(
                new String[] {option},
                new BufferedReader(new StringReader("")),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                false);

        assertThat(status).isEqualTo(Console.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("Usage: holdpoint-console --url ")
                .contains("/cancel");
    }
}
