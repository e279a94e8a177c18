package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TrailRules;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL primary is killed under load and its standby promoted, again and again. {@code -Dholdpoint.failover.kills=200} kills
 * more often than the ordinary build, {@code -Dholdpoint.failover.seed} at the moments of an earlier one.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@Logs({
    "Run * on thread * failed",
    "Run * could not be started",
    "Lease* could not be given back",
    "Lease* could not be renewed*",
    "Lease* was lost: another run has taken over",
    "A lease could not be *",
    "Purging failed",
    "Looking at what is due failed*",
    "*Failed to validate connection*",
    "*marked as broken*",
    "The clock of this server is *" // the test moves it, and a slow machine looks meanwhile
})
class FailoverIT {

    private static final Logger LOG = LoggerFactory.getLogger(FailoverIT.class);

    private static final int KILLS = Integer.getInteger("holdpoint.failover.kills", Part.times(2));
    private static final long SEED = Long.getLong("holdpoint.failover.seed", System.nanoTime());
    private static final int CLIENTS = 4;

    /** Answers that are acknowledged before a kill, at most. */
    private static final int MOST_ANSWERS = 40;

    private static final long SILENCE_SECONDS = 120;

    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private final Semaphore acknowledged = new Semaphore(0);
    private final AtomicBoolean ends = new AtomicBoolean();

    @TempDir
    private Path directory;

    /** A primary and a standby, at two addresses that both stand in the URL. */
    private static final class Pair implements AutoCloseable {

        private final Path directory;
        private PostgresServer primary;
        private PostgresServer standby;
        private int servers;

        Pair(Path directory, String settings) throws Exception {
            this.directory = directory;
            primary = PostgresServer.start(next(), settings);
            standby = primary.standby(next(), PostgresServer.freePort());
        }

        private Path next() {
            return directory.resolve("server-" + servers++);
        }

        Database database() {
            return new Database("jdbc:postgresql://127.0.0.1:" + primary.port() + ",127.0.0.1:" + standby.port()
                    + "/postgres?user=postgres&targetServerType=primary&hostRecheckSeconds=0");
        }

        /** The standby takes the place of the primary. */
        void failOver() throws Exception {
            primary.kill();
            standby.promote();
        }

        /** A new standby takes the place of the one that was promoted, at the address of the server that was killed. */
        void replaceStandby() throws Exception {
            PostgresServer killed = primary;
            primary = standby;
            standby = primary.standby(next(), killed.port());
            killed.remove();
        }

        /** The standby has everything up to now, and nothing that comes. */
        void cutOff() throws SQLException {
            primary.await("pg_current_wal_flush_lsn() = (SELECT flush_lsn FROM pg_stat_replication)");
            standby.execute("ALTER SYSTEM SET primary_conninfo = ''");
            standby.execute("SELECT pg_reload_conf()");
            primary.await("NOT EXISTS (SELECT 1 FROM pg_stat_replication)");
        }

        @Override
        public void close() throws IOException {
            primary.close();
            standby.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void noAcknowledgedAnswerIsLostAndNothingRunsTwice(String synchronousCommit) throws Exception {
        LOG.info("{} kills, -Dholdpoint.failover.seed={}", KILLS, SEED);
        Random random = new Random(SEED);
        Path effects = directory.resolve("effects");
        try (Pair pair = new Pair(directory, "synchronous_commit = " + synchronousCommit + "\n")) {
            pair.primary.waitForStandby();
            try (LoadNode node = new LoadNode(pair.database(), effects, 0)) {
                List<Future<?>> clients = start(node);
                for (int kill = 0; kill < KILLS; kill++) {
                    awaitAnswers(1 + random.nextInt(MOST_ANSWERS));
                    pair.failOver();
                    pair.replaceStandby();
                    pair.primary.waitForStandby();
                    acknowledged.drainPermits();
                }
                awaitAnswers(MOST_ANSWERS);
                ends.set(true);
                for (Future<?> client : clients) {
                    client.get();
                }
            }
            try (LoadNode next = new LoadNode(pair.database(), effects, 1)) {
                judge(next, new Effects(effects));
            }
        }
        LOG.info("{} threads, {} held and {} done by what was acknowledged", begun.size(), held.size(), done.size());
    }

    private void awaitAnswers(int count) throws InterruptedException {
        assertThat(acknowledged.tryAcquire(count, SILENCE_SECONDS, TimeUnit.SECONDS))
                .as("%d answers are acknowledged", count)
                .isTrue();
    }

    private List<Future<?>> start(LoadNode node) {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        List<Future<?>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            String prefix = "t-" + client + "-";
            clients.add(threads.submit(() -> {
                for (int i = 0; !ends.get(); i++) {
                    converse(node, prefix + i);
                }
            }));
        }
        threads.shutdown();
        return clients;
    }

