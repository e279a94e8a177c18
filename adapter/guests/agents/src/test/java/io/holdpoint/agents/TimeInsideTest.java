package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The times of several questions that agents in tools ask. */
class TimeInsideTest {

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final VirtualClock clock = new VirtualClock();
    private final Store store = new InMemoryStore();
    private final ScriptedModel bossModel = new ScriptedModel();
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    private final class Bank {

        @Tool
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }

        @Tool
        String lend(int amount) {
            effects.add("lend " + amount);
            return "lent";
        }

        @Tool
        String beside() {
            tasks.remove().run();
            return "";
        }
    }

    private HoldpointBuilder<?> builder(ScriptedModel model, String name) {
        return Shape.BLOCKING.builder(model).store(store).clock(clock).name(name);
    }

    private ToolProvider agent(String name, ScriptedModel model, ToolPolicy... policies) {
        return LocalAgent.of(
                name,
                "Works",
                builder(model, name).tools(new Bank()).toolPolicies(policies).build());
    }

    private static ToolPolicy expiring(String tool, Duration end, WhenExpired then) {
        return ToolPolicy.named(tool).timeline(Timeline.expiresAfter(end).then(then));
    }

    private List<String> expired() {
        return store.of("boss").auditTrail("t", 0, 100).stream()
                .filter(event -> event.kind() == AuditEvent.Kind.EXPIRED)
                .map(event -> event.toolCallId().orElseThrow())
                .toList();
    }

    @Test
    void whatFollowsFromTheEndOfAQuestionIsSaidByItAndNotByAnEarlierOneOfTheSameTask() {
        ScriptedModel model =
                new ScriptedModel().calls(call("i1", "lend", "{\"amount\":1}"), call("i2", "pay", "{\"amount\":2}"));
        Holdpoint boss = builder(bossModel, "boss")
                .toolProviders(agent(
                        "clerk",
                        model,
                        expiring("lend", Duration.ofHours(1), WhenExpired.GO_ON),
                        expiring("pay", Duration.ofHours(1), WhenExpired.GIVE_UP)))
                .build();
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay the rent\"}")).says("Nobody was there.");
        boss.send("t", "Go");
        boss.resume("t", boss.pending("t").get(0).asApproval().approve());
        assertThat(boss.pending("t").get(0).toolName()).isEqualTo("pay");
        clock.advance(Duration.ofHours(1));

        boss.actOnTime();

        assertThat(expired()).containsExactly("c1");
        assertThat(store.of("boss").find("t").orElseThrow().batch()).isEmpty();
        assertThat(bossModel.requests()).as("the model is not asked").hasSize(1);
    }

    private void lastFirst(Runnable task) {
        tasks.add(task);
        if (tasks.size() == 2) {
            tasks.removeLast().run();
        }
    }

    @Test
    void aHaltOfOneAgentKeepsNoQuestionOfAnotherFromItsEnd() {
        Holdpoint boss = builder(bossModel, "boss")
                .toolProviders(
                        agent(
                                "clerk",
                                new ScriptedModel().calls(call("i1", "pay", "{\"amount\":2}")),
                                ToolPolicy.named("pay")
                                        .timeline(Timeline.expiresAfter(Duration.ofDays(2))
                                                .remind(Duration.ofHours(1)))),
                        agent(
                                "teller",
                                new ScriptedModel()
                                        .calls(call("i1", "beside", "{}"))
                                        .calls(call("i2", "lend", "{\"amount\":1}")),
                                expiring("lend", Duration.ofHours(2), WhenExpired.GO_ON)))
                .aiService(service -> service.executeToolsConcurrently(this::lastFirst))
                .build();
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay\"}"), call("c2", "teller", "{\"task\":\"Lend\"}"));
        boss.send("t", "Go");
        assertThat(boss.pending("t")).hasSize(2);
        store.of("clerk~tool")
                .halt(Optional.of(new Store.Halt("clerk~tool", Instant.EPOCH, "dba", "incident")), List.of());
        clock.advance(Duration.ofHours(2));

        boss.actOnTime();

        assertThat(expired()).containsExactly("c2");
    }

    /** The server dies in it when another call of the message is under way. */
    private final class Crash {

        private final MortalStore mortal = new MortalStore(store);

        @Tool
        String crash() {
            tasks.remove().run();
            mortal.die();
            return "";
        }
    }

    @Test
    @Logs({"Lease* could not be given back", "Run * on thread * failed"})
    void aHaltOfOneAgentKeepsNobodyFromBeingAskedWhatBecameOfACallBesideIt() {
        Crash crash = new Crash();
        ToolPolicy reminding = ToolPolicy.named("pay")
                .timeline(Timeline.expiresAfter(Duration.ofDays(2)).remind(Duration.ofHours(1)));
        ToolProvider clerk = agent("clerk", new ScriptedModel().calls(call("i1", "pay", "{\"amount\":2}")), reminding);
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay\"}"), call("c2", "crash", "{}"));
        builder(bossModel, "boss")
                .store(crash.mortal)
                .tools(crash)
                .toolProviders(clerk)
                .aiService(service -> service.executeToolsConcurrently(this::lastFirst))
                .build()
                .send("t", "Go");
        Holdpoint node =
                builder(bossModel, "boss").tools(crash).toolProviders(clerk).build();
        store.of("clerk~tool")
                .halt(Optional.of(new Store.Halt("clerk~tool", Instant.EPOCH, "dba", "incident")), List.of());
        clock.advance(Duration.ofHours(2));

        node.actOnTime();

        assertThat(node.pending("t")).extracting(PendingInterrupt::toolName).containsExactly("pay", "crash");
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new StoreException("it is away", new IllegalStateException("no connection")),
                new IOException("no connection"),
                new NoClassDefFoundError("a driver"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Logs({"Looking at what is due in the tool *", "Due work on thread *"})
    void anAgentWhoseStoreIsAwayKeepsNoQuestionOfAnotherFromItsEnd(Throwable failure) {
        AtomicBoolean away = new AtomicBoolean();
        Store flaky = new ForwardingStore() {
            @Override
            protected Store store() {
                if (away.get()) {
                    throw Unchecked.<RuntimeException>of(failure);
                }
                return store;
            }
        };
        ToolPolicy reminding = ToolPolicy.named("pay")
                .timeline(Timeline.expiresAfter(Duration.ofDays(2)).remind(Duration.ofHours(1)));
        Holdpoint clerk = builder(new ScriptedModel().calls(call("i1", "pay", "{\"amount\":2}")), "clerk")
                .store(flaky)
                .tools(new Bank())
                .toolPolicies(reminding)
                .build();
        ScriptedModel teller =
                new ScriptedModel().calls(call("i1", "beside", "{}")).calls(call("i2", "lend", "{\"amount\":1}"));
        Holdpoint boss = builder(bossModel, "boss")
                .toolProviders(
                        LocalAgent.of("clerk", "Works", clerk),
                        agent("teller", teller, expiring("lend", Duration.ofHours(2), WhenExpired.GO_ON)))
                .aiService(service -> service.executeToolsConcurrently(this::lastFirst))
                .build();
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay\"}"), call("c2", "teller", "{\"task\":\"Lend\"}"));
        boss.send("t", "Go");
        assertThat(boss.pending("t")).hasSize(2);
        away.set(true);
        clock.advance(Duration.ofHours(2));

        boss.actOnTime();

        assertThat(expired()).containsExactly("c2");
    }

    /** Loses its first commits with a question. */
    private final class ForgetfulStore extends ForwardingStore {

        private int left = 2;

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public void commit(Store.Lease lease, Commit commit, Instant now) {
            if (left > 0 && commit.batches().stream().anyMatch(Batch::isOpen)) {
                left--;
                throw new StoreException("the commit is lost", new IllegalStateException("no connection"));
            }
            super.commit(lease, commit, now);
        }
    }

    @Test
    @Logs("Run * on thread * failed")
    void whatAnAgentAsksIsAskedByTheNextLookThoughTheRunWithItsCallHasFailedBeforeItKnew() {
        Holdpoint boss = builder(bossModel, "boss")
                .store(new ForgetfulStore())
                .toolProviders(agent(
                        "clerk",
                        new ScriptedModel().calls(call("i1", "pay", "{\"amount\":2}")),
                        ToolPolicy.named("pay")))
                .build();
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay\"}"));
        assertThat(boss.send("t", "Go")).isInstanceOf(RunResult.Failed.class);
        assertThat(boss.pending("t")).isEmpty();
        assertThat(Inside.of(boss).runs().timekeeper.deserted()).isEqualTo(1);

        assertThat(boss.actOnTime()).isEqualTo(1);

        assertThat(boss.pending("t")).extracting(PendingInterrupt::toolName).containsExactly("pay");
        assertThat(Inside.of(boss).runs().timekeeper.deserted()).isZero();
        assertThat(effects).isEmpty();
    }

    /** The attempt is later by the clock of the server that made it than the end of the question by that of the one that ends it. */
    @Test
    @Logs("Run * on thread * failed")
    void theTurnGoesOnThoughTheClockOfTheServerThatHasAskedWasAhead() {
        ToolProvider clerk = agent(
                "clerk",
                new ScriptedModel().calls(call("i1", "pay", "{\"amount\":2}")),
                expiring("pay", Duration.ofMinutes(10), WhenExpired.GO_ON));
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay\"}")).says("Nobody was there.");
        builder(bossModel, "boss")
                .store(new ForgetfulStore())
                .toolProviders(clerk)
                .build()
                .send("t", "Go");
        builder(bossModel, "boss")
                .clock(Clock.offset(clock, Duration.ofMinutes(11)))
                .toolProviders(clerk)
                .build()
                .resume("t");
        Holdpoint boss = builder(bossModel, "boss").toolProviders(clerk).build();
        assertThat(boss.pending("t")).hasSize(1);
        clock.advance(Duration.ofMinutes(10));

        boss.actOnTime();

        assertThat(expired()).containsExactly("c1");
        assertThat(store.of("boss").find("t").orElseThrow().batch()).isEmpty();
        assertThat(bossModel.requests()).hasSize(2);
    }
}
