package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types what the document "Over HTTP" types, and compares what comes back. */
class ReadmeIT {

    private static final Path DOCUMENT = Path.of("..", "adapter", "docs", "start", "http.md");
    private static final String BASE = "http://127.0.0.1:8080";

    @TempDir
    private Path directory;

    @Test
    void theTranscriptIsWhatHappens() throws Exception {
        require("bash");
        require("curl");
        Transcript transcript = Transcript.read(DOCUMENT);
        assertThat(transcript.exchanges()).hasSizeGreaterThan(3);

        try (DemoProcess demo = DemoProcess.start(Map.of())) {
            for (Transcript.Exchange exchange : transcript.exchanges()) {
                String command = transcript.withIdsOfThisRun(exchange.command());
                assertThat(command).startsWith("curl ").contains(BASE + "/");
                String answer = run(command.replace(BASE, demo.url().toString()));
                transcript.compare(exchange, answer);
            }
        }
    }

    /** The answer goes through a file: a pipe would be read in the platform's encoding, and the answer is UTF-8. */
    private String run(String command) throws Exception {
        Path answer = Files.createTempFile(directory, "answer", ".txt");
        try (ChildProcess bash = start("bash", "-c", "{ " + command + "\n} >'" + answer + "'")) {
            assertThat(bash.waitFor()).as(command + "\n" + bash.output()).isZero();
        }
        return Files.readString(answer);
    }

    private static void require(String tool) throws Exception {
        try (ChildProcess version = start(tool, "--version")) {
            assertThat(version.waitFor()).as(version.output()).isZero();
        } catch (IOException missing) {
            String message =
                    "NOT TESTED: the transcript in the document 'Over HTTP'. It needs '" + tool + "' on the PATH.";
            assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
            System.err.println(message);
            abort(message);
        }
    }

    private static ChildProcess start(String... command) throws IOException {
        return ChildProcess.start(new ProcessBuilder(List.of(command)), line -> {});
    }
}
