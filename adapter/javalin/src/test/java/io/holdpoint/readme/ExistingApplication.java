package io.holdpoint.readme;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import java.util.List;
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
                .storedForwardedProps("language") // else it is lost when the turn is resumed
                .build();
        // end
        return agent;
    }

    static RunResult sayInIrish(Holdpoint agent) {
        // readme
        ObjectNode props = JsonNodeFactory.instance.objectNode().put("language", "Irish");
        Message message = new Message.User("message-1", MessageContent.text("Write to Ada"));
        RunAgentInput input =
                RunAgentInput.of("thread-1", "run-1", List.of(message)).withForwardedProps(props);
        RunResult result = agent.run(input, event -> {}).join(); // the ids are new ones for each message and run
        // end
        return result;
    }
}
