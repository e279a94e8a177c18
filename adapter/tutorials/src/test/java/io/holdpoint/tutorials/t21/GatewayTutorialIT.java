package io.holdpoint.tutorials.t21;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tutorial with the packaged gateway: it prints what its text shows, and its text shows the file that it writes. */
class GatewayTutorialIT {

    private static final Path JAR = Path.of("..", "serve", "gateway", "target", "holdpoint-gateway.jar");

    private static String block(String language) throws Exception {
        Matcher block = Pattern.compile("(?s)```" + language + "\n(.*?)```\n")
                .matcher(Files.readString(Path.of("21-mcp-gateway.md")));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    @Test
    void peopleInFrontOfAnMcpServer() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Main.run(JAR.toAbsolutePath().normalize(), new PrintStream(bytes, true, UTF_8));

        String printed = bytes.toString(UTF_8)
                .replaceAll("question int_\\w+", "question int_...")
                .replaceAll("127.0.0.1:\\d+", "127.0.0.1:7700");
        assertThat(printed).isEqualTo(block("text"));
    }

    @Test
    void theFileOfTheTextIsThatOfTheProgram() throws Exception {
        assertThat(block("yaml"))
                .isEqualTo(Main.CONFIG.formatted("java", "[-cp, notes.jar, NotesServer]", "holdpoint.db"));
    }
}
