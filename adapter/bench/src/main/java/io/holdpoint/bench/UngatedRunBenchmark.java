package io.holdpoint.bench;

import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a run costs that asks nobody: a plain AI Service against {@link Holdpoint#send}, each on a new thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class UngatedRunBenchmark {

    private static final int REMEMBERED = 5_000;

    /** The model's delay in microseconds; its thread is parked for it. */
    @Param({"0", "1000"})
    private int delayMicros;

    /** Whether the model answers at once, or calls a free tool first: then it is asked, and delays, twice. */
    @Param({"text", "tool"})
    private String answer;

    private final ForgetfulStore store = new ForgetfulStore();
    private BenchServices.Blocking plainBlocking;
    private BenchServices.Streaming plainStreaming;
    private Holdpoint blocking;
    private Holdpoint streaming;
    private long count;

    /** Builds all four. */
    @Setup
    public void build() {
        long delay = TimeUnit.MICROSECONDS.toNanos(delayMicros);
        BenchModel model = "tool".equals(answer)
                ? BenchModel.calling("searchContacts", BenchTools.Free.ARGUMENTS, delay)
                : BenchModel.answering(delay);
        plainBlocking = AiServices.builder(BenchServices.Blocking.class)
                .chatModel(model)
                .chatMemoryProvider(BenchServices.MEMORIES)
                .tools(new BenchTools.Free())
                .build();
        plainStreaming = AiServices.builder(BenchServices.Streaming.class)
                .streamingChatModel(model)
                .chatMemoryProvider(BenchServices.MEMORIES)
                .tools(new BenchTools.Free())
                .build();
        blocking = Holdpoint.builder(BenchServices.Blocking.class)
                .chatModel(model)
                .chatMemoryProvider(BenchServices.MEMORIES)
                .tools(new BenchTools.Free(), new BenchTools.Gated())
                .store(store)
                .build();
        streaming = Holdpoint.builder(BenchServices.Streaming.class)
                .streamingChatModel(model)
                .chatMemoryProvider(BenchServices.MEMORIES)
                .tools(new BenchTools.Free(), new BenchTools.Gated())
                .store(store)
                .build();
    }

    /** A plain AI Service that returns a string. */
    @Benchmark
    public String plainBlocking() {
        String threadId = thread();
        String text = plainBlocking.chat(threadId, List.of(TextContent.from("Find Ada")));
        plainBlocking.evictChatMemory(threadId);
        return text;
    }

    /** A plain AI Service that returns a {@code TokenStream}. */
    @Benchmark
    public ChatResponse plainStreaming() {
        String threadId = thread();
        CompletableFuture<ChatResponse> response = new CompletableFuture<>();
        plainStreaming
                .chat(threadId, List.of(TextContent.from("Find Ada")))
                .onPartialResponse(text -> {})
                .onCompleteResponse(response::complete)
                .onError(response::completeExceptionally)
                .start();
        ChatResponse complete = response.join();
        plainStreaming.evictChatMemory(threadId);
        return complete;
    }

    /** The same, gated. */
    @Benchmark
    public RunResult.Completed holdpointBlocking() {
        return (RunResult.Completed) blocking.send(thread(), "Find Ada");
    }

    /** The same, gated. */
    @Benchmark
    public RunResult.Completed holdpointStreaming() {
        return (RunResult.Completed) streaming.send(thread(), "Find Ada");
    }

    private String thread() {
        if (++count % REMEMBERED == 0) {
            store.forget();
        }
        return "thread-" + count;
    }
}
