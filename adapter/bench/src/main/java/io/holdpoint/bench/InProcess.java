package io.holdpoint.bench;

import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.service.AiServices;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import java.util.List;

/**
 * Cycles of hold, approve, execute, answer in process, each on a new thread, beside a plain AI Service that executes the same
 * tool without asking anybody. The model answers at once.
 */
final class InProcess {

    private static final int REMEMBERED = 2_000;

    private final ForgetfulStore store = new ForgetfulStore();
    private final BenchModel model = BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0);
    private final BenchServices.Blocking plain = AiServices.builder(BenchServices.Blocking.class)
            .chatModel(model)
            .chatMemoryProvider(BenchServices.MEMORIES)
            .tools(new BenchTools.Ungated())
            .build();
    private final Holdpoint agent;
    private int threads;

    private InProcess(boolean streaming) {
        agent = streaming
                ? Holdpoint.builder(BenchServices.Streaming.class)
                        .streamingChatModel(model)
                        .chatMemoryProvider(BenchServices.MEMORIES)
                        .tools(new BenchTools.Gated())
                        .store(store.asStore())
                        .build()
                : Holdpoint.builder(BenchServices.Blocking.class)
                        .chatModel(model)
                        .chatMemoryProvider(BenchServices.MEMORIES)
                        .tools(new BenchTools.Gated())
                        .store(store.asStore())
                        .build();
    }

    static void measure() throws Exception {
        new InProcess(true).gated(Scale.of(20_000)); // or the first row would pay for what both have compiled
        for (boolean streaming : new boolean[] {false, true}) {
            InProcess cycles = new InProcess(streaming);
            System.out.println(new Pair(cycles::gated, cycles::plain)
                    .row(
                            "hold + resume in process, " + (streaming ? "TokenStream" : "String"),
                            "plain AI Service, same tool, not gated",
                            20_000,
                            5_000,
                            ""));
        }
    }

    static void cold() throws Exception {
        InProcess cycles = new InProcess(true);
        System.out.println(new Pair(cycles::gated, cycles::plain)
                .cold(
                        "first 1,000 cycles in process",
                        "plain AI Service, first 1,000",
                        1_000,
                        "without the start of the JVM"));
    }

    private void gated(int count) {
        for (int i = 0; i < count; i++) {
            if (++threads % REMEMBERED == 0) {
                store.forget();
            }
            String threadId = "thread-" + threads;
            RunResult.Interrupted held = (RunResult.Interrupted) agent.send(threadId, "Write to Ada");
            RunResult done =
                    agent.resume(threadId, held.interrupts().get(0).asApproval().approve());
            if (!(done instanceof RunResult.Completed)) {
                throw new IllegalStateException(done.toString());
            }
        }
    }

    private void plain(int count) {
        for (int i = 0; i < count; i++) {
            String threadId = "thread-" + i;
            plain.chat(threadId, List.of(TextContent.from("Write to Ada")));
            plain.evictChatMemory(threadId);
        }
    }
}
