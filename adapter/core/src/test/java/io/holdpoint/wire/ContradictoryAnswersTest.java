package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several people answer the same interrupts at once, and not the same. */
@Timeout(60)
class ContradictoryAnswersTest {

    private static final int THREADS = 150;
    private static final int PEOPLE = 4;

    private final Threads people = new Threads();
    private final Bench bench = new Bench(builder -> builder.aiService(service -> service.executeToolsConcurrently()));

    @AfterEach
    void stop() {
        people.close();
    }

    @Test
    void oneAnswerCountsAndEveryCallRunsAtMostOnce() throws Exception {
        for (int i = 0; i < THREADS; i++) {
            String thread = "t" + i;
            bench.model
                    .calls(
                            call("a", "deleteRecords", "{\"table\":\"" + thread + "-approved\"}"),
                            call("b", "deleteRecords", "{\"table\":\"" + thread + "-denied\"}"),
                            call("c", "searchContacts", "{\"query\":\"" + thread + "\"}"))
                    .says("Done.");
            bench.agent().send(thread, "Go");

            answerAtOnce(thread, bench.agent().pending(thread));

            assertThat(bench.agent().pending(thread)).isEmpty();
            List<String> effects = bench.tools.effects();
            assertThat(effects).doesNotContain("deleteRecords " + thread + "-denied");
            assertThat(Collections.frequency(effects, "deleteRecords " + thread + "-approved"))
                    .isLessThanOrEqualTo(1);
            assertThat(Collections.frequency(effects, "searchContacts " + thread))
                    .isEqualTo(1);
        }
        assertThat(bench.model.requests()).hasSize(2 * THREADS);
    }

    /** Every other person approves the first call; the rest let go of everything. */
    private void answerAtOnce(String thread, List<PendingInterrupt> pending) throws Exception {
        PendingInterrupt first = pending.get(0);
        PendingInterrupt second = pending.get(1);
        CyclicBarrier together = new CyclicBarrier(PEOPLE);
        List<Callable<RunResult>> clicks = new ArrayList<>();
        for (int i = 0; i < PEOPLE; i++) {
            boolean approves = i % 2 == 0;
            clicks.add(() -> {
                together.await();
                return approves
                        ? bench.agent()
                                .resume(
                                        thread,
                                        first.asApproval().approve(),
                                        second.asApproval().deny())
                        : bench.agent().resume(thread, first.cancel(), second.cancel());
            });
        }
        for (Future<RunResult> click : people.invokeAll(clicks)) {
            assertThat(click.get()).isNotInstanceOf(RunResult.Interrupted.class);
        }
    }
}
