package io.holdpoint.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.SnapshotSettings;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.client.Transcript;
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
 * One hold and its resume on a thread that has been going on for a while, beside one on a thread of 10 messages. Nothing is
 * written: that is the transport's cost.
 */
final class Growth {

    private static final int SHORT = 10;

    /** A cycle adds four messages: there are so many threads, used in turn, that each nearly keeps its length. */
    private static final int SHORT_THREADS = 400;

    private static final int LONG_THREADS = 20;

    /** The messages that a client sends with the new one. */
    private enum Sent {
        NONE("the new one"),
        LAST("its last ten"),
        ALL("all");

        private final String text;

        Sent(String text) {
            this.text = text;
        }

        List<Message> of(List<Message> messages) {
            return this == LAST ? messages.subList(Math.max(0, messages.size() - 10), messages.size()) : messages;
        }
    }

    private static final int WARM = 20_000;

    private final Holdpoint agent;
    private static int made; // of all agents: some share a store
    private static int said;

    private Growth(Store store, ChatMemoryProvider memories, SnapshotSettings snapshots) {
        agent = Holdpoint.builder(BenchServices.Streaming.class)
                .streamingChatModel(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0))
                .chatMemoryProvider(memories)
                .tools(new BenchTools.Gated())
                .store(store)
                .executor(Runnable::run)
                .client(client -> client.snapshots(snapshots))
                .build();
    }

    static void inMemory() throws Exception {
        for (Sent sent : List.of(Sent.NONE, Sent.ALL)) {
            Growth growth = new Growth(new InMemoryStore(), BenchServices.MEMORIES, SnapshotSettings.DEFAULT);
            growth.row(100, sent, "in memory", WARM);
            growth.row(1_000, sent, "in memory", 400);
            growth.row(5_000, sent, "in memory", 400);
        }
        Growth bounded = new Growth(new InMemoryStore(), BenchServices.MEMORIES, SnapshotSettings.DEFAULT.bounded());
        bounded.row(5_000, Sent.LAST, "in memory, bounded snapshots", WARM);
    }

    static void sqlite() throws Exception {
        Path directory = Files.createTempDirectory("holdpoint-bench");
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:sqlite:" + directory.resolve("bench.db"));
            Growth warm = new Growth(new InMemoryStore(), BenchServices.MEMORIES, SnapshotSettings.DEFAULT);
            warm.on(SHORT, Sent.NONE).run(Scale.of(WARM));
            JdbcStore store = JdbcStore.create(pool);
            JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(pool);
            ChatMemoryProvider inDatabase = id -> MessageWindowChatMemory.builder()
                    .id(id)
                    .maxMessages(100)
                    .chatMemoryStore(memories)
                    .build();
            Growth growth = new Growth(store, inDatabase, SnapshotSettings.DEFAULT);
            growth.row(1_000, Sent.NONE, "SQLite", 2_000);
            growth.row(5_000, Sent.NONE, "SQLite", 200);
            growth.row(5_000, Sent.ALL, "SQLite", 200);
            new Growth(store, inDatabase, SnapshotSettings.DEFAULT.bounded())
                    .row(5_000, Sent.LAST, "SQLite, bounded snapshots", 400);
        } finally {
            Databases.remove(directory);
        }
    }

    /** Warms up on other threads than those that are measured. */
    private void row(int messages, Sent sent, String store, int warm) throws Exception {
        on(messages, sent).run(Scale.of(warm));
        on(SHORT, sent).run(Scale.of(warm));
        System.out.println(new Pair(on(messages, sent), on(SHORT, sent))
                .row(
                        "hold + resume, " + store + ", after " + messages + " messages, client sends " + sent.text,
                        "after " + SHORT,
                        200,
                        200,
                        ""));
    }

    private Pair.Cycles on(int messages, Sent sent) {
        List<Transcript> clients = new ArrayList<>();
        int first = made;
        int count = messages <= 100 ? SHORT_THREADS : LONG_THREADS;
        for (int i = 0; i < count; i++) {
            Transcript client = new Transcript();
            sent.of(seeded("thread-" + made++, messages)).forEach(client::add);
            clients.add(client);
        }
        AtomicInteger next = new AtomicInteger();
        return cycles -> {
            for (int i = 0; i < cycles; i++) {
                int thread = next.getAndIncrement() % count;
                once("thread-" + (first + thread), sent == Sent.NONE ? new Transcript() : clients.get(thread), sent);
            }
        };
    }

    /** Returns what a client of the thread has. */
    private List<Message> seeded(String threadId, int messages) {
        Transcript client = new Transcript();
        for (int i = 0; i < messages; i++) {
            client.add(
                    i % 2 == 0
                            ? new Message.User("u" + i, MessageContent.text("What about number " + i + "?"))
                            : new Message.Assistant("a" + i, "Nothing is known about number " + i + ".", List.of()));
        }
        run(RunAgentInput.of(threadId, "seed", client.messages()), client);
        return client.messages();
    }

    private void once(String threadId, Transcript client, Sent sent) {
        client.add(new Message.User("more-" + said++, MessageContent.text("Write to Ada")));
        RunResult.Interrupted held =
                (RunResult.Interrupted) run(RunAgentInput.of(threadId, "run-1", sent.of(client.messages())), client);
        RunResult done = run(
                RunAgentInput.of(threadId, "run-2", sent.of(client.messages()))
                        .withResume(
                                List.of(held.interrupts().get(0).asApproval().approve())),
                client);
        if (!(done instanceof RunResult.Completed)) {
            throw new IllegalStateException(done.toString());
        }
    }

    /** A client takes up what it is sent; snapshots are what it has already, so they go nowhere. */
    private RunResult run(RunAgentInput input, Transcript client) {
        return agent.run(input, event -> {
                    if (!(event instanceof MessagesSnapshotEvent)) {
                        client.accept(event);
                    }
                })
                .join();
    }
}
