package io.holdpoint.readme;

import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.InputMedia;

final class MoreThanText {

    private MoreThanText() {}

    static Holdpoint agent(StreamingChatModel model) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new ListTools())
                .inputMedia(InputMedia.of(ContentType.IMAGE, ContentType.PDF)
                        .urls(url -> "cdn.example.com".equals(url.getHost())))
                .exposeReasoning(false)
                .steps(true)
                .build();
        // end
        return agent;
    }
}
