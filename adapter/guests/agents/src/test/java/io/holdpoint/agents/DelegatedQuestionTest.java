package io.holdpoint.agents;

import static io.holdpoint.Audience.role;
import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.Timeline;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** People, time and crashes reach the questions of an agent that works as a tool through the agent that asks them. */
class DelegatedQuestionTest {

    private static final ApprovalAuthorizer TREASURY = ApprovalAuthorizer.role("treasury");
    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "treasury");
    private static final Caller HEIDI = Caller.of("heidi", "treasury");
    private static final Caller MAX = Caller.of("max", "manager");
    private static final Timeline TIMELINE = Timeline.expiresAfter(Duration.ofHours(4))
            .remind(Duration.ofHours(1))
            .escalate(Duration.ofHours(2), role("manager"));

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final VirtualClock clock = new VirtualClock();
    private final Store store = new InMemoryStore();
    private final MortalStore mortal = new MortalStore(store);
    private final ScriptedModel clerkModel = new ScriptedModel();
    private final ScriptedModel bossModel = new ScriptedModel();
    private boolean dies;

    private final class Bank {

        @Tool
        @RequiresApproval(message = "Pay {{amount}}?")
        String pay(int amount) {
            effects.add("pay " + amount);
            if (dies) {
                mortal.die();
            }
            return "paid";
        }

        @Tool
        String lend(int amount) {
            effects.add("lend " + amount);
            return "lent";
        }
    }

    @BeforeEach
    void script() {
        bossModel.calls(call("c1", "clerk", "{\"task\":\"Pay the rent\"}")).says("All done.");
        clerkModel.calls(call("i1", "pay", "{\"amount\":5}")).says("Paid.");
    }

    private HoldpointBuilder<?> builder(ScriptedModel model, Store of) {
        return Shape.BLOCKING.builder(model).store(of).clock(clock);
    }

    private ToolProvider clerk(Store of, UnaryOperator<HoldpointBuilder<?>> custom) {
        return LocalAgent.of(
                "clerk",
                "Pays bills",
                custom.apply(builder(clerkModel, of).name("clerk").tools(new Bank()))
                        .build());
    }

    /** Whom the boss lets in is anybody's guess: the clerk decides who may decide. */
    private Holdpoint boss(Store of, ToolProvider clerk) {
        return builder(bossModel, of)
                .name("boss")
                .approvalAuthorizer(ApprovalAuthorizer.anyOf(
                        ApprovalAuthorizer.OWNER, TREASURY, ApprovalAuthorizer.role("manager")))
                .toolProviders(clerk)
                .build();
    }

    private Holdpoint boss(UnaryOperator<HoldpointBuilder<?>> custom) {
        return boss(mortal, clerk(mortal, custom));
    }

    private static HoldpointBuilder<?> ofTreasury(HoldpointBuilder<?> clerk) {
        return clerk.approvalAuthorizer(
                ApprovalAuthorizer.anyOf(TREASURY, ApprovalAuthorizer.role("manager"), MayOnlySee.INSTANCE));
    }

    /** The owner sees the thread, and decides nothing. */
    private enum MayOnlySee implements ApprovalAuthorizer {
        INSTANCE;

        @Override
        public boolean mayAccess(Caller caller, String threadId, String ownerId) {
            return true;
        }

        @Override
        public boolean mayDecide(Request request) {
            return false;
        }
    }

    private static PendingInterrupt.Approval asked(Holdpoint boss, Caller caller) {
        return boss.as(caller).pending("t").get(0).asApproval();
    }

    private static boolean mayDecide(Holdpoint boss, Caller caller) {
        return asked(boss, caller)
                .interrupt()
                .metadata()
                .at("/langchain4j/mayDecide")
                .booleanValue();
    }

    private List<Kind> trail(String agent, Kind... kinds) {
        return store.of(agent).feed(0, 100).stream()
                .map(fed -> fed.event().kind())
                .filter(List.of(kinds)::contains)
                .toList();
    }

    // --- who decides

    @Test
    void whoMayDecideInsideMayDecideAndNobodyElse() {
        Holdpoint boss = boss(DelegatedQuestionTest::ofTreasury);
        boss.as(ADA).send("t", "Go");

        assertThat(mayDecide(boss, ADA)).isFalse();
        assertThat(mayDecide(boss, GRACE)).isTrue();
    }

    @Test
    void anAnswerOfSomebodyWhoMayNotDecideInsideIsRefusedBeforeAnythingIsUsedUp() {
        Holdpoint boss = boss(DelegatedQuestionTest::ofTreasury);
        boss.as(ADA).send("t", "Go");
        PendingInterrupt.Approval question = asked(boss, ADA);

        assertThat(boss.as(ADA).decide("t", question.approve()))
                .isInstanceOfSatisfying(Decided.Refused.class, refused -> assertThat(refused.code())
                        .isEqualTo(ErrorCode.INTERRUPT_FORBIDDEN));

        assertThat(asked(boss, ADA).id()).isEqualTo(question.id());
        assertThat(boss.as(GRACE).decide("t", question.approve())).isInstanceOf(Decided.Runs.class);
        assertThat(effects).containsExactly("pay 5");
    }

    private RunResult lends(Holdpoint boss, String threadId, String id) {
        bossModel.calls(call("c" + id, "clerk", "{\"task\":\"Lend\"}")).says("All done.");
        clerkModel.calls(call(id, "lend", "{\"amount\":5}")).says("Lent.");
        return boss.send(threadId, "Lend");
    }

    @Test
    void whatIsRememberedInsideForAllThreadsOfTheOwnerCanBeRevokedOutside() {
        ToolPolicy few = ToolPolicy.named("lend")
                .rememberWithin(Bounds.same("amount").count(9).ofOwner(), Duration.ofDays(1));
        Holdpoint boss = boss(clerk -> clerk.toolPolicies(few)).as(ADA);
        boss.send("t", "Go");
        boss.resume("t", asked(boss, ADA).approve());
        lends(boss, "t", "i2");
        boss.resume("t", asked(boss, ADA).approveWithin(Map.of()));
        assertThat(lends(boss, "u", "i3")).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("pay 5", "lend 5", "lend 5");
        Grant remembered = boss.grants("u").get(0);
        assertThat(boss.as(Caller.of("mallory")).revoke("u", remembered.id())).isFalse();
        assertThat(boss.revoke("u", remembered.id())).isTrue();
        assertThat(boss.grants("t")).isEmpty();
        assertThat(boss.auditTrail("u", 0, 99)).extracting(AuditEvent::kind).contains(Kind.REVOKED);
        assertThat(lends(boss, "u", "i4")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(effects).hasSize(3);
    }

    @Test
    void theOwnerAloneCannotDecideWhatTheInnerAgentLeavesToOthers() {
        Holdpoint boss = builder(bossModel, store)
                .toolProviders(clerk(store, DelegatedQuestionTest::ofTreasury))
                .build();
        boss.as(ADA).send("t", "Go");

        assertThat(mayDecide(boss, ADA)).isFalse();
    }

    @Test
    void whoHasVotedInsideIsNotAskedAgain() {
        Holdpoint boss = boss(clerk -> ofTreasury(clerk)
                .toolPolicies(ToolPolicy.named("pay").approvals(Approvals.of(2).by(role("treasury")))));
        boss.as(ADA).send("t", "Go");

        boss.as(GRACE).decide("t", asked(boss, GRACE).approve());

        assertThat(mayDecide(boss, GRACE)).isFalse();
        assertThat(mayDecide(boss, HEIDI)).isTrue();
        assertThat(mayDecide(boss, MAX)).isFalse();
        assertThat(asked(boss, HEIDI).interrupt().metadata().at("/langchain4j/approvals/have"))
                .hasSize(1);
        assertThat(effects).isEmpty();
        boss.as(HEIDI).decide("t", asked(boss, HEIDI).approve());
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void aChainOfAgentsAsksTheLastOneWhoMayDecide() {
        ScriptedModel chiefModel = new ScriptedModel()
                .calls(call("o1", "boss", "{\"task\":\"Go\"}"))
                .says("Fine.");
        Holdpoint chief = builder(chiefModel, store)
                .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, TREASURY))
                .toolProviders(LocalAgent.of("boss", "Knows people", boss(DelegatedQuestionTest::ofTreasury)))
                .build();
        chief.as(ADA).send("t", "Go");

        assertThat(mayDecide(chief, ADA)).isFalse();
        assertThat(mayDecide(chief, GRACE)).isTrue();
        chief.as(GRACE).decide("t", asked(chief, GRACE).approve());
        assertThat(effects).containsExactly("pay 5");
    }

    // --- time

    private Holdpoint timed(WhenExpired then) {
        return boss(clerk -> ofTreasury(clerk)
                .toolPolicies(ToolPolicy.named("pay")
                        .approvals(Approvals.of(1).by(role("treasury")))
                        .timeline(TIMELINE.then(then))));
    }

    private void looks(Holdpoint... nodes) {
        for (Holdpoint node : nodes) {
            node.actOnTime();
        }
    }

    @Test
    void eachStepHappensOnceAndIsTheOuterAgents() {
        Holdpoint boss = timed(WhenExpired.GO_ON);
        Holdpoint other = timed(WhenExpired.GO_ON);
        boss.as(ADA).send("t", "Go");
        Kind[] steps = {Kind.REMINDED, Kind.ESCALATED, Kind.EXPIRED};

        clock.advance(Duration.ofHours(1));
        looks(boss, other);
        assertThat(trail("boss", steps)).containsExactly(Kind.REMINDED);
        clock.advance(Duration.ofHours(1));
        looks(other, boss);
        assertThat(trail("boss", steps)).containsExactly(Kind.REMINDED, Kind.ESCALATED);
        clock.advance(Duration.ofHours(2));
        looks(boss, other);

        assertThat(trail("boss", steps)).containsExactly(steps);
        assertThat(trail("clerk~tool", Kind.EXPIRED)).isEmpty();
        assertThat(boss.as(ADA).pending("t")).isEmpty();
        assertThat(bossModel.lastResult("c1")).contains("not finished");
        assertThat(bossModel.requests()).hasSize(2);
        assertThat(effects).isEmpty();
    }

    @Test
    void aTaskThatNobodyAnswersIsGivenUpWithoutTheModel() {
        Holdpoint boss = timed(WhenExpired.GIVE_UP);
        boss.as(ADA).send("t", "Go");

        clock.advance(Duration.ofHours(4));
        looks(boss, boss);

        assertThat(trail("boss", Kind.EXPIRED)).containsExactly(Kind.EXPIRED);
        assertThat(boss.as(ADA).pending("t")).isEmpty();
        assertThat(bossModel.requests()).hasSize(1);
    }

    @Test
    @Logs("Tool '*' execution failed")
    void aTaskOfACallThatHasTheIdOfAnEarlierOneIsNotAnsweredWithTheEarlierResult() {
        bossModel
                .calls(call("c1", "clerk", "{\"task\":\"Pay the phone\"}"))
                .calls(call("c1", "clerk", "{\"task\":\"Pay the phone\"}"))
                .says("Done again.");
        clerkModel.calls(call("i1", "pay", "{\"amount\":7}")).says("Paid 7.");
        ToolProvider clerk = clerk(store, custom -> custom);
        Holdpoint before = boss(store, clerk);
        before.resume("t", before.send("t", "Go").approval().approve());
        Holdpoint boss = boss(new InMemoryStore(), clerk); // which has forgotten the thread

        RunResult asked = boss.send("t", "Go");

        assertThat(bossModel.lastResult("c1")).contains("the task was not done");
        assertThat(asked.approval().arguments()).hasToString("{\"amount\":7}");
        boss.resume("t", asked.approval().approve()).orThrow();
        assertThat(effects).containsExactly("pay 5", "pay 7");
    }

    /** A tool that asks when the other call of its message has asked. */
    private static final class AsksAfterwards {

        private final Deque<Runnable> tasks = new ArrayDeque<>();

        @Tool
        String ask(ToolCallContext call) {
            tasks.remove().run();
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.confirmation("Sure?"));
            }
            return "sure";
        }

        private void start(Runnable task) {
            tasks.add(task);
            if (tasks.size() == 2) {
                tasks.removeLast().run();
            }
        }
    }

    @Test
    void anApprovalThatCameInTimeStandsWhenItReachesTheAgentLater() {
        ScriptedModel twoCalls = new ScriptedModel()
                .calls(call("c1", "clerk", "{\"task\":\"Pay the rent\"}"), call("c2", "ask", "{}"))
                .says("All done.");
        AsksAfterwards asks = new AsksAfterwards();
        Timeline ten = Timeline.expiresAfter(Duration.ofMinutes(10));
        Holdpoint boss = Shape.BLOCKING
                .builder(twoCalls, service -> service.executeToolsConcurrently(asks::start))
                .store(store)
                .clock(clock)
                .tools(asks)
                .toolProviders(clerk(
                        store,
                        clerk -> clerk.toolPolicies(ToolPolicy.named("pay").timeline(ten))))
                .build();
        List<PendingInterrupt> asked = boss.send("t", "Go").interrupts();
        boss.decide("t", asked.get(0).asApproval().approve());
        clock.advance(Duration.ofMinutes(30));
        assertThat(effects).isEmpty();

        Decided decided = boss.decide("t", asked.get(1).asInput().answer(true));

        assertThat(((Decided.Runs) decided).result().join().text()).isEqualTo("All done.");
        assertThat(twoCalls.lastResult("c1")).isEqualTo("Paid.");
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void whoeverIsAskedAsWellMayDecideInsideFromThenOn() {
        Holdpoint boss = timed(WhenExpired.GIVE_UP);
        boss.as(ADA).send("t", "Go");
        assertThat(mayDecide(boss, MAX)).isFalse();

        clock.advance(Duration.ofHours(2));
        looks(boss);

        assertThat(mayDecide(boss, MAX)).isTrue();
        assertThat(boss.as(MAX).decide("t", asked(boss, MAX).approve())).isInstanceOf(Decided.Runs.class);
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void aQuestionThatIsAskedAgainDoesNotRemindAgain() {
        Holdpoint boss = boss(clerk -> ofTreasury(clerk)
                .toolPolicies(ToolPolicy.named("pay")
                        .approvals(Approvals.of(2).by(role("treasury")))
                        .timeline(TIMELINE)));
        boss.as(ADA).send("t", "Go");
        clock.advance(Duration.ofHours(1));
        looks(boss);

        boss.as(GRACE).decide("t", asked(boss, GRACE).approve());
        looks(boss);
        assertThat(trail("boss", Kind.REMINDED)).hasSize(1);
        clock.advance(Duration.ofHours(3));
        looks(boss);

        assertThat(trail("boss", Kind.REMINDED, Kind.EXPIRED)).containsExactly(Kind.REMINDED, Kind.EXPIRED);
        assertThat(effects).isEmpty();
    }

    @Test
    void whileEitherAgentIsHaltedNobodyIsRemindedAndTheEndComesAllTheSame() {
        ToolProvider clerk = clerk(store, builder -> ofTreasury(builder)
                .toolPolicies(ToolPolicy.named("pay").timeline(TIMELINE)));
        Holdpoint boss = boss(store, clerk);
        boss.as(ADA).send("t", "Go");
        for (String halted : List.of("boss", "clerk~tool")) {
            store.of(halted).halt(Optional.of(new Store.Halt(halted, Instant.EPOCH, "dba", "incident")), List.of());
            clock.advance(Duration.ofHours(1));
            looks(boss);
            assertThat(trail("boss", Kind.REMINDED, Kind.ESCALATED)).isEmpty();
            store.of(halted).halt(Optional.empty(), List.of());
        }
        store.of("boss").halt(Optional.of(new Store.Halt("boss", Instant.EPOCH, "dba", "incident")), List.of());
        clock.advance(Duration.ofHours(2));

        looks(boss);

        assertThat(trail("boss", Kind.REMINDED, Kind.ESCALATED, Kind.EXPIRED)).containsExactly(Kind.EXPIRED);
    }

    @Test
    void timeReachesTheLastOfAChain() {
        ScriptedModel chiefModel = new ScriptedModel()
                .calls(call("o1", "boss", "{\"task\":\"Go\"}"))
                .says("Fine.");
        Holdpoint chief = builder(chiefModel, store)
                .name("chief")
                .approvalAuthorizer(
                        ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("manager")))
                .toolProviders(LocalAgent.of("boss", "Knows people", timed(WhenExpired.GIVE_UP)))
                .build();
        chief.as(ADA).send("t", "Go");

        clock.advance(Duration.ofHours(2));
        looks(chief);

        assertThat(trail("chief", Kind.REMINDED, Kind.ESCALATED)).containsExactly(Kind.ESCALATED);
        assertThat(mayDecide(chief, MAX)).isTrue();
        chief.as(MAX).decide("t", asked(chief, MAX).approve());
        assertThat(effects).containsExactly("pay 5");
    }

    // --- a server that dies

    private void diesWhilePaying(Holdpoint boss) {
        dies = true;
        boss.as(GRACE).decide("t", asked(boss, GRACE).approve());
        dies = false;
        mortal.revive();
        clock.advance(Duration.ofMinutes(11));
    }

    @Test
    @Logs({"Lease* could not be given back", "Run * on thread * failed", "Tool '*' execution failed"})
    void aCallInsideThatACrashCutOffIsAskedAboutAfterOneLook() {
        Holdpoint boss = boss(DelegatedQuestionTest::ofTreasury);
        boss.as(ADA).send("t", "Go");
        diesWhilePaying(boss);
        Holdpoint restarted = boss(store, clerk(store, DelegatedQuestionTest::ofTreasury));
        assertThat(restarted.as(ADA).pending("t")).isEmpty();

        looks(restarted);

        PendingInterrupt asked = restarted.as(ADA).pending("t").get(0);
        assertThat(asked).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(asked.toolName()).isEqualTo("pay");
        assertThat(Inside.of(restarted).runs().timekeeper.deserted()).isZero();
        assertThat(effects).containsExactly("pay 5");
        AuditEvent last = restarted.as(ADA).auditTrail("t", 0, 100).stream()
                .reduce((earlier, later) -> later)
                .orElseThrow();
        assertThat(last.kind()).isEqualTo(Kind.HELD);
        assertThat(last.caller()).isEqualTo("holdpoint:time");

        restarted
                .as(GRACE)
                .decide(
                        "t",
                        restarted
                                .as(GRACE)
                                .pending("t")
                                .get(0)
                                .asUnknownOutcome()
                                .done());
        assertThat(effects).containsExactly("pay 5");
        assertThat(bossModel.lastResult("c1")).isEqualTo("Paid.");
    }

    @Test
    @Logs({"Lease* could not be given back", "Run * on thread * failed", "Tool '*' execution failed"})
    void aCallAtTheEndOfAChainIsAskedAboutByTheFirstAfterOneLook() {
        ScriptedModel chiefModel = new ScriptedModel()
                .calls(call("o1", "boss", "{\"task\":\"Go\"}"))
                .says("Fine.");
        Holdpoint chief = chief(chiefModel, mortal);
        chief.as(ADA).send("t", "Go");
        diesWhilePaying(chief);
        Holdpoint restarted = chief(chiefModel, store);

        looks(restarted);

        assertThat(restarted.as(ADA).pending("t").get(0)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
    }

    private Holdpoint chief(ScriptedModel model, Store of) {
        return builder(model, of)
                .name("chief")
                .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, TREASURY))
                .toolProviders(
                        LocalAgent.of("boss", "Knows people", boss(of, clerk(of, DelegatedQuestionTest::ofTreasury))))
                .build();
    }

    /** The server lives. */
    @Test
    @Logs("Run * on thread * failed")
    void aResultInsideThatTheStoreRefusesIsAskedAboutAndIsNoFailureOfTheTask() {
        Holdpoint boss = boss(
                store,
                clerk(
                        new ForwardingStore() {
                            private int left = 2; // a result is written once more

                            @Override
                            protected Store store() {
                                return store;
                            }

                            @Override
                            public void commit(Lease lease, Commit commit, Instant now) {
                                if (!effects.isEmpty() && left > 0) {
                                    left--;
                                    throw new StoreException(
                                            "the commit is lost", new IllegalStateException("no connection"));
                                }
                                super.commit(lease, commit, now);
                            }
                        },
                        DelegatedQuestionTest::ofTreasury));
        boss.as(ADA).send("t", "Go");

        boss.as(GRACE).decide("t", asked(boss, GRACE).approve());

        assertThat(boss.as(ADA).pending("t").get(0)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void whoHadToApproveTheTaskIsNotAskedWhatTheClerkAsks() {
        Holdpoint boss = builder(bossModel, store)
                .name("boss")
                .approvalAuthorizer(ApprovalAuthorizer.anyOf(
                        ApprovalAuthorizer.OWNER, TREASURY, ApprovalAuthorizer.role("manager")))
                .toolProviders(clerk(store, DelegatedQuestionTest::ofTreasury))
                .toolPolicies(
                        ToolPolicy.named("clerk").approvals(Approvals.of(1).by(role("manager"))))
                .build();
        boss.as(ADA).send("t", "Pay the rent");
        boss.as(MAX).resume("t", asked(boss, MAX).approve());
        assertThat(effects).isEmpty();

        boss.as(GRACE).resume("t", asked(boss, GRACE).approve());

        assertThat(effects).containsExactly("pay 5");
    }
}
