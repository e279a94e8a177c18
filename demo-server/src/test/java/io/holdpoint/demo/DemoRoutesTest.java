package io.holdpoint.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.holdpoint.agui.AguiCodec;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page shows beside the agent, as others ask for it. */
class DemoRoutesTest {

    @TempDir
    Path folder;

    private static String get(Javalin server, String path, String headers) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\n" + headers + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void pagesOfOtherSitesSeeNothing() throws Exception {
        DemoSettings settings = DemoSettings.read(
                Map.of("PORT", "0", "HOSTS", "box.example", "JDBC_URL", "jdbc:sqlite:" + folder.resolve("demo.db")));
        Javalin server = DemoServer.start(settings, DemoDatabase.open(settings.database()));
        try {
            assertThat(get(server, "/demo/effects", "Host: evil.example"))
                    .startsWith("HTTP/1.1 403")
                    .contains("HOSTS=evil.example");
            assertThat(get(server, "/demo/effects", "Host: localhost\r\nOrigin: https://evil.example"))
                    .startsWith("HTTP/1.1 403");
            assertThat(get(server, "/demo/effects", "Host: localhost\r\nSec-Fetch-Site: cross-site"))
                    .startsWith("HTTP/1.1 403");
            assertThat(get(server, "/demo/effects", "Host: box.example")).startsWith("HTTP/1.1 200");
            assertThat(get(server, "/demo/effects", "Host: localhost")).startsWith("HTTP/1.1 200");
        } finally {
            server.stop();
        }
    }

    private static JsonNode send(Javalin server, String token, String method, String path, String body)
            throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        String answer = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
        return path.equals("/agent")
                ? NullNode.getInstance()
                : AguiCodec.mapper().readTree(answer);
    }

    /** Ada's 500 were answered by Grace with 9,999 for herself, which ran. */
    @Test
    void whoApprovesATransferWithAnotherAmountIsNotTheSecondPairOfEyes() throws Exception {
        DemoSettings settings = DemoSettings.read(Map.of(
                "PORT", "0",
                "BEARER_TOKENS", "ada=s1,grace:approver=s2",
                "JDBC_URL", "jdbc:sqlite:" + folder.resolve("demo.db")));
        Javalin server = DemoServer.start(settings, DemoDatabase.open(settings.database()));
        try {
            send(server, "s1", "POST", "/agent", """
                    {"threadId":"t1","runId":"r1","messages":[{"id":"m1","role":"user","content":"Transfer 500 to Bob"}]}""");
            String decision = """
                    {"threadId":"t1","interruptId":"%s","status":"resolved","payload":%s}""";
            String edit = "{\"approved\":true,\"editedArgs\":{\"amount\":9999,\"to\":\"Grace\"}}";

            assertThat(send(server, "s2", "POST", "/agent/decisions", decision.formatted(open(server), edit))
                            .path("status")
                            .asText())
                    .isEqualTo("waits");
            assertThat(send(
                                    server,
                                    "s2",
                                    "POST",
                                    "/agent/decisions",
                                    decision.formatted(open(server), "{\"approved\":true}"))
                            .path("code")
                            .asText())
                    .isEqualTo("INTERRUPT_FORBIDDEN");

            assertThat(send(server, "s1", "GET", "/demo/effects", "").toString())
                    .doesNotContain("9999");
        } finally {
            server.stop();
        }
    }

    private static String open(Javalin server) throws Exception {
        JsonNode open = send(server, "s2", "GET", "/agent/interrupts?threads=accessible", "");
        return open.findValue("interrupts").get(0).findValue("id").asText();
    }
}
