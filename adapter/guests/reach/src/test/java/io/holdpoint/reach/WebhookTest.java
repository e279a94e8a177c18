package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"; // the example of Standard Webhooks
    private static final String NEXT = "whsec_bmV4dG5leHRuZXh0bmV4dG5leHRuZXh0";

    private record Request(String path, String id, String timestamp, String signature, String type, String body) {}

    private final List<Request> requests = new ArrayList<>();
    private final List<Notice> notices = new ArrayList<>();
    private final CountDownLatch answers = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private int status = 204;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::receive);
        server.start();
    }

    @AfterEach
    void stop() {
        answers.countDown();
        server.stop(0);
        threads.shutdown();
    }

    private synchronized void receive(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        requests.add(new Request(
                exchange.getRequestURI().getPath(),
                headers.getFirst("webhook-id"),
                headers.getFirst("webhook-timestamp"),
                headers.getFirst("webhook-signature"),
                headers.getFirst("content-type"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        if (exchange.getRequestURI().getPath().equals("/slow")) {
            try {
                answers.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        exchange.getResponseHeaders().set("location", "/elsewhere");
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private URI at(String path) {
        return URI.create("http://localhost:" + server.getAddress().getPort() + path);
    }

    private Bench bench(ApprovalNotifier webhook) {
        Bench bench = new Bench(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
                .toolPolicies(
                        ToolPolicy.named("sendEmail").approvals(Approvals.of(1).by(Audience.role("treasury"))))
                .with(Reach.notifier("erp", notice -> {
                    notices.add(notice);
                    webhook.tell(notice);
                })));
        bench.model.calls(call("c1", "sendEmail", MAIL.replace("Hello", "Gr\u00fc\u00dfe")));
        bench.agent().send(THREAD, "Go");
        bench.agent().actOnTime();
        return bench;
    }

    private static String signature(String secret, Request request) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        String signed = request.id() + "." + request.timestamp() + "." + request.body();
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void slackShowsWhatWouldRunAsPlainTextAndThenWhatCameOfIt() throws Exception {
        Bench bench = bench(SlackWebhook.to(at("/services/T0/s3cret"), URI.create("https://agents.example.com/")));
        bench.model.says("Not sent.");
        bench.agent()
                .as(Caller.of("grace", "treasury"))
                .decide(THREAD, bench.pending(0).asApproval().deny());
        bench.agent().actOnTime();

        assertThat(requests).hasSize(2).extracting(Request::path).containsOnly("/services/T0/s3cret");
        JsonNode asked = AguiCodec.mapper().readTree(requests.get(0).body());
        assertThat(asked.at("/blocks/0/text/type").asText()).isEqualTo("plain_text");
        assertThat(asked.at("/blocks/0/text/text").asText())
                .startsWith("Send email to")
                .contains("ada@example.com", "Gr\u00fc\u00dfe");
        assertThat(asked.at("/blocks/1/text/text").asText()).isEqualTo("<https://agents.example.com/|Decide>");
        JsonNode settled = AguiCodec.mapper().readTree(requests.get(1).body());
        assertThat(settled.at("/blocks/0/text/text").asText()).endsWith("denied by grace, not executed");
        assertThat(settled.path("blocks")).hasSize(1);
    }

    /** Slack takes 50 blocks of 3,000 characters: of one more nobody would be told anything, however often it is tried. */
    @Test
    void slackGetsNoMoreThanItTakes() throws Exception {
        String person = "grace".repeat(50);
        Bench bench = new Bench(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
                .with(Reach.notifier("slack", SlackWebhook.to(at("/"), URI.create("https://agents.example.com/")))));
        bench.model.calls(IntStream.range(0, 60)
                .mapToObj(i -> call("c" + i, "sendEmail", MAIL.replace("Hello", "long ".repeat(1_000))))
                .toArray(ToolExecutionRequest[]::new));
        bench.model.says("Not sent.");
        bench.agent().send(THREAD, "Go");
        bench.agent().actOnTime();
        Holdpoint decides = bench.agent().as(Caller.of(person, "treasury"));
        decides.resume(
                THREAD,
                decides.pending(THREAD).stream()
                        .map(open -> open.asApproval().deny())
                        .toList());
        bench.agent().actOnTime();

        assertThat(requests).hasSize(2).allSatisfy(request -> {
            JsonNode message = AguiCodec.mapper().readTree(request.body());
            assertThat(message.path("blocks").size()).isEqualTo(50);
            assertThat(message.path("blocks"))
                    .allSatisfy(
                            block -> assertThat(block.at("/text/text").asText()).hasSizeLessThanOrEqualTo(3_000));
            assertThat(message.at("/blocks/49/text/text").asText()).startsWith("And 11 more. ");
        });
    }

    /** Slack shows a text as it is. */
    @Test
    void slackShowsNoLetterAsAnotherOne() throws Exception {
        Bench bench = new Bench(builder -> builder.with(
                Reach.notifier("slack", SlackWebhook.to(at("/"), URI.create("https://agents.example.com/")))));
        bench.model.calls(call("c1", "sendEmail", MAIL.replace("Hello", "P\u0430yPal\u00a0x")));
        bench.agent().send(THREAD, "Go");
        bench.agent().actOnTime();

        JsonNode asked = AguiCodec.mapper().readTree(requests.get(0).body());
        assertThat(asked.at("/blocks/0/text/text").asText())
                .contains("P\\u0430yPal\\u00a0x")
                .doesNotContain("\u0430", "\u00a0");
    }

    @Test
    void slackIsToldAgainIfItRefusesAndItsAddressStandsInNoMessage() {
        status = 404;
        URI hook = at("/services/T0/s3cret");
        Bench bench = bench(SlackWebhook.to(hook, URI.create("https://agents.example.com/")));

        assertThat(requests).hasSizeGreaterThan(1);
        assertThat(Reach.of(bench.agent()).notifiers().toString())
                .contains("answered 404")
                .doesNotContain("s3cret");
        assertThat(TestLog.release().toString()).doesNotContain("s3cret");
        assertThatThrownBy(() -> SlackWebhook.to(hook, URI.create("/inbox"))).hasMessageContaining("the page must be");
    }

    @Test
    void aNoticeIsACloudEventWithTheSignatureOfAStandardWebhook() throws Exception {
        Bench bench = bench(Webhook.to(at("/approvals"), SECRET));

        Request request = requests.get(0);
        JsonNode event = AguiCodec.mapper().readTree(request.body());
        assertThat(request.path()).isEqualTo("/approvals");
        assertThat(request.type()).startsWith("application/cloudevents+json");
        assertThat(request.signature()).isEqualTo(signature(SECRET, request));
        assertThat(request.id()).isEqualTo(notices.get(0).id());
        assertThat(event.path("id").asText()).isEqualTo(request.id());
        assertThat(event.path("specversion").asText()).isEqualTo("1.0");
        assertThat(event.path("type").asText()).isEqualTo("io.holdpoint.asked");
        assertThat(event.path("source").asText()).isEqualTo("holdpoint");
        assertThat(event.path("subject").asText()).isEqualTo(THREAD);
        JsonNode question = event.at("/data/questions/0");
        assertThat(question.at("/interrupt/id").asText())
                .isEqualTo(bench.pending(0).id());
        assertThat(question.path("toolName").asText()).isEqualTo("sendEmail");
        assertThat(question.at("/arguments/body").asText()).isEqualTo("Gr\u00fc\u00dfe");
        assertThat(question.at("/audiences/0").asText()).isEqualTo("treasury");
        assertThat(question.has("outcome")).isFalse();
    }

    @Test
    void linksAreForThoseWhomItIsToldAndOnlyToWhatIsOpen() throws Exception {
        Links links = Links.signed(URI.create("https://agents.example.com/agent"), Links.Key.of("k", new byte[32]));
        Bench bench = new Bench(builder -> builder.with(
                Reach.links(links),
                Reach.notifier("hook", Webhook.to(at("/"), SECRET).links(question -> List.of("grace", "henry")))));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send(THREAD, "Go");
        bench.agent().actOnTime();
        bench.agent().cancel(THREAD);
        bench.agent().actOnTime();

        JsonNode asked = AguiCodec.mapper().readTree(requests.get(0).body()).at("/data/questions/0/links");
        JsonNode over = AguiCodec.mapper().readTree(requests.get(1).body()).at("/data/questions/0/links");
        assertThat(asked.fieldNames()).toIterable().containsExactly("grace", "henry");
        assertThat(asked.path("grace").asText())
                .startsWith("https://agents.example.com/agent/links/")
                .isNotEqualTo(asked.path("henry").asText());
        assertThat(over.isMissingNode()).isTrue();
    }

    @Test
    void theSourceSaysWhichOfSeveralAgentsAsks() throws Exception {
        Bench bench = new Bench();
        Holdpoint agent = bench.another(builder -> builder.name("payments")
                .with(Reach.notifier("hook", Webhook.to(at("/"), SECRET)))
                .with(Reach.notifier("mail", notices::add)));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        agent.send(THREAD, "Go");
        agent.actOnTime();

        JsonNode event = AguiCodec.mapper().readTree(requests.get(0).body());
        assertThat(event.path("source").asText()).isEqualTo("holdpoint/payments");
        assertThat(notices.get(0).agent()).isEqualTo("payments");
    }

    @Test
    void theEndSaysWhatCameOfIt() throws Exception {
        Bench bench = bench(Webhook.to(at("/"), SECRET));
        bench.agent().cancel(THREAD);
        bench.agent().actOnTime();

        JsonNode event = AguiCodec.mapper().readTree(requests.get(1).body());
        assertThat(event.path("type").asText()).isEqualTo("io.holdpoint.settled");
        assertThat(event.at("/data/questions/0/outcome").toString())
                .isEqualTo("{\"decision\":\"steered_away\",\"by\":[\"anonymous\"],\"result\":\"not_executed\"}");
    }

    @Test
    void whileASecretIsReplacedThereIsASignatureOfEach() throws Exception {
        bench(Webhook.to(at("/"), NEXT, SECRET));

        Request request = requests.get(0);
        assertThat(request.signature()).isEqualTo(signature(NEXT, request) + " " + signature(SECRET, request));
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 307, 400, 500})
    void anyOtherAnswerIsAFailureAndARedirectIsNotFollowed(int answer) {
        status = 204;
        bench(notice -> {});
        status = answer;

        assertThatThrownBy(() -> Webhook.to(at("/"), SECRET).tell(notices.get(0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("answered " + answer);
        assertThat(requests).extracting(Request::path).containsExactly("/");
    }

    @Test
    void whoDoesNotAnswerInTimeIsAFailure() {
        bench(notice -> {});
        Webhook impatient = new Webhook(at("/slow"), List.of(SECRET), Clock.systemUTC(), Duration.ofMillis(50));

        assertThatThrownBy(() -> impatient.tell(notices.get(0))).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "secret", "whsec_", "whsec_c2hvcnQ=", "whsec_?"})
    void aSecretThatIsNoneIsRefusedAndNotTold(String secret) {
        assertThatThrownBy(() -> Webhook.to(at("/"), secret))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("openssl rand")
                .hasMessageNotContaining("c2hvcnQ");
    }

    @Test
    void theAddressIsASecretAndStandsNeitherInTheLogNorInTheStatusNorInTheStore() {
        status = 500;
        Bench bench = bench(Webhook.to(at("/services/SECRETPATH?token=SECRETTOKEN"), SECRET));

        bench.agent().actOnTime();

        String told = Reach.of(bench.agent()).notifiers().toString();
        assertThat(told).contains("answered 500", "http://localhost:").doesNotContain("SECRETPATH", "SECRETTOKEN");
        assertThat(TestLog.release().toString()).doesNotContain("SECRETPATH", "SECRETTOKEN");
        assertThatThrownBy(() -> Webhook.to(URI.create("http://ada:SECRETPW@localhost/"), SECRET))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a user or a password")
                .hasMessageNotContaining("SECRETPW");
    }

    @Test
    void anAddressAndASecretAreNeeded() {
        assertThatThrownBy(() -> Webhook.to(URI.create("file:/tmp/x"), SECRET))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its scheme is file");
        assertThatThrownBy(() -> Webhook.to(at("/")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no secret");
    }
}
