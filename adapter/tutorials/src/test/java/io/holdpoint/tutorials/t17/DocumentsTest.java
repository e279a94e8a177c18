package io.holdpoint.tutorials.t17;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The document that a call closes. */
class DocumentsTest {

    private static Message says(String text, String... calls) {
        return new Message.Assistant(
                "m-" + text,
                text,
                List.of(calls).stream()
                        .map(call -> new ToolCall(call, call.split("-")[0], "{}"))
                        .toList());
    }

    @Test
    void itIsWhatTheModelSaysBetweenTheCalls() {
        List<Message> thread = List.of(
                says("Hello.", "openDocument-1"),
                says("One.", "closeDocument-1"),
                says("Again.", "openDocument-2"),
                says("Two, ", "lookUp-1"),
                new Message.User("u", MessageContent.text("Go on")),
                says("three.", "closeDocument-2"),
                says("Done."));

        assertThat(Documents.text(thread, "closeDocument-1")).isEqualTo("One.");
        assertThat(Documents.text(thread, "closeDocument-2")).isEqualTo("Two, three.");
    }

    @Test
    void whatWasClosedIsNotClosedAgain() {
        List<Message> thread = List.of(
                says("Hello.", "openDocument-1"), says("One.", "closeDocument-1"), says("Well?", "closeDocument-2"));

        assertThatThrownBy(() -> Documents.text(thread, "closeDocument-2"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("No document is open.");
    }

    @Test
    void theFunctionOfTheTextIsThatOfThePage() throws IOException {
        Matcher block =
                Pattern.compile("(?m)^```js\\n(?s:(.*?))^```$").matcher(Files.readString(Path.of("17-document.md")));

        assertThat(block.find()).isTrue();
        assertThat(Files.readString(DocumentPageIT.PAGE.resolve("document.mjs")))
                .contains(block.group(1));
    }
}
