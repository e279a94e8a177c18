package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.mcp.client.McpClient;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.mcp.FileServer;
import io.holdpoint.test.ScriptedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README.md's section on the tools of an MCP server. */
class McpServersTest {

    @TempDir
    private Path directory;

    @Test
    void whatDoesNotOnlyReadIsAskedAbout() throws Exception {
        ScriptedModel model = new ScriptedModel();
        Path calls = directory.resolve("calls.txt");
        McpClient files = McpServers.client(FileServer.command(calls, "1"));
        try {
            Holdpoint agent = McpServers.agent(model, files);
            model.calls(call("c1", "read_file", "{\"path\":\"a.txt\"}"))
                    .calls(
                            call("c2", "write_file", "{\"path\":\"b.txt\",\"text\":\"Hello\"}"),
                            call("c3", "delete_file", "{\"path\":\"a.txt\"}"))
                    .says("Written, not deleted.");

            RunResult.Interrupted held = (RunResult.Interrupted) agent.send("t", "Move a.txt to b.txt");

            assertThat(Files.readAllLines(calls)).containsExactly("read_file {\"path\":\"a.txt\"}");
            assertThat(held.interrupts().get(1).message()).isEqualTo("Delete \"a.txt\"?");
            agent.resume(
                    "t",
                    held.interrupts().get(0).asApproval().approve(),
                    held.interrupts().get(1).asApproval().deny("keep it"));
            assertThat(Files.readAllLines(calls)).hasSize(2).last().asString().startsWith("write_file ");
        } finally {
            files.close();
        }
    }
}
