package io.holdpoint.bench;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.memory.ChatMemoryAccess;
import java.util.List;

/** The AI Services of the benchmarks; the same ones plain and gated. */
final class BenchServices {

    static final ChatMemoryProvider MEMORIES =
            id -> MessageWindowChatMemory.builder().id(id).maxMessages(100).build();

    private BenchServices() {}

    interface Blocking extends ChatMemoryAccess {
        String chat(@MemoryId String threadId, @UserMessage List<Content> message);
    }

    interface Streaming extends ChatMemoryAccess {
        TokenStream chat(@MemoryId String threadId, @UserMessage List<Content> message);
    }
}
