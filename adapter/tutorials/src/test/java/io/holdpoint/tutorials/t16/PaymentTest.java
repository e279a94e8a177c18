package io.holdpoint.tutorials.t16;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.tutorials.t16.Payment.Answer;
import io.javalin.Javalin;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.testserver.TestServer;
import io.temporal.worker.WorkerFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever Temporal repeats changes nothing. */
@Tag("deep")
class PaymentTest {

    private final BlockingQueue<String> tasks = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    private final int port = freePort();
    private final TestServer.PortBoundTestServer engine = TestServer.createPortBoundServer(port, true);
    private final WorkflowServiceStubs service = Main.connect(port);
    private final WorkflowClient client = WorkflowClient.newInstance(service);
    private final Notices notices = new Notices(Main.SECRET, client, tasks::add);
    private final Javalin server = Javalin.create(config -> config.routes.post("/notices", notices::receive))
            .start("127.0.0.1", 0);
    private final Holdpoint agent = Main.agent(server.port(), out);

    /** The worker dies after the work of each activity, before Temporal hears of it. */
    private record DyingActivities(AgentOfPayments done, Set<String> dead) implements Payment.Agent {

        @Override
        public void ask(String threadId, String request) {
            done.ask(threadId, request);
            die("ask");
        }

        @Override
        public void answer(String threadId, String interruptId, Answer answer) {
            done.answer(threadId, interruptId, answer);
            die("answer");
        }

        private void die(String activity) {
            if (dead.add(activity)) {
                throw new IllegalStateException("The worker dies after " + activity);
            }
        }
    }

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void close() {
        agent.close();
        server.stop();
        service.shutdownNow();
        engine.close();
    }

    @Test
    void activitiesThatAreRepeatedSignalsThatComeTwiceAndWorkersThatDieChangeNothing() throws Exception {
        Set<String> dead = ConcurrentHashMap.newKeySet();
        DyingActivities activities = new DyingActivities(new AgentOfPayments(agent, tasks::add), dead);
        WorkflowServiceStubs ofFirst = Main.connect(port);
        WorkerFactory first = Main.worker(WorkflowClient.newInstance(ofFirst), activities);
        Payment payment = Main.begin(client, "R-7");
        assertThat(tasks.poll(120, TimeUnit.SECONDS)).isEqualTo("Pay invoice \"R-7\", 9000 euros?");
        ofFirst.shutdownNow();
        WorkerFactory second = Main.worker(client, activities);

        payment.decided(new Answer("grace", true));
        payment.decided(new Answer("grace", true));

        assertThat(WorkflowStub.fromTyped(payment).getResult(120, TimeUnit.SECONDS, String.class))
                .isEqualTo("approved by grace, executed");
        first.shutdownNow();
        second.shutdownNow();
        assertThat(dead).containsExactlyInAnyOrder("ask", "answer");
        assertThat(printed.toString(StandardCharsets.UTF_8)).containsOnlyOnce("pay runs");
        List<AuditEvent.Kind> kinds = agent.as(Caller.of("ada", "treasury")).auditTrail("payment-R-7", 0, 100).stream()
                .map(AuditEvent::kind)
                .toList();
        assertThat(kinds).containsOnlyOnce(AuditEvent.Kind.PROPOSED, AuditEvent.Kind.DECIDED, AuditEvent.Kind.EXECUTED);
    }

    @Test
    void aNoticeThatTheAgentHasNotSignedReachesNoWorkflow() throws Exception {
        HttpRequest forged = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/notices"))
                .header("webhook-id", "n1")
                .header("webhook-timestamp", String.valueOf(Instant.now().getEpochSecond()))
                .header("webhook-signature", "v1,AAAA")
                .POST(BodyPublishers.ofString("{\"type\": \"io.holdpoint.settled\", \"data\": {\"threadId\": \"t\"}}"))
                .build();

        assertThat(HttpClient.newHttpClient()
                        .send(forged, BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(401);
        assertThat(tasks).isEmpty();
    }
}
