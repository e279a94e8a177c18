package io.holdpoint.mcp;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The tools of MCP servers from npm: whatever arguments their own schemas allow are asked about, are a valid edit as they are shown, and
 * run as they are. The servers only tell of their tools; no call reaches them.
 */
@Tag("deep")
class RealServersIT {

    private static final Path SOURCES = Path.of("src", "test", "mcp-servers");
    private static final Path INSTALLED = Path.of("target", "mcp-servers");

    /** The servers' programs and what they are started with. */
    private static final Map<String, List<String>> SERVERS = Map.of(
            "@modelcontextprotocol/server-everything/dist/index.js", List.of("stdio"),
            "@modelcontextprotocol/server-filesystem/dist/index.js", List.of("."),
            "@modelcontextprotocol/server-memory/dist/index.js", List.of(),
            "@notionhq/notion-mcp-server/bin/cli.mjs", List.of(),
            "@playwright/mcp/cli.js", List.of());

    private final List<String> ran = new ArrayList<>();

    @Test
    void whatIsShownIsAnEditForEveryTool() throws Exception {
        requireNode();
        install();
        List<String> wrong = new ArrayList<>();
        int tools = 0;
        int proposals = 0;
        for (Map.Entry<String, List<String>> server : SERVERS.entrySet()) {
            JsonNode offered = toolsOf(server.getKey(), server.getValue());
            assertThat(offered).as(server.getKey()).isNotEmpty();
            for (JsonNode tool : offered) {
                tools++;
                ObjectNode schema = (ObjectNode) tool.get("inputSchema");
                for (ObjectNode arguments : ServerSchemas.argumentsFor(schema)) {
                    if (isValid(schema, arguments)) {
                        proposals++;
                        String problem = problem(ServerSchemas.read("tool", schema), arguments);
                        if (!problem.isEmpty()) {
                            wrong.add(server.getKey() + " " + tool.path("name").asText() + " " + arguments + ": "
                                    + problem);
                        }
                    }
                }
            }
        }

        System.out.printf("%d proposals to %d tools of %d MCP servers%n", proposals, tools, SERVERS.size());
        assertThat(wrong)
                .as("%d of %d proposals to %d tools", wrong.size(), proposals, tools)
                .isEmpty();
        assertThat(proposals).isGreaterThan(tools);
    }

    private String problem(ToolSpecification tool, ObjectNode arguments) throws IOException {
        ran.clear();
        ScriptedModel model = new ScriptedModel()
                .calls(call("c", "tool", arguments.toString()))
                .says("Done.");
        Holdpoint agent = Holdpoint.builder(Shape.Blocking.class)
                .chatModel(model)
                .toolProviders(request -> ToolProviderResult.builder()
                        .add(tool, (call, id) -> {
                            ran.add(call.arguments());
                            return "ok";
                        })
                        .build())
                .toolPolicies(ToolPolicy.where(any -> true))
                .build();
        RunResult held = agent.send("t", "Go");
        if (held.interrupts().isEmpty()) {
            return "nobody is asked: " + model.lastResult("c");
        }
        RunResult done =
                agent.resume("t", held.approval().approveWith(held.approval().arguments()));
        if (done.failure().isPresent()) {
            return done.failure().get().message();
        }
        boolean isSame =
                ran.size() == 1 && AguiCodec.mapper().readTree(ran.get(0)).equals(arguments);
        return isSame && model.lastResult("c").equals("ok")
                ? ""
                : "ran " + ran + ", and the model read " + model.lastResult("c");
    }

    private static boolean isValid(ObjectNode schema, ObjectNode arguments) {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema)
                .validate(arguments)
                .isEmpty();
    }

    private static JsonNode toolsOf(String program, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "node", INSTALLED.resolve("node_modules").resolve(program).toString()));
        command.addAll(arguments);
        Process server = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedWriter to = server.outputWriter(StandardCharsets.UTF_8);
                BufferedReader from = server.inputReader(StandardCharsets.UTF_8)) {
            to.write(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                            + "\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}\n");
            to.flush();
            answer(from, 1);
            to.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
            to.write("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{}}\n");
            to.flush();
            return answer(from, 2).at("/result/tools");
        } finally {
            server.destroyForcibly();
        }
    }

    private static JsonNode answer(BufferedReader from, int id) throws IOException {
        for (String line = from.readLine(); line != null; line = from.readLine()) {
            if (line.startsWith("{")) {
                JsonNode message = AguiCodec.mapper().readTree(line);
                if (message.path("id").asInt() == id && !message.has("method")) {
                    return message;
                }
            }
        }
        throw new IOException("the server has ended");
    }

    private static void install() throws Exception {
        Files.createDirectories(INSTALLED);
        for (String name : List.of("package.json", "package-lock.json")) {
            Files.copy(SOURCES.resolve(name), INSTALLED.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        Process npm = new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                .directory(INSTALLED.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(npm.waitFor()).as(output).isZero();
    }

    private static void requireNode() {
        for (String tool : List.of("node", "npm")) {
            try {
                Process version = new ProcessBuilder(tool, "--version")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                assertThat(version.waitFor()).isZero();
            } catch (IOException missing) {
                String message = "NOT TESTED: the tools of MCP servers from npm. It needs Node.js 20 or later, and '"
                        + tool + "' is not on the PATH.";
                assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
                System.err.println(message);
                abort(message);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
