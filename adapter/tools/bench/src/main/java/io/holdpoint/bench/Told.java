package io.holdpoint.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.Holdpoint;
import io.holdpoint.reach.Reach;
import io.holdpoint.store.jdbc.JdbcStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The time from a message, about which the agent has to ask, to the call of the notifier, with the store in PostgreSQL. */
final class Told {

    private static final int WARM = 50;
    private static final int QUESTIONS = 500;

    private final BlockingQueue<Long> told = new LinkedBlockingQueue<>();

    static void measure() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            new Told().measure(server.getJdbcUrl("postgres", "postgres"));
        }
    }

    private void measure(String url) throws InterruptedException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        HikariDataSource source = new HikariDataSource(config);
        long[] nanos = new long[Scale.of(QUESTIONS)];
        try (Holdpoint agent = Holdpoint.builder(BenchServices.Streaming.class)
                .streamingChatModel(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0))
                .tools(new BenchTools.Gated())
                .store(JdbcStore.create(source))
                .with(Reach.notifier("bench", notice -> told.add(System.nanoTime())))
                .build()) {
            for (int i = -Scale.of(WARM); i < nanos.length; i++) {
                long asked = System.nanoTime();
                agent.send("thread-" + i, "Write to Ada");
                Long at = told.poll(30, TimeUnit.SECONDS);
                if (at == null) {
                    throw new IllegalStateException(
                            "not told: " + Reach.of(agent).notifiers());
                }
                if (i >= 0) {
                    nanos[i] = at - asked;
                }
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "| from the message to the notifier, PostgreSQL, one after another | | | | | | | "
                        + "median %.0f ms, 99 of 100 within %.0f ms, longest %.0f ms, of %,d |%n",
                nanos[nanos.length / 2] / 1e6,
                nanos[nanos.length * 99 / 100] / 1e6,
                nanos[nanos.length - 1] / 1e6,
                nanos.length);
        source.close();
    }
}
