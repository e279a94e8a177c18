package io.holdpoint.tutorials.t15;

import com.slack.api.Slack;
import com.slack.api.app_backend.SlackSignature;
import com.slack.api.methods.MethodsClient;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.reach.Reach;
import io.holdpoint.test.ScriptedModel;
import io.javalin.Javalin;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Tutorial 15: a channel of Slack is asked, somebody presses a button, and the message says what came of it. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Bank(PrintStream out) {

        @Tool("Pay an invoice")
        @RequiresApproval(message = "Pay invoice {{invoice}}, {{amount}} euros?")
        String pay(String invoice, int amount) {
            out.println("  (pay runs: " + invoice + ", " + amount + ")");
            return "paid";
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService aside = Executors.newSingleThreadExecutor();
        try {
            if (System.getenv("SLACK_BOT_TOKEN") == null) {
                run(aside, System.out);
            } else {
                yours(aside);
            }
        } finally {
            aside.shutdown();
        }
    }

    private static void yours(ExecutorService aside) throws IOException {
        MethodsClient slack = Slack.getInstance().methods(System.getenv("SLACK_BOT_TOKEN"));
        Map<String, Caller> people = Map.of(System.getenv("SLACK_USER"), Caller.of("grace", "treasury"));
        String secret = System.getenv("SLACK_SIGNING_SECRET");
        Javalin server =
                start(8080, approvals(slack, secret, System.getenv("SLACK_CHANNEL"), people, aside), System.out);
        System.out.println("Look into your channel. Enter ends the program.");
        System.in.read();
        server.stop();
    }

    private static SlackApprovals approvals(
            MethodsClient slack,
            String signingSecret,
            String channel,
            Map<String, Caller> people,
            ExecutorService aside) {
        SlackSignature.Verifier signature = new SlackSignature.Verifier(new SlackSignature.Generator(signingSecret));
        return new SlackApprovals(slack, signature, channel, people, new ConcurrentHashMap<>(), aside);
    }

    /** Ada asks the agent to pay an invoice. */
    static Javalin start(int port, SlackApprovals slack, PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.calls(ScriptedModel.call("call_1", "pay", "{\"invoice\":\"R-7\",\"amount\":9000}"))
                .says("Invoice R-7 is paid.");
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Bank(out))
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("treasury")))
                .toolPolicies(ToolPolicy.named("pay").approvals(Approvals.of(1).by(Audience.role("treasury"))))
                .with(Reach.notifier("slack", slack))
                .build();
        Javalin server = Javalin.create(config -> {
                    config.routes.post("/slack/actions", request -> slack.pressed(request, agent));
                    config.events.serverStopping(agent::close);
                })
                .start("127.0.0.1", port);
        // end
        agent.as(Caller.of("ada", "treasury")).send("thread-1", "Pay invoice R-7");
        return server;
    }

    public static void run(ExecutorService aside, PrintStream out) throws Exception {
        Map<String, Caller> people =
                Map.of("U-ADA", Caller.of("ada", "treasury"), "U-GRACE", Caller.of("grace", "treasury"));
        PretendSlack slack = new PretendSlack();
        Javalin server =
                start(0, approvals(slack.client(), PretendSlack.SIGNING_SECRET, "C-TREASURY", people, aside), out);
        try (slack) {
            // readme
            URI app = URI.create("http://127.0.0.1:" + server.port() + "/slack/actions");
            out.println(slack.next());

            out.println("Ada, who asked for it, presses Approve.");
            slack.press(app, "U-ADA", "approve");
            out.println(slack.next());

            out.println("Grace presses Approve.");
            slack.press(app, "U-GRACE", "approve");
            String buttonsAreGone = slack.next();
            String outcome = slack.next();
            out.println(buttonsAreGone);
            out.println(outcome);
            // end
        } finally {
            server.stop();
        }
    }
}
