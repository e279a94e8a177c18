package io.holdpoint.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
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
import javax.sql.DataSource;

/**
 * Cycles of hold, approve, execute, answer with store and chat memory in one database, beside a bare program that commits as
 * often, a row of a thousand characters each time, with the same number of connections.
 */
final class Databases {

    private static final int POOL = 10;
    private static final String TEXT = "x".repeat(1_000);

    private final AtomicInteger threads = new AtomicInteger();
    private final CountingDataSource counting;
    private final DataSource pool;
    private final Optional<Lock> writer;
    private final Holdpoint agent;
    private int commitsPerCycle = 1;

    /** With a lock for the bare program if the database has one writer: who waits in the program waits less long than in the file. */
    private Databases(String url, String init, Optional<Lock> writer) throws SQLException {
        this.writer = writer;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(POOL);
        pool = new HikariDataSource(config);
        counting = new CountingDataSource(pool);
        DataSource counted = counting.asDataSource();
        JdbcStore store = JdbcStore.create(counted);
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(counted);
        agent = Holdpoint.builder(BenchServices.Blocking.class)
                .chatModel(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0))
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(100)
                        .chatMemoryStore(memories)
                        .build())
                .tools(new BenchTools.Gated())
                .store(store)
                .build();
        try (Connection connection = pool.getConnection()) {
            connection.createStatement().execute("CREATE TABLE bare_rows (id " + init + ", content TEXT)");
        }
    }

    static void sqlite() throws Exception {
        Path directory = Files.createTempDirectory("holdpoint-bench");
        try {
            new Databases(
                            "jdbc:sqlite:" + directory.resolve("bench.db"),
                            "INTEGER PRIMARY KEY AUTOINCREMENT",
                            Optional.of(new ReentrantLock(true)))
                    .measure("SQLite");
        } finally {
            remove(directory);
        }
    }

    static void postgresql() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            new Databases(server.getJdbcUrl("postgres", "postgres"), "BIGSERIAL PRIMARY KEY", Optional.empty())
                    .measure("PostgreSQL");
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

    private void measure(String name) throws Exception {
        cycles(1, 50); // tables, pools
        counting.reset();
        cycles(1, 10);
        commitsPerCycle = Math.max(1, (int) Math.round(counting.commits.sum() / 10.0));
        String counted = String.format(
                Locale.ROOT,
                "%.1f statements, %.1f commits, %.1f connections a cycle",
                counting.statements.sum() / 10.0,
                counting.commits.sum() / 10.0,
                counting.connections.sum() / 10.0);
        for (int clients : new int[] {1, 8}) {
            System.out.println(new Pair(count -> cycles(clients, count), count -> bare(clients, count))
                    .row(
                            "hold + resume in " + name + ", " + clients + " client" + (clients == 1 ? "" : "s"),
                            "bare JDBC, " + commitsPerCycle + " commits",
                            1_000,
                            400,
                            counted));
        }
    }

    private void cycles(int clients, int count) throws Exception {
        together(clients, count, () -> {
            String threadId = "thread-" + threads.incrementAndGet();
            RunResult.Interrupted held = (RunResult.Interrupted) agent.send(threadId, "Write to Ada");
            RunResult done =
                    agent.resume(threadId, held.interrupts().get(0).asApproval().approve());
            if (!(done instanceof RunResult.Completed)) {
                throw new IllegalStateException(done.toString());
            }
        });
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
        ExecutorService pool = Executors.newFixedThreadPool(clients);
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
            for (Future<Void> done : pool.invokeAll(work)) {
                done.get();
            }
        } finally {
            pool.shutdown();
        }
    }
}
