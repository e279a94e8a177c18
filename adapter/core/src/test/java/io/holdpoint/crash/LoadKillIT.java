package io.holdpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TrailRules;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process is killed at random moments under load, again and again: nothing that it acknowledged is lost, no transaction is
 * there by half, every thread goes on. {@code -Dholdpoint.load.kills=200} kills more often than the ordinary build.
 */
@Logs({"Run * on thread * failed"})
class LoadKillIT {

    private static final Logger LOG = LoggerFactory.getLogger(LoadKillIT.class);

    private static final int KILLS = Integer.getInteger("holdpoint.load.kills", Part.times(2));

    private static final int APPROVALS = Integer.getInteger("holdpoint.approvals", 300);
    private static final int CLIENTS = 8;

    /** Lines that a process acknowledges before it is killed, at most. */
    private static final int MOST_LINES = 60;

    private static final long SILENCE_SECONDS = 120;
    private static final long ROOM = 10L << 20;

    private final Set<String> threads = new TreeSet<>();
    private final Set<String> done = new TreeSet<>();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void nothingIsLostOrHalf(Engine engine) throws Exception {
        Database database = engine.in(directory).forThread("load");
        Path effects = directory.resolve("effects");
        Random random = new Random(KILLS);
        for (int life = 0; life < KILLS; life++) {
            live(database, effects, life, 1 + random.nextInt(MOST_LINES));
            assertThat(database.store(database.dataSource()).check())
                    .as("after kill %d", life + 1)
                    .isEmpty();
        }
        try (LoadNode last = new LoadNode(database, effects, KILLS)) {
            for (String thread : threads) {
                judge(last, new Effects(effects), thread);
            }
            assertThat(last.store.check()).isEmpty();
        }
        if (engine == Engine.SQLITE) {
            assertThatTheFileIsSmall();
        }
        LOG.info("{}: {} kills, {} threads, {} acknowledged as done", engine, KILLS, threads.size(), done.size());
    }

    /** From the start of a process until it has acknowledged so much. */
    private void live(Database database, Path effects, int life, int lines) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), LoadNode.class.getName()));
        command.addAll(List.of(database.url(), effects.toString(), String.valueOf(life)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(process, said));
        reader.start();
        try {
            assertThat(said.poll(SILENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("READY");
            for (int i = 0; i < lines; i++) {
                heard(said.poll(SILENCE_SECONDS, TimeUnit.SECONDS));
            }
        } finally {
            process.destroyForcibly().waitFor();
            reader.join();
        }
        said.forEach(this::heard);
    }

    private static void read(Process process, BlockingQueue<String> said) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
            }
        } catch (IOException e) {
            // it was killed in the middle of a line
        }
    }

    private void heard(String line) {
        assertThat(line).isNotNull();
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "HELD" -> threads.add(words[1]);
            case "DONE" -> done.add(words[1]);
            default -> {
                if (line.startsWith("FAILED")) {
                    throw new AssertionError(line);
                }
            }
        }
    }

    private void judge(LoadNode node, Effects effects, String thread) {
        assertThat(node.store.transcript(thread)).as(thread).isNotEmpty();
        node.goOn(thread);
        assertThat(node.agent.pending(thread)).as("%s goes on", thread).isEmpty();
        assertThat(node.store.head(thread).orElseThrow().batchId()).as(thread).isEmpty();
        WellFormedMemory.check(node.memories().getMessages(thread));
        TrailRules.check(node.store, thread);
        List<AuditEvent> trail = node.store.auditTrail(thread, 0, 1_000);
        assertThat(effects.of("call-" + thread)).as("effects of %s", thread).hasSize(1);
        assertThat(trail.stream().filter(LoadKillIT::approves))
                .as("decisions of %s", thread)
                .hasSize(1);
        List<Kind> kinds = trail.stream().map(AuditEvent::kind).toList();
        assertThat(Collections.frequency(kinds, Kind.EXECUTED)).as(thread).isEqualTo(1);
    }

    private static boolean approves(AuditEvent event) {
        return event.kind() == Kind.DECIDED
                && event.detail().at("/payload/approved").booleanValue();
    }

    /** {@code -Dholdpoint.approvals=10000} approves more often than the ordinary build. */
    @Test
    void theFileStaysSmall() throws Exception {
        Database database = Engine.SQLITE.in(directory).forThread("load");
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Callable<Boolean>> work = new ArrayList<>();
        long start = System.nanoTime();
        try (LoadNode node = new LoadNode(database, directory.resolve("effects"), 0)) {
            for (int i = 0; i < APPROVALS; i++) {
                String thread = "small-" + i;
                work.add(() -> node.isApproved(thread));
            }
            for (Future<Boolean> done : clients.invokeAll(work)) {
                assertThat(done.get()).isTrue();
            }
        } finally {
            clients.shutdownNow();
        }
        LOG.info("{} approvals in {} s", APPROVALS, (System.nanoTime() - start) / 1_000_000_000);
        assertThatTheFileIsSmall();
    }

    /** At most three times what a copy without holes needs, and some room. */
    private void assertThatTheFileIsSmall() throws SQLException, IOException {
        Path copy = directory.resolve("copy.db");
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(Database.sqlite(directory.resolve("load")).url());
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("VACUUM INTO '" + copy + "'");
            }
        }
        long size = 0;
        for (String suffix : List.of("", "-wal", "-shm")) {
            Path file = directory.resolve("load" + suffix);
            size += Files.exists(file) ? Files.size(file) : 0;
        }
        LOG.info("SQLite: {} bytes, {} of them live", size, Files.size(copy));
        assertThat(size).isLessThanOrEqualTo(3 * Files.size(copy) + ROOM);
    }
}
