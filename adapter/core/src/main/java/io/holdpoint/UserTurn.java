package io.holdpoint;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the user said, for the one call of the AI Service that takes it up. Immutable.
 *
 * @param threadId the conversation
 * @param contents what the user said
 */
public record UserTurn(String threadId, List<Content> contents) {

    /** Copies the list. */
    public UserTurn {
        contents = List.copyOf(contents);
    }

    /**
     * The text of what the user said. Mind that LangChain4j reads the only argument of an AI Service method as a template
     * in which {@code {{name}}} is a variable: pass {@link #contents()} as {@code @UserMessage List<Content>}, or this
     * text as {@code @UserMessage("{{m}}") @V("m") String}.
     *
     * @return the text contents, joined by line breaks
     */
    public String text() {
        return contents.stream()
                .filter(TextContent.class::isInstance)
                .map(content -> ((TextContent) content).text())
                .collect(Collectors.joining("\n"));
    }
}
