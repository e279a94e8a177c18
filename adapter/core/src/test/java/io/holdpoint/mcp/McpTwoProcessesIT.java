package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call of an MCP tool that one process held, with its own MCP server, is executed by another with another. */
class McpTwoProcessesIT {

    @TempDir
    private Path directory;

    @Test
    void whatOneProcessHeldAnotherExecutesOnce() throws Exception {
        assertThat(node("send")).isEqualTo("Interrupted");
        assertThat(calls()).doesNotExist();

        assertThat(node("approve")).isEqualTo("Completed: delete_file done");

        assertThat(Files.readAllLines(calls())).containsExactly("delete_file {\"path\":\"a.txt\"}");
    }

    private Path calls() {
        return directory.resolve("calls.txt");
    }

    private String node(String order) throws IOException, InterruptedException {
        Process node = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        McpNode.class.getName(),
                        directory.resolve("db").toString(),
                        calls().toString(),
                        order)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(node.waitFor()).isZero();
            return said.strip();
        } finally {
            node.destroyForcibly();
        }
    }
}
