package io.holdpoint.bench;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One hold and its resume on a thread that has been going on for a while. The events go nowhere: writing a snapshot of the
 * messages is the transport's cost. The runs work on the calling thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class LongThreadBenchmark {

    private static final int REMEMBERED = 100;

    /** How many messages the thread has. */
    @Param({"10", "1000"})
    private int messages;

    /** What a client sends: only the new message, or, like the official client, all that it knows. */
    @Param({"new", "all"})
    private String sends;

    private final ForgetfulStore store = new ForgetfulStore();
    private Holdpoint agent;
    private long count;
    private String threadId;
    private List<Message> history;

    /** Builds the agent. */
    @Setup
    public void build() {
        BenchModel model = BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0);
        agent = Holdpoint.builder(BenchServices.Streaming.class)
                .streamingChatModel(model)
                .chatMemoryProvider(BenchServices.MEMORIES)
                .tools(new BenchTools.Gated())
                .store(store)
                .executor(Runnable::run)
                .build();
    }

    /** A new thread each time: seeded by a client, then one hold is cancelled. Leaves four messages of its own. */
    @Setup(Level.Invocation)
    public void seed() {
        if (++count % REMEMBERED == 0) {
            store.forget();
        }
        threadId = "thread-" + count;
        history = new ArrayList<>();
        for (int i = 0; i < messages - 4; i++) {
            history.add(
                    i % 2 == 0
                            ? new Message.User("u" + i, MessageContent.text("What about number " + i + "?"))
                            : new Message.Assistant("a" + i, "Nothing is known about number " + i + ".", List.of()));
        }
        history.add(new Message.User("u", MessageContent.text("Write to Ada")));
        run(RunAgentInput.of(threadId, "seed-1", history));
        agent.resume(threadId, agent.pending(threadId).get(0).cancel());
        history = store.transcript(threadId);
        if (history.size() != messages) {
            throw new IllegalStateException("the thread has " + history.size() + " messages");
        }
    }

    /** Two runs. */
    @Benchmark
    public RunResult.Completed oneMoreHoldAndResume() {
        List<Message> sent = new ArrayList<>("all".equals(sends) ? history : List.of());
        sent.add(new Message.User("more", MessageContent.text("Write to Ada again")));
        RunResult.Interrupted held = (RunResult.Interrupted) run(RunAgentInput.of(threadId, "run-1", sent));
        var answer = List.of(held.interrupts().get(0).asApproval().approve());
        return (RunResult.Completed)
                run(RunAgentInput.of(threadId, "run-2", sent).withResume(answer));
    }

    private RunResult run(RunAgentInput input) {
        return agent.run(input, event -> {}).join();
    }
}
