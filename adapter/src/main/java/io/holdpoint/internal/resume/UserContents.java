package io.holdpoint.internal.resume;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.MessageContent;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The content of a user message as LangChain4j takes it. Parts other than text are skipped with a warning. */
final class UserContents {

    private static final Logger LOG = LoggerFactory.getLogger(UserContents.class);

    private UserContents() {}

    static List<Content> of(MessageContent content) {
        if (!(content instanceof MessageContent.Parts parts)) {
            return List.of(TextContent.from(content.asText()));
        }
        List<Content> contents = new ArrayList<>();
        for (ContentPart part : parts.parts()) {
            if (part instanceof ContentPart.Text text) {
                contents.add(TextContent.from(text.text()));
            } else {
                LOG.warn(
                        "Skipped a {} part of a user message: only text is passed on",
                        part.getClass().getSimpleName());
            }
        }
        return contents.isEmpty() ? List.of(TextContent.from("")) : contents;
    }
}
