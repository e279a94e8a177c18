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
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two gateways, the packaged program, with one PostgreSQL and one file: what one holds the other one knows, also when the first is killed. */
class TwoNodesIT {

    private static final Path JAR = Path.of(System.getProperty("gateway.jar", "target/holdpoint-gateway.jar"));
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Between two looks at what other processes do, which need the processor more. */
    private static final Duration LOOKS = Duration.ofMillis(100);

    /** Lets no call of a schema begin as long as somebody has the lock. */
    private static final String STOP = """
            CREATE FUNCTION %1$s.stop() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN IF NEW.kind = 'CLAIMED' THEN PERFORM pg_advisory_xact_lock(44); END IF; RETURN NEW; END $$;
            CREATE TRIGGER stop BEFORE INSERT ON %1$s.holdpoint_audit FOR EACH ROW EXECUTE FUNCTION %1$s.stop();
            SELECT pg_advisory_lock(44)""";

    /** What time does in half a minute after a node was killed. */
    private static final String ITS_LEASE_ENDS = "UPDATE %s.holdpoint_lease SET ends_at = 0";

    /** When a node is killed that has held a call. */
    enum Moment {
        THE_QUESTION_IS_STORED,
        THE_ANSWER_IS_STORED,
        IT_HAS_RUN,
        THE_RESULT_IS_STORED
    }

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
                            + "'\nwait: PT1S\npage: { port: 0 }");
            process = new ProcessBuilder(
                            command.get(0),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-jar",
                            JAR.toAbsolutePath().toString(),
                            "--config",
                            config.toString(),
                            "--http")
                    .start();
            address = address();
            client = McpClient.sync(HttpClientStreamableHttpTransport.builder(address)
                            .jsonMapper(Results.mapper())
                            .connectTimeout(Duration.ofMinutes(2))
                            .build())
                    .jsonSchemaValidator(Results.UNCHECKED)
                    .requestTimeout(Duration.ofMinutes(2))
                    .initializationTimeout(Duration.ofMinutes(2))
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

        /** The one open question, as soon as there is one of this reason: where a node was killed, once its lease has ended. */
        private JsonNode asked(String reason) throws Exception {
            JsonNode open = open();
            while (!open.at("/0/interrupt/reason").asText().equals(reason)) {
                LockSupport.parkNanos(LOOKS.toNanos());
                open = open();
            }
            assertThat(open).hasSize(1);
            return open.get(0);
        }

        private void approve() throws Exception {
            answer("tool_call", JSON.createObjectNode().put("approved", true));
        }

        private void answer(String reason, ObjectNode payload) throws Exception {
            JsonNode asked = asked(reason);
            ObjectNode answer = JSON.createObjectNode()
                    .put("threadId", asked.path("threadId").asText())
                    .put("interruptId", asked.at("/interrupt/id").asText())
                    .put("status", "resolved")
                    .set("payload", payload);
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/agent/decisions"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(answer.toString()))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(202);
        }

        /** What the client reads that calls until it is told what became of its call. */
        private String toldInTheEnd() {
            String told = append();
            while (told.startsWith("Not run yet") || told.startsWith("Not known yet")) {
                told = append();
            }
            return told;
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
        try (Connection database = DriverManager.getConnection(url)) {
            run(database, "CREATE SCHEMA " + name);
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

            two.approve();
            assertThat(two.toldInTheEnd()).endsWith("appended a");
            assertThat(one.append()).contains("has not been made again").endsWith("appended a");
            assertThat(written()).containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void whateverANodeWasAtWhenItWasKilledTheOtherOneBringsToItsEndOnce(Moment moment) throws Exception {
        String schema = schema();
        try (Node two = new Node(schema);
                Connection database = DriverManager.getConnection(url)) {
            Node one = new Node(schema);
            String held = one.append();
            assertThat(two.append()).isEqualTo(held.replace(one.address, two.address));
            switch (moment) {
                case THE_QUESTION_IS_STORED -> {
                    one.kill();
                    two.approve();
                }
                case THE_ANSWER_IS_STORED -> {
                    run(database, STOP.formatted(schema));
                    one.approve();
                    until(database, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
                    one.kill();
                    assertThat(kinds(database, schema)).contains("DECIDED").doesNotContain("CLAIMED");
                    run(
                            database,
                            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted;"
                                    + " SELECT pg_advisory_unlock(44)");
                    run(database, ITS_LEASE_ENDS.formatted(schema));
                    assertThat(written()).isEmpty();
                }
                case IT_HAS_RUN -> {
                    Path stop = DyingServer.Stop.BEFORE_IT_ANSWERS.beside(directory.resolve("written"));
                    Files.createFile(stop);
                    one.approve();
                    while (Files.exists(stop)) {
                        LockSupport.parkNanos(LOOKS.toNanos());
                    }
                    one.kill();
                    run(database, ITS_LEASE_ENDS.formatted(schema));
                    assertThat(written()).containsExactly("a");
                    two.answer(
                            "langchain4j:outcome_unknown",
                            JSON.createObjectNode().put("action", "done").put("note", "appended a"));
                }
                case THE_RESULT_IS_STORED -> {
                    one.approve();
                    until(database, "SELECT count(*) FROM " + schema + ".holdpoint_audit WHERE kind = 'EXECUTED'");
                    one.kill();
                }
            }

            assertThat(two.toldInTheEnd()).contains("appended a");
            assertThat(two.append()).contains("has not been made again", "appended a");
            assertThat(two.open()).isEmpty();
            assertThat(written()).containsExactly("a");
            assertThat(kinds(database, schema)).containsOnlyOnce("PROPOSED", "CLAIMED", "EXECUTED");
        }
    }

    private static void run(Connection database, String sql) throws Exception {
        try (var statement = database.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Looks until there is something of what is counted. */
    private static void until(Connection database, String count) throws Exception {
        try (var statement = database.createStatement()) {
            for (boolean there = false; !there; ) {
                LockSupport.parkNanos(LOOKS.toNanos());
                try (var counted = statement.executeQuery(count)) {
                    there = counted.next() && counted.getInt(1) > 0;
                }
            }
        }
    }

    private static List<String> kinds(Connection database, String schema) throws Exception {
        List<String> kinds = new ArrayList<>();
        try (var statement = database.createStatement();
                var found = statement.executeQuery("SELECT kind FROM " + schema + ".holdpoint_audit ORDER BY id")) {
            while (found.next()) {
                kinds.add(found.getString(1));
            }
        }
        return kinds;
    }
}
