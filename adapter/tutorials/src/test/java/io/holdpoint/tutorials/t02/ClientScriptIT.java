package io.holdpoint.tutorials.t02;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.javalin.Javalin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tutorial 9: the script of the official client, run by Node.js with the versions that the demo's tests have locked. */
@Timeout(300)
class ClientScriptIT {

    private static final Path SCRIPT = Path.of("09-clients", "client.mjs");
    private static final Path LOCKED = Path.of("..", "..", "demo-server", "src", "test", "e2e");
    private static final Path DIRECTORY = Path.of("target", "09-clients");

    @Test
    void theScriptPrintsWhatTheTextShows() throws Exception {
        requireNode();
        Files.createDirectories(DIRECTORY);
        for (String name : new String[] {"package.json", "package-lock.json"}) {
            Files.copy(LOCKED.resolve(name), DIRECTORY.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.copy(SCRIPT, DIRECTORY.resolve("client.mjs"), StandardCopyOption.REPLACE_EXISTING);
        printed("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");

        ByteArrayOutputStream effects = new ByteArrayOutputStream();
        Javalin server = Main.start(0, new PrintStream(effects, true, UTF_8));
        try {
            assertThat(printed("node", "client.mjs", "http://127.0.0.1:" + server.port() + "/agent"))
                    .isEqualTo(shown());
            String approves = Files.readString(SCRIPT);
            String denies = approves.replace("{ approved: true }", "{ approved: false, reason: \"too late\" }");
            assertThat(denies).isNotEqualTo(approves);
            Files.writeString(DIRECTORY.resolve("denies.mjs"), denies);
            assertThat(printed("node", "denies.mjs", "http://127.0.0.1:" + server.port() + "/agent"))
                    .contains("too late");
        } finally {
            server.stop();
        }
        assertThat(effects.toString(UTF_8).strip()).isEqualTo("(cancelBooking runs: MS-777)");
    }

    @Test
    void theVersionIsTheOneThatIsTested() throws IOException {
        Pattern client = Pattern.compile("\"@ag-ui/client\": \"[^\"]+\"");
        Matcher theirs = client.matcher(Files.readString(Path.of("09-clients", "package.json")));
        assertThat(theirs.find()).isTrue();

        assertThat(Files.readString(LOCKED.resolve("package.json"))).contains(theirs.group());
    }

    private static String shown() throws IOException {
        Matcher block = Pattern.compile("(?m)^```console\\n(?s:(.*?))^```$")
                .matcher(Files.readString(Path.of("09-clients.md")));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    private static void requireNode() throws Exception {
        for (String tool : new String[] {"node", "npm"}) {
            try {
                new ProcessBuilder(tool, "--version").start().waitFor();
            } catch (IOException missing) {
                String message = "NOT TESTED: the script of tutorial 9. It needs Node.js 20 or later, and '" + tool
                        + "' is not on the PATH.";
                assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
                System.err.println(message);
                abort(message);
            }
        }
    }

    private static String printed(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(DIRECTORY.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
