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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
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

    final TestDatabase database = createDatabase();
    private final CountingDataSource work = new CountingDataSource(database.dataSource());
    final JdbcChatMemoryStore store = JdbcChatMemoryStore.create(work.dataSource());

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

    private static List<ChatMessage> numbered(int from, int to) {
        return new ArrayList<>(IntStream.range(from, to)
                .<ChatMessage>mapToObj(i -> UserMessage.from("message " + i))
                .toList());
    }

    /** Whatever is written, and whatever was there, it is the same list afterwards; what is the same is not sent. */
    @Test
    void onlyWhatDiffersIsWritten() {
        List<ChatMessage> long1000 = numbered(0, 1_000);
        store.updateMessages("m", long1000);

        assertThat(sent(numbered(0, 1_001))).as("appended").isLessThan(200);
        assertThat(sent(numbered(1, 1_002))).as("a window of them").isLessThan(200);
        List<ChatMessage> evicted = numbered(500, 1_003);
        assertThat(sent(evicted)).as("more of them").isLessThan(200);
        evicted.add(0, SystemMessage.from("Be brief."));
        store.updateMessages("m", evicted);
        evicted.remove(1);
        evicted.add(UserMessage.from("last"));
        assertThat(sent(evicted)).as("behind a system message").isLessThan(200);
        evicted.remove(evicted.size() - 1);
        assertThat(sent(evicted)).as("the end removed").isLessThan(200);
        assertThat(sent(evicted)).as("nothing").isLessThan(200);

        List<List<ChatMessage>> others = List.of(
                List.of(),
                numbered(3, 9),
                numbered(0, 9),
                numbered(5, 7),
                numbered(8, 4 + 8),
                List.of(),
                numbered(0, 3));
        for (List<ChatMessage> other : others) {
            sent(other);
            List<ChatMessage> twice = new ArrayList<>(other);
            twice.addAll(other);
            sent(twice);
            Collections.reverse(twice);
            sent(twice);
        }
    }

    private long sent(List<ChatMessage> messages) {
        work.reset();
        store.updateMessages("m", messages);
        long characters = work.characters;
        assertThat(store.getMessages("m")).isEqualTo(messages);
        return characters;
    }

    @Test
    void whoeverWritesFirstAtTheSameTimeOneOfThemStays() throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> written = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                Object id = i / 8;
                List<ChatMessage> messages = List.of(UserMessage.from("writer " + i), AiMessage.from("writer " + i));
                written.add(writers.submit(() -> store.updateMessages(id, messages)));
            }
            for (Future<?> each : written) {
                each.get();
            }
        } finally {
            writers.shutdown();
        }
        for (int id = 0; id < 10; id++) {
            List<ChatMessage> messages = store.getMessages(id);
            assertThat(messages).hasSize(2);
            assertThat(((AiMessage) messages.get(1)).text()).isEqualTo(((UserMessage) messages.get(0)).singleText());
        }
    }
}
