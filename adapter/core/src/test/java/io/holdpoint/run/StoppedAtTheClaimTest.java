package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Change;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run is stopped while the database takes its time over a claim: the body is not entered afterwards. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Logs({"Run * on thread * failed", "Lease* could not be given back"})
class StoppedAtTheClaimTest {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Threads threads = new Threads();
    private final Stop inClaim = new Stop();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private boolean isCutOff;
    private final CountDownLatch isStopped = new CountDownLatch(1);
    private final ManualTimer timer = new ManualTimer() {
        @Override
        public void aside(Runnable task) {
            isStopped.countDown();
            super.aside(task);
        }
    };
    private final Bench bench = new Bench();
    private final RecordingSink sink = new RecordingSink();
    private final Holdpoint agent = bench.another(builder -> timer.in(builder.tools(new Bank()))
            .runTimeout(LIMIT)
            .store(new SlowStore())
            .executor(threads));

    /** The tool. */
    final class Bank {

        @Tool
        @RequiresApproval
        String pay() throws InterruptedException {
            effects.add("pay");
            if (isCutOff) {
                throw new InterruptedException();
            }
            return "paid";
        }
    }

    /** Stops when it has stored a claim. */
    private final class SlowStore extends ForwardingStore {

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            super.commit(lease, commit, now);
            if (commit.batches().stream()
                    .flatMap(batch -> batch.changes().stream())
                    .anyMatch(Change.Claimed.class::isInstance)) {
                inClaim.pass();
            }
        }
    }

    @AfterEach
    void stop() {
        inClaim.letGo();
        threads.close();
    }

    private ResumeEntry approval() {
        bench.model.calls(call("c1", "pay", "{}"));
        agent.run(bench.input(user("u1", "Pay")), event -> {}).join();
        return agent.pending(THREAD).get(0).asApproval().approve();
    }

    private CompletableFuture<RunResult> approved() {
        return claimed(approval());
    }

    private CompletableFuture<RunResult> claimed(ResumeEntry answer) {
        inClaim.arm();
        CompletableFuture<RunResult> run = agent.run(bench.answers(answer), sink);
        inClaim.awaitReached();
        return run;
    }

    private PendingInterrupt.UnknownOutcome cutOff() {
        isCutOff = true;
        agent.run(bench.answers(approval()), event -> {}).join();
        isCutOff = false;
        return (PendingInterrupt.UnknownOutcome) agent.pending(THREAD).get(0);
    }

    private String told() {
        List<Message> transcript = bench.store.transcript(THREAD);
        return ((Message.Tool) transcript.get(transcript.size() - 1)).content().asText();
    }

    @Test
    void nobodyIsToldOfARetryThatIsCancelledThatTheCallWasNotExecuted() {
        PendingInterrupt.UnknownOutcome unknown = cutOff();
        CompletableFuture<RunResult> run = claimed(unknown.retry());
        agent.cancel(THREAD);
        inClaim.letGo();

        assertThat(run.join()).isInstanceOf(RunResult.Cancelled.class);
        assertThat(effects).containsExactly("pay");
        assertThat(told()).contains("unknown").doesNotContain("was not executed");
    }

    @Test
    void norOfOneThatIsHalted() {
        PendingInterrupt.UnknownOutcome unknown = cutOff();
        CompletableFuture<RunResult> run = claimed(unknown.retry());
        agent.halt("incident 42");
        inClaim.letGo();

        assertThat(run.join()).isInstanceOf(RunResult.Failed.class);
        assertThat(effects).containsExactly("pay");
        assertThat(told()).contains("unknown").doesNotContain("was not executed");
    }

    @Test
    void aRunThatTimesOutDoesNotEnterIt() throws Exception {
        CompletableFuture<RunResult> run = approved();
        bench.clock.advance(LIMIT);
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> timer.ring(LIMIT), threads);
        isStopped.await();
        inClaim.letGo();
        stopped.join();

        assertThat(run.join()).isInstanceOf(RunResult.Failed.class);
        threads.close();
        assertThat(effects).isEmpty();
        assertThat(agent.pending(THREAD)).singleElement().isInstanceOf(PendingInterrupt.UnknownOutcome.class);
    }

    @Test
    void aRunThatIsShutDownDoesNotEnterIt() throws Exception {
        CompletableFuture<RunResult> run = approved();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> agent.shutdown(Duration.ZERO), threads);
        isStopped.await();
        inClaim.letGo();
        closed.join();

        assertThat(run.join()).isInstanceOf(RunResult.Failed.class);
        threads.close();
        assertThat(effects).isEmpty();
        assertThat(bench.agent().pending(THREAD)).singleElement().isInstanceOf(PendingInterrupt.UnknownOutcome.class);
    }

    @Test
    void aRunThatIsCancelledDoesNotEnterIt() {
        CompletableFuture<RunResult> run = approved();
        agent.cancel(THREAD);
        inClaim.letGo();

        assertThat(run.join()).isInstanceOf(RunResult.Cancelled.class);
        assertThat(effects).isEmpty();
    }
}
