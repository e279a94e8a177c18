package io.holdpoint.bench;

import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.service.AiServices;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs that ask nobody, each on a new thread, beside the same plain AI Service. */
final class Ungated {

    private static final int REMEMBERED = 5_000;

    private final ForgetfulStore store = new ForgetfulStore();
    private final BenchServices.Blocking plain;
    private final Holdpoint agent;
    private int threads;

    private Ungated(BenchModel model) {
        plain = AiServices.builder(BenchServices.Blocking.class)
                .chatModel(model)
                .chatMemoryProvider(BenchServices.MEMORIES)
                .tools(new BenchTools.Free())
                .build();
        agent = Holdpoint.builder(BenchServices.Blocking.class)
                .chatModel(model)
                .chatMemoryProvider(BenchServices.MEMORIES)
                .tools(new BenchTools.Free(), new BenchTools.Gated())
                .store(store.asStore())
                .build();
    }

    static void measure() throws Exception {
        for (boolean tool : new boolean[] {false, true}) {
            BenchModel model =
                    tool ? BenchModel.calling("searchContacts", BenchTools.Free.ARGUMENTS, 0) : BenchModel.answering(0);
            Ungated runs = new Ungated(model);
            String name = "ungated run, " + (tool ? "one free tool" : "text only") + ", model answers ";
            System.out.println(
                    new Pair(runs::gated, runs::plain).row(name + "at once", "plain AI Service", 20_000, 10_000, ""));
            model.delays(TimeUnit.MILLISECONDS.toNanos(1));
            System.out.println(new Pair(runs::gated, runs::plain)
                    .row(name + "in 1 ms", "plain AI Service", 1_000, 1_000, "warm from the row above"));
        }
    }

    private void gated(int count) {
        for (int i = 0; i < count; i++) {
            if (++threads % REMEMBERED == 0) {
                store.forget();
            }
            RunResult done = agent.send("thread-" + threads, "Find Ada");
            if (!(done instanceof RunResult.Completed)) {
                throw new IllegalStateException(done.toString());
            }
        }
    }

    private void plain(int count) {
        for (int i = 0; i < count; i++) {
            String threadId = "thread-" + i;
            plain.chat(threadId, List.of(TextContent.from("Find Ada")));
            plain.evictChatMemory(threadId);
        }
    }
}
