package io.holdpoint.retention;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Threads;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** More batches than one purge looks at, none of which can be settled, do not keep later ones from it. */
class RetentionFailureTest {

    private static final int MOST_PER_PURGE = 100;
    private static final String MONEY = "{\"amount\":1,\"to\":\"Ada\"}";

    private final Bench bench = new Bench();

    private void hold(Holdpoint agent, String threadId) {
        bench.model.calls(call("c1", "transferMoney", MONEY));
        agent.send(threadId, "Pay");
    }

    private void holdMany(Holdpoint agent) {
        for (int i = 0; i < MOST_PER_PURGE; i++) {
            hold(agent, "bad" + i);
        }
    }

    private void purgeMonthly(Holdpoint agent, int months) {
        for (int month = 0; month < months; month++) {
            bench.clock.advance(Duration.ofDays(31));
            agent.purge();
        }
    }

    @Test
    @Logs("The abandoned thread * could not be settled or emptied")
    void recordsThatCannotBeRead() {
        holdMany(bench.agent());
        bench.clock.advance(Duration.ofSeconds(1));
        hold(bench.agent(), "good");
        Holdpoint agent = bench.another(builder -> builder.store(new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public Optional<ThreadRecord> find(String threadId) {
                if (threadId.startsWith("bad")) {
                    throw new StoreException("cannot read a thread", new IllegalArgumentException("no JSON"));
                }
                return super.find(threadId);
            }
        }));

        purgeMonthly(agent, 2);

        assertThat(agent.pending("good")).isEmpty();
        assertThat(bench.agent().pending("bad0")).hasSize(1);
        assertThat(bench.agent().purge().expired()).isEqualTo(MOST_PER_PURGE);
    }

    @Test
    @Logs("The abandoned thread * could not be settled or emptied")
    void memoriesThatCannotBeWritten() {
        Holdpoint agent = bench.another(builder -> builder.chatMemoryProvider(Memory::new));
        holdMany(agent);
        purgeMonthly(agent, 1);
        bench.clock.advance(Duration.ofSeconds(1));
        hold(agent, "good");

        purgeMonthly(agent, 2);

        assertThat(agent.pending("good")).isEmpty();
    }

    @Test
    @Logs("There is no thread to purge on")
    void anAgentThatFindsNoThreadPurgesLater() {
        AtomicBoolean isFull = new AtomicBoolean();
        AtomicInteger purges = new AtomicInteger();
        Holdpoint agent = bench.another(builder -> builder.store(new ForwardingStore() {
                    @Override
                    protected Store store() {
                        return bench.store;
                    }

                    @Override
                    public int purge(Old what, Instant before, int limit) {
                        purges.incrementAndGet();
                        return super.purge(what, before, limit);
                    }
                })
                .executor(task -> {
                    if (isFull.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                }));
        bench.model.says("Hello.").says("Hello.");
        isFull.set(true);
        bench.clock.advance(Duration.ofMinutes(2));
        agent.send("t", "Hello").orThrow();
        isFull.set(false);
        bench.clock.advance(Duration.ofMinutes(2));
        agent.send("t", "Hello").orThrow();

        assertThat(purges).hasPositiveValue();
    }

    @Test
    void aPurgeAtWorkEndsBeforeTheAgentIsClosed() throws InterruptedException {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch purges = new CountDownLatch(1);
        AtomicReference<Holdpoint> present = new AtomicReference<>();
        Threads threads = new Threads();
        Holdpoint agent = bench.another(builder -> builder.executor(threads).store(new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public int purge(Old what, Instant before, int limit) {
                if (what != Old.BATCH) {
                    return super.purge(what, before, limit);
                }
                purges.countDown();
                while (!isClosed(present.get())) {
                    Thread.onSpinWait();
                }
                order.add("purged");
                return super.purge(what, before, limit);
            }
        }));
        present.set(agent);
        bench.clock.advance(Duration.ofMinutes(2));
        bench.model.says("Hello.");
        agent.send("t", "Hello");
        purges.await();

        agent.close();
        order.add("closed");

        assertThat(order).containsExactly("purged", "closed");
        threads.close();
    }

    private static boolean isClosed(Holdpoint agent) {
        return agent.resume("none", ResumeEntry.cancelled("none")) instanceof RunResult.Failed failed
                && failed.code() == ErrorCode.SHUTTING_DOWN;
    }

    /** Not written in Java: nothing in it can be replaced if its name is bad. */
    private static final class Memory implements ChatMemory {

        private final Object id;
        private final ChatMemory window = MessageWindowChatMemory.withMaxMessages(20);

        Memory(Object id) {
            this.id = id;
        }

        @Override
        public Object id() {
            return id;
        }

        @Override
        public void add(ChatMessage message) {
            window.add(message);
        }

        @Override
        public void set(Iterable<ChatMessage> messages) {
            if (id.toString().startsWith("bad")) {
                throw Unchecked.<RuntimeException>of(new IOException("memory down"));
            }
            window.set(messages);
        }

        @Override
        public List<ChatMessage> messages() {
            return window.messages();
        }

        @Override
        public void clear() {
            window.clear();
        }
    }
}
