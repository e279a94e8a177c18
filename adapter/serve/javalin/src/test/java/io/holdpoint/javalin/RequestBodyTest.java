package io.holdpoint.javalin;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.AguiCodec;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken as a body, and how much of it. */
class RequestBodyTest {

    private static final int MAX = 2_000;

    private final Bench bench = new Bench();
    private final TestServer server = new TestServer(bench.agent(), agui -> agui.maxBodyBytes(MAX));

    @AfterEach
    void stop() {
        server.close();
    }

    private String body(int length) {
        String input = AguiCodec.write(bench.input(user("u1", "Hi")));
        return input + " ".repeat(length - input.length());
    }

    private static void refused(HttpResponse<String> response, int status, String code, String remedy)
            throws IOException {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        assertThat(AguiCodec.mapper().readTree(response.body()).path("code").asText())
                .isEqualTo(code);
        assertThat(AguiCodec.mapper().readTree(response.body()).path("message").asText())
                .contains(remedy);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "text/plain; application/json",
                "application/jsonp",
                "application/json, text/plain",
                ";"
            })
    void whatAPageOfAnotherSiteMaySendIsNotTaken(String type) throws Exception {
        HttpResponse<String> response = server.send(
                server.request("/agent").header("Content-Type", type).POST(BodyPublishers.ofString(body(500))));

        refused(response, 415, "MEDIA_TYPE_UNSUPPORTED", "Content-Type: application/json");
        assertThat(bench.model.requests()).isEmpty();
    }

    @Test
    void aBodyWithoutATypeIsNotTaken() throws Exception {
        refused(
                server.send(server.request("/agent").POST(BodyPublishers.ofString(body(500)))),
                415,
                "MEDIA_TYPE_UNSUPPORTED",
                "application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json; charset=utf-8",
                "Application/JSON;charset=UTF-8",
                "application/json; charset=utf-7"
            })
    void jsonIsTaken(String type) {
        bench.model.says("Hello.");

        HttpResponse<String> response = server.send(
                server.request("/agent").header("Content-Type", type).POST(BodyPublishers.ofString(body(500))));

        assertThat(response.statusCode()).isEqualTo(200);
    }

    @Test
    void aBodyAtTheLimitIsTakenAndOneByteMoreIsNot() throws Exception {
        bench.model.says("Hello.");

        assertThat(server.post(body(MAX)).statusCode()).isEqualTo(200);
        refused(server.post(body(MAX + 1)), 413, "BODY_TOO_LARGE", "2000 bytes");
    }

    @Test
    void aBodyOfUnannouncedLengthIsNotTakenBeyondTheLimit() throws Exception {
        bench.model.says("Hello.");
        byte[] fits = body(MAX).getBytes(StandardCharsets.UTF_8);
        byte[] more = body(MAX + 1).getBytes(StandardCharsets.UTF_8);

        assertThat(server.send(server.request()
                                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(fits))))
                        .statusCode())
                .isEqualTo(200);
        refused(
                server.send(server.request().POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(more)))),
                413,
                "BODY_TOO_LARGE",
                "2000 bytes");
    }

    @Test
    void anEndlessBodyIsRefusedWhileItIsStillSent() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /agent HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n"
                            + Integer.toHexString(2 * MAX + 1) + "\r\n" + " ".repeat(2 * MAX + 1) + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();

            assertThat(statusLine(socket.getInputStream())).startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void aLengthThatIsOnlyAnnouncedIsRefusedWithoutWaitingForIt() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /agent HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Content-Length: 9000000000\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();

            assertThat(statusLine(socket.getInputStream())).startsWith("HTTP/1.1 413");
        }
    }

    private static String statusLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    @Test
    void theLimitIsTheEndpointsOwn() {
        bench.model.says("Hello.");
        try (TestServer generous = new TestServer(bench.agent(), agui -> agui.maxBodyBytes(3_000_000))) {
            assertThat(generous.post(body(2_500_000)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aRefusedBodyLeavesAHoldOpen() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go");
        Bench.Everything before = bench.everything();
        String approval =
                AguiCodec.write(bench.answers(bench.pending(0).asApproval().approve()));

        server.post(approval + " ".repeat(MAX));
        server.send(
                server.request("/agent").header("Content-Type", "text/plain").POST(BodyPublishers.ofString(approval)));

        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void aLimitThatTakesNothingIsAMistake() {
        assertThatThrownBy(() -> new TestServer(bench.agent(), agui -> agui.maxBodyBytes(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxBodyBytes");
    }
}
