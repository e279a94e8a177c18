package io.holdpoint.bench;

import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.service.AiServices;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

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
        new InProcess(true).gated(Scale.of(50_000)); // or the first row would pay for what both have compiled
        for (boolean streaming : new boolean[] {false, true}) {
            InProcess cycles = new InProcess(streaming);
            System.out.println(new Pair(cycles::gated, cycles::plain)
                    .row(
                            "hold + resume in process, " + (streaming ? "TokenStream" : "String"),
                            "plain AI Service, same tool, not gated",
                            50_000,
                            5_000,
                            ""));
        }
    }

    /** The same cycle, held by agentscope as well. */
    static void besidePeer() throws Exception {
        InProcess cycles = new InProcess(false);
        System.out.println(new Pair(cycles::gated, new Agentscope()::cycles)
                .row("hold + resume in process, String", "agentscope 2.0.0", 50_000, 5_000, ""));
    }

    /** Each pass is a JVM of its own, from its start to its end. */
    static void cold(String other) throws Exception {
        String name = other.equals("plain") ? "plain AI Service" : other + " 2.0.0";
        for (int cycles : new int[] {1, 300}) {
            AtomicLong cpu = new AtomicLong();
            AtomicLong classes = new AtomicLong();
            Pair pair = new Pair(
                    count -> inNewJvm("gated", cycles, cpu, classes),
                    count -> inNewJvm(other, cycles, cpu, new AtomicLong()),
                    cpu::get);
            String first = "the first " + (cycles == 1 ? "cycle" : cycles + " cycles");
            String row = pair.row(first + " of a JVM, String", name + ", " + first, 0, 1, "%,d classes");
            System.out.printf(Locale.ROOT, row + "%n", classes.get());
        }
    }

    private static void inNewJvm(String which, int count, AtomicLong cpu, AtomicLong classes) throws Exception {
        Process jvm = Benchmarks.java("cold", which, String.valueOf(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] figures = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                .strip()
                .split(" ");
        cpu.addAndGet(Long.parseLong(figures[0]));
        classes.set(Long.parseLong(figures[1]));
    }

    /** The first cycles of this JVM; prints its processor time and the number of classes that it has loaded. */
    static void first(String which, int count) {
        switch (which) {
            case "gated" -> new InProcess(false).gated(count);
            case "plain" -> new InProcess(false).plain(count);
            default -> new Agentscope().cycles(count);
        }
        System.out.println(Pair.SYSTEM.getProcessCpuTime() + " "
                + ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
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
