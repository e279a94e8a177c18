package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.holdpoint.store.InMemoryStore;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program with its page, its database and MCP over HTTP, on both sides. */
@Tag("deep")
class GatewayHttpTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GRACE = "token-of-grace-0123";
    private static final String HENRY = "token-of-henry-0123";

    @TempDir
    private Path directory;

    private final List<McpSyncClient> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(McpSyncClient::close);
    }

    private Gateway start(String more) {
        List<String> command = DyingServer.command(directory.resolve("written"));
        String arguments =
                command.stream().skip(1).map(part -> "'" + part + "'").collect(Collectors.joining(", "));
        String yaml = "servers: { files: { command: '" + command.get(0) + "', args: [" + arguments + "] } }\n"
                + "store: 'jdbc:sqlite:" + directory.resolve("gateway.db") + "'\n"
                + (more.contains("wait:") ? "" : "wait: PT0S\n") + more;
        return Gateway.start(ConfigReader.read("gateway.yml", yaml, Map.of()), true, InputStream.nullInputStream());
    }

    private McpSyncClient client(Gateway gateway, String token) {
        return client(gateway, token, settings -> settings);
    }

    private McpSyncClient client(Gateway gateway, String token, UnaryOperator<McpClient.SyncSpec> settings) {
        McpSyncClient client = settings.apply(McpClient.sync(HttpClientStreamableHttpTransport.builder(
                                        gateway.address())
                                .jsonMapper(Results.mapper())
                                .requestBuilder(HttpRequest.newBuilder().header("Authorization", "Bearer " + token))
                                .connectTimeout(Duration.ofMinutes(2))
                                .build())
                        .jsonSchemaValidator(Results.UNCHECKED)
                        .requestTimeout(Duration.ofMinutes(2))
                        .initializationTimeout(Duration.ofMinutes(2)))
                .build();
        client.initialize();
        clients.add(client);
        return client;
    }

    private static String append(McpSyncClient client, String text) {
        CallToolResult result = client.callTool(CallToolRequest.builder("append")
                .arguments(Map.of("text", text))
                .build());
        return Assistant.text(result);
    }

    private static HttpResponse<String> send(String address, String token, Object... nameAndValue) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (nameAndValue.length > 0) {
            request.header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(String.valueOf(nameAndValue[0])));
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static int approve(Gateway gateway, String token) throws Exception {
        JsonNode asked = JSON.readTree(send(gateway.address() + "/agent/interrupts?threads=accessible", token)
                        .body())
                .path("interrupts")
                .path(0);
        ObjectNode answer = JSON.createObjectNode()
                .put("threadId", asked.path("threadId").asText())
                .put("interruptId", asked.at("/interrupt/id").asText())
                .put("status", "resolved");
        answer.putObject("payload").put("approved", true);
        return send(gateway.address() + "/agent/decisions", token, answer).statusCode();
    }

    private List<String> written() throws IOException {
        Path file = directory.resolve("written");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    @Test
    void aCallThatWasApprovedOnThePageRunsOnceAndStaysOverARestart() throws Exception {
        try (Gateway gateway = start("page: { port: 0 }")) {
            assertThat(append(client(gateway, "none"), "a"))
                    .startsWith("Not run yet")
                    .contains(gateway.address());
            assertThat(send(gateway.address() + "/", "").body()).contains("page.js");
            assertThat(written()).isEmpty();
        }
        try (Gateway gateway = start("page: { port: 0 }")) {
            McpSyncClient client = client(gateway, "none");
            assertThat(append(client, "a")).startsWith("Not run yet");
            assertThat(approve(gateway, "")).isEqualTo(202);
            String told = append(client, "a");
            while (told.contains("Call again with the same arguments")) {
                told = append(client, "a");
            }
            assertThat(told).endsWith("appended a");
            assertThat(written()).containsExactly("a");
        }
    }

    @Test
    void whereThePageKnowsItsPeopleNobodyElseDecidesOrSpeaks() throws Exception {
        try (Gateway gateway = start("page: { port: 0, people: { grace: { token: " + GRACE + ", groups: [leads] } } }\n"
                + "policies: [ { tools: '*', group: leads } ]")) {
            assertThat(append(client(gateway, GRACE), "a")).startsWith("Not run yet");
            assertThat(send(gateway.address() + "/agent/interrupts?threads=accessible", "")
                            .statusCode())
                    .isEqualTo(401);
            assertThat(send(gateway.address() + "/mcp", "", "{}").statusCode()).isEqualTo(401);
            assertThat(approve(gateway, GRACE)).isEqualTo(202);
        }
    }

    @Test
    void whoDecidesByAFormIsWhoHasSignedInAndCountsOnce() throws Exception {
        try (Gateway gateway = start("elicit: true\npolicies: [ { tools: '*', approvals: 2 } ]\nwait: PT1M\n"
                + "page: { port: 0, people: { grace: { token: " + GRACE + " }, henry: { token: " + HENRY + " } } }")) {
            McpSyncClient client = client(gateway, GRACE, settings -> settings.requestTimeout(Duration.ofMinutes(1))
                    .capabilities(ClientCapabilities.builder().elicitation().build())
                    .elicitation(form -> ElicitResult.builder(ElicitResult.Action.ACCEPT)
                            .content(Map.of("decision", "approve"))
                            .build()));
            CompletableFuture<String> told = CompletableFuture.supplyAsync(() -> append(client, "a"));
            String open = "";
            while (!open.contains("\"by\":")) {
                open = send(gateway.address() + "/agent/interrupts?threads=accessible", HENRY)
                        .body();
            }
            assertThat(open).contains("\"by\":\"grace\"");
            approve(gateway, GRACE);
            assertThat(send(gateway.address() + "/agent/interrupts?threads=accessible", HENRY)
                            .body())
                    .contains("\"by\":\"grace\"");
            assertThat(approve(gateway, HENRY)).isEqualTo(202);
            assertThat(told.join()).isEqualTo("appended a");
            assertThat(written()).containsExactly("a");
        }
    }

    /** Or somebody could answer the form of another one, who would be the one who has decided. */
    @Test
    void nobodySpeaksInTheSessionOfSomebodyElse() throws Exception {
        try (Gateway gateway = start(
                "page: { port: 0, people: { grace: { token: " + GRACE + " }, henry: { token: " + HENRY + " } } }")) {
            String begin = """
                    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
                    "capabilities": {}, "clientInfo": {"name": "assistant", "version": "1"}}}""";
            String session = inSession(gateway, GRACE, "", begin)
                    .headers()
                    .firstValue("Mcp-Session-Id")
                    .orElseThrow();
            String answer = "{\"jsonrpc\": \"2.0\", \"id\": \"x-0\", \"result\": {\"action\": \"accept\"}}";

            HttpResponse<String> henrys = inSession(gateway, HENRY, session, answer);
            assertThat(henrys.statusCode()).isEqualTo(404);
            assertThat(henrys.body()).contains("Session not found");
            String own = "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}";
            assertThat(inSession(gateway, GRACE, session, own).statusCode()).isEqualTo(202);
        }
    }

    private static HttpResponse<String> inSession(Gateway gateway, String token, String session, String message)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(gateway.address() + "/mcp"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(message));
        if (!session.isEmpty()) {
            request.header("Mcp-Session-Id", session);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aFormThatIsAnsweredWhenTheWaitIsOverCounts() throws Exception {
        try (Gateway gateway = start("elicit: true\nwait: PT1S\npage: { port: 0 }")) {
            McpSyncClient other = client(gateway, "none");
            AtomicReference<String> toldMeanwhile = new AtomicReference<>();
            McpSyncClient client = client(gateway, "none", settings -> settings.requestTimeout(Duration.ofMinutes(1))
                    .capabilities(ClientCapabilities.builder().elicitation().build())
                    .elicitation(form -> {
                        toldMeanwhile.set(append(other, "a")); // which takes the wait
                        return ElicitResult.builder(ElicitResult.Action.ACCEPT)
                                .content(Map.of("decision", "approve"))
                                .build();
                    }));

            assertThat(append(client, "a")).isEqualTo("appended a");
            assertThat(toldMeanwhile.get()).startsWith("Not run yet");
            assertThat(written()).containsExactly("a");
        }
    }

    @Test
    void aFormThatIsClosedLeavesTheCallHeld() throws Exception {
        try (Gateway gateway = start("elicit: true\nwait: PT0S\npage: { port: 0 }")) {
            McpSyncClient client = client(gateway, "none", settings -> settings.requestTimeout(Duration.ofMinutes(1))
                    .capabilities(ClientCapabilities.builder().elicitation().build())
                    .elicitation(form ->
                            ElicitResult.builder(ElicitResult.Action.CANCEL).build()));

            assertThat(append(client, "a")).startsWith("Not run yet");
            assertThat(written()).isEmpty();
        }
    }

    @Test
    void whoIsInTheGroupForItHaltsTheGateway() throws Exception {
        String people = "people: { grace: { token: " + GRACE + ", groups: [leads] }, henry: { token: " + HENRY + " } }";
        try (Gateway gateway = start("page: { port: 0, halt: leads, " + people + " }")) {
            String halt = gateway.address() + "/agent/halt";
            assertThat(send(halt, HENRY, "{\"reason\":\"no\"}").statusCode()).isEqualTo(403);
            assertThat(send(halt, GRACE, "{\"reason\":\"incident 42\"}").statusCode())
                    .isEqualTo(200);
            assertThat(append(client(gateway, HENRY), "a")).contains("was not made");
            assertThat(written()).isEmpty();
        }
    }

    @Test
    void aLinkThatAWebhookHandsOnShowsTheQuestionAndDecidesOnce() throws Exception {
        CompletableFuture<JsonNode> told = new CompletableFuture<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        receiver.createContext("/", exchange -> {
            told.complete(JSON.readTree(exchange.getRequestBody()).at("/data/questions/0/links"));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        try (Gateway gateway = start("policies: [ { tools: '*', decideByLink: true, group: leads } ]\n"
                + "tell: { links: 0123456789abcdef0123456789abcdef, webhook: { url: 'http://127.0.0.1:"
                + receiver.getAddress().getPort() + "', secret: whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3 } }\n"
                + "page: { port: " + port + ", address: 'http://127.0.0.1:" + port + "/', people: { grace: { token: "
                + GRACE + ", groups: [leads] }, henry: { token: " + HENRY + " } } }")) {
            McpSyncClient client = client(gateway, HENRY);
            assertThat(append(client, "a")).startsWith("Not run yet");
            JsonNode links = told.join();
            assertThat(links.fieldNames()).toIterable().containsExactly("grace");
            String link = links.path("grace").asText();

            HttpResponse<String> shown = send(link, "");
            assertThat(shown.statusCode()).isEqualTo(200);
            assertThat(shown.body()).contains("append", "<button");
            assertThat(written()).isEmpty();

            assertThat(press(link, "decision=approve")).contains("You have approved this.");
            String result = append(client, "a");
            while (result.contains("Call again with the same arguments")) {
                result = append(client, "a");
            }
            assertThat(result).endsWith("appended a");
            assertThat(press(link, "decision=deny")).contains("You have approved this.");
            assertThat(written()).containsExactly("a");
        } finally {
            receiver.stop(0);
        }
    }

    private static String press(String link, String form) throws Exception {
        HttpRequest pressed = HttpRequest.newBuilder(URI.create(link))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        return HttpClient.newHttpClient()
                .send(pressed, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void noNameOfAnotherSiteLeadsHere() throws Exception {
        try (Gateway gateway = start("page: { port: 0 }")) {
            for (String path : List.of("/mcp", "/agent/decisions")) {
                assertThat(statusFor("evil.example", path, gateway)).as(path).startsWith("HTTP/1.1 403");
                assertThat(statusFor("localhost", path, gateway)).as(path).doesNotStartWith("HTTP/1.1 403");
            }
        }
    }

    private static String statusFor(String host, String path, Gateway gateway) throws IOException {
        URI address = URI.create(gateway.address());
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            String request = "POST " + path + " HTTP/1.1\r\nHost: " + host + ":" + address.getPort()
                    + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void noOtherUserOfTheMachineReadsWhatIsHeld() throws Exception {
        try (Gateway gateway = start("page: { port: 0 }")) {
            append(client(gateway, "none"), "a");
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .as(file.toString())
                            .isEqualTo("rw-------");
                }
            }
        }
    }

    /** So a client that begins with 2026-07-28 reads that it has to begin as before. */
    @Test
    void whatIsRefusedSaysNothingOfTheInside() throws Exception {
        try (Gateway gateway = start("page: { port: 0 }")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.address() + "/mcp"))
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("MCP-Protocol-Version", "2026-07-28")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{}}"))
                    .build();
            HttpResponse<String> refused =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body())
                    .isEqualTo(
                            "{\"error\":{\"code\":-32601,\"message\":\"Session ID required in mcp-session-id header\"}}");
        }
    }

    @Test
    void noPageOfAnotherSiteSpeaks() throws Exception {
        try (Gateway gateway = start("page: { port: 0 }")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.address() + "/mcp"))
                    .header("Origin", "https://evil.example")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void aGatewayIsAServerOfAnotherOne() throws Exception {
        try (Gateway inner = start("page: { port: 0 }\npolicies: [ { tools: '*', approval: none } ]")) {
            String yaml = "servers: { far: { url: '" + inner.address()
                    + "/mcp' } }\npolicies: [ { tools: '*', approval: none } ]";
            try (McpGateway outer =
                            McpGateway.open(ConfigReader.read("outer.yml", yaml, Map.of()), new InMemoryStore(), "");
                    Assistant assistant = new Assistant(outer)) {
                assertThat(assistant.says("append", "a")).isEqualTo("appended a");
            }
        }
        assertThat(written()).containsExactly("a");
    }

    // --- clients of 2026-07-28

    private static void assertAsked(JsonNode result) {
        assertThat(result.path("resultType").asText()).as(result.toString()).isEqualTo("input_required");
        assertThat(result.path("requestState").asText()).isNotEmpty();
    }

    @Test
    void aClientOfTheNewEraIsAskedByItsResultAndTheCallRunsOnce() throws Exception {
        try (Gateway gateway = start("elicit: true\npage: { port: 0 }")) {
            NewEraClient client = new NewEraClient(gateway.address());
            JsonNode asked = client.append("a");
            assertAsked(asked);
            assertThat(asked.at("/inputRequests/question/params/message").asText())
                    .contains("files.append", "{\"text\":\"a\"}");
            assertThat(send(gateway.address() + "/agent/interrupts?threads=accessible", "")
                            .body())
                    .contains("files.append");
            assertThat(written()).isEmpty();

            assertThat(NewEraClient.text(client.approve("a", asked))).contains("appended a");
            assertThat(written()).containsExactly("a");
            assertThat(NewEraClient.text(client.approve("a", asked))).contains("appended a");
            assertThat(written()).containsExactly("a");
        }
    }

    @Test
    void noOtherStateOfAQuestionApprovesAnything() throws Exception {
        try (Gateway gateway = start("elicit: true\npage: { port: 0 }")) {
            NewEraClient client = new NewEraClient(gateway.address());
            JsonNode asked = client.append("a");
            ObjectNode forged = asked.deepCopy();
            forged.put("requestState", asked.path("requestState").asText() + "x");
            assertThat(client.approve("a", forged).at("/error/message").asText())
                    .contains("requestState");
            forged.put("requestState", "question");
            assertThat(client.approve("a", forged).has("error")).isTrue();

            assertAsked(client.approve("b", asked));
            assertAsked(client.named("other").approve("a", asked));
            assertThat(written()).isEmpty();
        }
    }

    @Test
    void anAnswerToAQuestionThatWasAnsweredElsewhereRunsNothingAgain() throws Exception {
        try (Gateway gateway = start("elicit: true\npage: { port: 0 }")) {
            NewEraClient client = new NewEraClient(gateway.address());
            JsonNode asked = client.append("a");
            approve(gateway, "");
            JsonNode told = client.approve("a", asked);
            while (NewEraClient.text(told).contains("Call again with the same arguments")) {
                told = client.approve("a", asked);
            }
            assertThat(NewEraClient.text(told)).contains("appended a");
            assertThat(written()).containsExactly("a");
        }
    }

    @Test
    void theStateOfOnePersonIsNotThatOfAnotherAndWhatHasChangedIsShownAgain() throws Exception {
        try (Gateway gateway = start("elicit: true\npolicies: [ { tools: '*', approvals: 2 } ]\nwait: PT1S\n"
                + "page: { port: 0, people: { grace: { token: " + GRACE + " }, henry: { token: " + HENRY + " } } }")) {
            NewEraClient henry = new NewEraClient(gateway.address(), Optional.of(HENRY), NewEraClient.FORMS);
            NewEraClient grace = new NewEraClient(gateway.address(), Optional.of(GRACE), NewEraClient.FORMS);
            JsonNode asked = henry.append("a");
            assertThat(grace.approve("a", asked).at("/error/message").asText()).contains("requestState");

            JsonNode open = JSON.readTree(send(gateway.address() + "/agent/interrupts?threads=accessible", GRACE)
                            .body())
                    .at("/interrupts/0");
            ObjectNode edit = JSON.createObjectNode()
                    .put("threadId", open.path("threadId").asText())
                    .put("interruptId", open.at("/interrupt/id").asText())
                    .put("status", "resolved");
            edit.putObject("payload")
                    .put("approved", true)
                    .putObject("editedArgs")
                    .put("text", "b");
            assertThat(send(gateway.address() + "/agent/decisions", GRACE, edit).statusCode())
                    .isBetween(200, 202);

            JsonNode again = henry.approve("a", asked);
            assertAsked(again);
            assertThat(again.at("/inputRequests/question/params/message").asText())
                    .contains("{\"text\":\"b\"}");
            assertThat(written()).isEmpty();
            assertThat(NewEraClient.text(henry.approve("a", again))).contains("appended b");
            assertThat(written()).containsExactly("b");
        }
    }

    @Test
    void theStateOfAQuestionOutlivesTheGateway() throws Exception {
        JsonNode asked;
        try (Gateway gateway = start("elicit: true\npage: { port: 0 }")) {
            asked = new NewEraClient(gateway.address()).append("a");
        }
        try (Gateway gateway = start("elicit: true\npage: { port: 0 }")) {
            assertThat(NewEraClient.text(new NewEraClient(gateway.address()).approve("a", asked)))
                    .contains("appended a");
            assertThat(written()).containsExactly("a");
        }
    }

    @Test
    void whoseUserMayNotDecideIsSentToThePage() throws Exception {
        try (Gateway gateway = start("page: { port: 0 }")) {
            NewEraClient client =
                    new NewEraClient(gateway.address(), Optional.empty(), "{\"elicitation\":{\"form\":{},\"url\":{}}}");
            JsonNode asked = client.append("a");
            assertAsked(asked);
            assertThat(asked.at("/inputRequests/question/params/url").asText()).isEqualTo(gateway.address() + "/");
            assertThat(NewEraClient.text(client.approve("a", asked))).contains("Not run yet");
            assertThat(written()).isEmpty();

            approve(gateway, "");
            JsonNode told = client.append("a", Optional.of(asked), "{\"action\":\"accept\"}");
            while (NewEraClient.text(told).contains("Call again with the same arguments")) {
                told = client.append("a", Optional.of(asked), "{\"action\":\"accept\"}");
            }
            assertThat(NewEraClient.text(told)).contains("appended a");
            assertThat(written()).containsExactly("a");
            assertThat(NewEraClient.text(new NewEraClient(gateway.address(), Optional.empty(), "{}").append("b")))
                    .contains("Not run yet");
        }
    }

    /** Streams that are open keep no gateway from ending, and end with it. */
    @Test
    @Timeout(60)
    void theGatewayEndsAlsoWhereClientsListen() throws Exception {
        Iterator<String> heard;
        try (Gateway gateway = start("page: { port: 0 }")) {
            client(gateway, "none");
            heard = new NewEraClient(gateway.address()).listen();
            assertThat(heard.next()).isEqualTo("event: message");
            assertThat(heard.next()).contains("notifications/subscriptions/acknowledged");
        }
        assertThatThrownBy(() -> heard.forEachRemaining(line -> {})).hasRootCauseInstanceOf(EOFException.class);
    }
}
