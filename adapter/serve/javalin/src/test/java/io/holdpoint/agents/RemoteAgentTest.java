package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.SlowTool;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TestServer;
import io.holdpoint.testing.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent behind our own server as a tool of another one. */
@Timeout(60)
class RemoteAgentTest {

    private static final String TASK = "{\"task\":\"Tell Ada hello\"}";

    private static final String AWAY = "The answer to the agent \"office\" did not arrive";
    private static final String TOOL_FAILED = "Tool 'office' execution failed";

    private final Stop stop = new Stop();
    private final SlowTool slow = new SlowTool(stop);
    private final Threads threads = new Threads();
    private final Bench theirs = new Bench(builder -> builder.tools(slow).executor(threads));
    private final TestServer server = new TestServer(theirs.agent(), agui -> {});
    private Bench ours = outer(remote());

    @AfterEach
    void close() {
        stop.letGo();
        threads.close();
        server.close();
    }

    private AguiClient client(int port) {
        return AguiClient.builder(URI.create("http://127.0.0.1:" + port + "/agent"))
                .build();
    }

    private RemoteAgent remote() {
        return RemoteAgent.of("office", "Writes mails", client(server.port()));
    }

    private static Bench outer(RemoteAgent remote, ToolPolicy... policies) {
        return new Bench(builder -> builder.toolProviders(remote).toolPolicies(policies));
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Interrupt asked(Bench bench) {
        assertThat(bench.pending()).hasSize(1);
        return bench.pending(0).interrupt();
    }

    private void delegates() {
        ours.model.calls(call("c1", "office", TASK));
        theirs.model.calls(call("m1", "sendEmail", MAIL));
        ours.say("Go");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatItHoldsIsAskedHereAndRunsThereOnce(boolean hasRoutes) {
        ours = outer(hasRoutes ? remote().holdpointRoutes() : remote());
        delegates();

        Interrupt asked = asked(ours);
        Interrupt held = theirHolds().get(0).interrupt();
        assertThat(asked.reason()).isEqualTo("remote:tool_call");
        assertThat(asked.message()).isEqualTo("The agent \"office\" asks: " + held.message());
        assertThat(asked.toolCallId()).isEqualTo("c1");
        assertThat(asked.responseSchema()).isEqualTo(held.responseSchema());
        JsonNode source = asked.metadata().path("remoteAgent");
        assertThat(source.path("name").asText()).isEqualTo("office");
        assertThat(source.path("interruptId").asText()).isEqualTo(held.id());
        assertThat(source.at("/metadata/langchain4j/toolName").asText()).isEqualTo("sendEmail");
        assertThat(theirs.tools.effects()).isEmpty();

        theirs.model.says("Ada knows.");
        ours.model.says("Done.");
        ours.resume(ResumeEntry.resolved(asked.id(), json("{\"approved\":true}")));

        assertThat(theirs.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
        assertThat(ours.model.lastResult("c1")).isEqualTo("Ada knows.");
        assertThat(ours.pending()).isEmpty();
        assertThat(theirHolds()).isEmpty();
    }

    private List<PendingInterrupt> theirHolds() {
        return Follow.of(theirs.agent()).inbox(Inbox.Scope.OWN, Optional.empty(), 10).items().stream()
                .map(AskedQuestion::interrupt)
                .toList();
    }

    @Test
    void anEditGoesThere() {
        delegates();
        theirs.model.says("Bob knows.");
        ours.model.says("Done.");

        ours.resume(ResumeEntry.resolved(
                asked(ours).id(), json("{\"approved\":true,\"editedArgs\":" + MAIL.replace("ada@", "bob@") + "}")));

        assertThat(theirs.tools.effects()).containsExactly("sendEmail bob@example.com|Hi|Hello");
    }

    @Test
    void aDenialGoesThere() {
        delegates();
        theirs.model.says("I may not.");
        ours.model.says("Pity.");

        ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":false,\"reason\":\"too early\"}")));

        assertThat(theirs.tools.effects()).isEmpty();
        assertThat(theirs.model.lastResult("m1")).contains("too early");
        assertThat(ours.model.lastResult("c1")).isEqualTo("I may not.");
    }

