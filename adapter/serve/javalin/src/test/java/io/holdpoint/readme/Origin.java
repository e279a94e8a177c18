package io.holdpoint.readme;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.Holdpoint;
import io.holdpoint.people.McpHints;
import io.holdpoint.people.Provenance;
import io.holdpoint.people.Provenance.Source;

final class Origin {

    private Origin() {}

    static Holdpoint agent(StreamingChatModel model, Object payments, ToolProvider mcpTools) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(payments)
                .toolProviders(mcpTools)
                .rules(Provenance.untrusted("fetchUrl", "readMail"), new McpHints())
                .build();
        // end
        return agent;
    }

    static Provenance more() {
        // readme
        Provenance rule = Provenance.ofHints()
                .source(Source.UNTRUSTED, "readMail")
                .source(Source.TRUSTED, "lookUpCustomer") // although its server says that it is of the open world
                .retrieved(Source.UNTRUSTED)
                .loosenedFor("addNote");
        // end
        return rule;
    }

    static Provenance ofTheUser() {
        // readme
        Provenance fromTheUser =
                Provenance.untrusted("fetchUrl").loosenedFor("transfer").asksUnless("transfer", "iban", Source.USER);
        // end
        return fromTheUser;
    }

    static final class Browser {

        // readme
        @Tool(value = "Read a page", metadata = "{\"openWorldHint\": true}")
        String fetchUrl(String url) {
            return page(url);
        }
        // end

        private static String page(String url) {
            return "Welcome to " + url;
        }
    }
}
