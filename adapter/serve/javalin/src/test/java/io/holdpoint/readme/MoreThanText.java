package io.holdpoint.readme;

import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.InputMedia;
import io.holdpoint.SnapshotSettings;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.PartSource;
import java.util.function.UnaryOperator;

final class MoreThanText {

    private MoreThanText() {}

    static Holdpoint agent(StreamingChatModel model) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new ListTools())
                .client(client -> client.inputMedia(InputMedia.of(ContentType.IMAGE, ContentType.PDF)
                                .urls(url -> "cdn.example.com".equals(url.getHost())))
                        .exposeReasoning(false)
                        .steps(true))
                .build();
        // end
        return agent;
    }

    static SnapshotSettings linkedMedia() {
        // readme
        UnaryOperator<ContentPart> linked = part -> part instanceof ContentPart.Media file && file.id() != null
                ? new ContentPart.Media(file.kind(), new PartSource.Url("/media/" + file.id(), null), file.id(), null)
                : part;
        // end
        return SnapshotSettings.DEFAULT.withMedia(linked);
    }
}
