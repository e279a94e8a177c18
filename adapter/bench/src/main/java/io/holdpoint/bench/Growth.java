package io.holdpoint.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One hold and its resume on a thread that has been going on for a while, beside one on a thread of 10 messages. The events go
 * nowhere: writing a snapshot of the messages is the transport's cost.
 */
final class Growth {

    private static final int SHORT = 10;

    /** A cycle adds four messages: there are so many threads, used in turn, that each nearly keeps its length. */
    private static final int SHORT_THREADS = 400;

    private static final int LONG_THREADS = 20;

    private final Holdpoint agent;
    private int made;
    private int said;

    private Growth(Store store, ChatMemoryProvider memories) {
        agent = Holdpoint.builder(BenchServices.Streaming.class)
                .streamingChatModel(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0))
                .chatMemoryProvider(memories)
                .tools(new BenchTools.Gated())
                .store(store)
                .executor(Runnable::run)
                .build();
    }

    static void inMemory() throws Exception {
        for (boolean all : new boolean[] {false, true}) {
            Growth growth = new Growth(new InMemoryStore(), BenchServices.MEMORIES);
            growth.row(100, all, "in memory", 5_000);
            growth.row(1_000, all, "in memory", 400);
            growth.row(5_000, all, "in memory", 400);
        }
    }

    static void sqlite() throws Exception {
        Path directory = Files.createTempDirectory("holdpoint-bench");
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:sqlite:" + directory.resolve("bench.db"));
            JdbcStore store = JdbcStore.create(pool);
            JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(pool);
            Growth growth = new Growth(store, id -> MessageWindowChatMemory.builder()
                    .id(id)
                    .maxMessages(100)
                    .chatMemoryStore(memories)
                    .build());
            growth.row(1_000, false, "SQLite", 400);
            growth.row(5_000, false, "SQLite", 200);
            growth.row(5_000, true, "SQLite", 200);
        } finally {
            Databases.remove(directory);
        }
    }

    private void row(int messages, boolean all, String store, int warm) throws Exception {
        System.out.println(new Pair(on(messages, all), on(SHORT, all))
                .row(
                        "hold + resume, " + store + ", after " + messages + " messages, client sends "
                                + (all ? "all" : "the new one"),
                        "after " + SHORT,
                        warm,
                        200,
                        ""));
    }

    private Pair.Cycles on(int messages, boolean all) {
        List<List<Message>> threads = new ArrayList<>();
        int first = made;
        int count = messages <= 100 ? SHORT_THREADS : LONG_THREADS;
        for (int i = 0; i < count; i++) {
            threads.add(seeded("thread-" + made++, messages));
        }
        AtomicInteger next = new AtomicInteger();
        return cycles -> {
            for (int i = 0; i < cycles; i++) {
                int thread = next.getAndIncrement() % count;
                once("thread-" + (first + thread), all ? threads.get(thread) : List.of());
            }
        };
    }

    private List<Message> seeded(String threadId, int messages) {
        List<Message> history = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            history.add(
                    i % 2 == 0
                            ? new Message.User("u" + i, MessageContent.text("What about number " + i + "?"))
                            : new Message.Assistant("a" + i, "Nothing is known about number " + i + ".", List.of()));
        }
        run(RunAgentInput.of(threadId, "seed", history));
        return history;
    }

    private void once(String threadId, List<Message> known) {
        List<Message> sent = new ArrayList<>(known);
        sent.add(new Message.User("more-" + said++, MessageContent.text("Write to Ada")));
        RunResult.Interrupted held = (RunResult.Interrupted) run(RunAgentInput.of(threadId, "run-1", sent));
        RunResult done = run(RunAgentInput.of(threadId, "run-2", sent)
                .withResume(List.of(held.interrupts().get(0).asApproval().approve())));
        if (!(done instanceof RunResult.Completed)) {
            throw new IllegalStateException(done.toString());
        }
    }

    private RunResult run(RunAgentInput input) {
        return agent.run(input, event -> {}).join();
    }
}
