package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.javalin.Authenticator;
import io.javalin.Javalin;
import java.util.Map;

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