    @Test
    void anAnswerThatTheirSchemaForbidsIsRefusedHere() {
        delegates();

        RecordingSink refused = ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":\"perhaps\"}")));

        assertThat(refused.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(asked(ours).reason()).isEqualTo("remote:tool_call");
        assertThat(theirs.tools.effects()).isEmpty();
    }

    @Test
    void severalQuestionsAreAskedOneAfterTheOtherAndAnsweredTogether() {
        ours.model.calls(call("c1", "office", TASK));
        theirs.model.calls(call("m1", "sendEmail", MAIL), call("m2", "transferMoney", "{\"amount\":5,\"to\":\"Ada\"}"));
        ours.say("Go");

        Interrupt first = asked(ours);
        ours.resume(ResumeEntry.resolved(first.id(), json("{\"approved\":true}")));
        Interrupt second = asked(ours);

        assertThat(first.message()).contains("Send email");
        assertThat(second.message()).contains("transferMoney");
        assertThat(theirs.tools.effects()).isEmpty();

        theirs.model.says("Both.");
        ours.model.says("Done.");
        ours.resume(ResumeEntry.resolved(second.id(), json("{\"approved\":false}")));

        assertThat(theirs.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
        assertThat(ours.model.lastResult("c1")).isEqualTo("Both.");
    }

    @Test
    void aRestartBetweenHoldAndAnswerLosesNothing() {
        try (TestDatabase database = TestDatabase.sqlite()) {
            ours.model.calls(call("c1", "office", TASK)).says("Done.");
            theirs.model.calls(call("m1", "sendEmail", MAIL)).says("Ada knows.");
            UnaryOperator<HoldpointBuilder<Bench.Assistant>> node =
                    builder -> builder.toolProviders(remote()).store(JdbcStore.create(database.dataSource()));
            ours.another(node).send(THREAD, "Go");

            Holdpoint restarted = ours.another(node);
            PendingInterrupt asked = restarted.pending(THREAD).get(0);
            restarted.resume(THREAD, ResumeEntry.resolved(asked.interrupt().id(), json("{\"approved\":true}")));

            assertThat(theirs.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
            assertThat(ours.model.lastResult("c1")).isEqualTo("Ada knows.");
        }
    }

    @Test
    void aPolicyOfOursAsksBeforeItIsAskedAtAllAndTheirApprovalIsNotOurs() {
        ours = outer(remote(), ToolPolicy.named("office"));
        ours.model.calls(call("c1", "office", TASK));
        ours.say("Go");
        assertThat(theirs.model.requests()).isEmpty();
        assertThat(asked(ours).reason()).isEqualTo("tool_call");

        theirs.model.calls(call("m1", "sendEmail", MAIL));
        ours.resume(ours.pending(0).asApproval().approve());
        Interrupt second = asked(ours);
        theirs.model.says("Ada knows.");
        ours.model.calls(call("c2", "sendEmail", MAIL));
        ours.resume(ResumeEntry.resolved(second.id(), json("{\"approved\":true}")));

        assertThat(theirs.tools.effects()).hasSize(1);
        assertThat(asked(ours).toolCallId()).isEqualTo("c2");
        assertThat(ours.tools.effects()).isEmpty();
    }

    @Test
    void itsWordsAreHeardWhileItSpeaks() {
        ours.model.calls(call("c1", "office", TASK)).says("Done.");
        theirs.model.says("Ada knows everything.");

        RecordingSink sink = ours.say("Go");

        assertThat(sink.all(FreeEvent.Custom.class))
                .filteredOn(event -> event.name().equals(RemoteAgent.TEXT))
                .extracting(event -> event.value().path("delta").asText())
                .containsExactly("Ada ", "knows ", "everything.");
        assertThat(ours.model.lastResult("c1")).isEqualTo("Ada knows everything.");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Logs(TOOL_FAILED)
    void theModelReadsWhichServerIsNotThere(boolean hasRoutes) {
        ours = outer(hasRoutes ? remote().holdpointRoutes() : remote());
        ours.model.calls(call("c1", "office", TASK)).says("Pity.");
        int port = server.port();
        server.close();

        ours.say("Go");

        assertThat(ours.model.lastResult("c1"))
                .isEqualTo(
                        "The agent \"office\" could not be asked: There is no connection to 127.0.0.1:" + port + ".");
    }

    private static int portOfNobody() {
        try (ServerSocket closed = new ServerSocket(0)) {
            return closed.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Logs(AWAY)
    void anAnswerThatFindsItAwayIsAskedForAgainAndNoApprovalIsUsedUp(boolean hasRoutes) {
        int[] port = {server.port()};
        RemoteAgent office = RemoteAgent.of("office", "Writes mails", call -> client(port[0]));
        ours = outer(hasRoutes ? office.holdpointRoutes() : office);
        delegates();
        Interrupt asked = asked(ours);
        port[0] = portOfNobody();
        for (int attempt = 1; attempt <= 2; attempt++) {
            RecordingSink away = ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":true}")));

            assertThat(away.interrupts()).containsExactly(asked(ours));
            assertThat(asked(ours).id()).isNotEqualTo(asked.id());
            assertThat(asked(ours).message())
                    .isEqualTo(asked.message()
                            .replace(
                                    "\"office\" asks: ",
                                    "\"office\" could not be reached, so your answer has not arrived there. It asks"
                                            + " again: "));
            assertThat(asked(ours).responseSchema()).isEqualTo(asked.responseSchema());
            assertThat(theirs.tools.effects()).isEmpty();
            assertThat(ours.model.requests()).hasSize(1);
        }
        port[0] = server.port();
        theirs.model.says("Ada knows.");
        ours.model.says("Done.");

        ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":true}")));

        assertThat(theirs.tools.effects()).hasSize(1);
        assertThat(ours.model.lastResult("c1")).isEqualTo("Ada knows.");
        assertThat(ours.pending()).isEmpty();
    }

    @Test
    @Logs(AWAY)
    void anAnswerThatFoundItAwayCanStillBeChangedAndLetGoOf() {
        int[] port = {server.port()};
        ours = outer(RemoteAgent.of("office", "Writes mails", call -> client(port[0])));
        delegates();
        port[0] = portOfNobody();
        ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":true}")));
        port[0] = server.port();
        theirs.model.says("A pity.");
        ours.model.says("Done.");

        ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":false}")));

        assertThat(theirs.tools.effects()).isEmpty();
        assertThat(ours.model.lastResult("c1")).isEqualTo("A pity.");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Logs("Run * on thread * failed")
    void itsErrorFailsTheTurnAndThePersonWhoLetsItGoOnGetsWhatWasDone(boolean hasRoutes) {
        ours = outer(hasRoutes ? remote().holdpointRoutes() : remote());
        delegates();
        theirs.model.fails(new IllegalStateException("no credit")).says("Ada knows.");
        ours.model.says("Done.");

        ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":true}")));
        assertThat(ours.model.requests()).hasSize(1);
        PendingInterrupt.UnknownOutcome unknown = (PendingInterrupt.UnknownOutcome)
                ours.agent().resume("t").interrupts().get(0);
        ours.agent().resume("t", unknown.retry());

        assertThat(theirs.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
        assertThat(ours.model.lastResult("c1")).isEqualTo("Ada knows.");
    }

    @Test
    @Logs(TOOL_FAILED)
    void whoTakesTooLongIsCancelledThere() {
        ours = outer(remote().holdpointRoutes().timeout(Duration.ofSeconds(2)));
        ours.model.calls(call("c1", "office", TASK)).says("Pity.");
        stop.arm();
        theirs.model.calls(call("m1", "slow", "{\"what\":\"it\"}"));

        ours.say("Go");
        stop.awaitReached();

        assertThat(ours.model.lastResult("c1")).contains("did not finish within PT2S");
        stop.letGo();
    }

    @Test
    @Logs(TOOL_FAILED)
    void aCancelledRunStopsItThere() throws Exception {
        ours = outer(remote().holdpointRoutes());
        ours.model.calls(call("c1", "office", TASK));
        stop.arm();
        theirs.model.calls(call("m1", "slow", "{\"what\":\"it\"}"));

        var run = threads.submit(() -> ours.run(ours.input(Bench.user("u1", "Go"))));
        stop.awaitReached();
        assertThat(ours.agent().cancel(THREAD)).isTrue();
        RecordingSink ended = run.get();
        stop.letGo();

        assertThat(AguiCodec.write(ended.last())).contains("\"cancelled\"");
        assertThat(slow.effects()).hasSize(1);
    }

    /** The node that asks dies while the other agent works; the node that takes over finds the work done. */
    @Test
    @Logs({"Run * on thread t failed", "Lease* could not be given back"})
    void aCallThatIsExecutedAgainStartsNoSecondRun() {
        MortalStore mortal = new MortalStore(ours.store);
        RemoteAgent remote = remote().holdpointRoutes();
        ToolPolicy again = ToolPolicy.named("office").withoutApproval().idempotent();
        Holdpoint dying = ours.another(
                builder -> builder.toolProviders(remote).toolPolicies(again).store(mortal));
        Holdpoint taking = ours.another(builder -> builder.toolProviders(remote).toolPolicies(again));
        ours.model.calls(call("c1", "office", TASK));
        theirs.model.answers(request -> {
            mortal.die();
            return AiMessage.from("Ada knows.");
        });

        dying.send(THREAD, "Go");
        ours.clock.advance(HoldpointBuilder.LEASE_DURATION.plusSeconds(1));
        ours.model.says("Done.");
        taking.run(ours.input(), event -> {}).join();

        assertThat(theirs.model.requests()).hasSize(1);
        assertThat(ours.model.lastResult("c1")).isEqualTo("Ada knows.");
    }

    /** A proxy that takes the answers and loses them: the question is still open, which the history tells. */
    @Test
    @Logs(AWAY)
    void anAnswerThatIsLostOnItsWayIsAskedForAgainWhereTheHistorySaysSo() throws IOException {
        AtomicInteger lost = new AtomicInteger();
        HttpClient http = HttpClient.newHttpClient();
        HttpServer losing = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        losing.createContext("/agent", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (new String(body, StandardCharsets.UTF_8).contains("\"resume\"") && lost.getAndIncrement() == 0) {
                exchange.close();
                return;
            }
            try {
                HttpResponse<byte[]> response = http.send(
                        server.request(exchange.getRequestURI().toString())
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
                exchange.sendResponseHeaders(response.statusCode(), 0);
                exchange.getResponseBody().write(response.body());
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                exchange.close();
            }
        });
        losing.start();
        try {
            ours = outer(RemoteAgent.of(
                            "office", "Writes mails", client(losing.getAddress().getPort()))
                    .holdpointRoutes());
            delegates();
            ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":true}")));
            assertThat(asked(ours).message()).contains("It asks again: ");
            assertThat(theirs.tools.effects()).isEmpty();
            theirs.model.says("Ada knows.");
            ours.model.says("Done.");
            ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":true}")));

            assertThat(theirs.tools.effects()).hasSize(1);
            assertThat(ours.model.lastResult("c1")).isEqualTo("Ada knows.");
            assertThat(lost).hasValue(2);
        } finally {
            losing.stop(0);
        }
    }

    /** Cuts the stream of each run after its first event; the run goes on behind it. */
    @Test
    void aStreamThatBreaksOffIsTakenUpAgain() throws IOException {
        AtomicInteger runs = new AtomicInteger();
        HttpClient http = HttpClient.newHttpClient();
        HttpServer cutting = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        cutting.createContext("/agent", exchange -> {
            HttpRequest request = server.request(exchange.getRequestURI().toString())
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(
                            exchange.getRequestBody().readAllBytes()))
                    .build();
            try {
                HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
                String body = response.body();
                if (exchange.getRequestURI().getPath().equals("/agent")) {
                    runs.incrementAndGet();
                    body = body.substring(0, body.indexOf("\n\n") + 2);
                }
                exchange.sendResponseHeaders(response.statusCode(), 0);
                exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                exchange.close();
            }
        });
        cutting.start();
        try {
            ours = outer(RemoteAgent.of(
                            "office",
                            "Writes mails",
                            client(cutting.getAddress().getPort()))
                    .holdpointRoutes());
            delegates();
            theirs.model.says("Ada knows.");
            ours.model.says("Done.");
            ours.resume(ResumeEntry.resolved(asked(ours).id(), json("{\"approved\":true}")));

            assertThat(theirs.tools.effects()).hasSize(1);
            assertThat(ours.model.lastResult("c1")).isEqualTo("Ada knows.");
            assertThat(runs).hasValue(2);
        } finally {
            cutting.stop(0);
        }
    }
}
