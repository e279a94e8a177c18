package io.holdpoint.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import io.javalin.Javalin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever refuses a request, the answer is JSON with a code and a message. */
class RejectionsTest {

    private final Bench bench = new Bench();

    private static void refused(String response, int status, String code) throws Exception {
        assertThat(response)
                .startsWith("HTTP/1.1 " + status)
                .containsIgnoringCase("\r\nContent-Type: application/json");
        JsonNode body = AguiCodec.mapper().readTree(response.substring(response.indexOf("\r\n\r\n") + 4));
        assertThat(body.path("code").asText()).isEqualTo(code);
        assertThat(body.path("message").asText()).endsWith(".");
    }

    @Test
    void whatJettyDoesNotTake() throws Exception {
        String end = "\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        try (TestServer server = new TestServer(bench.agent(), agui -> {})) {
            refused(server.raw("GET\r\n\r\n"), 400, "REQUEST_INVALID");
            refused(server.raw("POST /agent HTTP/1.1\r\n\r\n"), 400, "REQUEST_INVALID");
            refused(server.raw("GET /%zz HTTP/1.1" + end), 400, "REQUEST_INVALID");
            refused(
                    server.raw("GET /agent/capabilities HTTP/1.1\r\nX: " + "x".repeat(9_000) + end),
                    431,
                    "REQUEST_INVALID");
            refused(server.raw("GET /" + "x".repeat(9_000) + " HTTP/1.1" + end), 414, "REQUEST_INVALID");
            refused(
                    server.raw("POST /agent HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json"
                            + end + "zz\r\n"),
                    400,
                    "INPUT_INVALID");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /agent/nothing, 404, PATH_NOT_FOUND",
        "POST, /agent/cancel/more, 404, PATH_NOT_FOUND",
        "GET, /agent, 405, METHOD_NOT_ALLOWED",
        "POST, /agent/cancel, 404, PATH_NOT_FOUND",
        "GET, /agent/interrupts, 404, PATH_NOT_FOUND",
        "GET, /agents, 404, PATH_NOT_FOUND",
        "GET, /agents/a, 405, METHOD_NOT_ALLOWED",
        "GET, /agents/a/more, 404, PATH_NOT_FOUND"
    })
    void whatIsNotServed(String method, String path, int status, String code) throws Exception {
        try (TestServer server = new TestServer(bench.agent(), agui -> agui.agent("a", bench.agent())
                .without(AgUiRoute.CANCEL, AgUiRoute.INTERRUPTS))) {
            refused(
                    server.raw(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                    status,
                    code);
        }
    }

    @Test
    void whatTheApplicationServesBelowStaysItsOwn() {
        try (TestServer server = TestServer.of(Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(new AgUiPlugin(agui -> agui.agent(bench.agent())));
                    config.routes.get("/agent/own", ctx -> ctx.status(404).result("not this one"));
                })
                .start("127.0.0.1", 0))) {
            assertThat(server.send(server.request("/agent/own").GET()).body()).isEqualTo("not this one");
            assertThat(server.send(server.request("/other").GET()).body()).doesNotContain("PATH_NOT_FOUND");
        }
    }
}
