package io.holdpoint.spring.support;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.Reach;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The application over HTTP, with Spring Security, a database and two threads of the server. */
class CustomerSupportTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CANCEL = "{\"bookingNumber\":\"%s\",\"customerName\":\"John Doe\"}";

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext application;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void start() {
        application = start(folder);
    }

    static ConfigurableApplicationContext start(Path folder) {
        return new SpringApplication(CustomerSupportApplication.class)
                .run(
                        "--server.port=0",
                        "--server.tomcat.threads.max=2",
                        "--server.shutdown=graceful",
                        "--spring.datasource.url=jdbc:sqlite:" + folder.resolve("support.db"),
                        "--spring.main.banner-mode=off",
                        "--management.endpoints.web.exposure.include=health",
                        "--management.endpoint.health.show-details=always",
                        "--holdpoint.store=jdbc",
                        "--holdpoint.max-body-bytes=20000",
                        "--holdpoint.shutdown-grace=1ms");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private ScriptedModel model() {
        return application.getBean(ScriptedModel.class);
    }

    private Booking booking(String number) {
        return application.getBean(BookingService.class).find(number);
    }

    private HttpRequest.Builder request(String user, String path) {
        String credentials =
                Base64.getEncoder().encodeToString((user + ":" + user.charAt(0)).getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(URI.create(url(application) + path))
                .header("Authorization", "Basic " + credentials)
                .header("Content-Type", "application/json");
    }

    static String url(ConfigurableApplicationContext application) {
        return "http://localhost:" + application.getEnvironment().getProperty("local.server.port");
    }

    private HttpResponse<String> post(String user, String path, String body) throws Exception {
        return http.send(request(user, path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String user, String path) throws Exception {
        return http.send(request(user, path).GET().build(), BodyHandlers.ofString());
    }

    private static List<JsonNode> events(HttpResponse<String> response) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        List<JsonNode> events = new ArrayList<>();
        for (String line : response.body().lines().toList()) {
            if (line.startsWith("data: ")) {
                events.add(JSON.readTree(line.substring(6)));
            }
        }
        return events;
    }

    private static JsonNode last(List<JsonNode> events) {
        return events.get(events.size() - 1);
    }

    private static String said(String thread, String run, String text) {
        return "{\"protocolVersion\":\"1.0\",\"threadId\":\"%s\",\"runId\":\"%s\",\"messages\":[{\"id\":\"m-%s\",\"role\":\"user\",\"content\":\"%s\"}]}"
                .formatted(thread, run, run, text);
    }

    private static String answered(String thread, String run, JsonNode interrupt, String payload) {
        return "{\"protocolVersion\":\"1.0\",\"threadId\":\"%s\",\"runId\":\"%s\",\"messages\":[],\"resume\":[{\"interruptId\":\"%s\",\"status\":\"resolved\",\"payload\":%s}]}"
                .formatted(thread, run, interrupt.path("id").textValue(), payload);
    }

    private JsonNode held(String thread, String number) throws Exception {
        model().calls(call("c-" + thread, "cancelBooking", CANCEL.formatted(number)));
        JsonNode finished = last(events(post("ada", "/agent", said(thread, "r1", "Please cancel " + number))));
        assertThat(finished.at("/outcome/type").textValue()).isEqualTo("interrupt");
        return finished.at("/outcome/interrupts/0");
    }

    @Test
    void aQueryParameterThatThePathDoesNotKnowIsRefusedByItsName() throws Exception {
        HttpResponse<String> refused = get("grace", "/agent/interrupts?thread=accessible");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("INPUT_INVALID", "thread: ", "threads, cursor, limit");
    }

    @Test
    void aCancellationWaitsForAReviewerAndRunsInItsTransactionAsTheOwnerOfTheThread() throws Exception {
        JsonNode interrupt = held("t-approve", "MS-777");
        assertThat(interrupt.path("message").textValue()).isEqualTo("Cancel booking \"MS-777\" of \"John Doe\"?");
        assertThat(booking("MS-777").cancelled()).isFalse();
        JsonNode inbox = JSON.readTree(
                get("grace", "/agent/interrupts?threads=accessible").body());
        assertThat(inbox.at("/interrupts/0/owner").textValue()).isEqualTo("ada");
        String approval = answered("t-approve", "r2", interrupt, "{\"approved\":true}");
        JsonNode forbidden = last(events(post("ada", "/agent", approval)));
        assertThat(forbidden.path("code").textValue()).as(forbidden.toString()).isEqualTo("INTERRUPT_FORBIDDEN");

        model().says("It is cancelled.");
        HttpResponse<String> approved = post("grace", "/agent", approval);

        assertThat(last(events(approved)).at("/outcome/type").textValue()).isEqualTo("success");
        assertThat(approved.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff"); // by a filter
        assertThat(booking("MS-777").cancelled()).isTrue();
        assertThat(application.getBean(BookingService.class).seen())
                .containsOnly(new BookingService.Seen("ada", true)); // not grace, who approved
    }

    @Test
    void aLinkLeadsItsPersonThroughTheSignInToTheQuestionAndDecidesNothing() throws Exception {
        JsonNode interrupt = held("t-link", "MS-779");
        Holdpoint agent = application.getBean(Holdpoint.class).as(new Caller("ada", Set.of("ROLE_CUSTOMER")));
        String path = Reach.of(agent)
                .link("t-link", interrupt.path("id").textValue(), "grace")
                .orElseThrow()
                .getPath();

        assertThat(http.send(
                                HttpRequest.newBuilder(URI.create(url(application) + path))
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(401);
        HttpResponse<String> page = get("grace", path);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWithIgnoringCase("text/html");
        assertThat(page.body())
                .contains("<dd><bdi>MS-779</bdi></dd>", "POINTER")
                .doesNotContain("<button");
        assertThat(get("eve", path).statusCode()).isEqualTo(403);
        HttpResponse<String> pressed = http.send(
                request("grace", path)
                        .setHeader("Content-Type", "application/x-www-form-urlencoded")
                        .header("Origin", "null")
                        .header("Sec-Fetch-Site", "same-origin")
                        .POST(BodyPublishers.ofString("decision=deny&reason=no"))
                        .build(),
                BodyHandlers.ofString());

        assertThat(pressed.statusCode()).as(pressed.body()).isEqualTo(200);
        assertThat(pressed.body()).contains("You decide this in the application");
        assertThat(agent.pending("t-link")).hasSize(1);
    }

    @Test
    void anOpenPageHearsOfQuestionsAsTheyCome() throws Exception {
        HttpResponse<Stream<String>> opened =
                http.send(request("grace", "/agent/changes").GET().build(), BodyHandlers.ofLines());
        try (Stream<String> body = opened.body()) {
            Iterator<String> lines = body.iterator();
            assertThat(lines.next()).startsWith("id: ");
            assertThat(lines.next()).isEqualTo("data: {\"kind\":\"OPENED\"}");
            JsonNode interrupt = held("t-changes", "MS-779");

            String line = lines.next();
            while (!line.contains(interrupt.path("id").textValue())) {
                line = lines.next();
            }
            assertThat(line).startsWith("data: {\"kind\":\"ASKED\",\"threadId\":\"t-changes\"");
        }
    }

    private static void worksAs(String user) {
        SecurityContextHolder.getContext()
                .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                        user, null, AuthorityUtils.createAuthorityList("ROLE_CUSTOMER")));
    }

    @Test
    void anInjectedAgentWorksForTheUserOfTheSecurityContext() {
        Holdpoint agent = application.getBean(Holdpoint.class);
        model().calls(call("c-injected", "cancelBooking", CANCEL.formatted("MS-779")));
        try {
            worksAs("ada");
            RunResult held = agent.send("t-injected", "Please cancel MS-779");
            ResumeEntry approval = held.interrupts().get(0).asApproval().approve();

            worksAs("eve");
            assertThat(agent.pending("t-injected")).isEmpty();
            assertThat(agent.resume("t-injected", approval)
                            .failure()
                            .orElseThrow()
                            .code())
                    .isEqualTo(ErrorCode.THREAD_NOT_FOUND);

            worksAs("ada");
            assertThat(agent.resume("t-injected", approval)
                            .failure()
                            .orElseThrow()
                            .code())
                    .isEqualTo(ErrorCode.INTERRUPT_FORBIDDEN); // she is no reviewer
            assertThat(agent.as(new Caller("grace", Set.of("ROLE_REVIEWER"))).pending("t-injected"))
                    .hasSize(1);
        } finally {
            SecurityContextHolder.clearContext();
        }
        assertThat(agent.pending("t-injected")).isEmpty(); // nobody's thread for anonymous code
    }

    @Test
    void aDenialIsToldToTheModel() throws Exception {
        JsonNode interrupt = held("t-deny", "MS-778");
        model().says("A person has to look at it.");

        post("grace", "/agent", answered("t-deny", "r2", interrupt, "{\"approved\":false,\"reason\":\"too late\"}"));

        assertThat(model().lastResult("c-t-deny")).contains("too late");
        assertThat(booking("MS-778").cancelled()).isFalse();
    }

    @Test
    @Logs("Tool 'cancelBooking' execution failed")
    void aToolThatThrowsRollsItsTransactionBack() throws Exception {
        JsonNode interrupt = held("t-rollback", "MS-LOCKED");
        model().says("That did not work.");

        post("grace", "/agent", answered("t-rollback", "r2", interrupt, "{\"approved\":true}"));

        assertThat(model().lastResult("c-t-rollback")).contains("cannot be cancelled");
        assertThat(booking("MS-LOCKED").cancelled()).isFalse();
    }

    @Test
    void aToolHasATransactionOfItsOwnAlsoIfTheAgentIsCalledInOne() throws Exception {
        JsonNode interrupt = held("t-around", "MS-780");
        model().says("It is cancelled.");
        ResumeEntry approval = ResumeEntry.resolved(
                interrupt.path("id").textValue(), JSON.createObjectNode().put("approved", true));
        Holdpoint agent = application.getBean(Holdpoint.class).as(new Caller("grace", Set.of("ROLE_REVIEWER")));

        RunResult done = new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
                .execute(transaction -> {
                    RunResult result = agent.resume("t-around", approval);
                    transaction.setRollbackOnly();
                    return result;
                });

        assertThat(done.orThrow().text()).isEqualTo("It is cancelled.");
        assertThat(booking("MS-780").cancelled()).isTrue();
    }

    @Test
    void oneAnswerMayComeWithoutAStream() throws Exception {
        JsonNode interrupt = held("t-decisions", "MS-778");
        String approval = "{\"threadId\":\"t-decisions\",\"interruptId\":\""
                + interrupt.path("id").textValue() + "\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}";

        HttpResponse<String> ofEve = post("eve", "/agent/decisions", approval);
        HttpResponse<String> ofAda = post("ada", "/agent/decisions", approval);
        HttpResponse<String> many = post("ada", "/agent/decisions", "{\"decisions\":[" + approval + "]}");
        HttpResponse<String> unread = post("grace", "/agent/decisions", "{\"threadId\":\"t-decisions\"}");

        assertThat(ofEve.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(ofAda.body()).path("code").asText()).isEqualTo("INTERRUPT_FORBIDDEN");
        assertThat(JSON.readTree(many.body()).at("/decisions/0/code").asText()).isEqualTo("INTERRUPT_FORBIDDEN");
        assertThat(unread.body()).contains("INPUT_INVALID", "interruptId:");
        assertThat(interrupt.at("/metadata/langchain4j/mayDecide").booleanValue())
                .isFalse();
        assertThat(post("ada", "/agent/cancel", "{\"threadId\":\"t-decisions\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aCallMayBeProposedWithoutAModel() throws Exception {
        HttpResponse<String> unknown =
                post("ada", "/agent/proposals", "{\"tool\":\"none\",\"arguments\":{},\"id\":\"p\"}");

        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("INPUT_INVALID", "tool: this agent has no tool");
        assertThat(get("ada", "/agent/proposals/p").statusCode()).isEqualTo(404);
    }

    @Test
    void theOtherRoutesAnswer() throws Exception {
        held("t-routes", "MS-778");

        assertThat(get("ada", "/agent/capabilities").body()).contains("humanInTheLoop");
        List<JsonNode> history = events(post(
                "ada", "/agent/history", "{\"protocolVersion\":\"1.0\",\"threadId\":\"t-routes\",\"runId\":\"h\"}"));
        assertThat(last(history).at("/outcome/interrupts")).hasSize(1);
        List<JsonNode> ofNobody = events(post(
                "eve", "/agent/history", "{\"protocolVersion\":\"1.0\",\"threadId\":\"t-routes\",\"runId\":\"h\"}"));
        assertThat(last(ofNobody).at("/outcome/type").asText()).isEqualTo("success");
        assertThat(ofNobody.toString()).doesNotContain("MS-778");
        assertThat(post("ada", "/agent/cancel", "{\"threadId\":\"t-routes\"}").body())
                .isEqualTo("{\"cancelled\":true}");
        assertThat(post("ada", "/agent/cancel", "{\"threadId\":\"t-routes\"}").body())
                .contains("NOTHING_TO_CANCEL");
        HttpResponse<String> wrong = get("ada", "/agent");
        assertThat(wrong.statusCode()).isEqualTo(405);
        assertThat(wrong.headers().firstValue("Allow")).hasValue("POST");
        assertThat(post("ada", "/agents/x", "{}").statusCode()).isEqualTo(404);
        assertThat(post("ada", "/agent", "{").body()).contains("INPUT_INVALID");
        assertThat(post("ada", "/agent", "null").body()).contains("INPUT_INVALID");
        assertThat(post("ada", "/agent", said("t-routes", "r9", "x".repeat(30_000)))
                        .body())
                .contains("BODY_TOO_LARGE");
        HttpRequest form = request("ada", "/agent")
                .setHeader("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        assertThat(http.send(form, BodyHandlers.ofString()).body()).contains("MEDIA_TYPE_UNSUPPORTED");
        HttpRequest foreign = request("ada", "/agent")
                .header("Origin", "https://evil.example")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        assertThat(http.send(foreign, BodyHandlers.ofString()).body()).contains("SITE_REFUSED");
        HttpRequest stranger = request("ada", "/agent")
                .setHeader("Authorization", "Basic YTpi")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        assertThat(http.send(stranger, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    }

    @Test
    @Timeout(60)
    void aNotifierBeanIsToldOfQuestions() throws Exception {
        String id = held("t-told", "MS-778").path("id").textValue();
        BlockingQueue<Notice> board = application.getBean(ReviewersBoard.class).notices;

        Notice notice;
        do {
            notice = board.poll(30, TimeUnit.SECONDS);
            assertThat(notice).isNotNull();
        } while (!notice.questions().get(0).item().interrupt().id().equals(id));
        assertThat(notice.kind()).isEqualTo(Notice.Kind.ASKED);
        assertThat(application
                        .getBean(MeterRegistry.class)
                        .get("holdpoint.notifier.lag")
                        .tag("notifier", "reviewersBoard")
                        .timeGauge())
                .isNotNull();
    }

    @Test
    void healthAndMetersKnowTheAgent() throws Exception {
        held("t-health", "MS-778");

        JsonNode health = JSON.readTree(get("ada", "/actuator/health").body()).at("/components/holdpoint");
        assertThat(health.path("status").textValue()).isEqualTo("UP");
        assertThat(health.at("/details/agents").intValue()).isEqualTo(1);
        assertThat(health.at("/details/unfinished").isIntegralNumber()).isTrue();
        assertThat(health.at("/details/undelivered").isIntegralNumber()).isTrue();
        assertThat(health.at("/details/notifiers/0/notifier").asText()).isEqualTo("reviewersBoard");
        assertThat(health.at("/details/notifiers/0/lagSeconds").isIntegralNumber())
                .isTrue();
        assertThat(health.at("/details/notifiers/0/failures").asLong(-1)).isZero();
        assertThat(application
                        .getBean(MeterRegistry.class)
                        .get("holdpoint.threads.unfinished")
                        .gauge()
                        .value())
                .isZero();
    }

    private CompletableFuture<HttpResponse<InputStream>> open(String thread) {
        return http.sendAsync(
                request("ada", "/agent")
                        .POST(BodyPublishers.ofString(said(thread, "r", "Hi")))
                        .build(),
                BodyHandlers.ofInputStream());
    }

    @Test
    void idleStreamsKeepNoThreadOfTheServer() throws Exception {
        CountDownLatch thinking = new CountDownLatch(1);
        List<HttpResponse<InputStream>> streams = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            model().answers(request -> {
                await(thinking);
                return AiMessage.from("Hello.");
            });
            streams.add(open("t-idle-" + i).join());
        }

        assertThat(get("ada", "/agent/capabilities").statusCode()).isEqualTo(200); // with two threads
        thinking.countDown();

        for (HttpResponse<InputStream> stream : streams) {
            assertThat(new String(stream.body().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("RUN_FINISHED");
        }
    }

    @Test
    @Logs("Run * on thread * *")
    void aRestartEndsRunsWithAReasonAndKeepsWhatIsHeld() throws Exception {
        JsonNode interrupt = held("t-restart", "MS-779");
        CountDownLatch thinking = new CountDownLatch(1);
        model().answers(request -> {
            await(thinking);
            return AiMessage.from("too late");
        });
        HttpResponse<InputStream> stream = open("t-stop").join();
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).contains("RUN_STARTED");

        stop();

        assertThat(lines.lines().toList()).anyMatch(line -> line.contains("SHUTTING_DOWN"));
        thinking.countDown();
        start();
        model().says("It is cancelled.");
        HttpResponse<String> approved =
                post("grace", "/agent", answered("t-restart", "r2", interrupt, "{\"approved\":true}"));
        assertThat(last(events(approved)).at("/outcome/type").textValue()).isEqualTo("success");
        assertThat(booking("MS-779").cancelled()).isTrue();
        model().says("You asked me to cancel MS-779.");
        post("ada", "/agent", said("t-restart", "r3", "What did I ask?"));
        assertThat(model().lastMessages().toString()).contains("Please cancel MS-779"); // the memory is kept as well
    }

    @Test
    void theAiServiceIsAnAgentOfItsName() {
        assertThat(application.getBean("customerSupportAgent")).isInstanceOf(Holdpoint.class);
        assertThat(application.getBeansOfType(CustomerSupportAgent.class)).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
