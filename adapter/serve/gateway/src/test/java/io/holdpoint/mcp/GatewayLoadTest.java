package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdpoint.store.InMemoryStore;
import io.javalin.Javalin;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway over HTTP that is there for long, with many clients. */
@Tag("deep")
@Timeout(300)
class GatewayLoadTest {

    private static final String BEGIN = """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
            "capabilities": {}, "clientInfo": {"name": "assistant", "version": "1"}}}""";
    private static final String LIST = "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/list\"}";

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    private static HttpRequest post(String address, String session, String message) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "/mcp"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(message));
        return (session.isEmpty() ? request : request.header("Mcp-Session-Id", session)).build();
    }

    private HttpResponse<String> send(String address, String session, String message) throws Exception {
        return http.send(post(address, session, message), HttpResponse.BodyHandlers.ofString());
    }

    private String session(String address) throws Exception {
        return send(address, "", BEGIN).headers().firstValue("Mcp-Session-Id").orElseThrow();
    }

    /** Each would stay in memory for ever, and clients seldom delete theirs. */
    @Test
    void aSessionThatNobodyUsesGoesAndOneThatListensStays() throws Exception {
        Notes notes = new Notes();
        GatewayConfig config = ConfigReader.read("gateway.yml", "servers: { notes: { command: notes } }", Map.of());
        try (McpGateway gateway =
                new McpGateway(config, new InMemoryStore(), "", Clock.systemUTC(), server -> notes::start)) {
            HttpDoor door = new HttpDoor(config.page(), gateway, Duration.ofSeconds(2));
            Javalin served = Javalin.create(setup -> setup.jetty.modifyServletContextHandler(context -> {
                        ServletHolder holder = new ServletHolder(door);
                        holder.setAsyncSupported(true);
                        context.addServlet(holder, "/mcp");
                    }))
                    .start("127.0.0.1", 0);
            try {
                String address = "http://127.0.0.1:" + served.port();
                String idle = session(address);
                String listening = session(address);
                HttpRequest listen = HttpRequest.newBuilder(URI.create(address + "/mcp"))
                        .header("Accept", "text/event-stream")
                        .header("Mcp-Session-Id", listening)
                        .build();
                try (InputStream stream = http.send(listen, HttpResponse.BodyHandlers.ofInputStream())
                        .body()) {
                    Thread.sleep(6_000); // the clock of the SDK cannot be moved
                    assertThat(send(address, idle, LIST).statusCode()).isEqualTo(404);
                    assertThat(send(address, listening, LIST).statusCode()).isEqualTo(200);
                }
            } finally {
                served.stop();
            }
        }
    }

    private Gateway start(String more) {
        List<String> command = DyingServer.command(directory.resolve("written"));
        String arguments =
                command.stream().skip(1).map(part -> "'" + part + "'").collect(Collectors.joining(", "));
        String yaml = "servers: { files: { command: '" + command.get(0) + "', args: [" + arguments + "] } }\n"
                + "store: 'jdbc:sqlite:" + directory.resolve("gateway.db") + "'\nwait: PT0S\npage: { port: 0 }\n"
                + more;
        return Gateway.start(ConfigReader.read("gateway.yml", yaml, Map.of()), true, InputStream.nullInputStream());
    }

    /** Each call keeps a thread of those of the page. */
    @Test
    void howeverManyCallsASlowServerKeepsThePageIsThere() throws Exception {
        try (Gateway gateway = start("policies: [ { tools: '*', approval: none } ]")) {
            String session = session(gateway.address());
            String later = "{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"tools/call\", \"params\": {\"name\":"
                    + " \"append\", \"arguments\": {\"text\": \"later\"}}}";
            List<CompletableFuture<HttpResponse<String>>> calls = IntStream.range(0, 400)
                    .mapToObj(i -> http.sendAsync(
                            post(gateway.address(), session, later), HttpResponse.BodyHandlers.ofString()))
                    .toList();
            CountDownLatch told = new CountDownLatch(250);
            calls.forEach(call -> call.thenRun(told::countDown));
            told.await();

            HttpRequest page = HttpRequest.newBuilder(
                            URI.create(gateway.address() + "/agent/interrupts?threads=accessible"))
                    .timeout(Duration.ofMinutes(1))
                    .build();
            assertThat(http.send(page, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            assertThat(calls.stream().filter(CompletableFuture::isDone))
                    .allSatisfy(answer -> assertThat(answer.join().body()).contains("was not made"));
            Files.createFile(directory.resolve("go"));
            calls.forEach(CompletableFuture::join);
        }
    }

    /** A server elsewhere that is started again, and then knows no session and has another tool of the same name. */
    private static final class Elsewhere implements AutoCloseable {

        private final HttpServer server;
        private volatile String tools;
        private volatile int generation = 1;

        private Elsewhere(String tools) throws IOException {
            this.tools = tools;
            server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            server.setExecutor(Executors.newCachedThreadPool());
            server.createContext("/mcp", this::answer);
            server.start();
        }

        private void answer(HttpExchange exchange) throws IOException {
            String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String id = asked.replaceFirst("(?s).*\"id\":\"([^\"]*)\".*", "$1");
            String session = exchange.getRequestHeaders().getFirst("Mcp-Session-Id");
            boolean begins = asked.contains("\"initialize\"");
            String result = begins
                    ? "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"x\",\"version\":\"1\"}}"
                    : asked.contains("tools/list")
                            ? "{\"tools\":[" + tools + "]}"
                            : "{\"content\":[{\"type\":\"text\",\"text\":\"" + generation + "\"}]}";
            byte[] body = ("{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\",\"result\":" + result + "}")
                    .getBytes(StandardCharsets.UTF_8);
            if (exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(405, -1);
            } else if (!begins && !("s" + generation).equals(session)) {
                exchange.sendResponseHeaders(404, -1);
            } else if (asked.contains("notifications/")) {
                exchange.sendResponseHeaders(202, -1);
            } else {
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.getResponseHeaders().add("Mcp-Session-Id", "s" + generation);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    @Test
    void aServerElsewhereThatWasStartedAgainHasNotMadeTheCallAndIsAskedForItsToolsAgain() throws Exception {
        String look = "{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"%s\":true}}";
        try (Elsewhere server = new Elsewhere(look.formatted("readOnlyHint"))) {
            String yaml = "servers: { far: { url: 'http://127.0.0.1:"
                    + server.server.getAddress().getPort()
                    + "/mcp' } }\nwait: PT0S\npolicies: [ { tools: '*', when: not readOnly } ]";
            try (McpGateway gateway =
                            McpGateway.open(ConfigReader.read("outer.yml", yaml, Map.of()), new InMemoryStore(), "");
                    Assistant assistant = new Assistant(gateway)) {
                assertThat(assistant.says("look", "a")).isEqualTo("1");
                server.tools = look.formatted("destructiveHint");
                server.generation = 2;

                assertThat(assistant.says("look", "a")).contains("was not made").doesNotContain("effect");
                assertThat(assistant.says("look", "a")).contains("was not made", "Call again");
                assertThat(assistant.says("look", "a")).startsWith("Not run yet");
            }
        }
    }
}
