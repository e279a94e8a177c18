package io.holdpoint.crash;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Two agents that share nothing but a database, and the clock. */
final class TwoNodes implements AutoCloseable {

    final VirtualClock clock = new VirtualClock();
    final Holdpoint one;
    final Holdpoint two;
    private final TestDatabase database;
    private final Effects effects;
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final ExecutorService clients = Executors.newCachedThreadPool();

    TwoNodes(TestDatabase database, Effects effects) {
        this.database = database;
        this.effects = effects;
        this.one = node();
        this.two = node();
    }

    private Holdpoint node() {
        CrashPoints points = CrashPoints.none();
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(database.dataSource());
        CrashableModel model = new CrashableModel(points, violations::add);
        return Shape.STREAMING
                .builder(new ScriptedModel())
                .chatModel(model)
                .streamingChatModel(model)
                .tools(new EffectTools(effects, points))
                .store(JdbcStore.create(database.dataSource()))
                .clock(clock)
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(100)
                        .chatMemoryStore(memories)
                        .build())
                .build();
    }

    /**
     * What a client got.
     *
     * @param how {@code RUN_FINISHED}, or the code of the error or rejection
     */
    record Got(String how, RecordingSink sink) {}

    Got run(Holdpoint node, RunAgentInput input) {
        RecordingSink sink = new RecordingSink();
        try {
            node.run(input, sink).join();
        } catch (RunRejectedException e) {
            return new Got(e.code().name(), sink);
        }
        StreamRules.check(sink.events());
        return new Got(sink.last().type().equals("RUN_FINISHED") ? "RUN_FINISHED" : sink.errorCode(), sink);
    }

    /** Both at once: the first one on node one, the second one on node two. */
    List<Got> both(RunAgentInput first, RunAgentInput second) throws InterruptedException, ExecutionException {
        CyclicBarrier barrier = new CyclicBarrier(2);
        List<Callable<Got>> runs = List.of(
                () -> {
                    barrier.await();
                    return run(one, first);
                },
                () -> {
                    barrier.await();
                    return run(two, second);
                });
        List<Got> got = new ArrayList<>();
        for (Future<Got> run : clients.invokeAll(runs)) {
            got.add(run.get());
        }
        return got;
    }

    Store store() {
        return JdbcStore.open(database.dataSource());
    }

    /** As it is in the database; well formed, or this throws. */
    List<ChatMessage> memory(String threadId) {
        List<ChatMessage> messages =
                JdbcChatMemoryStore.open(database.dataSource()).getMessages(threadId);
        WellFormedMemory.check(messages);
        return messages;
    }

    List<String> violations() {
        return violations;
    }

    @Override
    public void close() {
        clients.shutdownNow();
    }
}
