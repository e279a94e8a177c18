package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.PuppetModel;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shutting an agent down. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShutdownTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final Threads threads = new Threads();
    private final PuppetModel puppet = new PuppetModel();
    private final Bench bench = new Bench();
    private final RecordingSink sink = new RecordingSink();
    private final Holdpoint agent = bench.another(builder -> new ManualTimer().in(builder.streamingChatModel(puppet)));

    @AfterEach
    void stop() {
        threads.close();
    }

    @Test
    void noRunStartsAnyMore() {
        assertThat(agent.shutdown(LONG)).isTrue();

        RunAgentInput input = bench.input(user("u1", "Hi"));
        assertThatThrownBy(() -> agent.as(Caller.of("ada")).run(input, sink))
                .isInstanceOfSatisfying(RunRejectedException.class, rejected -> assertThat(rejected.code())
                        .isEqualTo(ErrorCode.SHUTTING_DOWN));
        assertThat(sink.events()).isEmpty();
        assertThat(bench.store.find(THREAD)).isEmpty();
        assertThat(agent.send(THREAD, "Hi"))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.SHUTTING_DOWN));
        assertThat(agent.pending(THREAD)).isEmpty();
    }

    @Test
    void activeRunsMayComeToTheirEnd() throws Exception {
        Stop inModel = new Stop().arm();
        bench.model.answers(request -> {
            inModel.pass();
            return AiMessage.from("Hello.");
        });
        Holdpoint node = bench.another(builder -> builder.executor(threads));
        CompletableFuture<RunResult> run = node.run(bench.input(user("u1", "Hi")), sink);
        inModel.awaitReached();
        CompletableFuture<Boolean> shutdown = CompletableFuture.supplyAsync(() -> node.shutdown(LONG), threads);
        while (!isShuttingDown(node)) {
            Thread.onSpinWait();
        }

        inModel.letGo();

        assertThat(run.get()).isInstanceOf(RunResult.Completed.class);
        assertThat(shutdown.get()).isTrue();
    }

    @Test
    void aRunThatNeverBeganIsNotWaitedFor() throws Exception {
        Stop beforeThread = new Stop().arm();
        Holdpoint node = bench.another(builder -> builder.executor(task -> {
            beforeThread.pass();
            throw new RejectedExecutionException("no thread");
        }));
        CompletableFuture<?> run =
                CompletableFuture.supplyAsync(() -> node.run(bench.input(user("u1", "Hi")), sink), threads);
        beforeThread.awaitReached();
        CompletableFuture<Boolean> shutdown = CompletableFuture.supplyAsync(() -> node.shutdown(LONG), threads);
        while (!isShuttingDown(node)) {
            Thread.onSpinWait();
        }

        beforeThread.letGo();

        assertThat(shutdown.get()).isTrue();
        assertThatThrownBy(run::get).hasCauseInstanceOf(RejectedExecutionException.class);
    }

    private boolean isShuttingDown(Holdpoint node) {
        return node.resume("another thread") instanceof RunResult.Failed failed
                && failed.code() == ErrorCode.SHUTTING_DOWN;
    }

    @Test
    void whatHasNotEndedIsStoppedAndGoesOnElsewhere() {
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Hi")), sink);
        puppet.says("Hello ");

        assertThat(agent.shutdown(Duration.ZERO)).isFalse();

        assertThat(run).isCompleted();
        assertThat(sink.errorCode()).isEqualTo("SHUTTING_DOWN");
        StreamRules.check(sink.events());
        assertThat(puppet.isCancelled()).isTrue();
        bench.model.says("Hello Ada.");
        assertThat(bench.run(bench.input(user("u1", "Hi"))).text()).isEqualTo("Hello Ada.");
        assertThat(bench.memory()).hasSize(2);
    }

    @Test
    void whatWasDoneIsNotDoneAgainElsewhere() {
        PuppetModel model = new PuppetModel();
        Holdpoint node = bench.another(builder -> new ManualTimer().in(builder.streamingChatModel(model)));
        node.run(bench.input(user("u1", "Mail")), sink);
        model.ends(call("c1", "sendEmail", Bench.MAIL));
        List<PendingInterrupt> asked = bench.pending();
        RecordingSink resumed = new RecordingSink();
        RunAgentInput answers = bench.answers(asked.get(0).asApproval().approve());
        node.run(answers, resumed);
        node.shutdown(Duration.ZERO);
        assertThat(resumed.errorCode()).isEqualTo("SHUTTING_DOWN");

        bench.model.says("Sent.");
        RecordingSink again = bench.run(answers);

        assertThat(again.text()).isEqualTo("Sent.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void closingTwiceDoesNoHarm() {
        agent.close();
        agent.close();

        assertThat(isShuttingDown(agent)).isTrue();
    }
}
