package io.holdpoint.tutorials;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each program runs, and prints what its text shows; what tools did is part of that. */
class TutorialsTest {

    private static final Pattern SHOWN = Pattern.compile("(?m)^```text\\n(?s:(.*?))^```$");

    @TempDir
    private Path directory;

    private interface Program {

        void run(PrintStream out) throws Exception;
    }

    private static String printed(Program program) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        program.run(new PrintStream(bytes, true, UTF_8));
        return bytes.toString(UTF_8);
    }

    private static List<String> shown(String number) throws IOException {
        try (Stream<Path> texts = Files.list(Path.of(""))) {
            Path text = texts.filter(path -> path.getFileName().toString().matches(number + "-.*\\.md"))
                    .findFirst()
                    .orElseThrow();
            return SHOWN.matcher(Files.readString(text))
                    .results()
                    .map((MatchResult block) -> block.group(1))
                    .toList();
        }
    }

    private static InputStream typed(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    @Test
    void firstApproval() throws Exception {
        List<String> shown = shown("01");

        assertThat(printed(out -> io.holdpoint.tutorials.t01.Main.run(typed("y\n"), out)))
                .isEqualTo(shown.get(0));
        assertThat(printed(out -> io.holdpoint.tutorials.t01.Main.run(typed("n\n"), out)))
                .isEqualTo(shown.get(1))
                .doesNotContain("runs");
    }

    @Test
    void edits() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t03.Main::run))).isEqualTo(shown("03"));
    }

    @Test
    void severalCalls() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t04.Main::run))).isEqualTo(shown("04"));
    }

    @Test
    void questions() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t05.Main::run))).isEqualTo(shown("05"));
    }

    @Test
    void conditionsAndPolicies() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t06.Main::run))).isEqualTo(shown("06"));
    }

    @Test
    void restartOnSqlite() throws Exception {
        restart("jdbc:sqlite:" + directory.resolve("tutorial.db"));
    }

    @Test
    @Tag("deep")
    void restartOnPostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            restart(postgres.getJdbcUrl("postgres", "postgres"));
        }
    }

    private static void restart(String url) throws Exception {
        List<String> shown = shown("07");
        assertThat(printed(out -> io.holdpoint.tutorials.t07.Main.run(url, out)))
                .isEqualTo(shown.get(0))
                .doesNotContain("runs");
        assertThat(printed(out -> io.holdpoint.tutorials.t07.Main.run(url, out)))
                .isEqualTo(shown.get(1))
                .containsOnlyOnce("runs");
    }

    @Test
    void fourEyes() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t08.Main::run))).isEqualTo(shown("08"));
    }

    @Test
    void springBoot() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t10.Main::run))).isEqualTo(shown("10"));
    }

    @Test
    void agentsBehindAnAgent() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t12.Main::run))).isEqualTo(shown("12"));
    }

    /** That the call runs and that the answer counts is printed by two threads. */
    @Test
    void twoOfTreasury() throws Exception {
        assertThat(printed(io.holdpoint.tutorials.t13.Main::run).lines())
                .containsExactlyInAnyOrderElementsOf(shown("13").get(0).lines().toList());
    }

    @Test
    void mailbox() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String printed = printed(out -> io.holdpoint.tutorials.t14.Main.run(port, out));

        assertThat(List.of(printed.replaceAll("http\\S+", "http://127.0.0.1:8080/agent/links/...")))
                .isEqualTo(shown("14"));
    }

    @Test
    void slack() throws Exception {
        ExecutorService aside = Executors.newSingleThreadExecutor();
        try {
            assertThat(List.of(printed(out -> io.holdpoint.tutorials.t15.Main.run(aside, out))))
                    .isEqualTo(shown("15"));
        } finally {
            aside.shutdown();
        }
    }

    @Test
    @Tag("deep")
    void existingEngine() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t16.Main::run))).isEqualTo(shown("16"));
    }

    @Test
    void document() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t17.Main::run))).isEqualTo(shown("17"));
    }

    @Test
    void aRule() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t18.Main::run))).isEqualTo(shown("18"));
    }

    @Test
    void anEffect() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t19.Main::run))).isEqualTo(shown("19"));
    }

    @Test
    void theOrigin() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t20.Main::run))).isEqualTo(shown("20"));
    }

    @Test
    void aPlan() throws Exception {
        assertThat(List.of(printed(io.holdpoint.tutorials.t22.Main::run))).isEqualTo(shown("22"));
    }

    @Test
    void theCodeOfFrontEndsIsThatOfTheFiles() throws IOException {
        Path guides = Path.of("..", "docs", "guides");
        String guide = Files.readString(guides.resolve("client-copilotkit.md"))
                + Files.readString(guides.resolve("client-assistant-ui.md"));
        String files = Files.readString(Path.of("09-clients", "client.mjs")) + guide.replaceAll("(?m)^ +", "");
        List<MatchResult> blocks = Pattern.compile("(?m)^```(jsx?)\\n(?s:(.*?))^```$")
                .matcher(Files.readString(Path.of("09-clients.md")))
                .results()
                .toList();

        assertThat(blocks).hasSize(3);
        for (MatchResult block : blocks) {
            String code = block.group(2);
            assertThat(files).contains(block.group(1).equals("js") ? code : code.replaceAll("(?m)^ +", ""));
        }
    }
}
