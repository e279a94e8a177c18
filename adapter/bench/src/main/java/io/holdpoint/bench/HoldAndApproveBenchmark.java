package io.holdpoint.bench;

import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
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

/** Cycles of hold, approve, execute, answer, in process, each on a new thread; the model answers at once. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class HoldAndApproveBenchmark {

    private static final int REMEMBERED = 2_000;

    /** Which shape of AI Service. */
    @Param({"String", "TokenStream"})
    private String returns;

    private final ForgetfulStore store = new ForgetfulStore();
    private Holdpoint agent;
    private long count;

    /** Builds the agent. */
    @Setup
    public void build() {
        BenchModel model = BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0);
        HoldpointBuilder<?> builder = "String".equals(returns)
                ? Holdpoint.builder(BenchServices.Blocking.class).chatModel(model)
                : Holdpoint.builder(BenchServices.Streaming.class).streamingChatModel(model);
        agent = builder.chatMemoryProvider(BenchServices.MEMORIES)
                .tools(new BenchTools.Free(), new BenchTools.Gated())
                .store(store)
                .build();
    }

    /** One cycle: two runs. */
    @Benchmark
    public RunResult.Completed cycle() {
        if (++count % REMEMBERED == 0) {
            store.forget();
        }
        String threadId = "thread-" + count;
        RunResult.Interrupted held = (RunResult.Interrupted) agent.send(threadId, "Write to Ada");
        return (RunResult.Completed)
                agent.resume(threadId, held.interrupts().get(0).asApproval().approve());
    }
}
