package io.holdpoint.bench;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.Holdpoint;
import io.holdpoint.javalin.AgUiPlugin;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Deltas per second over HTTP on loopback: 2,000 in a run, against a bare Javalin that writes the same bytes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@OperationsPerInvocation(HttpStreamBenchmark.DELTAS)
public class HttpStreamBenchmark {

    /** How many a run has. */
    static final int DELTAS = 2_000;

    private static final class Talkative implements StreamingChatModel {

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            for (int i = 0; i < DELTAS; i++) {
                handler.onPartialResponse("some ");
            }
            handler.onCompleteResponse(ChatResponse.builder()
                    .aiMessage(AiMessage.from("some ".repeat(DELTAS)))
                    .build());
        }
    }

    private final ForgetfulStore store = new ForgetfulStore();
    private final List<byte[]> frames = new ArrayList<>();
    private Javalin server;
    private BenchClient client;
    private long count;

    /** Starts the server, and records what it writes. */
    @Setup
    public void start() throws IOException {
        Holdpoint agent = Holdpoint.builder(BenchServices.Streaming.class)
                .streamingChatModel(new Talkative())
                .chatMemoryProvider(BenchServices.MEMORIES)
                .store(store)
                .build();
        server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)));
                    config.routes.post("/flushed", ctx -> bare(ctx, true));
                    config.routes.post("/whole", ctx -> bare(ctx, false));
                })
                .start("127.0.0.1", 0);
        client = new BenchClient(server.port());
        for (String frame : new String(run(), StandardCharsets.ISO_8859_1).split("(?<=\n\n)")) {
            frames.add(frame.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private void bare(Context ctx, boolean flushed) throws IOException {
        ctx.res().setContentType("text/event-stream");
        OutputStream out = ctx.res().getOutputStream();
        for (byte[] frame : frames) {
            out.write(frame);
            if (flushed) {
                out.flush();
            }
        }
    }

    /** No run is active between iterations. */
    @Setup(Level.Iteration)
    public void forget() {
        store.forget();
    }

    /** Stops the server. */
    @TearDown
    public void stop() throws IOException {
        client.close();
        server.stop();
    }

    /** The agent. */
    @Benchmark
    public byte[] run() throws IOException {
        return client.post(
                "/agent",
                "{\"threadId\":\"t" + count++ + "\",\"runId\":\"r\",\"messages\":[{\"id\":\"m\",\"role\":\"user\","
                        + "\"content\":\"Talk\"}]}");
    }

    /** Bare Javalin, each event as it comes. */
    @Benchmark
    public byte[] bareFlushed() throws IOException {
        return client.post("/flushed", "{}");
    }

    /** Bare Javalin, as it likes. */
    @Benchmark
    public byte[] bareWhole() throws IOException {
        return client.post("/whole", "{}");
    }
}
