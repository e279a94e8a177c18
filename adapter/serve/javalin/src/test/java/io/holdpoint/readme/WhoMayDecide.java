package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.javalin.Authenticator;
import io.javalin.Javalin;
import java.util.Map;

final class WhoMayDecide {

    private WhoMayDecide() {}

    static Holdpoint agent(StreamingChatModel model, Mailer mailer) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("approver")))
                .build();
        // end
        return agent;
    }

    static RunResult askAndLetDecide(Holdpoint agent) {
        // readme
        Caller ada = Caller.of("ada", "approver");
        Caller grace = Caller.of("grace", "approver");
        agent.as(ada).send("thread-1", "Write to Bob");
        var question = agent.as(grace).pending("thread-1").get(0).asApproval();
        RunResult ownRequest = agent.as(ada).resume("thread-1", question.approve()); // Failed: INTERRUPT_FORBIDDEN
        RunResult result = agent.as(grace).resume("thread-1", question.approve());
        // end
        return ownRequest instanceof RunResult.Failed ? result : ownRequest;
    }

    static Javalin serve(Holdpoint agent, String adasToken, String gracesToken) {
        // readme
        Javalin server = Javalin.create(config -> config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)
                .authenticator(Authenticator.bearerTokens(Map.of(
                        adasToken, Caller.of("ada"),
                        gracesToken, Caller.of("grace", "approver")))))));
        // end
        return server;
    }
}
