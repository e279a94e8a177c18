package io.holdpoint.agui.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against a server of the JDK that answers by the letter. */
@Timeout(60)
class AguiClientTest {

    private static final String START = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";
    private static final String FINISH =
            "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"outcome\":{\"type\":\"success\"}}\n\n";

    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<RunAgentInput> inputs = new CopyOnWriteArrayList<>();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);
    private HttpServer server;
    private Answer answer;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(threads);
        server.createContext("/agent", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestURI().getPath().equals("/agent")) {
                inputs.add(AguiCodec.readRunAgentInput(body));
            }
            answer.to(exchange);
        });
        server.start();
    }

    @AfterEach
    void stop() {
        never.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private AguiClient.Builder client() {
        return AguiClient.builder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/agent"));
    }

    private AguiClient.Run run(AguiClient client) {
        return client.run(
                RunAgentInput.of("t", "r", List.of(new Message.User("m1", MessageContent.text("Hi")))), events::add);
    }

    private static Answer streams(String... parts) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            for (String part : parts) {
                exchange.getResponseBody().write(part.getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
            }
            exchange.close();
        };
    }

    @Test
    void readsAStreamHoweverItIsCut() throws Exception {
        String text = "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"grüß dich 🙂\"}\n\n";
        byte[] bytes =
                (": hello\n\n" + START + text.replace("\n\n", "\r\n\r\n") + FINISH).getBytes(StandardCharsets.UTF_8);
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            for (byte each : bytes) {
                exchange.getResponseBody().write(each);
                exchange.getResponseBody().flush();
            }
            exchange.close();
        };

        Event.Terminal end = run(client().build()).end().get();

        assertThat(events)
                .containsExactly(
                        AguiCodec.readEvent(START.substring(6)), AguiCodec.readEvent(text.substring(6)), (Event) end);
        assertThat(((RunEvent.Finished) end).outcome()).isEqualTo(RunFinishedOutcome.success());
        assertThat(inputs.get(0).protocolVersion()).isEqualTo("1.0");
        assertThat(inputs.get(0).messages()).hasSize(1);
    }

    @Test
    void readsTheDraftToo() throws Exception {
        answer = streams(
                START,
                "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"outcome\":\"interrupt\","
                        + "\"interrupt\":{\"id\":\"i1\",\"reason\":\"tool_call\",\"payload\":{\"message\":\"Sure?\"}}}\n\n");

        Event.Terminal end = run(client().build()).end().get();

        assertThat(((RunEvent.Finished) end).outcome())
                .isInstanceOfSatisfying(
                        RunFinishedOutcome.Interrupted.class,
                        held -> assertThat(held.interrupts().get(0).id()).isEqualTo("i1"));
    }

    @Test
    void aRefusalHasItsCode() {
        answer = exchange -> {
            byte[] body = "{\"code\":\"RUN_IN_PROGRESS\",\"message\":\"Wait.\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(409, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        };

        AguiClientException refused = failure(run(client().build()));

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).contains("RUN_IN_PROGRESS");
        assertThat(refused).hasMessage("HTTP 409, RUN_IN_PROGRESS: Wait.");
        assertThat(events).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "No!", "{\"code\":7}", "{\"code\":1e99999999999999999999}"})
    void aRefusalMayBeAnything(String body) {
        answer = exchange -> {
            exchange.sendResponseHeaders(502, body.isEmpty() ? -1 : body.length());
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        };

        AguiClientException refused = failure(run(client().build()));

        assertThat(refused.status()).isEqualTo(502);
        assertThat(refused.code()).isEmpty();
    }

    @Test
    void whoIsNotThereIsSaidInWordsAndHasNotHeardOfTheRun() {
        String address =
                server.getAddress().getHostString() + ":" + server.getAddress().getPort();
        server.stop(0);

        AguiClientException absent = failure(run(client().build()));

        assertThat(absent).hasMessage("There is no connection to " + address + ".");
        assertThat(absent.isUnreached()).isTrue();
        assertThat(absent.status()).isZero();
    }

    @Test
    void aStreamWithoutAnEndIsNoSuccess() {
        answer = streams(START);

        assertThat(failure(run(client().build())))
                .hasMessageContaining("ended before RUN_FINISHED or RUN_ERROR")
                .isInstanceOfSatisfying(AguiClientException.class, broken -> assertThat(broken.isUnreached())
                        .isFalse());
        assertThat(events).hasSize(1);
    }

    @Test
    void whatIsNoEventIsNamed() {
        answer = streams(START, "data: {\"type\":\"NEVER_HEARD_OF\"}\n\n");

        assertThat(failure(run(client().build()))).hasMessageContaining("NEVER_HEARD_OF");
    }

    @Test
    void aServerThatFallsSilentIsGivenUp() {
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(START.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            await(never);
        };

        AguiClientException silent =
                failure(run(client().idleTimeout(Duration.ofMillis(200)).build()));

        assertThat(silent).hasMessageContaining("the server was silent for PT0.2S");
    }

    @Test
    void aServerThatAnswersNothingAtAllIsGivenUp() {
        answer = exchange -> await(never);

        AguiClientException silent =
                failure(run(client().idleTimeout(Duration.ofMillis(200)).build()));

        assertThat(silent).hasMessageContaining("the server was silent for PT0.2S");
    }

    @Test
    void aRefusalWithoutAnEndIsReadNoFurther() {
        answer = exchange -> {
            exchange.sendResponseHeaders(500, 0);
            while (true) { // until the connection is closed
                exchange.getResponseBody().write("No! ".repeat(10_000).getBytes(StandardCharsets.UTF_8));
            }
        };

        assertThat(failure(run(client().build())).status()).isEqualTo(500);
        assertThatThrownBy(() -> client().build().cancel("t").get(30, TimeUnit.SECONDS))
                .hasMessageContaining("HTTP 500");
    }

    @Test
    void aRefusalThatFallsSilentIsGivenUp() {
        answer = exchange -> {
            exchange.sendResponseHeaders(500, 0);
            exchange.getResponseBody().write('N');
            exchange.getResponseBody().flush();
            await(never);
        };

        assertThat(failure(run(client().idleTimeout(Duration.ofMillis(200)).build())))
                .hasMessageContaining("the server was silent for PT0.2S");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLastEventIsTheEndAlsoIfTheServerDoesNotHangUp(boolean goesOn) throws Exception {
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write((START + FINISH).getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            while (goesOn && never.getCount() > 0) {
                exchange.getResponseBody().write(": still here\n\n".getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
            }
            await(never);
        };

        assertThat(run(client().build()).end().get(30, TimeUnit.SECONDS)).isInstanceOf(RunEvent.Finished.class);
        assertThat(events).hasSize(2);
    }

    @Test
    void closingEndsTheRunHere() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(START.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            await(never);
        };
        AguiClient.Run run = client().build().run(RunAgentInput.of("t", "r", List.of()), event -> heard.countDown());
        assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();

        run.close();

        assertThat(run.end()).isCompletedExceptionally();
    }

    @Test
    void aConsumerThatFailsEndsTheRun() {
        answer = streams(START, FINISH);

        AguiClient.Run run = client().build().run(RunAgentInput.of("t", "r", List.of()), event -> {
            throw new IllegalStateException("full");
        });

        assertThatThrownBy(() -> run.end().get()).hasRootCauseMessage("full");
    }

    @Test
    void anEndpointIsAnHttpUri() {
        assertThatThrownBy(() -> AguiClient.builder(URI.create("file:///tmp/agent")))
                .hasMessage("endpoint: an http or https URI with a host, not file:///tmp/agent");
    }

    private static AguiClientException failure(AguiClient.Run run) {
        try {
            throw new AssertionError("ended with " + run.end().get());
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(AguiClientException.class);
            return (AguiClientException) e.getCause();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
