package io.holdpoint.internal.memory;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the media out of a message that never got an answer. A provider that refuses a picture refuses every later request
 * with it as well: nobody could say anything on the thread any more.
 */
public final class LeftOutMedia {

    static final String NOTICE = "[What was attached here is left out: the request with it failed.]";

    private LeftOutMedia() {}

    /** Looks at the end of the memory, where a turn that failed before its first answer has left its message. */
    public static void of(ChatMemory memory) {
        List<ChatMessage> messages = new ArrayList<>(memory.messages());
        int last = messages.size() - 1;
        if (last >= 0 && messages.get(last) instanceof UserMessage user && hasMedia(user)) {
            messages.set(last, user.toBuilder().contents(texts(user)).build());
            memory.set(messages);
        }
    }

    private static boolean hasMedia(UserMessage message) {
        return message.contents().stream().anyMatch(content -> !(content instanceof TextContent));
    }

    private static List<Content> texts(UserMessage message) {
        List<Content> texts = new ArrayList<>(message.contents());
        texts.removeIf(content -> !(content instanceof TextContent));
        texts.add(TextContent.from(NOTICE));
        return texts;
    }
}
