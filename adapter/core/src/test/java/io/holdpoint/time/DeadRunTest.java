package io.holdpoint.time;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.MortalStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that died is found without any input: its calls of unknown outcome become questions, and nothing runs. */
@Logs({"Lease* could not be given back", "Run * on thread * failed", "Due work on thread * failed"})
class DeadRunTest {

    private static final Duration LONG_AGO = Duration.ofMinutes(10);

    private final Crash crash = new Crash();
    private final ManualTimer timer = new ManualTimer();

    private Holdpoint looking() {
        return crash.bench.another(builder -> timer.in(builder.tools(crash.new Bank())));
    }

    @Test
    void aCallThatACrashCutOffIsPendingAfterOneLook() {
        crash.whilePaying();
        assertThat(crash.bench.pending()).isEmpty();
        crash.bench.clock.advance(LONG_AGO);

        assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted()).isEqualTo(1);

        assertThat(crash.bench.agent().actOnTime()).isEqualTo(1);

        assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted()).isZero();
        assertThat(crash.bench.pending()).hasSize(1);
        PendingInterrupt asked = crash.bench.pending(0);
        assertThat(asked).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(crash.effects()).containsExactly("pay 20");
        assertThat(crash.bench.store.auditTrail(THREAD, 0, 100)).last().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Kind.HELD);
            assertThat(event.caller()).isEqualTo("holdpoint:time");
        });
        assertThat(crash.bench.agent().actOnTime()).isZero();
    }

    @Test
    void aRunThatDiedIsFoundAfterTheReleaseIfTheAgentWasHaltedMeanwhile() {
        crash.whilePaying();
        crash.bench.clock.advance(LONG_AGO);
        crash.bench.agent().halt("incident 42");

        assertThat(crash.bench.agent().actOnTime()).isZero();
        crash.bench.agent().release("mended");

        assertThat(crash.bench.agent().actOnTime()).isEqualTo(1);
        assertThat(crash.bench.pending(0)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
    }

    @Test
    void aRunThatIsOnlyLateIsLeftAlone() {
        crash.whilePaying();

        assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted()).isZero();
        assertThat(crash.bench.agent().actOnTime()).isZero();
        assertThat(crash.bench.pending()).isEmpty();
    }

    @Test
    void whatMayRunAgainWithoutAskingWaitsForTheOwner() {
        crash.bench.model.calls(call("c1", "book", "{\"amount\":20}"));
        crash.bench.say("Book");
        ResumeEntry approval = crash.bench.pending(0).asApproval().approve();
        crash.in("book", approval);
        assertThat(crash.bench.agent().decide(THREAD, ResumeEntry.resolved(approval.interruptId(), null)))
                .isInstanceOf(Decided.Refused.class);

        crash.bench.clock.advance(LONG_AGO);
        assertThat(crash.bench.agent().actOnTime()).isZero();
        assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted()).isEqualTo(1);
        assertThat(crash.effects()).containsExactly("book 20");

        crash.bench.model.says("Booked.");
        assertThat(crash.bench.nothingNew().text()).isEqualTo("Booked.");
        assertThat(crash.effects()).containsExactly("book 20", "book 20");
    }

    /** A payment is approved, and the node dies before it is made. */
    private void approvedByANodeThatDies() {
        MortalStore store = new MortalStore(crash.bench.store);
        crash.bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        crash.bench.say("Pay");
        ResumeEntry approval = crash.bench.pending(0).asApproval().approve();
        store.dieAfter(1);
        crash.bench
                .another(builder -> builder.tools(crash.new Bank()).store(store))
                .decide(THREAD, approval);
    }

    @Test
    void aDecidedCallThatNeverRanStaysUnfinishedUntilSomebodyGoesOn() {
        approvedByANodeThatDies();
        crash.leasePasses();
        crash.bench.clock.advance(LONG_AGO);

        for (int look = 0; look < 3; look++) {
            assertThat(crash.bench.agent().actOnTime()).isZero();
            assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted())
                    .isEqualTo(1);
        }
        assertThat(crash.effects()).isEmpty();

        crash.bench.model.says("Paid.");
        assertThat(crash.bench.nothingNew().text()).isEqualTo("Paid.");
        assertThat(crash.effects()).containsExactly("pay 20");
        assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted()).isZero();
    }

    /** Whoever cancels cannot know that the node has just died, and was told that it was done. */
    @ParameterizedTest
    @ValueSource(strings = {"a message", "nothing new", "time", "somebody else", "a halt"})
    void aDecidedCallDoesNotRunIfItsRunWasToldToStopAndHadDied(String next) {
        approvedByANodeThatDies();
        assertThat(crash.bench.agent().cancel(THREAD)).isTrue();
        crash.leasePasses();
        crash.bench.model.says("Hello.");

        switch (next) {
            case "nothing new" -> assertThat(crash.bench.nothingNew().text()).isEmpty();
            case "time" -> {
                crash.bench.clock.advance(LONG_AGO);
                crash.bench.agent().actOnTime();
            }
            case "somebody else" ->
                crash.bench.agent().as(Caller.of("eve")).run(RunAgentInput.of(THREAD, "r", List.of()), event -> {});
            case "a halt" -> {
                crash.bench.agent().halt("incident 42");
                crash.bench.agent().actOnTime();
                crash.bench.agent().release("mended");
            }
            default -> {}
        }
        assertThat(crash.bench.say("Something else").text()).isEqualTo("Hello.");

        assertThat(crash.effects()).isEmpty();
        assertThat(crash.bench.model.lastResult("c1")).contains("cancelled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a message", "time", "a second cancel"})
    @Logs("*")
    void whatItWasToldIsNotForgottenWhenTheMemoryIsAwayWhileItIsGivenUp(String next) {
        approvedByANodeThatDies();
        assertThat(crash.bench.agent().cancel(THREAD)).isTrue();
        crash.leasePasses();
        crash.bench.clock.advance(LONG_AGO);
        AtomicBoolean away = new AtomicBoolean(true);
        Holdpoint node =
                crash.bench.another(builder -> builder.tools(crash.new Bank()).chatMemoryProvider(id -> {
                    if (away.get()) {
                        throw new IllegalStateException("memory down");
                    }
                    return MessageWindowChatMemory.withMaxMessages(20);
                }));

        if (next.equals("time")) {
            node.actOnTime();
        } else if (next.equals("a second cancel")) {
            assertThatThrownBy(() -> node.cancel(THREAD)).hasMessageContaining("memory down");
        } else {
            assertThat(node.send(THREAD, "Hi")).isInstanceOf(RunResult.Failed.class);
        }
        away.set(false);
        crash.leasePasses();
        crash.bench.model.says("Hello.");
        assertThat(node.send(THREAD, "Hi").text()).isEqualTo("Hello.");

        assertThat(crash.effects()).isEmpty();
    }

    /** The connection to the store breaks when a lease was taken over, and is back after some calls. */
    private final class LosingStore extends ForwardingStore {

        private int lost;
        private int left;

        LosingStore(int lost) {
            this.lost = lost;
        }

        @Override
        protected Store store() {
            if (left > 0) {
                left--;
                throw new StoreException("no connection", new IllegalStateException("lost"));
            }
            return crash.bench.store;
        }

        @Override
        public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
            Optional<Lease> lease = super.acquire(threadId, runId, caller, now, until);
            left = lost;
            return lease;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a message, 1",
        "a message, 2",
        "a message, 99",
        "a reviewer, 1",
        "a reviewer, 2",
        "a reviewer, 99",
        "time, 1",
        "time, 2",
        "time, 99",
        "a second cancel, 1",
        "a second cancel, 2",
        "a second cancel, 3",
        "a second cancel, 99"
    })
    @Logs("*")
    void whatItWasToldIsNotForgottenWhenTheStoreIsAwayRightAfterTheTakeover(String next, int lost) {
        approvedByANodeThatDies();
        assertThat(crash.bench.agent().cancel(THREAD)).isTrue();
        crash.leasePasses();
        crash.bench.clock.advance(LONG_AGO);
        LosingStore store = new LosingStore(lost);
        Holdpoint node = crash.bench.another(builder -> builder.tools(crash.new Bank())
                .store(store)
                .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("r"))));

        assertThatCode(() -> {
                    switch (next) {
                        case "time" -> node.actOnTime();
                        case "a second cancel" -> node.cancel(THREAD);
                        case "a reviewer" ->
                            node.as(new Caller("eve", Set.of("r")))
                                    .run(RunAgentInput.of(THREAD, "r", List.of()), event -> {})
                                    .join();
                        default -> node.send(THREAD, "Hi");
                    }
                })
                .satisfiesAnyOf(failure -> assertThat(failure).isNull(), failure -> assertThat(failure)
                        .isInstanceOf(StoreException.class));
        store.lost = 0;
        store.left = 0;
        crash.leasePasses();
        crash.bench.model.says("Hello.");
        assertThat(node.send(THREAD, "Hello?").text()).isEqualTo("Hello.");

        assertThat(crash.effects()).isEmpty();
    }

    /** Somebody cancels while the first payment is made, in which the node dies. */
    private final class Payments {

        private final MortalStore store = new MortalStore(crash.bench.store);
        private Holdpoint asked = crash.bench.agent();

        @Tool
        @RequiresApproval
        String pay(@P("amount") int amount) {
            crash.effects().add("pay " + amount);
            if (amount == 20) {
                assertThat(asked.cancel(THREAD)).isTrue();
                store.die();
            }
            return "paid";
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void timeDoesNotAskAboutTheFirstOfTwoCallsWhoseRunWasToldToStopSoThatTheSecondOneRuns(boolean byItself) {
        Payments payments = new Payments();
        Holdpoint node = crash.bench.another(builder -> builder.tools(payments));
        crash.bench.model.calls(call("c1", "pay", "{\"amount\":20}"), call("c2", "pay", "{\"amount\":30}"));
        List<ResumeEntry> approvals = new ArrayList<>();
        node.send(THREAD, "Pay").approvals().forEach(asked -> approvals.add(asked.approve()));
        Holdpoint dying = crash.bench.another(builder -> builder.tools(payments).store(payments.store));
        payments.asked = byItself ? dying : node;
        dying.resume(THREAD, approvals);
        crash.leasePasses();
        crash.bench.clock.advance(LONG_AGO);

        assertThat(node.actOnTime()).isZero();

        assertThat(node.pending(THREAD)).isEmpty();
        crash.bench.model.says("Hello.");
        assertThat(node.send(THREAD, "Hi").text()).isEqualTo("Hello.");
        assertThat(crash.bench.model.lastResult("c1")).contains("unknown");
        assertThat(crash.bench.model.lastResult("c2")).contains("cancelled");
        assertThat(crash.effects()).containsExactly("pay 20");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "1, 3", "1, 4", "1, 99", "2, 1", "2, 99", "3, 1"})
    @Logs("*")
    void aRunThatCannotGiveUpWhenItIsToldToLeavesThatToTheNext(int served, int refused) {
        Payments payments = new Payments();
        RefusingStore store = new RefusingStore(refused);
        store.served = served; // the result of the call, that of the other one, the end of the turn
        Holdpoint node = crash.bench.another(builder -> builder.tools(payments).store(store));
        payments.asked = node;
        crash.bench.model.calls(call("c1", "pay", "{\"amount\":20}"), call("c2", "pay", "{\"amount\":30}"));
        List<ResumeEntry> approvals = new ArrayList<>();
        node.send(THREAD, "Pay").approvals().forEach(asked -> approvals.add(asked.approve()));
        node.resume(THREAD, approvals);

        store.refused = 0;
        crash.leasePasses();
        assertThat(node.resume(THREAD)).isInstanceOf(RunResult.Completed.class);
        assertThat(crash.bench.model.requests()).hasSize(1);
        crash.bench.model.says("Hello.");

        assertThat(node.send(THREAD, "Hi").text()).isEqualTo("Hello.");
        assertThat(crash.bench.model.lastResult("c1")).contains("paid");
        assertThat(crash.bench.model.lastResult("c2")).contains("cancelled");
        assertThat(crash.effects()).containsExactly("pay 20");
    }

    @Test
    void aTurnThatDiedBeforeItsModelSaidAnythingIsNotCountedForEver() {
        MortalStore store = new MortalStore(crash.bench.store);
        store.dieAfter(1);
        crash.bench.model.says("Hello.");
        crash.bench
                .another(builder -> builder.tools(crash.new Bank()).store(store))
                .send(THREAD, "Hi");
        crash.leasePasses();
        crash.bench.clock.advance(LONG_AGO);
        assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted()).isEqualTo(1);

        crash.bench.agent().actOnTime();

        assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted()).isZero();
    }

    @Test
    void aLeaseThatHasEndedByTheClockIsWatchedForLongerThanARenewalTakes() {
        Holdpoint node = looking();
        crash.whilePaying();
        crash.bench.clock.advance(Duration.ofSeconds(45));

        assertThat(node.actOnTime()).isZero();
        timer.advance(Duration.ofSeconds(19));
        assertThat(node.actOnTime()).isZero();
        assertThat(crash.bench.pending()).isEmpty();

        timer.advance(Duration.ofSeconds(1));
        assertThat(node.actOnTime()).isEqualTo(1);
        assertThat(crash.bench.pending(0)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
    }

    @Test
    void aRunThatRenewsItsLeaseLivesWhateverTheClockSays() {
        Holdpoint node = looking();
        crash.whilePaying();
        Store.Lease lease =
                crash.bench.store.active(THREAD, Instant.EPOCH).orElseThrow().lease();
        crash.bench.clock.advance(Duration.ofMinutes(2));

        for (int look = 0; look < 20; look++) {
            Instant behind = crash.bench.clock.instant().minus(Duration.ofSeconds(60));
            assertThat(crash.bench.store.renew(lease, behind)).isEqualTo(Store.Renewal.RENEWED);
            assertThat(node.actOnTime()).isZero();
            timer.advance(Duration.ofSeconds(10));
            crash.bench.clock.advance(Duration.ofSeconds(10));
        }
        assertThat(crash.bench.pending()).isEmpty();
    }

    @Test
    void aLookThatFailsForgetsWhatItHasWatched() {
        MortalStore store = new MortalStore(crash.bench.store);
        Holdpoint node = crash.bench.another(
                builder -> timer.in(builder.tools(crash.new Bank()).store(store)));
        crash.whilePaying();
        node.actOnTime();
        timer.advance(Duration.ofSeconds(30));
        store.die();
        assertThatThrownBy(node::actOnTime).hasMessage("the node is dead");
        store.revive();

        assertThat(node.actOnTime()).isZero();
        assertThat(crash.bench.pending()).isEmpty();
    }

    /** Tools of one message that run at the same time: one asks, in another one the server dies. */
    private final class Beside {

        private final MortalStore store = new MortalStore(crash.bench.store);
        private final Deque<Runnable> tasks = new ArrayDeque<>();

        @Tool
        String ask(ToolCallContext call) {
            throw call.interrupt(ToolInterrupt.confirmation("Sure?").expiresAfter(Duration.ofMinutes(5)));
        }

        @Tool
        String lose() {
            tasks.remove().run();
            crash.effects().add("lose");
            store.die();
            return "";
        }

        /** Two tools of one message: the second one runs the first one in itself. */
        private void lastFirst(Runnable task) {
            tasks.add(task);
            if (tasks.size() == 2) {
                tasks.removeLast().run();
            }
        }

        /** The node dies when the other call has asked; afterwards there is another one. */
        private Holdpoint dies() {
            crash.bench.model.calls(call("c1", "ask", "{}"), call("c2", "lose", "{}"));
            crash.bench
                    .another(builder -> builder.store(store)
                            .tools(this)
                            .aiService(service -> service.executeToolsConcurrently(this::lastFirst)))
                    .send(THREAD, "Go");
            crash.bench.clock.advance(LONG_AGO.plus(LONG_AGO));
            assertThat(crash.bench.pending())
                    .extracting(asked -> asked.interrupt().toolCallId())
                    .containsExactly("c1");
            return crash.bench.another(builder -> builder.tools(this));
        }
    }

    @Test
    void aCallThatACrashCutOffIsAskedAboutBesideAnOpenQuestion() {
        Holdpoint node = new Beside().dies();

        assertThat(node.actOnTime()).isEqualTo(1);

        List<PendingInterrupt> asked = node.pending(THREAD);
        assertThat(asked).extracting(PendingInterrupt::toolName).containsExactly("ask", "lose");
        assertThat(asked.get(1)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(node.actOnTime()).isZero();
        assertThat(node.send(THREAD, "Hi").failure().orElseThrow().code()).isEqualTo(ErrorCode.INTERRUPT_PENDING);
        crash.bench.model.says("Seen.");
        assertThat(node.resume(
                                THREAD,
                                asked.get(0).cancel(),
                                asked.get(1).asUnknownOutcome().done())
                        .text())
                .isEqualTo("Seen.");
        assertThat(crash.effects()).containsExactly("lose");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNewMessageDoesNotSettleACallThatACrashCutOffWithTheQuestionThatIsLeft(boolean cancels) {
        Holdpoint node = new Beside().dies();
        List<ResumeEntry> answers = cancels ? List.of(crash.bench.pending(0).cancel()) : List.of();

        RunResult result = node.run(crash.bench.input(Bench.user("u2", "Hi")).withResume(answers), event -> {})
                .join();

        assertThat(result.interrupts())
                .filteredOn(asked -> asked instanceof PendingInterrupt.UnknownOutcome)
                .extracting(PendingInterrupt::toolName)
                .containsExactly("lose");
        node.resume(
                THREAD,
                node.pending(THREAD).stream().map(PendingInterrupt::cancel).toList());
        crash.bench.model.says("Hello.");
        assertThat(node.send(THREAD, "Hi").text()).isEqualTo("Hello.");
        assertThat(crash.bench.model.lastResult("c2")).contains("unknown");
        assertThat(crash.effects()).containsExactly("lose");
    }

    @Test
    void aDeadRunIsFoundAfterAnInputThatWasRefused() {
        String settled = crash.whilePaying().interruptId();

        assertThat(crash.bench.agent().decide(THREAD, ResumeEntry.resolved(settled, null)))
                .isInstanceOf(Decided.Refused.class);

        assertThat(crash.bench.pending()).isEmpty();
        assertThat(crash.bench.agent().actOnTime()).isEqualTo(1);
        assertThat(crash.bench.pending(0)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(crash.effects()).containsExactly("pay 20");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 9})
    void aResultThatTheStoreRefusesIsAskedAboutByTheNextLookThoughItsRunHasEnded(int commits) {
        refusesCommitsFromTheBodyOn(commits);
        assertThat(crash.bench.pending()).isEmpty();
        assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted()).isEqualTo(1);

        assertThat(crash.bench.agent().actOnTime()).isEqualTo(1);

        assertThat(crash.bench.pending(0)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(Inside.of(crash.bench.agent()).runs().timekeeper.deserted()).isZero();
        assertThat(crash.effects()).containsExactly("pay 20");
    }

    @Test
    void aDeadRunIsFoundAgainAfterALookThatCouldNotWrite() {
        crash.whilePaying();
        crash.bench.clock.advance(LONG_AGO);
        RefusingStore store = new RefusingStore(2);
        Holdpoint unlucky =
                crash.bench.another(builder -> builder.tools(crash.new Bank()).store(store));
        assertThat(unlucky.actOnTime()).isZero();
        assertThat(crash.bench.pending()).isEmpty();

        assertThat(crash.bench.agent().actOnTime()).isEqualTo(1);

        assertThat(crash.bench.pending(0)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
    }

    /** The server lives, and gives up its run as well as it can. */
    private void refusesCommitsFromTheBodyOn(int commits) {
        RefusingStore store = new RefusingStore(commits);
        crash.bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        crash.bench.say("Pay");
        ResumeEntry approval = crash.bench.pending(0).asApproval().approve();
        crash.bench
                .another(builder -> builder.store(store).tools(crash.new Bank()))
                .resume(THREAD, approval);
    }

    /** A way to the store on which commits are lost from the moment when a tool has had an effect. */
    private final class RefusingStore extends ForwardingStore {

        private int served;
        private int refused;

        RefusingStore(int refused) {
            this.refused = refused;
        }

        @Override
        protected Store store() {
            return crash.bench.store;
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            if (!crash.effects().isEmpty() && --served < 0 && refused > 0) {
                refused--;
                throw new StoreException("the commit is lost", new IllegalStateException("no connection"));
            }
            super.commit(lease, commit, now);
        }
    }
}
