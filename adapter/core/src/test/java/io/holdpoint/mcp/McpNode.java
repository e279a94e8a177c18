package io.holdpoint.mcp;

import static io.holdpoint.test.ScriptedModel.call;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import java.nio.file.Path;

/**
 * The program of a node with a database in a file and an MCP server of its own. It gets one order, says what came of it, and
 * goes as if it was killed. Arguments: the database, the file for the server's calls, {@code send} or {@code approve}.
 */
final class McpNode {

    private McpNode() {}

    public static void main(String[] args) {
        ScriptedModel model = new ScriptedModel();
        TestDatabase database = TestDatabase.sqlite(Path.of(args[0]));
        FileServerProcess server = FileServerProcess.start(Path.of(args[1]));
        Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(model)
                .toolProviders(server.tools())
                .toolPolicies(ToolPolicy.named("delete_file"))
                .store(JdbcStore.create(database.dataSource()))
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(50)
                        .chatMemoryStore(JdbcChatMemoryStore.create(database.dataSource()))
                        .build())
                .build();
        System.out.println(args[2].equals("send") ? send(agent, model) : approve(agent, model));
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static String send(Holdpoint agent, ScriptedModel model) {
        model.calls(call("c1", "delete_file", "{\"path\":\"a.txt\"}"));
        return outcome(agent.send(Bench.THREAD, "Delete a.txt"));
    }

    private static String approve(Holdpoint agent, ScriptedModel model) {
        model.says("Deleted.");
        PendingInterrupt held = agent.pending(Bench.THREAD).get(0);
        String outcome = outcome(agent.resume(Bench.THREAD, held.asApproval().approve()));
        return outcome + ": " + model.lastResult("c1");
    }

    private static String outcome(RunResult result) {
        return result.getClass().getSimpleName();
    }
}
