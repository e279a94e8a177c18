package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.PuppetModel;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.SlowTool;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that take too long. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunTimeoutTest {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Threads threads = new Threads();
    private final Stop inTool = new Stop();
    private final SlowTool tool = new SlowTool(inTool);
    private final PuppetModel puppet = new PuppetModel();
    private final ManualTimer timer = new ManualTimer();
    private final Bench bench = new Bench();
    private final RecordingSink sink = new RecordingSink();

    /** A tool that is still in its body ends undisturbed, and before the next test. */
    @AfterEach
    void stop() {
        inTool.letGo();
        threads.close();
    }

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(
                builder -> custom.apply(timer.in(builder.tools(tool)).runTimeout(LIMIT)));
    }

    private void timePasses(Duration time) {
        bench.clock.advance(time);
        timer.ring();
    }

    private void hasTimedOut(CompletableFuture<RunResult> run) throws Exception {
        assertThat(run.get()).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.RUN_TIMEOUT));
        assertThat(sink.errorCode()).isEqualTo("RUN_TIMEOUT");
        StreamRules.check(sink.events());
        ScriptedModel.requireWellFormed(bench.memory());
    }

    @Test
    void aStreamThatDoesNotEndIsClosedAndTheModelIsToldToStop() throws Exception {
        Holdpoint agent = agent(builder -> builder.streamingChatModel(puppet));
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Hi")), sink);
        puppet.says("Hello ");
        timePasses(LIMIT.minusMillis(1));
        assertThat(run).isNotDone();

        timePasses(Duration.ofMillis(1));

        hasTimedOut(run);
        assertThat(puppet.isCancelled()).isTrue();
        assertThat(sink.types()).endsWith("TEXT_MESSAGE_END", "RUN_ERROR");
    }

    @Test
    void theSameInputRunsTheTurnAgain() throws Exception {
        Holdpoint agent = agent(builder -> builder.streamingChatModel(puppet));
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Hi")), sink);
        puppet.says("Hello ");
        timePasses(LIMIT);
        hasTimedOut(run);

        CompletableFuture<RunResult> again = agent.run(bench.input(user("u1", "Hi")), event -> {});
        puppet.ends("Hello Ada.");

        assertThat(again.get()).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.memory()).hasSize(2);
    }

    @Test
    void aToolThatDoesNotReturnIsNotRunAgainButAskedAbout() throws Exception {
        Holdpoint agent = agent(builder -> builder.executor(threads));
        inTool.arm();
        bench.model.calls(call("c1", "slow", "{\"what\":\"a\"}"));
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Go")), sink);
        inTool.awaitReached();

        timePasses(LIMIT);

        hasTimedOut(run);
        assertThat(agent.pending(THREAD)).hasSize(1);
        RunResult next = agent.resume(THREAD);
        assertThat(next).isInstanceOfSatisfying(RunResult.Interrupted.class, asked -> assertThat(
                        asked.interrupts().get(0).reason())
                .isEqualTo(PendingInterrupt.UnknownOutcome.REASON));
        assertThat(tool.effects()).containsExactly("slow a");
    }

    /** The store has the commit that gives the thread back, and its answer is lost. */
    @Test
    void theTrailDoesNotSayThatTheQuestionAboutItIsLost() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        Holdpoint agent = agent(builder -> builder.executor(threads).store(new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                super.commit(lease, commit, now);
                if (commit.releases() && failures.incrementAndGet() == 1) {
                    throw new StoreException("no answer", new IllegalStateException("no connection"));
                }
            }
        }));
        inTool.arm();
        bench.model.calls(call("c1", "slow", "{\"what\":\"a\"}"));
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Go")), sink);
        inTool.awaitReached();

        timePasses(LIMIT);

        hasTimedOut(run);
        assertThat(failures).hasValue(1);
        assertThat(agent.pending(THREAD)).hasSize(1);
        assertThat(agent.auditTrail(THREAD, 0, 100))
                .extracting(AuditEvent::kind)
                .contains(AuditEvent.Kind.HELD)
                .doesNotContain(AuditEvent.Kind.LEASE_LOST);
    }

    @Test
    void whatATimedOutToolReturnsLaterIsDropped() throws Exception {
        Holdpoint agent = agent(builder -> builder.executor(threads));
        inTool.arm();
        bench.model.calls(call("c1", "slow", "{\"what\":\"a\"}"));
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Go")), sink);
        inTool.awaitReached();
        timePasses(LIMIT);
        hasTimedOut(run);
        Bench.Everything before = bench.everything();
        int events = sink.events().size();

        inTool.letGo();
        threads.close();

        assertThat(bench.everything()).isEqualTo(before);
        assertThat(sink.events()).hasSize(events);
    }

    @Test
    void aCancelledRunDoesNotWaitForItsToolForEver() throws Exception {
        Holdpoint agent = agent(builder -> builder.executor(threads));
        inTool.arm();
        bench.model.calls(call("c1", "slow", "{\"what\":\"a\"}"));
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Go")), sink);
        inTool.awaitReached();
        assertThat(agent.cancel(THREAD)).isTrue();

        timePasses(LIMIT);

        assertThat(run.get()).isEqualTo(new RunResult.Cancelled());
        StreamRules.check(sink.events());
        bench.model.says("All right.");
        assertThat(bench.say("next").text()).isEqualTo("All right.");
        assertThat(bench.model.lastResult("c1")).contains("outcome", "unknown");
    }

    @Test
    void theTimeThatAPersonTakesIsNoPartOfARun() throws Exception {
        Holdpoint agent = agent(builder -> builder.toolPolicies(ToolPolicy.named("slow")));
        bench.model.calls(call("c1", "slow", "{\"what\":\"a\"}")).says("Done.");
        agent.send(THREAD, "Go");
        timePasses(LIMIT.multipliedBy(2));

        RunResult result =
                agent.resume(THREAD, agent.pending(THREAD).get(0).asApproval().approve());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void aRunMayTakeAsLongAsItLikesIfThereIsNoTimeout() {
        Holdpoint agent = agent(builder -> builder.streamingChatModel(puppet).runTimeout(Duration.ZERO));
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Hi")), sink);

        timePasses(Duration.ofDays(1));

        assertThat(run).isNotDone();
        puppet.ends("At last.");
        assertThat(run).isCompleted();
    }

    @Test
    void byDefaultARunMayTakeAnHour() {
        Holdpoint agent = bench.another(builder -> timer.in(builder.streamingChatModel(puppet)));
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Hi")), sink);
        timePasses(Duration.ofMinutes(59));
        assertThat(run).isNotDone();

        timePasses(Duration.ofMinutes(1));

        assertThat(sink.errorCode()).isEqualTo("RUN_TIMEOUT");
    }

    @Test
    void runsThatHaveEndedLeaveNothingInTheTimer() {
        Holdpoint agent = agent(builder -> builder);
        for (int i = 0; i < 100; i++) {
            bench.model.answers(request -> AiMessage.from("Hello."));
            agent.send(THREAD, "Hi");
        }

        assertThat(timer.waiting()).as("a heartbeat").isEqualTo(1);
        timer.ring();
        assertThat(timer.waiting()).isZero();
    }

    @Test
    @Logs("Tool '*' execution failed")
    void aNegativeTimeoutIsRefused() {
        assertThatThrownBy(() -> agent(builder -> builder.runTimeout(Duration.ofMillis(-1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("runTimeout");
    }
}
