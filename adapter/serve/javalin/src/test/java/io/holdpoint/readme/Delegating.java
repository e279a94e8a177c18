package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agents.LocalAgent;
import io.holdpoint.agents.RemoteAgent;
import io.holdpoint.agents.RemoteModel;
import io.holdpoint.agui.client.AguiClient;
import java.net.URI;
import java.time.Duration;

final class Delegating {

    private Delegating() {}

    static Holdpoint agent(StreamingChatModel model, URI endpoint, String token) {
        // readme
        AguiClient office = AguiClient.builder(endpoint) // such as https://office.example.com/agent
                .header("Authorization", "Bearer " + token)
                .build();
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .toolProviders(RemoteAgent.of("office", "Writes and sends mails", office)
                        .timeout(Duration.ofMinutes(5))
                        .holdpointRoutes()) // the server is Holdpoint's as well
                .toolPolicies(ToolPolicy.named("office").withoutApproval().idempotent())
                .build();
        // end
        return agent;
    }

    static Holdpoint behind(AguiClient office, MailTools tools) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(RemoteModel.of("office", office).timeout(Duration.ofMinutes(5)))
                .tools(tools)
                .build();
        // end
        return agent;
    }

    static Holdpoint boss(StreamingChatModel model, Mailer mailer) {
        // readme
        Holdpoint clerk = Holdpoint.builder(Assistant.class)
                .name("clerk")
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .build();
        Holdpoint boss = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .toolProviders(LocalAgent.of("clerk", "Writes and sends mails", clerk))
                .build();
        // end
        return boss;
    }
}