    private void converse(LoadNode node, String thread) {
        begun.add(thread);
        try {
            if (node.agent.send(thread, "transfer:" + thread) instanceof RunResult.Interrupted question) {
                held.add(thread);
                PendingInterrupt asked = question.interrupts().get(0);
                if (node.agent.resume(thread, asked.asApproval().approve()) instanceof RunResult.Completed) {
                    done.add(thread);
                    acknowledged.release();
                }
            }
        } catch (StoreException e) {
            // there was no primary; it goes on later
        }
    }

    private void judge(LoadNode node, Effects effects) {
        assertThat(node.store.check()).isEmpty();
        for (String thread : done) {
            assertThat(node.agent.pending(thread)).as("%s is done", thread).isEmpty();
            assertThat(executions(node, thread)).as("%s is done", thread).isEqualTo(1);
        }
        Set<String> known = begun.stream()
                .filter(thread -> node.store.head(thread).isPresent())
                .collect(Collectors.toSet());
        assertThat(known).containsAll(held);
        known.stream().filter(thread -> !done.contains(thread)).forEach(node::goOn);
        Map<String, Long> count = effects.all().stream()
                .collect(Collectors.groupingBy(Effects.Effect::toolCallId, Collectors.counting()));
        for (String thread : begun) {
            long executions = executions(node, thread);
            assertThat(executions).as("executions of %s", thread).isBetween(held.contains(thread) ? 1L : 0L, 1L);
            assertThat(count.getOrDefault("call-" + thread, 0L))
                    .as("effects of %s", thread)
                    .isEqualTo(executions);
        }
        for (String thread : known) {
            assertThat(node.agent.pending(thread)).as("%s goes on", thread).isEmpty();
            assertThat(node.store.head(thread).orElseThrow().batchId())
                    .as(thread)
                    .isEmpty();
            WellFormedMemory.check(node.memories().getMessages(thread));
            TrailRules.check(node.store, thread);
        }
        assertThat(node.store.check()).isEmpty();
    }

    private static long executions(LoadNode node, String thread) {
        return node.store.auditTrail(thread, 0, 1_000).stream()
                .filter(event -> event.kind() == AuditEvent.Kind.EXECUTED)
                .count();
    }

    /** What docs/operate/database.md says of a standby that commits do not wait for. */
    @Test
    void whatAnAsynchronousStandbyHasNotReceivedIsAskedAgainAndRunsWithTheSameKey() throws Exception {
        Path file = directory.resolve("effects");
        Effects effects = new Effects(file);
        try (Pair pair = new Pair(directory, "")) {
            try (LoadNode node = new LoadNode(pair.database(), file, 0)) {
                assertThat(node.isApproved("whole")).isTrue();
                node.agent.send("t", "transfer:t");
                pair.cutOff();
                assertThat(node.agent.resume(
                                "t", node.agent.pending("t").get(0).asApproval().approve()))
                        .isInstanceOf(RunResult.Completed.class);
                pair.failOver();
            }
            try (LoadNode next = new LoadNode(pair.database(), file, 1)) {
                assertThat(next.store.check()).isEmpty();
                assertThat(executions(next, "whole")).isEqualTo(1);
                assertThat(next.agent.resume("t")).isInstanceOf(RunResult.Interrupted.class);
                assertThat(effects.of("call-t")).hasSize(1);

                next.goOn("t");

                assertThat(effects.of("call-t")).hasSize(2);
                assertThat(effects.of("call-t"))
                        .extracting(Effects.Effect::key)
                        .containsOnly(effects.of("call-t").get(0).key());
                assertThat(next.store.check()).isEmpty();
            }
        }
    }
}
