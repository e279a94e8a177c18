package io.holdpoint.javalin;

import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Caller;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that do not send the bodies that they began keep nobody else waiting. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowBodyTest {

    private static final int THREADS = 8;
    private static final int SLOW = 60;
    private static final String START = "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[";
    private static final String MESSAGE =
            "{\"id\":\"a\",\"role\":\"assistant\",\"content\":\"Hello once again, and again, and again, and again, and again, and again, and again.\"},";

    private final Bench bench = new Bench();
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private TestServer server(Duration timeout, Authenticator callers) {
        return TestServer.of(Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.jetty.threadPool = new QueuedThreadPool(THREADS, THREADS);
                    config.registerPlugin(new AgUiPlugin(agui ->
                            agui.agent(bench.agent()).bodyTimeout(timeout).authenticator(callers)));
                    config.routes.get("/health", ctx -> ctx.result("up"));
                })
                .start("127.0.0.1", 0));
    }

    private Socket begin(TestServer server, String path, long length, String body) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        sockets.add(socket);
        socket.getOutputStream()
                .write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                + "Content-Length: " + length + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void theServerGoesOnForEverybodyElse() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        bench.model.answers(request -> {
            begun.countDown();
            await(mayEnd);
            return AiMessage.from("At last.");
        });
        try (TestServer server = server(Duration.ofMinutes(1), Authenticator.NONE)) {
            CompletableFuture<HttpResponse<String>> stream =
                    CompletableFuture.supplyAsync(() -> server.post(bench.input(user("u1", "Hi"))));
            begun.await();
            for (int i = 0; i < SLOW; i++) {
                String path =
                        List.of("/agent", "/agent/cancel", "/agent/history").get(i % 3);
                Socket slow = begin(server, path, 500 + i, "{");
                slow.getOutputStream().write(' ');
            }

            assertThat(server.send(server.request("/health").GET()).body()).isEqualTo("up");
            mayEnd.countDown();
            assertThat(stream.get().body()).contains("\"last.\"", "RUN_FINISHED");
            for (Socket slow : sockets) {
                slow.getOutputStream().write(' ');
            }
            assertThat(server.send(server.request("/health").GET()).statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9_000})
    void aBodyThatDoesNotComeInTimeIs408(int messages) throws Exception {
        try (TestServer server = server(Duration.ofMillis(500), Authenticator.NONE)) {
            String response = answer(begin(server, "/agent", 7_000_000, START + MESSAGE.repeat(messages)));

            assertThat(response).startsWith("HTTP/1.1 408").contains("BODY_TIMEOUT", "500 ms");
        }
    }

    @Test
    void aBodyThatComesTooSlowlyIs408AlthoughItsConnectionIsNeverIdle() throws Exception {
        try (TestServer server = server(Duration.ofMillis(500), Authenticator.NONE)) {
            Socket socket = begin(server, "/agent", 7_000_000, START);
            socket.setSoTimeout(20);
            byte[] status = new byte[12];
            int read = 0;
            while (read == 0) {
                socket.getOutputStream().write(' ');
                try {
                    read = socket.getInputStream().readNBytes(status, 0, status.length);
                } catch (SocketTimeoutException e) {
                    continue; // no answer yet
                }
            }

            assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 408");
        }
    }

    @Test
    void tooManyLongBodiesAtOnceAreRefusedAndShortOnesAreTaken() throws Exception {
        int most = 100_000;
        String half = START + " ".repeat(most - 100);
        bench.model.says("Hello.").says("Hello again.");
        String message = AguiCodec.write(bench.input(user("u1", "Hi")));
        String later = AguiCodec.write(bench.input(user("u2", "Hi again")));
        try (TestServer server = TestServer.of(Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(
                            new AgUiPlugin(agui -> agui.agent(bench.agent()).maxBodyBytes(most)));
                })
                .start("127.0.0.1", 0))) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            int fit = 8 * most / (half.length() - 65_536);
            for (int i = 0; i < 2 * fit; i++) { // the limit is reached although some of them may be slow
                Socket socket = begin(server, "/agent", most, half);
                CompletableFuture<String> answer = new CompletableFuture<>();
                answers.add(answer);
                Thread reader = new Thread(() -> {
                    try {
                        answer.complete(answer(socket));
                    } catch (IOException e) {
                        answer.completeExceptionally(e);
                    }
                });
                reader.setDaemon(true);
                reader.start();
            }

            assertThat(CompletableFuture.anyOf(answers.toArray(CompletableFuture[]::new))
                            .get()
                            .toString())
                    .startsWith("HTTP/1.1 503")
                    .contains("SERVER_BUSY");
            assertThat(server.post(message).body()).contains("\"Hello.\"");
            close();
            String longOne = later + " ".repeat(most - later.length());
            HttpResponse<String> again = server.post(longOne);
            while (again.statusCode() == 503) { // until the server has seen that they are gone
                again = server.post(longOne);
            }
            assertThat(again.body()).contains("RUN_FINISHED");
        }
    }

    @Test
    void aBodyThatComesInPiecesIsRead() throws Exception {
        bench.model.says("Hello.");
        String body = AguiCodec.write(bench.input(user("u1", "Hi")));
        try (TestServer server = server(Duration.ofMinutes(1), Authenticator.NONE)) {
            Socket socket = begin(server, "/agent", body.length(), "");
            for (char each : body.toCharArray()) {
                socket.getOutputStream().write(each);
                socket.getOutputStream().flush();
            }
            socket.shutdownOutput();

            assertThat(answer(socket)).startsWith("HTTP/1.1 200").contains("Hello.");
        }
    }

    /** An authenticator for a backend that speaks for its users. */
    private static Optional<Caller> named(Context request) {
        try {
            String user = AguiCodec.mapper()
                    .readTree(request.body())
                    .path("forwardedProps")
                    .path("user")
                    .textValue();
            return Optional.ofNullable(user).map(Caller::of);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    @Test
    void anAuthenticatorMayReadTheBody() throws Exception {
        bench.model.says("Hello.");
        var input = (ObjectNode) AguiCodec.toTree(bench.input(user("u1", "Hi")));
        input.putObject("forwardedProps").put("user", "grace");
        try (TestServer server = server(Duration.ofMinutes(1), SlowBodyTest::named)) {
            HttpResponse<String> response = server.post(AguiCodec.write(input));

            assertThat(response.body()).contains("Hello.", "RUN_FINISHED");
            assertThat(bench.store.find(Bench.THREAD).orElseThrow().owner()).isEqualTo("grace");
            assertThat(server.post("{}").statusCode()).isEqualTo(401);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
