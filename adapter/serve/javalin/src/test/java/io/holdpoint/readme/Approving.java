package io.holdpoint.readme;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Decision;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.javalin.Authenticator;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Reach;
import io.javalin.Javalin;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class Approving {

    private Approving() {}

    static Holdpoint agent(StreamingChatModel model, Mailer mailer) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(
                        ToolPolicy.named("sendEmail").approvals(Approvals.of(2).by(Audience.role("treasury"))))
                .build();
        // end
        return agent;
    }

    static Approvals groups() {
        // readme
        Approvals people = Approvals.of(1).by(Audience.role("legal")).and(1).by(Audience.role("finance"));
        // end
        return people;
    }

    static ToolPolicy deadlines() {
        // readme
        ToolPolicy payments = ToolPolicy.named("pay")
                .timeline(Timeline.expiresAfter(Duration.ofDays(2))
                        .remind(Duration.ofHours(4)) // after asking
                        .escalate(Duration.ofDays(1), Audience.role("manager"))
                        .warn(Duration.ofHours(2)) // before the end
                        .then(WhenExpired.GO_ON));
        // end
        return payments;
    }

    static final class Bank {

        // readme
        @Tool("Pay an invoice")
        @RequiresApproval(
                expiresAfter = "P2D",
                remind = "PT4H",
                escalate = "P1D",
                escalateTo = "manager",
                warn = "PT2H",
                whenExpired = WhenExpired.GIVE_UP)
        String pay(@P("the number of the invoice") String invoice) {
            return "paid " + invoice;
        }
        // end
    }

    static List<Decided> decideAll(Holdpoint agent, Caller grace, List<AskedQuestion> onTheScreen) {
        // readme
        List<Decision> decisions = new ArrayList<>();
        for (AskedQuestion seen : onTheScreen) {
            decisions.add(Decision.of(seen, seen.interrupt().asApproval().approve()));
        }
        List<Decided> decided = agent.as(grace).decide(decisions); // what became of each, in the same order
        // end
        return decided;
    }

    static String decide(Holdpoint agent, Caller grace, String threadId) {
        // readme
        PendingInterrupt question = agent.as(grace).pending(threadId).get(0);
        Decided decided = agent.as(grace).decide(threadId, question.asApproval().approve());
        if (decided instanceof Decided.Waits waits) {
            return waits.open().size() + " question(s) wait for somebody else";
        } else if (decided instanceof Decided.Runs runs) {
            return "run " + runs.runId() + " goes on"; // runs.result() has its end
        }
        Decided.Refused refused = (Decided.Refused) decided;
        return refused.code() + ": " + refused.message();
        // end
    }

    static Javalin jobs(Holdpoint agent) {
        // readme
        Javalin jobs = Javalin.create(
                config -> config.routes.post("/jobs/act-on-time", ctx -> ctx.result(agent.actOnTime() + " thread(s)")));
        // end
        return jobs;
    }

    static Holdpoint links(
            StreamingChatModel model, MailTools mailTools, byte[] secret, Map<String, Caller> directory) {
        // readme
        Links links = Links.signed(URI.create("https://agents.example.com/agent"), Links.Key.of("2026-11", secret));
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(mailTools)
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .people(person -> Optional.ofNullable(directory.get(person)))
                .with(Reach.links(links))
                .build();
        // end
        return agent;
    }

    static Holdpoint people(StreamingChatModel model, MailTools mailTools, Map<String, Caller> directory) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(mailTools)
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(
                        ToolPolicy.named("sendEmail").approvals(Approvals.of(2).by(Audience.role("treasury"))))
                .people(person -> Optional.ofNullable(directory.get(person)))
                .build();
        // end
        return agent;
    }

    static Optional<URI> link(Holdpoint agent, PendingInterrupt question) {
        // readme
        Optional<URI> link = Reach.of(agent).link("thread-1", question.id(), "grace"); // for a message to Grace
        // end
        return link;
    }

    static Javalin serve(Holdpoint agent, String gracesToken, String heidisToken) {
        // readme
        Javalin server = Javalin.create(config -> config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)
                .authenticator(Authenticator.bearerTokens(Map.of(
                        gracesToken, Caller.of("grace", "approver", "treasury"),
                        heidisToken, Caller.of("heidi", "approver", "treasury")))))));
        // end
        return server;
    }
}
