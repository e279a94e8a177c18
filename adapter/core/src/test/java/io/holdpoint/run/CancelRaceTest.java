package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import io.holdpoint.testing.TrailRules;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody cancels at any moment of a run; whatever the moment is, the thread is well formed and goes on. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CancelRaceTest {

    private static final int MOMENTS = 60;

    private final Threads threads = new Threads();

    @AfterEach
    void stop() {
        threads.close();
    }

    private CompletableFuture<Boolean> cancelAtEvent(Holdpoint agent, CountDownLatch moment) {
        return CompletableFuture.supplyAsync(
                () -> {
                    await(moment);
                    return agent.cancel(THREAD);
                },
                threads);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The canceller is let go at an event, and then races with the run. */
    private void race(int event, ScriptedModel model, Bench bench) throws Exception {
        Holdpoint agent = bench.another(builder -> builder.executor(threads));
        RecordingSink sink = new RecordingSink();
        CountDownLatch moment = new CountDownLatch(event);
        CompletableFuture<Boolean> cancelled = cancelAtEvent(agent, moment);
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Go")), sent -> {
            sink.send(sent);
            moment.countDown();
        });
        RunResult result = run.get();
        while (moment.getCount() > 0) {
            moment.countDown();
        }
        boolean accepted = cancelled.get();

        StreamRules.checkWithAbandoned(sink.events());
        boolean saysCancelled = ((RunEvent.Finished) sink.last()).outcome().equals(RunFinishedOutcome.cancelled());
        assertThat(result instanceof RunResult.Cancelled).isEqualTo(saysCancelled);
        if (saysCancelled) {
            assertThat(accepted).isTrue();
            assertThat(sink.all(MessagesSnapshotEvent.class).stream()
                            .reduce((first, last) -> last)
                            .orElseThrow()
                            .messages())
                    .as("the transcript, and what the user said if the run had not come to it")
                    .isEqualTo(bench.transcript().isEmpty() ? List.of(user("u1", "Go")) : bench.transcript());
        }
        if (accepted) {
            assertThat(bench.pending()).isEmpty();
        }
        ScriptedModel.requireWellFormed(bench.memory());
        TrailRules.check(bench.store, THREAD);
        bench.agent().cancel(THREAD);
        ScriptedModel rest = new ScriptedModel().says("Here I am.");
        RunResult next =
                bench.another(builder -> builder.streamingChatModel(rest)).send(THREAD, "next");
        assertThat(next).isInstanceOf(RunResult.Completed.class);
        assertThat(model.requests().size()).isLessThanOrEqualTo(2);
    }

    @Test
    void ofARunThatCallsToolsAndAnswers() throws Exception {
        for (int i = 0; i < MOMENTS; i++) {
            Bench bench = new Bench();
            bench.model
                    .saysAndCalls(
                            "Let me see. ",
                            call("c1", "searchContacts", "{\"query\":\"Ada\"}"),
                            call("c2", "searchContacts", "{\"query\":\"Bob\"}"))
                    .says("Here they are, both of them.");

            race(1 + i % 25, bench.model, bench);

            assertThat(List.of("searchContacts Ada", "searchContacts Bob")).containsAll(bench.tools.effects());
            assertThat(bench.tools.effects()).doesNotHaveDuplicates();
        }
    }

    @Test
    void ofARunThatIsHeld() throws Exception {
        for (int i = 0; i < MOMENTS; i++) {
            Bench bench = new Bench();
            bench.model.saysAndCalls("I write. ", call("c1", "sendEmail", MAIL));

            race(1 + i % 13, bench.model, bench);

            assertThat(bench.tools.effects()).isEmpty();
        }
    }
}
