package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreConflictException;
import io.holdpoint.store.StoreException;
import io.holdpoint.store.TurnRecord;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/** A full disk, an interrupted thread, many writers: the file goes on. */
class SqliteFaultsTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final int PAGE = 4_096;

    @TempDir
    private Path directory;

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private SQLiteDataSource source(String settings) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("store.db") + settings);
        return source;
    }

    private static Lease acquire(JdbcStore store, String threadId) {
        return store.acquire(threadId, "r", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
    }

    private static Commit message(String id, int length) {
        return Commit.empty().append(List.of(new Message.User(id, MessageContent.text("x".repeat(length)))));
    }

    @Test
    void aFullDiskIsSaidAndNothingIsHalfWrittenAndItGoesOnWhenThereIsRoom() {
        JdbcStore.create(source(""));
        JdbcStore small = JdbcStore.open(source("?max_page_count=60"));
        Lease lease = acquire(small, "t");
        small.commit(lease, message("m1", 10), NOW);
        Commit tooMuch = message("m2", 10).append(message("m3", 100 * PAGE).messages());

        assertThatThrownBy(() -> small.commit(lease, tooMuch, NOW))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot write to a thread: the disk is full");

        assertThat(small.transcript("t")).extracting(Message::id).containsExactly("m1");
        JdbcStore roomy = JdbcStore.open(source(""));
        roomy.commit(lease, tooMuch, NOW);
        assertThat(small.transcript("t")).extracting(Message::id).containsExactly("m1", "m2", "m3");
    }

    @Test
    void aThreadThatWasLeftInterruptedWritesAndStaysInterrupted() {
        JdbcStore store = JdbcStore.create(source(""));

        Thread.currentThread().interrupt();
        Lease lease = acquire(store, "t");
        store.commit(lease, message("m1", 10), NOW);
        assertThat(store.transcript("t")).hasSize(1);

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void writersOfOneProcessTakeTurns() throws Exception {
        int writers = 8;
        JdbcStore store = JdbcStore.create(source("?busy_timeout=0")); // without waiting in SQLite itself
        CyclicBarrier start = new CyclicBarrier(writers);
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Future<Void>> done = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                String threadId = "t" + i;
                done.add(threads.submit(() -> {
                    start.await();
                    Lease lease = acquire(JdbcStore.open(source("?busy_timeout=0")), threadId);
                    IntStream.range(0, 20).forEach(each -> store.commit(lease, message("m" + each, 10), NOW));
                    return null;
                }));
            }
            for (Future<Void> each : done) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }

        assertThat(IntStream.range(0, writers))
                .allSatisfy(i -> assertThat(store.count(Store.Counted.MESSAGE, "t" + i, 100_000))
                        .isEqualTo(20));
    }

    /** Whatever the driver is told about its own transactions. */
    @ParameterizedTest
    @ValueSource(strings = {"DEFERRED", "IMMEDIATE"})
    void nothingIsHalfWrittenOnAConnectionThatFoundTheFileBusy(String mode) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(
                source("?transaction_mode=" + mode + "&busy_timeout=1").getUrl());
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection other = source("").getConnection();
                Statement statement = other.createStatement()) {
            JdbcStore store = JdbcStore.create(pool);
            Lease lease = acquire(store, "t");
            store.commit(lease, message("m1", 10), NOW);
            statement.execute("BEGIN IMMEDIATE");
            assertThatThrownBy(() -> store.acquire("u", "r", "ada", NOW, NOW.plusSeconds(30)))
                    .isInstanceOf(StoreException.class);
            statement.execute("COMMIT");
            Batch neverStored = Batch.of(
                            "b",
                            "t",
                            new TurnRecord("u", "{}", Set.of(), null),
                            new Batch.ModelMessage("a", "{}"),
                            List.of(Call.pending(
                                    "c", new Call.Proposal("x", "{}", "", "", false, false, null, null), "m")))
                    .claimed("c", new Call.Attempt("r", "{}", NOW));

            assertThatThrownBy(() -> store.commit(lease, message("m2", 10).with(neverStored), NOW))
                    .isInstanceOf(StoreConflictException.class);

            assertThat(store.transcript("t")).extracting(Message::id).containsExactly("m1");
            assertThat(store.acquire("u", "r", "ada", NOW, NOW.plusSeconds(30))).isPresent();
        }
    }
}
