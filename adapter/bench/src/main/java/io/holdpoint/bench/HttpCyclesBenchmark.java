package io.holdpoint.bench;

import io.holdpoint.Holdpoint;
import io.holdpoint.javalin.AgUiPlugin;
import io.javalin.Javalin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cycles of hold, approve, execute, answer over HTTP on loopback, each on a new thread; clients and server share the machine and
 * the process. {@code -t 8} for eight clients.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class HttpCyclesBenchmark {

    /** About as long as the stream of an approval; that of a hold is about twice as long. */
    private static final String CANNED = "data: {\"type\":\"SOMETHING\",\"delta\":\"about a hundred bytes, as most are\"}\n\n".repeat(12);

    private static final String ID = "\"interrupts\":[{\"id\":\"";

    /** The server. */
    @State(Scope.Benchmark)
    public static class Served {

        private final ForgetfulStore store = new ForgetfulStore();
        private Javalin server;

        /** Starts it. */
        @Setup
        public void start() {
            Holdpoint agent = Holdpoint.builder(BenchServices.Streaming.class)
                    .streamingChatModel(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0))
                    .chatMemoryProvider(BenchServices.MEMORIES)
                    .tools(new BenchTools.Gated())
                    .store(store)
                    .build();
            server = Javalin.create(config -> {
                        config.startup.showJavalinBanner = false;
                        config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)));
                        config.routes.post("/canned", ctx -> ctx.contentType("text/event-stream")
                                .result(ctx.body().contains("resume") ? CANNED : CANNED + CANNED));
                    })
                    .start("127.0.0.1", 0);
        }

        /** No run is active between iterations. */
        @Setup(Level.Iteration)
        public void forget() {
            store.forget();
        }

        /** Stops it. */
        @TearDown
        public void stop() {
            server.stop();
        }
    }

    /** A client. */
    @State(Scope.Thread)
    public static class Connected {

        private BenchClient client;
        private final String name = UUID.randomUUID().toString();
        private long count;

        /** Connects it. */
        @Setup
        public void connect(Served served) throws IOException {
            client = new BenchClient(served.server.port());
        }

        /** Disconnects it. */
        @TearDown
        public void close() throws IOException {
            client.close();
        }
    }

    /** One cycle: two requests. */
    @Benchmark
    public byte[] cycle(Connected connected, Served served) throws IOException {
        String thread = "{\"threadId\":\"" + connected.name + connected.count++ + "\",\"runId\":\"r\",\"messages\":[";
        String held = new String(
                connected.client.post(
                        "/agent", thread + "{\"id\":\"m\",\"role\":\"user\",\"content\":\"Write to Ada\"}]}"),
                StandardCharsets.ISO_8859_1);
        int start = held.indexOf(ID) + ID.length();
        byte[] done = connected.client.post(
                "/agent",
                thread + "],\"resume\":[{\"interruptId\":\"" + held.substring(start, held.indexOf('"', start))
                        + "\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]}");
        if (!new String(done, StandardCharsets.ISO_8859_1).contains("\"success\"")) {
            throw new IllegalStateException(new String(done, StandardCharsets.ISO_8859_1));
        }
        return done;
    }

    /** Two requests of the same size to bare Javalin, which has the answers already. */
    @Benchmark
    public byte[] canned(Connected connected) throws IOException {
        String thread = "{\"threadId\":\"" + connected.name + connected.count++ + "\",\"runId\":\"r\",\"messages\":[";
        connected.client.post("/canned", thread + "{\"id\":\"m\",\"role\":\"user\",\"content\":\"Write to Ada\"}]}");
        return connected.client.post("/canned", thread + "],\"resume\":[{\"interruptId\":\"" + connected.name
                + "\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]}");
    }
}
