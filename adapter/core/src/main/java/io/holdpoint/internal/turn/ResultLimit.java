package io.holdpoint.internal.turn;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.internal.memory.ChatMessageJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts results that are too long to be kept, and says so in them. */
public final class ResultLimit {

    private final int longest;
    private final long length;
    private int textLeft;
    private int mediaLeft;

    private ResultLimit(int longest, long length) {
        this.longest = longest;
        this.length = length;
        this.textLeft = longest;
        this.mediaLeft = longest;
    }

    /** The result with at most so many characters of text, and as many of media. */
    public static ToolExecutionResult limited(ToolExecutionResult result, int longest) {
        long length = result.resultContents().stream()
                .filter(TextContent.class::isInstance)
                .mapToLong(content -> ((TextContent) content).text().length())
                .sum();
        List<Content> contents = new ResultLimit(longest, length).limited(result.resultContents());
        return contents.equals(result.resultContents())
                ? result
                : ToolExecutionResult.builder()
                        .result(result.result())
                        .resultContents(contents)
                        .isError(result.isError())
                        .attributes(result.attributes())
                        .build();
    }

    private List<Content> limited(List<Content> contents) {
        List<Content> kept = new ArrayList<>();
        for (Content content : contents) {
            if (!(content instanceof TextContent text)) {
                kept.add(media(content));
            } else if (text.text().length() <= textLeft) {
                kept.add(content);
                textLeft -= text.text().length();
            } else if (textLeft >= 0) {
                kept.add(TextContent.from(start(text.text(), textLeft) + "\n[The result has " + length
                        + " characters; what is beyond the first " + longest + " was cut off.]"));
                textLeft = -1;
            }
        }
        return kept;
    }

    private Content media(Content media) {
        int size = size(media);
        if (size <= mediaLeft) {
            mediaLeft -= size;
            return media;
        }
        return TextContent.from("[" + media.type().name().toLowerCase(Locale.ROOT) + " content of " + size
                + " characters was left out: a" + " result may have " + longest + " characters of media.]");
    }

    /** As it is kept, whatever kind of content it is. */
    private static int size(Content media) {
        return ChatMessageJson.write(ToolExecutionResultMessage.builder()
                        .id("")
                        .toolName("")
                        .contents(List.of(media))
                        .build())
                .length();
    }

    /** Without half a surrogate pair at the end. */
    private static String start(String text, int length) {
        boolean splits = length > 0 && Character.isHighSurrogate(text.charAt(length - 1));
        return text.substring(0, splits ? length - 1 : length);
    }
}
