package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Node A stops where it must not, its lease passes, node B takes over, and A comes back. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Logs({"Lease* could not be given back", "Lease* could not be renewed", "Lease* was lost", "Run * on thread * failed"})
class LeaseTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Threads threads = new Threads();
    private final Stop inTool = new Stop();
    private final Stop inModel = new Stop();
    private final Stop inMemory = new Stop();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final ChatMemory memory = MessageWindowChatMemory.withMaxMessages(100);
    private final ManualTimer timer = new ManualTimer();
    private final Bench bench = new Bench(builder -> builder.tools(new Tools()).chatMemoryProvider(id -> memory));
    private final MortalStore store = new MortalStore(bench.store);
    private final Holdpoint nodeA = bench.another(builder -> timer.in(builder.tools(new Tools()))
            .store(store)
            .executor(threads)
            .chatMemoryProvider(id -> new StoppingMemory()));
    private final RecordingSink sinkA = new RecordingSink();

    /** Tools in which A stops. */
    public final class Tools {

        @Tool
        @RequiresApproval
        public String pay(@P("amount") int amount) {
            effects.add("pay " + amount);
            inTool.pass();
            return "paid " + amount;
        }
    }

    /** The memory of both nodes, in front of which A stops. */
    private final class StoppingMemory implements ChatMemory {

        @Override
        public Object id() {
            return THREAD;
        }

        @Override
        public void add(ChatMessage message) {
            memory.add(message);
        }

        @Override
        public void set(Iterable<ChatMessage> messages) {
            memory.set(messages);
        }

        @Override
        public List<ChatMessage> messages() {
            List<ChatMessage> messages = memory.messages();
            inMemory.pass();
            return messages;
        }

        @Override
        public void clear() {
            memory.clear();
        }
    }

    @AfterEach
    void stop() {
        threads.close();
    }

    private CompletableFuture<RunResult> startA(RunAgentInput input) {
        return nodeA.run(input, sinkA);
    }

    private CompletableFuture<RunResult> approveOnA() {
        bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        bench.say("Pay");
        return startA(bench.answers(bench.pending(0).asApproval().approve()));
    }

    private void leasePasses() {
        bench.clock.advance(LEASE);
    }

    /** The model, in which A stops. */
    private void answersWhenLetGo(String text) {
        bench.model.answers(request -> {
            inModel.arm().pass();
            return AiMessage.from(text);
        });
    }

    private void aHasLost(CompletableFuture<RunResult> runOfA, List<ChatMessage> memoryBefore) {
        RunResult result = runOfA.join();
        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.message())
                .contains("another run took over the thread"));
        assertThat(sinkA.last()).isInstanceOf(RunEvent.Error.class);
        StreamRules.check(sinkA.events());
        assertThat(memory.messages()).isEqualTo(memoryBefore);
        ScriptedModel.requireWellFormed(memory.messages());
        assertThat(bench.transcript()).extracting(Message::id).doesNotHaveDuplicates();
    }

    @Test
    void aRunThatLivesKeepsItsThreadHoweverLongItTakes() {
        inTool.arm();
        CompletableFuture<RunResult> runOfA = approveOnA();
        inTool.awaitReached();
        for (int beat = 0; beat < 10; beat++) {
            bench.clock.advance(LEASE.dividedBy(3));
            timer.ring();
        }

        assertThatThrownBy(bench::nothingNew)
                .isInstanceOfSatisfying(RunRejectedException.class, rejected -> assertThat(rejected.code())
                        .isEqualTo(ErrorCode.RUN_IN_PROGRESS))
                .hasMessageContaining("30 seconds");
        bench.model.says("Paid.");
        inTool.letGo();
        assertThat(runOfA.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(timer.delays())
                .filteredOn(delay -> delay.compareTo(LEASE) <= 0)
                .containsOnly(LEASE.dividedBy(3));
    }

    @Test
    void nothingBeatsWhenNothingRuns() {
        bench.model.says("Hello.");
        startA(bench.input(user("u1", "Hi"))).join();
        timer.ring();

        assertThat(timer.waiting()).isZero();
    }

    @Test
    void aThreadWhoseNodeDiedIsFreeAfterTheLease() {
        bench.model.says("Hello.");
        store.dieAfter(1);
        startA(bench.input(user("u1", "Hi"))).join();

        assertThatThrownBy(bench::nothingNew).isInstanceOf(RunRejectedException.class);
        bench.clock.advance(LEASE.minusNanos(1));
        assertThatThrownBy(bench::nothingNew).isInstanceOf(RunRejectedException.class);
        bench.clock.advance(Duration.ofNanos(1));
        assertThat(bench.nothingNew().text()).isEqualTo("Hello.");
    }

    @Test
    void pausedInATool() {
        inTool.arm();
        CompletableFuture<RunResult> runOfA = approveOnA();
        inTool.awaitReached();
        leasePasses();

        RecordingSink asked = bench.nothingNew();
        assertThat(asked.interrupts().get(0).reason()).isEqualTo("langchain4j:outcome_unknown");
        bench.model.says("Good.");
        bench.resume(bench.pending(0).asUnknownOutcome().done("seen"));
        List<ChatMessage> before = memory.messages();
        inTool.letGo();

        aHasLost(runOfA, before);
        assertThat(effects).containsExactly("pay 20");
        assertThat(bench.model.lastResult("c1")).contains("seen");
    }

    @Test
    void pausedInTheModelAfterATool() {
        bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        bench.say("Pay");
        answersWhenLetGo("Paid, says A.");
        bench.model.says("Paid, says B.");
        CompletableFuture<RunResult> runOfA =
                startA(bench.answers(bench.pending(0).asApproval().approve()));
        inModel.awaitReached();
        leasePasses();

        assertThat(bench.nothingNew().text()).isEqualTo("Paid, says B.");
        List<ChatMessage> before = memory.messages();
        inModel.letGo();

        aHasLost(runOfA, before);
        assertThat(effects).containsExactly("pay 20");
    }

    @Test
    void pausedInTheModelOfATurnWithoutABatch() {
        answersWhenLetGo("Hello from A.");
        bench.model.says("Hello from B.");
        CompletableFuture<RunResult> runOfA = startA(bench.input(user("u1", "Hi")));
        inModel.awaitReached();
        leasePasses();

        assertThat(bench.nothingNew().text()).isEqualTo("Hello from B.");
        List<ChatMessage> before = memory.messages();
        inModel.letGo();

        aHasLost(runOfA, before);
        assertThat(memory.messages()).hasSize(2);
    }

    @Test
    void pausedBeforeWhatItHoldsIsStoredItDoesNotMixItWithWhatTheOtherHolds() {
        bench.model.calls(call("c1", "pay", "{\"amount\":20}")).calls(call("c1", "pay", "{\"amount\":30}"));
        AtomicBoolean paused = new AtomicBoolean();
        CompletableFuture<RunResult> runOfA = nodeA.run(bench.input(user("u1", "Pay")), event -> {
            sinkA.send(event);
            if (event instanceof ToolCallEvent.End && paused.compareAndSet(false, true)) {
                leasePasses();
                assertThat(bench.nothingNew().interrupts()).hasSize(1);
            }
        });

        assertThat(runOfA.join()).isInstanceOf(RunResult.Failed.class);
        assertThat(sinkA.last()).isInstanceOf(RunEvent.Error.class);
        assertThat(sinkA.all(MessagesSnapshotEvent.class)).isEmpty();
        assertThat(bench.transcript()).extracting(Message::id).doesNotHaveDuplicates();
        bench.model.says("Paid.");
        bench.resume(bench.pending(0).asApproval().approve());
        assertThat(effects).containsExactly("pay 30");
    }

    @Test
    void pausedRightBeforeTheMemoryIsWritten() {
        bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        bench.say("Pay");
        inTool.arm();
        CompletableFuture<RunResult> runOfA =
                startA(bench.answers(bench.pending(0).asApproval().approve()));
        inTool.awaitReached();
        inMemory.arm();
        inTool.letGo();
        inMemory.awaitReached();
        leasePasses();

        bench.model.says("Paid, says B.");
        assertThat(bench.nothingNew().text()).isEqualTo("Paid, says B.");
        List<ChatMessage> before = memory.messages();
        inMemory.letGo();

        aHasLost(runOfA, before);
        assertThat(effects).containsExactly("pay 20");
        assertThat(memory.messages()).hasSize(4);
    }

    @Test
    void aBeatThatFindsTheLeaseTakenEndsTheRunWithoutWaitingForTheModel() {
        answersWhenLetGo("Hello from A.");
        bench.model.says("Hello from B.");
        CompletableFuture<RunResult> runOfA = startA(bench.input(user("u1", "Hi")));
        inModel.awaitReached();
        leasePasses();
        bench.nothingNew();
        List<ChatMessage> before = memory.messages();

        timer.ring();

        aHasLost(runOfA, before);
        inModel.letGo();
    }

    @Test
    void cancellingOnTheNodeThatHasLostTheThreadReachesTheOneThatHasIt() {
        inTool.arm();
        CompletableFuture<RunResult> runOfA = approveOnA();
        inTool.awaitReached();
        leasePasses();
        bench.nothingNew();
        ManualTimer timerB = new ManualTimer();
        Holdpoint nodeB =
                bench.another(builder -> timerB.in(builder.tools(new Tools())).executor(threads));
        answersWhenLetGo("Paid, says B.");
        CompletableFuture<RunResult> runOfB =
                nodeB.run(bench.answers(bench.pending(0).asUnknownOutcome().done()), event -> {});
        inModel.awaitReached();
        timer.ring();

        assertThat(nodeA.cancel(THREAD)).isTrue();
        timerB.ring();
        inModel.letGo();

        assertThat(runOfB.join()).isInstanceOf(RunResult.Cancelled.class);
        inTool.letGo();
        assertThat(runOfA.join()).isInstanceOf(RunResult.Failed.class);
    }

    @Test
    void aRunThatHasLostItsThreadEndsThoughThePoolIsFullOfRunsThatHang() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        ManualTimer beats = new ManualTimer();
        Holdpoint node = bench.another(builder -> beats.in(builder).executor(pool));
        answersWhenLetGo("Hello from A.");
        bench.model.says("Hello from B.");
        CompletableFuture<RunResult> run = node.run(bench.input(user("u1", "Hi")), sinkA);
        inModel.awaitReached();
        leasePasses();
        bench.nothingNew();

        beats.ring();

        try {
            assertThat(run.get(30, TimeUnit.SECONDS)).isInstanceOf(RunResult.Failed.class);
        } finally {
            inModel.letGo();
            pool.shutdown();
        }
    }

    @Test
    void aStoreThatDoesNotAnswerABeatIsAskedAgain() {
        inTool.arm();
        CompletableFuture<RunResult> runOfA = approveOnA();
        inTool.awaitReached();
        store.die();
        bench.clock.advance(LEASE.dividedBy(3));
        timer.ring();
        store.revive();
        bench.clock.advance(LEASE.dividedBy(3));
        timer.ring();
        bench.clock.advance(LEASE.dividedBy(3));

        assertThatThrownBy(bench::nothingNew).isInstanceOf(RunRejectedException.class);
        bench.model.says("Paid.");
        inTool.letGo();
        assertThat(runOfA.join()).isInstanceOf(RunResult.Completed.class);
    }
}
