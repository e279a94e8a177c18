package io.holdpoint.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;
import javax.sql.DataSource;

/**
 * Cycles of hold, approve, execute, answer with store and chat memory in one database, beside a bare program that commits as
 * often, a row of a thousand characters each time, with the same number of connections; and on PostgreSQL beside one that sends the
 * statements of a recorded cycle again.
 */
final class Databases {

    private static final int POOL = 10;
    private static final String TEXT = "x".repeat(1_000);

    /** Cycles in memory, before those in the database: most of the code is the same. */
    private static final int WARM_IN_MEMORY = 20_000;

    private static final int REMEMBERED = 2_000;
    private static final int WARM = 4_000;

    private static final int CYCLES = 1_000;

    /** From the program to the database, or back: a round trip is a millisecond, and what the machine's timer adds. */
    private static final long AWAY_NANOS = 500_000;

    private static final int WARM_AWAY = 200;
    private static final int CYCLES_AWAY = 120;

    private static final AtomicInteger THREADS = new AtomicInteger();
    private final HikariDataSource pool;
    private final Optional<Lock> writer;
    private final String recordedThread = "recorded-" + THREADS.incrementAndGet() + "-cycle";
    private final Replay replay;
    private int commitsPerCycle = 1;

    /** With a lock for the bare program if the database has one writer: who waits in the program waits less long than in the file. */
    private Databases(String url, String init, Optional<Lock> writer) throws SQLException {
        this.writer = writer;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(POOL);
        pool = new HikariDataSource(config);
        replay = new Replay(pool, recordedThread);
        try (Connection connection = pool.getConnection()) {
            connection
                    .createStatement()
                    .execute("CREATE TABLE IF NOT EXISTS bare_rows (id " + init + ", content TEXT)");
        }
    }

    private static Holdpoint agent(Store store, ChatMemoryProvider memories) {
        return Holdpoint.builder(BenchServices.Blocking.class)
                .chatModel(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0))
                .chatMemoryProvider(memories)
                .tools(new BenchTools.Gated())
                .store(store)
                .build();
    }

    private static Holdpoint agent(DataSource source) {
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(source);
        return agent(JdbcStore.create(source), id -> MessageWindowChatMemory.builder()
                .id(id)
                .maxMessages(100)
                .chatMemoryStore(memories)
                .build());
    }

    static void sqlite() throws Exception {
        Path directory = Files.createTempDirectory("holdpoint-bench");
        try {
            new Databases(
                            "jdbc:sqlite:" + directory.resolve("bench.db"),
                            "INTEGER PRIMARY KEY AUTOINCREMENT",
                            Optional.of(new ReentrantLock(true)))
                    .measure("SQLite", WARM, clients -> CYCLES);
        } finally {
            remove(directory);
        }
    }

    static void postgresql() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            String url = server.getJdbcUrl("postgres", "postgres");
            new Databases(url, "BIGSERIAL PRIMARY KEY", Optional.empty())
                    .measure("PostgreSQL", WARM, clients -> CYCLES);
            try (SlowLink link = new SlowLink(server.getPort(), AWAY_NANOS)) {
                new Databases(
                                url.replace(":" + server.getPort(), ":" + link.port()),
                                "BIGSERIAL PRIMARY KEY",
                                Optional.empty())
                        .measure("PostgreSQL, a millisecond away", WARM_AWAY, clients -> CYCLES_AWAY * clients);
            }
        }
    }

    static void remove(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    private void measure(String name, int warmFor, IntUnaryOperator cycles) throws Exception {
        warm();
        String work = work();
        if (writer.isEmpty()) {
            Holdpoint recorded = agent(replay.recording());
            replay.begin();
            cycle(recorded, recordedThread);
        }
        Holdpoint agent = agent(pool);
        int warm = warmFor;
        for (int clients : new int[] {1, 8}) {
            System.out.println(new Pair(count -> cycles(agent, clients, count), count -> bare(clients, count))
                    .row(
                            "hold + resume in " + name + ", " + clients + " client" + (clients == 1 ? "" : "s"),
                            "bare JDBC, " + commitsPerCycle + " commits",
                            warm,
                            cycles.applyAsInt(clients),
                            work));
            if (writer.isEmpty()) {
                System.out.println(new Pair(count -> cycles(agent, clients, count), count -> replay(clients, count))
                        .row(
                                "the same",
                                "its own statements by bare JDBC",
                                warmFor / 4,
                                cycles.applyAsInt(clients),
                                ""));
            }
            warm = warmFor / 4;
        }
    }

    private void warm() throws Exception {
        ForgetfulStore store = new ForgetfulStore();
        Holdpoint agent = agent(store.asStore(), BenchServices.MEMORIES);
        for (int done = 0; done < Scale.of(WARM_IN_MEMORY); done += REMEMBERED) {
            cycles(agent, 1, REMEMBERED);
            store.forget();
        }
    }

    /** Counts what a cycle does, with an agent that is not measured: to count costs time. */
    private String work() throws Exception {
        CountingDataSource counting = new CountingDataSource(pool);
        Holdpoint agent = agent(counting.asDataSource());
        cycles(agent, 1, 50);
        counting.reset();
        cycles(agent, 1, 10);
        commitsPerCycle = Math.max(1, (int) Math.round(counting.commits.sum() / 10.0));
        return String.format(
                Locale.ROOT,
                "%.0f statements in %.0f round trips, %.0f commits, %.0f connections a cycle",
                counting.statements.sum() / 10.0,
                counting.roundTrips.sum() / 10.0,
                counting.commits.sum() / 10.0,
                counting.connections.sum() / 10.0);
    }

    private void cycles(Holdpoint agent, int clients, int count) throws Exception {
        together(clients, count, () -> cycle(agent, "thread-" + THREADS.incrementAndGet()));
    }

    private static void cycle(Holdpoint agent, String threadId) {
        RunResult.Interrupted held = (RunResult.Interrupted) agent.send(threadId, "Write to Ada");
        RunResult done =
                agent.resume(threadId, held.interrupts().get(0).asApproval().approve());
        if (!(done instanceof RunResult.Completed)) {
            throw new IllegalStateException(done.toString());
        }
    }

    private void replay(int clients, int count) throws Exception {
        together(clients, count, () -> replay.again("thread-" + THREADS.incrementAndGet()));
    }

    private void bare(int clients, int count) throws Exception {
        together(clients, count, () -> {
            for (int i = 0; i < commitsPerCycle; i++) {
                writer.ifPresent(Lock::lock);
                try {
                    commit();
                } finally {
                    writer.ifPresent(Lock::unlock);
                }
            }
        });
    }

    private void commit() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO bare_rows (content) VALUES (?)")) {
                insert.setString(1, TEXT);
                insert.executeUpdate();
            }
            connection.commit();
        }
    }

    /** One cycle. */
    private interface Cycle {
        void run() throws SQLException;
    }

    private static void together(int clients, int count, Cycle cycle) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(clients);
        try {
            List<Callable<Void>> work = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                work.add(() -> {
                    for (int done = 0; done < Math.max(1, count / clients); done++) {
                        cycle.run();
                    }
                    return null;
                });
            }
            for (Future<Void> done : executor.invokeAll(work)) {
                done.get();
            }
        } finally {
            executor.shutdown();
        }
    }
}
