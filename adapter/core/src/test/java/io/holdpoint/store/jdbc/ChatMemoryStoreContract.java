package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Chat memories in a database. */
abstract class ChatMemoryStoreContract {

    private static final String ODD = "a\0b\ud83d \u00e9\ud83d\ude00\u2028\\u0041 \"";

    private static final List<ChatMessage> MESSAGES = List.of(
            SystemMessage.from("Be brief. " + ODD),
            UserMessage.from("Pay Bob " + ODD),
            AiMessage.from(ToolExecutionRequest.builder()
                    .id("c1" + ODD)
                    .name("pay")
                    .arguments("{\"amount\":12345678901234567890.10}")
                    .build()),
            ToolExecutionResultMessage.from("c1" + ODD, "pay", "paid " + ODD),
            AiMessage.from("Done. " + "x".repeat(2_000_000)));

    private final TestDatabase database = createDatabase();
    private final JdbcChatMemoryStore store = JdbcChatMemoryStore.create(database.dataSource());

    abstract TestDatabase createDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aMemoryIsKeptReplacedAndRemoved() {
        assertThat(store.getMessages("m")).isEmpty();

        store.updateMessages("m", MESSAGES);
        assertThat(JdbcChatMemoryStore.open(database.dataSource()).getMessages("m"))
                .isEqualTo(MESSAGES);
        assertThat(store.getMessages("other")).isEmpty();

        store.updateMessages("m", MESSAGES.subList(0, 2));
        assertThat(store.getMessages("m")).isEqualTo(MESSAGES.subList(0, 2));

        store.deleteMessages("m");
        store.deleteMessages("m");
        assertThat(store.getMessages("m")).isEmpty();
    }

    @Test
    void anyIdIsTheIdOfAMemory() {
        for (Object id : new Object[] {1, 2L, ODD, ODD + "x".repeat(100_000), ""}) {
            store.updateMessages(
                    id, List.of(UserMessage.from("I am " + id.toString().length())));
        }

        assertThat(store.getMessages("1")).containsExactly(UserMessage.from("I am 1"));
        assertThat(store.getMessages(ODD)).containsExactly(UserMessage.from("I am " + ODD.length()));
        assertThat(store.getMessages(ODD + "x".repeat(100_000)))
                .containsExactly(UserMessage.from("I am " + (ODD.length() + 100_000)));
        assertThat(store.getMessages("")).containsExactly(UserMessage.from("I am 0"));
    }

    @Test
    void aMemoryOfLangChain4jWorksOnIt() {
        for (int i = 0; i < 5; i++) {
            MessageWindowChatMemory.builder()
                    .id("m")
                    .maxMessages(3)
                    .chatMemoryStore(store)
                    .build()
                    .add(UserMessage.from("message " + i));
        }

        assertThat(store.getMessages("m"))
                .containsExactly(
                        UserMessage.from("message 2"), UserMessage.from("message 3"), UserMessage.from("message 4"));
    }

    @Test
    void whoeverWritesFirstAtTheSameTimeOneOfThemStays() throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> written = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                Object id = i / 8;
                List<ChatMessage> messages = List.of(UserMessage.from("writer " + i));
                written.add(writers.submit(() -> store.updateMessages(id, messages)));
            }
            for (Future<?> each : written) {
                each.get();
            }
        } finally {
            writers.shutdown();
        }
        for (int id = 0; id < 10; id++) {
            assertThat(store.getMessages(id)).hasSize(1);
        }
    }
}
