package io.holdpoint.bench;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.InMemoryStore;
import java.util.ArrayList;
import java.util.List;

/**
 * One hold and its resume on a thread that has been going on for a while, beside one on a thread of 10 messages. The events go
 * nowhere: writing a snapshot of the messages is the transport's cost.
 */
final class Growth {

    private static final int SHORT = 10;

    /** A thread keeps its length: a cycle adds four messages, so that there are several threads, used in turn. */
    private static final int THREADS = 50;

    private final Holdpoint agent = Holdpoint.builder(BenchServices.Streaming.class)
            .streamingChatModel(BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0))
            .chatMemoryProvider(BenchServices.MEMORIES)
            .tools(new BenchTools.Gated())
            .store(new InMemoryStore())
            .executor(Runnable::run)
            .build();
    private int made;
    private int said;

    static void measure() throws Exception {
        for (boolean all : new boolean[] {false, true}) {
            Growth growth = new Growth();
            for (int messages : new int[] {100, 1_000, 5_000}) {
                System.out.println(new Pair(growth.on(messages, all), growth.on(SHORT, all))
                        .row(
                                "hold + resume after " + messages + " messages, client sends "
                                        + (all ? "all" : "the new one"),
                                "after " + SHORT,
                                messages == 100 ? 5_000 : 400,
                                400,
                                ""));
            }
        }
    }

    private Pair.Cycles on(int messages, boolean all) {
        List<List<Message>> threads = new ArrayList<>();
        int first = made;
        for (int i = 0; i < THREADS; i++) {
            threads.add(seeded("thread-" + made++, messages));
        }
        return count -> {
            for (int i = 0; i < count; i++) {
                int thread = i % THREADS;
                once("thread-" + (first + thread), all ? threads.get(thread) : List.of());
            }
        };
    }

    private List<Message> seeded(String threadId, int messages) {
        List<Message> history = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            history.add(
                    i % 2 == 0
                            ? new Message.User("u" + i, MessageContent.text("What about number " + i + "?"))
                            : new Message.Assistant("a" + i, "Nothing is known about number " + i + ".", List.of()));
        }
        run(RunAgentInput.of(threadId, "seed", history));
        return history;
    }

    private void once(String threadId, List<Message> known) {
        List<Message> sent = new ArrayList<>(known);
        sent.add(new Message.User("more-" + said++, MessageContent.text("Write to Ada")));
        RunResult.Interrupted held = (RunResult.Interrupted) run(RunAgentInput.of(threadId, "run-1", sent));
        RunResult done = run(RunAgentInput.of(threadId, "run-2", sent)
                .withResume(List.of(held.interrupts().get(0).asApproval().approve())));
        if (!(done instanceof RunResult.Completed)) {
            throw new IllegalStateException(done.toString());
        }
    }

    private RunResult run(RunAgentInput input) {
        return agent.run(input, event -> {}).join();
    }
}
