package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways in processes of their own, with one PostgreSQL: what one holds the other one knows, also when the first is killed. */
@Tag("deep")
class TwoNodesTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static AutoCloseable postgres;
    private static String url;

    @TempDir
    private Path directory;

    /** By its name, so that the other tests of the module compile without it. */
    @BeforeAll
    static void startPostgres() throws Exception {
        Class<?> embedded = Class.forName("io.zonky.test.db.postgres.embedded.EmbeddedPostgres");
        postgres = (AutoCloseable) embedded.getMethod("start").invoke(null);
        url = (String)
                embedded.getMethod("getJdbcUrl", String.class, String.class).invoke(postgres, "postgres", "postgres");
    }

    @AfterAll
    static void stopPostgres() throws Exception {
        postgres.close();
    }

    /** A gateway in a process, and a client of it. */
    private final class Node implements AutoCloseable {

        private final Process process;
        private final String address;
        private final McpSyncClient client;

        private Node(String schema) throws IOException {
            List<String> command = DyingServer.command(directory.resolve("written"));
            Path config = Files.writeString(
                    directory.resolve("gateway.yml"),
                    "servers: { files: { command: '" + command.get(0) + "', args: ["
                            + command.stream()
                                    .skip(1)
                                    .map(part -> "'" + part + "'")
                                    .collect(Collectors.joining(", "))
                            + "] } }\nstore: '" + url + "&currentSchema=" + schema
                            + "'\nwait: PT0S\npage: { port: 0 }");
            process = new ProcessBuilder(
                            command.get(0),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            command.get(3),
                            Gateway.class.getName(),
                            "--config",
                            config.toString(),
                            "--http")
                    .start();
            address = address();
            client = McpClient.sync(HttpClientStreamableHttpTransport.builder(address)
                            .jsonMapper(Results.mapper())
                            .build())
                    .jsonSchemaValidator(Unchecked.SCHEMAS)
                    .build();
            client.initialize();
        }

        private String address() throws IOException {
            BufferedReader said =
                    new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
            StringBuilder all = new StringBuilder();
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.contains("people decide at ")) {
                    return line.replaceFirst(".*people decide at (http:\\S+)/;.*", "$1");
                }
                all.append(line).append('\n');
            }
            throw new AssertionError("the gateway has ended: " + all);
        }

        private String append() {
            return Assistant.text(client.callTool(CallToolRequest.builder("append")
                    .arguments(Map.of("text", "a"))
                    .build()));
        }

        private JsonNode open() throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/agent/interrupts?threads=accessible"))
                    .build();
            return JSON.readTree(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .path("interrupts");
        }

        private int approve() throws Exception {
            JsonNode asked = open().path(0);
            ObjectNode answer = JSON.createObjectNode()
                    .put("threadId", asked.path("threadId").asText())
                    .put("interruptId", asked.at("/interrupt/id").asText())
                    .put("status", "resolved");
            answer.putObject("payload").put("approved", true);
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/agent/decisions"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(answer.toString()))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        }

        /** As SIGKILL does. */
        private void kill() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }

        @Override
        public void close() {
            client.close();
            kill();
        }
    }

    private List<String> written() throws IOException {
        Path file = directory.resolve("written");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static String schema() throws Exception {
        String name = "test_" + Long.toHexString(System.nanoTime());
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + name);
        }
        return name;
    }

    @Test
    void theOtherNodeTakesOverWhatOneHasHeldAndRunsItOnce() throws Exception {
        String schema = schema();
        try (Node one = new Node(schema);
                Node two = new Node(schema)) {
            String held = one.append();
            assertThat(held).startsWith("Not run yet");
            assertThat(two.append()).isEqualTo(held.replace(one.address, two.address));
            assertThat(two.open()).hasSize(1);

            assertThat(two.approve()).isEqualTo(202);
            String told = two.append();
            while (told.startsWith("Not run yet")) {
                told = two.append();
            }
            assertThat(told).endsWith("appended a");
            assertThat(one.append()).contains("has not been made again").endsWith("appended a");
            assertThat(written()).containsExactly("a");
        }
    }

    @Test
    void aNodeThatIsKilledLeavesItsQuestionsToTheOther() throws Exception {
        String schema = schema();
        try (Node two = new Node(schema)) {
            Node one = new Node(schema);
            String held = one.append();
            one.kill();

            assertThat(two.append()).isEqualTo(held.replace(one.address, two.address));
            assertThat(two.approve()).isEqualTo(202);
            String told = two.append();
            while (told.startsWith("Not run yet")) {
                told = two.append();
            }
            assertThat(told).endsWith("appended a");
            assertThat(written()).containsExactly("a");
        }
    }

    @Test
    void aNodeThatIsKilledAfterTheDecisionHasRunTheCallOnceAtMost() throws Exception {
        String schema = schema();
        try (Node two = new Node(schema)) {
            Node one = new Node(schema);
            one.append();
            assertThat(one.approve()).isEqualTo(202);
            one.kill();

            String told = two.append();
            assertThat(told).satisfiesAnyOf(text -> assertThat(text).endsWith("appended a"), text -> assertThat(text)
                    .startsWith("Not run yet"));
            assertThat(written().size()).isLessThanOrEqualTo(1);
        }
    }
}
