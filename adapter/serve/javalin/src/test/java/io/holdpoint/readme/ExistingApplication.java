package io.holdpoint.readme;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.Turn;
import java.util.Map;

final class ExistingApplication {

    private ExistingApplication() {}

    // readme
    interface Guide {

        @SystemMessage("You guide {{visitor}}. Answer in {{language}}.")
        String chat(@UserMessage String message, @V("visitor") String visitor, @V("language") String language);
    }
    // end

    static Holdpoint agent(
            ChatModel model, MailTools mailTools, ContentRetriever retriever, Map<String, String> visitors) {
        // readme
        Holdpoint agent = Holdpoint.builder(Guide.class)
                .chatModel(model)
                .tools(mailTools)
                .aiService(service -> service.contentRetriever(retriever))
                .variable("visitor", turn -> visitors.get(turn.caller().id()))
                .variable(
                        "language",
                        turn -> turn.forwardedProps().path("language").asText("English"))
                .client(client -> client.storedForwardedProps("language")) // else it is lost when the turn is resumed
                .build();
        // end
        return agent;
    }

    static RunResult sayInIrish(Holdpoint agent) {
        // readme
        RunResult result = agent.send(Turn.of("thread-1", "Write to Ada").with("language", "Irish"));
        // end
        return result;
    }
}
