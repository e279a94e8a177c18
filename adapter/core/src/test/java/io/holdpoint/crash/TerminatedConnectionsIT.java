package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TrailRules;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An administrator ends all connections of PostgreSQL under load, again and again: nothing is lost or there by half. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Logs({
    "Run * on thread * failed",
    "Run * could not be started",
    "Lease* could not be given back",
    "A lease could not be *",
    "Purging failed",
    "*Failed to validate connection*",
    "*marked as broken*"
})
class TerminatedConnectionsIT {

    private static final int CLIENTS = 4;
    private static final int THREADS = 12;

    @TempDir
    private Path directory;

    @Test
    void nothingIsLostOrHalf() throws Exception {
        Database database = Engine.postgres();
        Path effects = directory.resolve("effects");
        LoadNode node = new LoadNode(database, effects, 0);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String thread = "terminated-" + i;
            boolean terminates = i % 3 == 2;
            work.add(() -> {
                converse(node, thread);
                if (terminates) {
                    terminateAll(database);
                }
                return null;
            });
        }
        try {
            for (Future<Void> done : clients.invokeAll(work)) {
                done.get();
            }
        } finally {
            clients.shutdownNow();
        }

        LoadNode next = new LoadNode(database, effects, 1);
        assertThat(next.store.check()).isEmpty();
        for (int i = 0; i < THREADS; i++) {
            judge(next, new Effects(effects), "terminated-" + i);
        }
        assertThat(next.store.check()).isEmpty();
    }

    private static void converse(LoadNode node, String thread) {
        try {
            node.agent.send(thread, "transfer:" + thread);
            for (PendingInterrupt asked : node.agent.pending(thread)) {
                node.agent.resume(thread, asked.asApproval().approve());
            }
        } catch (StoreException e) {
            // its connection was ended; it goes on later
        }
    }

    /** One at a time, or one would end the connection of another. */
    private static synchronized void terminateAll(Database database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE pid <> pg_backend_pid() AND datname = current_database()");
        }
    }

    private static void judge(LoadNode node, Effects effects, String thread) {
        if (node.store.head(thread).isEmpty()) {
            assertThat(effects.of("call-" + thread)).isEmpty();
            return;
        }
        node.goOn(thread);
        assertThat(node.agent.pending(thread)).as("%s goes on", thread).isEmpty();
        assertThat(node.store.head(thread).orElseThrow().batchId()).as(thread).isEmpty();
        assertThat(effects.of("call-" + thread)).as("effects of %s", thread).hasSizeLessThanOrEqualTo(1);
        WellFormedMemory.check(node.memories().getMessages(thread));
        TrailRules.check(node.store, thread);
    }
}
