package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread has one active run. */
@Timeout(60)
class OneRunAtATimeTest {

    private final Threads threads = new Threads();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final AtomicInteger slept = new AtomicInteger();

    /** Tools that wait for the test. */
    public class SlowTools {
        @Tool("Waits")
        @RequiresApproval
        public String slow() {
            slept.incrementAndGet();
            block();
            return "waited";
        }
    }

    private void block() {
        entered.countDown();
        try {
            mayGoOn.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        mayGoOn.countDown();
        threads.close();
    }

    private static void refusedAsInProgress(Bench bench, RunAgentInput input) {
        Everything before = bench.everything();
        RecordingSink sink = new RecordingSink();
        assertThatThrownBy(() -> bench.agent().run(input, sink))
                .isInstanceOfSatisfying(
                        RunRejectedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RUN_IN_PROGRESS));
        assertThat(sink.events()).isEmpty();
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void everyInputIsRefusedWhileTheModelIsBusy() throws Exception {
        Bench bench = new Bench(builder -> builder.executor(threads));
        bench.model.answers(request -> {
            block();
            return AiMessage.from("Hello.");
        });
        CompletableFuture<RunResult> running = bench.agent().run(bench.input(user("u1", "Hi")), event -> {});
        entered.await();

        refusedAsInProgress(bench, bench.input(user("u2", "Hey")));
        refusedAsInProgress(bench, bench.input());
        mayGoOn.countDown();

        assertThat(running.get(30, TimeUnit.SECONDS)).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void theSameAnswerIsRefusedWhileTheToolRunsAndAReplayAfterwards() throws Exception {
        Bench bench = new Bench(builder -> builder.executor(threads).tools(new SlowTools()));
        bench.model.calls(call("c1", "slow", "{}")).says("Done.");
        bench.say("Go");
        RunAgentInput approval = bench.answers(bench.pending(0).asApproval().approve());
        CompletableFuture<RunResult> running = bench.agent().run(approval, event -> {});
        entered.await();

        refusedAsInProgress(bench, approval);
        mayGoOn.countDown();
        running.get(30, TimeUnit.SECONDS);

        assertThat(bench.run(approval).types()).doesNotContain("TOOL_CALL_RESULT");
        assertThat(slept).hasValue(1);
    }

    @Test
    void anotherThreadIsNotHeldUp() throws Exception {
        Bench bench = new Bench(builder -> builder.executor(threads));
        bench.model
                .answers(request -> {
                    block();
                    return AiMessage.from("Hello.");
                })
                .says("Hi.");
        CompletableFuture<RunResult> running = bench.agent().run(bench.input(user("u1", "Hi")), event -> {});
        entered.await();

        assertThat(bench.agent().send("other", "Hi")).isInstanceOf(RunResult.Completed.class);
        assertThat(running).isNotDone();
    }

    @Test
    void simultaneousIdenticalAnswersExecuteOnce() throws Exception {
        for (int round = 0; round < 50; round++) {
            Bench bench = new Bench(builder -> builder.executor(threads));
            bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
            bench.say("Go");
            RunAgentInput approval = bench.answers(bench.pending(0).asApproval().approve());
            CyclicBarrier together = new CyclicBarrier(2);
            List<CompletableFuture<RecordingSink>> clicks = List.of(
                    CompletableFuture.supplyAsync(() -> click(bench, approval, together), threads),
                    CompletableFuture.supplyAsync(() -> click(bench, approval, together), threads));

            for (CompletableFuture<RecordingSink> click : clicks) {
                RecordingSink sink = click.get(30, TimeUnit.SECONDS);
                if (!sink.events().isEmpty()) {
                    StreamRules.check(sink.events());
                }
            }
            assertThat(bench.tools.effects()).hasSize(1);
            assertThat(bench.model.requests()).hasSize(2);
        }
    }

    private static RecordingSink click(Bench bench, RunAgentInput input, CyclicBarrier together) {
        RecordingSink sink = new RecordingSink();
        try {
            together.await();
            bench.agent().run(input, sink).join();
        } catch (RunRejectedException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.RUN_IN_PROGRESS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return sink;
    }

    @Test
    @Logs("Run * on thread * failed")
    void anExecutorThatFailsDoesNotLeaveTheThreadTaken() {
        AtomicInteger calls = new AtomicInteger();
        Bench bench = new Bench(builder -> builder.executor(task -> {
            switch (calls.getAndIncrement()) {
                case 0 -> throw new RejectedExecutionException("full");
                case 1 -> throw new OutOfMemoryError("unable to create native thread");
                default -> task.run();
            }
        }));
        bench.model.says("Hello.");

        assertThatThrownBy(() -> bench.say("Hi")).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> bench.say("Hi")).isInstanceOf(OutOfMemoryError.class);
        assertThat(bench.say("Hi").text()).isEqualTo("Hello.");
    }
}
