package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
                .allSatisfy(i -> assertThat(store.countMessages("t" + i)).isEqualTo(20));
    }
}
