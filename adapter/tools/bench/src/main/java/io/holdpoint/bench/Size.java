package io.holdpoint.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.follow.Follow;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A cycle, and a look at what is due, in a store that has many threads with open questions, beside one that has few. */
final class Size {

    private static final int FEW = 1_000;
    private static final int SETTLED_IN = 20_000;
    private static final int IDLE = 10_000;

    private final Holdpoint agent;
    private int threads;

    private Size(Store store) {
        agent = Holdpoint.builder(BenchServices.Blocking.class)
                .chatModel(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0))
                .tools(new BenchTools.Gated())
                .store(store)
                .build();
    }

    static void inMemory() throws Exception {
        new Size(new InMemoryStore())
                .cycles(Scale.of(SETTLED_IN)); // or the first row would pay for what both have compiled
        for (int many : new int[] {10_000, 100_000}) {
            rows("in memory", new Size(new InMemoryStore()), new Size(new InMemoryStore()), many, 5_000);
        }
    }

    static void sqlite() throws Exception {
        new Size(new InMemoryStore()).cycles(Scale.of(SETTLED_IN));
        Path directory = Files.createTempDirectory("holdpoint-bench");
        try (HikariDataSource one = new HikariDataSource();
                HikariDataSource other = new HikariDataSource()) {
            one.setJdbcUrl("jdbc:sqlite:" + directory.resolve("many.db"));
            other.setJdbcUrl("jdbc:sqlite:" + directory.resolve("few.db"));
            rows("SQLite", new Size(JdbcStore.create(one)), new Size(JdbcStore.create(other)), 10_000, 1_000);
        } finally {
            Databases.remove(directory);
        }
    }

    /** The small store has its thousand threads at any scale. */
    private static void rows(String where, Size many, Size few, int count, int cycles) throws Exception {
        int held = Math.max(2 * FEW, Scale.of(count));
        many.holds(held);
        few.holds(FEW);
        String name = String.format(Locale.ROOT, ", %s, beside %,d held threads", where, held);
        String beside = String.format(Locale.ROOT, "beside %,d", FEW);
        System.out.println(new Pair(many::cycles, few::cycles).row("hold + resume" + name, beside, cycles, cycles, ""));
        System.out.println(new Pair(many::looks, few::looks).row("look at what is due" + name, beside, 200, 2_000, ""));
    }

    /** Threads and memory of questions that wait, and of clients that follow a thread in which nothing happens. */
    static void idle() throws Exception {
        Size size = new Size(new InMemoryStore());
        size.cycles(Scale.of(FEW));
        int count = Scale.of(IDLE);
        long before = used();
        int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
        size.holds(count);
        long held = used();
        for (int i = 0; i < count; i++) {
            Follow.of(size.agent).follow("held-" + i, "follow-" + i, event -> {});
        }
        TimeUnit.SECONDS.sleep(5); // what was started for the first look has ended
        long followed = used();
        System.out.printf(
                Locale.ROOT,
                "| %,d held threads in memory, each followed by a client | | | | | | | %,d bytes a held thread, %,d bytes a"
                        + " follower, %d threads of the JVM more |%n",
                count,
                (held - before) / count,
                (followed - held) / count,
                ManagementFactory.getThreadMXBean().getThreadCount() - threadsBefore);
    }

    private static long used() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(200);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void holds(int count) {
        for (int i = 0; i < count; i++) {
            agent.send("held-" + i, "Write to Ada");
        }
    }

    private void cycles(int count) {
        for (int i = 0; i < count; i++) {
            String threadId = "thread-" + ++threads;
            RunResult.Interrupted held = (RunResult.Interrupted) agent.send(threadId, "Write to Ada");
            RunResult done =
                    agent.resume(threadId, held.interrupts().get(0).asApproval().approve());
            if (!(done instanceof RunResult.Completed)) {
                throw new IllegalStateException(done.toString());
            }
        }
    }

    private void looks(int count) {
        for (int i = 0; i < count; i++) {
            agent.actOnTime();
        }
    }
}
