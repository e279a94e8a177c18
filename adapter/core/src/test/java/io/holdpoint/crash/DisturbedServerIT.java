package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TrailRules;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
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

/** What an administrator does to PostgreSQL under load, again and again: nothing is lost or there by half, and threads go on. */
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
class DisturbedServerIT {

    private static final int CLIENTS = 4;
    private static final int THREADS = 12;

    @TempDir
    private Path directory;

    @FunctionalInterface
    private interface Disturbance {
        void happen() throws Exception;
    }

    /** The server ends all connections. */
    @Test
    void connectionsAreTerminated() throws Exception {
        Database database = Engine.postgres();

        nothingIsLostOrHalf(database, "terminated-", () -> terminateAll(database));
    }

    /** The server is killed without time to write anything, and recovers from its log. */
    @Test
    void theServerIsRestarted() throws Exception {
        Path data = directory.resolve("data");
        try (EmbeddedPostgres server =
                EmbeddedPostgres.builder().setDataDirectory(data).start()) {
            Database database = new Database(server.getJdbcUrl("postgres", "postgres"));

            nothingIsLostOrHalf(
                    database,
                    "restarted-",
                    () -> PostgresServer.control(PostgresServer.programs(data), data, "restart", "-m", "immediate"));
        }
    }

    private void nothingIsLostOrHalf(Database database, String prefix, Disturbance disturbance) throws Exception {
        Path effects = directory.resolve("effects");
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (LoadNode node = new LoadNode(database, effects, 0)) {
            List<Callable<Void>> work = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String thread = prefix + i;
                boolean disturbs = i % 3 == 2;
                work.add(() -> {
                    converse(node, thread);
                    if (disturbs) {
                        synchronized (this) { // or one would disturb the disturbance of another
                            disturbance.happen();
                        }
                    }
                    return null;
                });
            }
            for (Future<Void> done : clients.invokeAll(work)) {
                done.get();
            }
        } finally {
            clients.shutdownNow();
        }

        try (LoadNode next = new LoadNode(database, effects, 1)) {
            assertThat(next.store.check()).isEmpty();
            for (int i = 0; i < THREADS; i++) {
                judge(next, new Effects(effects), prefix + i);
            }
            assertThat(next.store.check()).isEmpty();
        }
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

    private static void terminateAll(Database database) throws SQLException {
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
        long executed = node.store.auditTrail(thread, 0, 1_000).stream()
                .filter(event -> event.kind() == AuditEvent.Kind.EXECUTED)
                .count();
        assertThat(effects.of("call-" + thread)).as("effects of %s", thread).hasSize((int) executed);
        assertThat(executed).as("executions of %s", thread).isLessThanOrEqualTo(1);
        WellFormedMemory.check(node.memories().getMessages(thread));
        TrailRules.check(node.store, thread);
    }
}
