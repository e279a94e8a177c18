package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program: as its users start it, and killed. */
class GatewayIT {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Path JAR = Path.of(System.getProperty("gateway.jar", "target/holdpoint-gateway.jar"));
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    /** A gateway in a process, and the client that has started it. */
    private final class Running implements AutoCloseable {

        private final McpSyncClient client;
        private final CompletableFuture<String> page = new CompletableFuture<>();

        private Running(Path config) {
            ServerParameters command = ServerParameters.builder(JAVA)
                    .args("-jar", JAR.toAbsolutePath().toString(), "--config", config.toString())
                    .build();
            StdioClientTransport transport = new StdioClientTransport(command, Results.mapper());
            transport.setStdErrorHandler(line -> {
                if (line.contains("decide at ")) {
                    page.complete(line.replaceFirst(".*decide at (http:\\S+)/.*", "$1"));
                }
            });
            client = McpClient.sync(transport)
                    .jsonSchemaValidator(Unchecked.SCHEMAS)
                    .build();
            client.initialize();
        }

        private String append(String text) {
            return Assistant.text(client.callTool(CallToolRequest.builder("append")
                    .arguments(Map.of("text", text))
                    .build()));
        }

        private int approve() throws Exception {
            JsonNode asked = get("/agent/interrupts?threads=accessible")
                    .path("interrupts")
                    .path(0);
            ObjectNode answer = JSON.createObjectNode()
                    .put("threadId", asked.path("threadId").asText())
                    .put("interruptId", asked.at("/interrupt/id").asText())
                    .put("status", "resolved");
            answer.putObject("payload").put("approved", true);
            HttpRequest request = HttpRequest.newBuilder(URI.create(page.join() + "/agent/decisions"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(answer.toString()))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        }

        private JsonNode get(String path) throws Exception {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(page.join() + path)).build();
            return JSON.readTree(HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body());
        }

        /** As SIGKILL does. */
        private void kill() {
            gateways().forEach(gateway -> {
                gateway.descendants().forEach(ProcessHandle::destroyForcibly);
                gateway.destroyForcibly();
                gateway.onExit().join();
            });
            client.close();
        }

        @Override
        public void close() {
            client.closeGracefully();
        }
    }

    private static Stream<ProcessHandle> gateways() {
        return ProcessHandle.current().children().filter(child -> child.info()
                .commandLine()
                .orElse("")
                .contains(JAR.getFileName().toString()));
    }

    private Path config() throws IOException {
        List<String> command = DyingServer.command(directory.resolve("written"));
        String arguments =
                command.stream().skip(1).map(part -> "'" + part + "'").collect(Collectors.joining(", "));
        return Files.writeString(
                directory.resolve("gateway.yml"),
                "servers: { files: { command: '" + command.get(0) + "', args: [" + arguments
                        + "] } }\nstore: 'jdbc:sqlite:" + directory.resolve("gateway.db")
                        + "'\nwait: PT0S\npage: { port: 0 }");
    }

    private List<String> written() throws IOException {
        Path file = directory.resolve("written");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    @Test
    void killedFiveTimesBetweenQuestionAndResultItRunsOnce() throws Exception {
        Path config = config();
        String question = "";
        for (int i = 0; i < 4; i++) {
            Running gateway = new Running(config);
            String told = gateway.append("a");
            assertThat(told).startsWith("Not run yet");
            String now = told.replaceFirst("(?s).*question (\\S+),.*", "$1");
            assertThat(now).isEqualTo(question.isEmpty() ? now : question);
            question = now;
            gateway.kill();
        }
        Running approved = new Running(config);
        assertThat(approved.approve()).isEqualTo(202);
        while (written().isEmpty()) {
            Thread.onSpinWait();
        }
        approved.kill();
        try (Running last = new Running(config)) {
            String told = last.append("a");
            assertThat(told).satisfiesAnyOf(text -> assertThat(text).endsWith("appended a"), text -> assertThat(text)
                    .startsWith("Not run yet")); // the result was not stored: its run has died
            assertThat(written()).containsExactly("a");
        }
    }

    @Test
    void theFiveMinutesOfTheGuideWithTheOfficialClientAndTheOfficialFilesystemServer() throws Exception {
        Path node = Path.of("target", "node").toAbsolutePath();
        install(node);
        Path data = Files.createDirectories(directory.resolve("data"));

        String guide = Path.of("..", "..", "docs", "guides", "mcp-gateway.md")
                .toAbsolutePath()
                .toString();
        String printed = run(
                node,
                List.of("node", "client.mjs", guide, JAVA, JAR.toAbsolutePath().toString(), data.toString()));
        assertThat(printed.lines())
                .containsExactly(
                        "read: hello",
                        "asked: 1 tools.write_file there: false",
                        "decided: 202",
                        "wrote: true written",
                        "again: true there: false");
    }

    /** Without Node.js the test is skipped, except on a build server. */
    private static void install(Path node) throws Exception {
        try {
            run(Path.of("."), List.of("npm", "--version"));
        } catch (IOException missing) {
            String message = "NOT TESTED: the gateway with the official MCP client. It needs Node.js 20 or later.";
            assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
            System.err.println(message);
            abort(message);
        }
        Files.createDirectories(node);
        for (String file : List.of("package.json", "package-lock.json", "client.mjs")) {
            Files.write(node.resolve(file), Files.readAllBytes(Path.of("src", "test", "node", file)));
        }
        run(node, List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
    }

    private static String run(Path directory, List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
