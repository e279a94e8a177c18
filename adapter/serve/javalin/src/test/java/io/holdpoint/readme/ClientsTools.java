package io.holdpoint.readme;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;

final class ClientsTools {

    private ClientsTools() {}

    // readme
    interface PageTools {

        @Tool("Search the files that the user has open")
        String searchFiles(@P("what for") String query);
    }
    // end

    static Holdpoint agent(StreamingChatModel model) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .clientTools(ToolSpecifications.toolSpecificationsFrom(PageTools.class))
                .build();
        // end
        return agent;
    }
}
