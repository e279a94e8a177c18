package io.holdpoint.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.javalin.Javalin;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The time from a decision, posted over HTTP by somebody without a stream, to the tool's body, with everything in PostgreSQL. */
final class Pressed {

    private static final int WARM = 500;
    private static final int DECISIONS = 2_000;

    private final BlockingQueue<Long> entered = new LinkedBlockingQueue<>();
    private int threads;

    /** Notes when its body is entered. */
    final class Mail {

        @Tool("Send an email")
        @RequiresApproval(message = "Send email to {{to}} with subject '{{subject}}'?")
        public String sendEmail(@P("recipient") String to, @P("subject") String subject, @P("body") String body) {
            entered.add(System.nanoTime());
            return "sent";
        }
    }

    static void measure() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            new Pressed().measure(server.getJdbcUrl("postgres", "postgres"));
        }
    }

    private void measure(String url) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        HikariDataSource source = new HikariDataSource(config);
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(source);
        Holdpoint agent = Holdpoint.builder(BenchServices.Streaming.class)
                .streamingChatModel(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0))
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(100)
                        .chatMemoryStore(memories)
                        .build())
                .tools(new Mail())
                .store(JdbcStore.create(source))
                .build();
        Javalin server = Javalin.create(javalin -> {
                    javalin.startup.showJavalinBanner = false;
                    javalin.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)));
                })
                .start("127.0.0.1", 0);
        long[] nanos = new long[Scale.of(DECISIONS)];
        try (BenchClient client = new BenchClient.Jdk(server.port())) {
            for (int i = -Scale.of(WARM); i < nanos.length; i++) {
                long taken = decide(agent, client);
                if (i >= 0) {
                    nanos[i] = taken;
                }
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "| from `POST <agent>/decisions` to the tool's body, PostgreSQL, one after another | | | | | | | "
                        + "median %.1f ms, 99 of 100 within %.1f ms, longest %.1f ms, of %,d |%n",
                nanos[nanos.length / 2] / 1e6,
                nanos[nanos.length * 99 / 100] / 1e6,
                nanos[nanos.length - 1] / 1e6,
                nanos.length);
        server.stop();
    }

    /** Holds a call and decides it; returns the time from before the request until the body was entered. */
    private long decide(Holdpoint agent, BenchClient client) throws IOException, InterruptedException {
        String threadId = "thread-" + ++threads;
        PendingInterrupt asked =
                agent.send(threadId, "Write to Ada").interrupts().get(0);
        String decision = "{\"threadId\":\"" + threadId + "\",\"interruptId\":\"" + asked.id()
                + "\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}";
        long pressed = System.nanoTime();
        byte[] answer = client.post("/agent/decisions", decision);
        Long body = entered.poll(10, TimeUnit.SECONDS);
        if (body == null) {
            throw new IllegalStateException(new String(answer, StandardCharsets.UTF_8));
        }
        return body - pressed;
    }
}
