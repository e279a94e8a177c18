package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.UserTurn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a user typed from being read as a template: a text with braces, or none at all, passes LangChain4j's templates as a
 * mark, and comes back as soon as the message has been rendered. Immutable.
 */
final class TypedText {

    static final String MARK = "[what the user said]";

    private final String text;
    private final boolean marked;
    private final List<Content> media;

    /**
     * @param addsMedia whether media come back with the text, because the method has no parameter for them
     */
    TypedText(UserTurn turn, boolean addsMedia) {
        this.text = turn.text().strip();
        this.marked = text.contains("{{") || (text.isEmpty() && addsMedia);
        this.media = addsMedia
                ? turn.contents().stream()
                        .filter(content -> !(content instanceof TextContent))
                        .toList()
                : List.of();
    }

    /** The arguments of an AI Service method, with the mark in place of the text. */
    @Nullable
    Object @Nullable [] hidden(@Nullable Object @Nullable [] arguments) {
        if (!marked || arguments == null) {
            return arguments;
        }
        @Nullable Object[] hidden = arguments.clone();
        for (int i = 0; i < hidden.length; i++) {
            if (hidden[i] instanceof String argument) {
                hidden[i] = text.isEmpty() && argument.isBlank() ? MARK : argument.replace(text, MARK);
            }
        }
        return hidden;
    }

    /** The rendered message with what the user said; the same object if nothing was kept from it. */
    UserMessage restored(UserMessage rendered) {
        if (!marked && media.isEmpty()) {
            return rendered;
        }
        List<Content> contents = new ArrayList<>();
        for (Content content : rendered.contents()) {
            if (!(content instanceof TextContent part)) {
                contents.add(content);
            } else if (!restored(part.text()).isBlank()) {
                contents.add(TextContent.from(restored(part.text())));
            }
        }
        contents.addAll(media);
        return rendered.toBuilder().contents(contents).build();
    }

    /** A system message may quote the user as well. */
    SystemMessage restored(SystemMessage rendered) {
        String restored = restored(rendered.text());
        return restored.equals(rendered.text()) ? rendered : SystemMessage.from(restored);
    }

    private String restored(String rendered) {
        return marked ? rendered.replace(MARK, text) : rendered;
    }
}
