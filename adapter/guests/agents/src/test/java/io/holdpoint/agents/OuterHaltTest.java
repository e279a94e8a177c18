package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.Timeline;
import io.holdpoint.TimerAccess;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Change;
import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Law 15 over a chain: the halt of an agent reaches the agents that work in its tools. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OuterHaltTest {

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final Store store = new InMemoryStore();
    private final MortalStore mortal = new MortalStore(store);
    private final ScriptedModel bossModel = new ScriptedModel();
    private final ScriptedModel clerkModel = new ScriptedModel();
    private final ManualTimer bossTimer = new ManualTimer();
    private final Threads threads = new Threads();
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    @AfterEach
    void stop() {
        threads.close();
    }

    private final class Bank {

        @Tool
        String balance(String account) {
            effects.add(account);
            return "100";
        }

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }

        @Tool
        String crash() {
            tasks.remove().run();
            mortal.die();
            return "";
        }

        @Tool
        String count(ToolCallContext call) {
            haltsBoss();
            bossTimer.ring();
            return "stopping: " + call.isStopping();
        }
    }

    private static HoldpointBuilder<?> builder(ScriptedModel model, Store store, String name) {
        return new ManualTimer().in(Shape.STREAMING.builder(model).store(store).name(name));
    }

    private Holdpoint boss(Store ofClerk) {
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay the rent\"}"));
        Holdpoint clerk =
                builder(clerkModel, ofClerk, "clerk").tools(new Bank()).build();
        return bossTimer
                .in(builder(bossModel, store, "boss"))
                .tools(new Bank())
                .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .build();
    }

    /** As another node does: this one learns of it from the store. */
    private void haltsBoss() {
        store.of("boss").halt(Optional.of(new Store.Halt("boss", Instant.EPOCH, "dba", "incident")), List.of());
    }

    private static Optional<ErrorCode> code(RunResult result) {
        return result.failure().map(RunResult.Failed::code);
    }

    /** A person says after the release that the task is to go on. */
    private void goesOn(Holdpoint boss) {
        assertThat(code(boss.resume("t"))).contains(ErrorCode.AGENT_HALTED);
        boss.release("mended");
        store.of("boss").halt(Optional.empty(), List.of());
        PendingInterrupt.Input question = boss.pending("t").get(0).asInput();
        assertThat(question.interrupt().message()).contains("clerk", "halted");
        assertThat(boss.resume("t", question.answer(true)).text()).isEqualTo("All done.");
    }

    @Test
    void noBodyOfTheInnerAgentIsEnteredAfterwardsAndTheCallRunsOnceWhenItGoesOn() {
        clerkModel
                .answers(request -> {
                    haltsBoss();
                    return AiMessage.from(call("i1", "balance", "{\"account\":\"a\"}"));
                })
                .says("You have 100.");
        Holdpoint boss = boss(store);

        boss.send("t", "Go");

        assertThat(effects).isEmpty();
        bossModel.says("All done.");
        goesOn(boss);
        assertThat(effects).containsExactly("a");
        assertThat(bossModel.lastResult("c1")).isEqualTo("You have 100.");
    }

    @Test
    void anApprovalThatWasGivenBeforeCountsWhenItGoesOn() {
        clerkModel
                .calls(call("i1", "balance", "{\"account\":\"a\"}"), call("i2", "pay", "{\"amount\":5}"))
                .says("Paid.");
        Store halts = halting("i1");
        Holdpoint boss = boss(halts);

        boss.send("t", "Go");
        boss.resume("t", boss.pending("t").get(0).asApproval().approve());

        assertThat(effects).isEmpty();
        bossModel.says("All done.");
        goesOn(boss);
        assertThat(effects).containsExactly("pay 5");
        assertThat(clerkModel.lastResult("i1")).contains("not executed");
    }

    /** The boss is halted between the claim of that call and its body. */
    private Store halting(String toolCallId) {
        return new ForwardingStore() {
            @Override
            protected Store store() {
                return store;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                super.commit(lease, commit, now);
                if (commit.batches().stream()
                        .flatMap(batch -> batch.changes().stream())
                        .anyMatch(change -> change instanceof Change.Claimed
                                && change.call().toolCallId().equals(toolCallId))) {
                    haltsBoss();
                }
            }
        };
    }

    @Test
    void theBeatOfTheOuterRunStopsTheModelOfTheInnerOne() throws Exception {
        Stop inModel = new Stop().arm();
        clerkModel.answers(request -> {
            inModel.pass();
            return AiMessage.from("Too late.");
        });
        Holdpoint boss = boss(store);
        CompletableFuture<RunResult> run = CompletableFuture.supplyAsync(() -> boss.send("t", "Go"), threads);
        inModel.awaitReached();

        haltsBoss();
        bossTimer.ring();
        inModel.letGo();

        run.get();
        clerkModel.says("Paid.");
        bossModel.says("All done.");
        goesOn(boss);
        assertThat(bossModel.lastResult("c1")).isEqualTo("Paid.");
    }

    @Test
    void itReachesAnAgentInsideAnAgentInsideAnAgent() {
        clerkModel.answers(request -> {
            store.of("chief").halt(Optional.of(new Store.Halt("chief", Instant.EPOCH, "dba", "incident")), List.of());
            return AiMessage.from(call("i1", "balance", "{\"account\":\"a\"}"));
        });
        ScriptedModel chief = new ScriptedModel().calls(call("o1", "boss", "{\"task\":\"Go\"}"));

        builder(chief, store, "chief")
                .toolProviders(LocalAgent.of("boss", "Knows people", boss(store)))
                .build()
                .send("t", "Go");

        assertThat(effects).isEmpty();
    }

    @Test
    void aToolThatTakesLongIsToldToEnd() {
        Holdpoint boss = boss(store);
        bossModel.calls(call("c2", "count", "{}"));
        clerkModel.says("Paid.");

        boss.send("t", "Go");

        assertThat(store.of("boss")
                        .find("t")
                        .flatMap(Store.ThreadRecord::batch)
                        .orElseThrow()
                        .calls()
                        .get(0)
                        .result()
                        .toString())
                .contains("stopping: true");
    }

    /** The other agent would not hear of it, halted or not. */
    @Test
    @Logs({"Lease* could not be given back", "Run * on thread * failed"})
    void noTimeMovesAQuestionOfAnInnerAgentWhoseServerDied() {
        VirtualClock clock = new VirtualClock();
        ScriptedModel typistModel = new ScriptedModel().calls(call("p1", "pay", "{\"amount\":5}"));
        ToolProvider typist = LocalAgent.of(
                "typist",
                "Types",
                builder(typistModel, mortal, "typist")
                        .clock(clock)
                        .tools(new Bank())
                        .toolPolicies(ToolPolicy.named("pay")
                                .timeline(Timeline.expiresAfter(Duration.ofHours(1))
                                        .then(WhenExpired.GO_ON)))
                        .build());
        ToolProvider clerk = LocalAgent.of(
                "clerk",
                "Pays bills",
                builder(clerkModel, mortal, "clerk")
                        .clock(clock)
                        .aiService(service -> service.executeToolsConcurrently(this::lastFirst))
                        .tools(new Bank())
                        .toolProviders(typist)
                        .build());
        clerkModel.calls(call("i1", "typist", "{\"task\":\"Pay\"}"), call("i2", "crash", "{}"));
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Look\"}"));
        builder(bossModel, store, "boss").toolProviders(clerk).build().send("t", "Go");
        mortal.revive();
        haltsBoss();
        clock.advance(Duration.ofDays(1));

        TimerAccess.look(clerk);

        assertThat(store.of("clerk~tool").feed(0, 100))
                .extracting(
                        fed -> fed.event().kind(),
                        fed -> fed.event().toolCallId().orElse(""))
                .contains(tuple(AuditEvent.Kind.HELD, "i1"), tuple(AuditEvent.Kind.HELD, "i2"))
                .doesNotContain(tuple(AuditEvent.Kind.EXPIRED, "i1"));
        assertThat(effects).isEmpty();
    }

    /** Two tools of one message: the second one runs the first one in itself. */
    private void lastFirst(Runnable task) {
        tasks.add(task);
        if (tasks.size() == 2) {
            tasks.removeLast().run();
        }
    }
}
