package io.holdpoint.tutorials.t15;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.slack.api.app_backend.SlackSignature;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.Reach;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.javalin.Javalin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The notifiers of tutorial 15, against servers that stand for Slack and Teams. What is pressed is answered when the test says so. */
class SlackApprovalsTest {

    private static final String QUESTION = "Pay invoice \"R-7\", 9000 euros?";

    private final ByteArrayOutputStream effects = new ByteArrayOutputStream();
    private final ScriptedModel model = new ScriptedModel();
    private final PretendSlack slack = new PretendSlack();
    private final LinkedBlockingQueue<Runnable> aside = new LinkedBlockingQueue<>();
    private final List<Notice> notices = new ArrayList<>();
    private final SlackApprovals approvals = new SlackApprovals(
            slack.client(),
            new SlackSignature.Verifier(new SlackSignature.Generator(PretendSlack.SIGNING_SECRET)),
            "C-TREASURY",
            Map.of(
                    "U-GRACE", Caller.of("grace", "treasury"),
                    "U-HEIDI", Caller.of("heidi", "treasury"),
                    "U-EVE", Caller.of("eve")),
            new ConcurrentHashMap<>(),
            aside::add);
    private Holdpoint agent;
    private Javalin app;

    private void begin(int needed, String invoice) {
        agent = Holdpoint.builder(Main.Assistant.class)
                .chatModel(model)
                .tools(new Main.Bank(new PrintStream(effects, true, StandardCharsets.UTF_8)))
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("treasury")))
                .toolPolicies(
                        ToolPolicy.named("pay").approvals(Approvals.of(needed).by(Audience.role("treasury"))))
                .with(Reach.notifier("slack", notice -> {
                    notices.add(notice);
                    approvals.tell(notice);
                }))
                .clock(new VirtualClock())
                .executor(Runnable::run)
                .build();
        model.calls(ScriptedModel.call("call_1", "pay", "{\"invoice\":\"" + invoice + "\",\"amount\":9000}"))
                .says("Paid.");
        app = Javalin.create(config -> config.routes.post("/", request -> approvals.pressed(request, agent)))
                .start("127.0.0.1", 0);
        agent.as(Caller.of("ada")).send("thread-1", "Pay");
        agent.actOnTime();
    }

    @AfterEach
    void stop() {
        app.stop();
        slack.close();
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + app.port() + "/");
    }

    private void press(String user, String action) throws IOException, InterruptedException {
        assertThat(slack.press(address(), user, action)).isEqualTo(200);
    }

    private int post(long secondsAgo, String body, String signature) throws IOException, InterruptedException {
        String time = String.valueOf(System.currentTimeMillis() / 1_000 - secondsAgo);
        String signed = new SlackSignature.Generator(PretendSlack.SIGNING_SECRET).generate(time, body);
        return PretendSlack.post(address(), time, body, signature.isEmpty() ? signed : signature);
    }

    private String effects() {
        return effects.toString(StandardCharsets.UTF_8);
    }

    @Test
    void slackIsAnsweredBeforeAnythingIsDecidedThenTheButtonsGoAndTheMessageSaysWhatCameOfIt() throws Exception {
        begin(1, "R-7");
        assertThat(slack.next()).isEqualTo("new:      " + QUESTION + "  [Approve]  [Deny]");
        press("U-GRACE", "approve");
        assertThat(effects()).isEmpty();

        aside.take().run();
        assertThat(effects()).contains("pay runs: R-7");
        assertThat(slack.next()).isEqualTo("changed:  " + QUESTION + "  grace has pressed approve");
        agent.actOnTime();
        assertThat(slack.next()).isEqualTo("changed:  " + QUESTION + "  approved by grace, executed");
    }

    @Test
    void whoMayNotDecideLearnsItAloneAndTheButtonsStay() throws Exception {
        begin(1, "R-7");
        slack.next();
        press("U-MALLORY", "approve");
        press("U-EVE", "approve");
        aside.take().run();
        aside.take().run();
        assertThat(slack.next()).startsWith("to U-MALLORY:  You may not decide this.");
        assertThat(slack.next()).isEqualTo("to U-EVE:  This conversation does not exist, or you may not see it.");
        assertThat(slack.isQuiet()).isTrue();
        assertThat(effects()).isEmpty();
    }

    @Test
    void aForgedAnOldAndAChangedRequestAreRefused() throws Exception {
        begin(1, "R-7");
        String body = slack.body("U-GRACE", "approve");
        String time = String.valueOf(System.currentTimeMillis() / 1_000);
        String other = new SlackSignature.Generator("another secret").generate(time, body);

        assertThat(post(0, body, other)).isEqualTo(401);
        assertThat(post(301, body, "")).isEqualTo(401);
        assertThat(PretendSlack.post(
                        address(),
                        time,
                        body.replace("U-EVE", "U-GRACE") + " ",
                        new SlackSignature.Generator(PretendSlack.SIGNING_SECRET).generate(time, body)))
                .isEqualTo(401);
        assertThat(aside).isEmpty();
        assertThat(post(240, body, "")).isEqualTo(200);
    }

    @Test
    void aNoticeThatComesAgainIsNoSecondMessageAndAStaleButtonChangesNothing() throws Exception {
        begin(1, "R-7");
        approvals.tell(notices.get(0));
        slack.next();
        assertThat(slack.isQuiet()).isTrue();

        press("U-GRACE", "deny");
        aside.take().run();
        agent.actOnTime();
        approvals.tell(notices.get(1));
        assertThat(slack.next()).endsWith("grace has pressed deny");
        assertThat(slack.next()).endsWith("denied by grace, not executed");

        press("U-GRACE", "deny");
        press("U-HEIDI", "approve");
        aside.take().run();
        aside.take().run();
        assertThat(slack.next()).isEqualTo("to U-HEIDI:  This question is settled already. That decision stands.");
        assertThat(slack.isQuiet()).isTrue();
        assertThat(effects()).isEmpty();
    }

    @Test
    void theButtonsStayForTheSecondOfTwo() throws Exception {
        begin(2, "R-7");
        slack.next();
        press("U-GRACE", "approve");
        aside.take().run();
        assertThat(slack.next()).isEqualTo("changed:  " + QUESTION + "  grace has pressed approve");
        press("U-HEIDI", "approve");
        aside.take().run();
        assertThat(slack.next()).endsWith("heidi has pressed approve");
        agent.actOnTime();
        assertThat(slack.next()).endsWith("approved by grace, heidi, executed");
    }

    @Test
    void whatIsTooLongForSlackHasNoButtons() throws Exception {
        begin(1, "R".repeat(4_000));

        assertThat(slack.next()).doesNotContain("[Approve]").endsWith("answer it on the page.");
    }

    @Test
    void aCardOfTeamsLeadsToThePageAndComesOnce() throws Exception {
        begin(1, "R-7");
        List<String> posted = new ArrayList<>();
        Javalin teams = Javalin.create(config -> config.routes.post("/", request -> {
                    posted.add(request.body());
                    request.status(posted.size() == 1 ? 500 : 202);
                }))
                .start("127.0.0.1", 0);
        TeamsCard card = new TeamsCard(
                URI.create("http://127.0.0.1:" + teams.port() + "/"),
                URI.create("https://agents.example.com/"),
                HttpClient.newHttpClient(),
                new HashSet<>());
        try {
            assertThatThrownBy(() -> card.tell(notices.get(0))).hasMessage("Teams answered 500");
            card.tell(notices.get(0));
            card.tell(notices.get(0));
        } finally {
            teams.stop();
        }
        assertThat(posted).hasSize(2);
        assertThat(posted.get(1))
                .contains("\"AdaptiveCard\"", "Pay invoice \\\"R-7\\\", 9000 euros?", "https://agents.example.com/");
    }
}
