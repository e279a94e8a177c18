package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
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
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Between two looks at what other processes do, which need the processor more. */
    private static final Duration LOOKS = Duration.ofMillis(100);

    @TempDir
    private Path directory;

    private Path written;

    /** A gateway in a process, and the client that has started it. */
    private final class Running implements AutoCloseable {

        private final McpSyncClient client;
        private final CompletableFuture<String> page = new CompletableFuture<>();

        private Running(Path config) {
            ServerParameters command = ServerParameters.builder(JAVA)
                    .args(
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-jar",
                            JAR.toAbsolutePath().toString(),
                            "--config",
                            config.toString())
                    .build();
            StdioClientTransport transport = new StdioClientTransport(command, Results.mapper());
            transport.setStdErrorHandler(line -> {
                if (line.contains("decide at ")) {
                    page.complete(line.replaceFirst(".*decide at (http:\\S+)/.*", "$1"));
                }
            });
            client = McpClient.sync(transport)
                    .jsonSchemaValidator(Results.UNCHECKED)
                    .requestTimeout(Duration.ofMinutes(2))
                    .initializationTimeout(Duration.ofMinutes(2))
                    .build();
            client.initialize();
        }

        private String append(String text) {
            return Assistant.text(client.callTool(CallToolRequest.builder("append")
                    .arguments(Map.of("text", text))
                    .build()));
        }

        /** The one open question, as soon as there is one of this reason: where a node was killed, once its lease has ended. */
        private JsonNode asked(String reason) throws Exception {
            JsonNode asked = open().path(0);
            while (!asked.at("/interrupt/reason").asText().equals(reason)) {
                LockSupport.parkNanos(LOOKS.toNanos());
                asked = open().path(0);
            }
            return asked;
        }

        private JsonNode open() throws Exception {
            JsonNode open = get("/agent/interrupts?threads=accessible").path("interrupts");
            assertThat(open).hasSizeLessThan(2);
            return open;
        }

        private int answer(JsonNode asked, ObjectNode payload) throws Exception {
            ObjectNode answer = JSON.createObjectNode()
                    .put("threadId", asked.path("threadId").asText())
                    .put("interruptId", asked.at("/interrupt/id").asText())
                    .put("status", "resolved")
                    .set("payload", payload);
            HttpRequest request = HttpRequest.newBuilder(URI.create(page.join() + "/agent/decisions"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(answer.toString()))
                    .build();
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        }

        private JsonNode get(String path) throws Exception {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(page.join() + path)).build();
            return JSON.readTree(
                    HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body());
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

    private Path config(String wait) throws IOException {
        List<String> command = DyingServer.command(written);
        String arguments =
                command.stream().skip(1).map(part -> "'" + part + "'").collect(Collectors.joining(", "));
        return Files.writeString(
                directory.resolve("gateway" + wait + ".yml"),
                "servers: { files: { command: '" + command.get(0) + "', args: [" + arguments
                        + "] } }\nstore: 'jdbc:sqlite:" + directory.resolve("gateway.db") + "'\nwait: " + wait
                        + "\npage: { port: 0 }");
    }

    private List<String> written() throws IOException {
        return Files.exists(written) ? Files.readAllLines(written) : List.of();
    }

    private void stopAt(DyingServer.Stop stop) throws IOException {
        Files.createFile(stop.beside(written));
    }

    private void isStopped(DyingServer.Stop stop) {
        while (Files.exists(stop.beside(written))) {
            LockSupport.parkNanos(LOOKS.toNanos());
        }
    }

    /** Otherwise it ends half a minute after the last sign of life of who was killed. */
    private void endLease() throws SQLException {
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("gateway.db"));
                Statement statement = database.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE holdpoint_lease SET ends_at = 0"))
                    .isPositive();
        }
    }

    private static ObjectNode action(String action) {
        return JSON.createObjectNode().put("action", action).put("note", "it is there");
    }

    @Test
    void killedAtFivePointsBetweenQuestionAndResultItRunsOnce() throws Exception {
        written = directory.resolve("written");
        Path config = config("PT0S");

        Running first = new Running(config("PT1M"));
        CompletableFuture<String> lost = CompletableFuture.supplyAsync(() -> first.append("a"));
        JsonNode question = first.asked("tool_call");
        first.kill(); // the question is stored, and its client has heard nothing
        assertThat(lost.isDone() && !lost.isCompletedExceptionally()).isFalse();

        Running second = new Running(config);
        assertThat(second.append("a"))
                .startsWith("Not run yet")
                .contains(question.at("/interrupt/id").asText());
        second.kill(); // its client knows
        assertThat(written()).isEmpty();

        Running third = new Running(config);
        stopAt(DyingServer.Stop.BEFORE_IT_WRITES);
        assertThat(third.answer(
                        third.asked("tool_call"), JSON.createObjectNode().put("approved", true)))
                .isEqualTo(202);
        isStopped(DyingServer.Stop.BEFORE_IT_WRITES);
        third.kill(); // the server has got the call, and done nothing
        endLease();
        assertThat(written()).isEmpty();

        Running fourth = new Running(config);
        assertThat(fourth.append("a")).startsWith("Not run yet");
        JsonNode unknown = fourth.asked("langchain4j:outcome_unknown");
        stopAt(DyingServer.Stop.BEFORE_IT_ANSWERS);
        assertThat(fourth.answer(unknown, action("retry"))).isEqualTo(202);
        isStopped(DyingServer.Stop.BEFORE_IT_ANSWERS);
        fourth.kill(); // it is done, and nobody was told
        endLease();
        assertThat(written()).containsExactly("a");

        Running fifth = new Running(config);
        assertThat(fifth.append("a")).startsWith("Not run yet");
        assertThat(fifth.answer(fifth.asked("langchain4j:outcome_unknown"), action("done")))
                .isEqualTo(202);
        fifth.kill(); // a person knows, and no client

        try (Running last = new Running(config("PT10S"))) {
            String told = last.append("a");
            while (told.contains("Call again with the same arguments")) {
                told = last.append("a");
            }
            assertThat(told).contains("it is there");
            assertThat(last.open()).isEmpty();
            assertThat(written()).containsExactly("a");
        }
    }
}
