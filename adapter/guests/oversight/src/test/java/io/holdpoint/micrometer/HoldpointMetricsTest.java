package io.holdpoint.micrometer;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.PuppetModel;
import io.holdpoint.testing.RecordingSink;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is counted and timed. */
class HoldpointMetricsTest {

    private final MockClock time = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, time);
    private final HoldpointMetrics metrics = HoldpointMetrics.of(registry);
    private final Bench bench = new Bench(builder -> builder.observers(metrics));

    private Timer timer(String name, String... tags) {
        return registry.get(name).tags(tags).timer();
    }

    private double asked(String tool) {
        return registry.get("holdpoint.questions").tag("tool", tool).counter().count();
    }

    @Test
    void aHoldAndItsApprovalAreTwoRunsAndADecision() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        bench.say("Write to Ada");

        assertThat(asked("sendEmail")).isEqualTo(1);
        assertThat(registry.find("holdpoint.decisions").meters()).isEmpty();
        assertThat(registry.find("holdpoint.tool.executions").meters()).isEmpty();
        assertThat(timer("holdpoint.runs", "outcome", "interrupted", "code", "none")
                        .count())
                .isEqualTo(1);

        bench.clock.advance(Duration.ofMinutes(7));
        bench.resume(bench.pending().get(0).asApproval().approve());

        Timer decision = timer("holdpoint.decisions", "tool", "sendEmail", "decision", "approved");
        assertThat(decision.count()).isEqualTo(1);
        assertThat(decision.totalTime(TimeUnit.MINUTES)).isEqualTo(7);
        assertThat(timer("holdpoint.tool.executions", "tool", "sendEmail", "outcome", "executed")
                        .count())
                .isEqualTo(1);
        assertThat(timer("holdpoint.runs", "outcome", "completed").count()).isEqualTo(1);
        assertThat(timer("holdpoint.model.calls", "outcome", "answered", "provider", "OTHER")
                        .count())
                .isEqualTo(2);
        assertThat(asked("sendEmail")).isEqualTo(1);
    }

    @Test
    void whatAReaderHasNotHandedOnIsMeasured() {
        Optional<Instant> since = Optional.of(Instant.ofEpochMilli(time.wallTime()));
        metrics.reader(new ReaderStatus("", "mail", since, 0, 0, Optional.empty()));
        TimeGauge lag = registry.get("holdpoint.notifier.lag")
                .tags("agent", "", "notifier", "mail")
                .timeGauge();
        time.add(Duration.ofSeconds(4));
        assertThat(lag.value(TimeUnit.SECONDS)).isEqualTo(4);

        metrics.reader(new ReaderStatus("", "mail", Optional.empty(), 1, 20, Optional.of("no connection")));

        assertThat(lag.value()).isZero();
        assertThat(registry.get("holdpoint.notifier.failures").functionCounter().count())
                .isEqualTo(20);
        assertThat(registry.get("holdpoint.notifier.undelivered").gauge().value())
                .isEqualTo(1);
    }

    @Test
    @Logs({"Lease* could not be given back", "Run * on thread * failed"})
    void threadsWhoseRunHasDiedAreAGaugeUntilTheyAreFound() {
        Crash crash = new Crash();
        metrics.watch(crash.bench.agent());
        crash.whilePaying();
        crash.bench.clock.advance(Duration.ofMinutes(10));

        assertThat(registry.get("holdpoint.threads.unfinished").gauge().value()).isEqualTo(1);

        crash.bench.agent().actOnTime();

        assertThat(registry.get("holdpoint.threads.unfinished").gauge().value()).isZero();
    }

    @Test
    void whatIsDeniedIsDecidedAndNotExecuted() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("As you like.");
        bench.say("Write to Ada");

        bench.resume(bench.pending().get(0).asApproval().deny("No"));

        assertThat(timer("holdpoint.decisions", "decision", "denied").count()).isEqualTo(1);
        assertThat(registry.find("holdpoint.tool.executions").meters()).isEmpty();
    }

    @Test
    void aDecisionSaysWhetherTheCallWasEditedAndWhetherThereWasTimeToReadIt() {
        bench.model
                .calls(call("c1", "sendEmail", MAIL))
                .says("Done.")
                .calls(call("c2", "sendEmail", MAIL))
                .says("Done.");
        bench.say("Write to Ada");
        bench.clock.advance(Duration.ofMinutes(1));
        bench.resume(bench.pending(0).asApproval().approveWith(Map.of("to", "bob", "subject", "Hi", "body", "Hello")));
        bench.say("Again");
        bench.clock.advance(Duration.ofMillis(500));
        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(timer("holdpoint.decisions", "edited", "true", "quick", "false")
                        .count())
                .isEqualTo(1);
        assertThat(timer("holdpoint.decisions", "edited", "false", "quick", "true")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void lettingGoIsADecisionToo() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Not sent.").calls(call("c2", "sendEmail", MAIL));
        bench.say("Write to Ada");
        bench.resume(bench.pending().get(0).cancel());
        bench.say("Try again");

        bench.agent().cancel(THREAD);

        assertThat(timer("holdpoint.decisions", "decision", "cancelled").count())
                .isEqualTo(1);
        assertThat(timer("holdpoint.decisions", "decision", "steered_away").count())
                .isEqualTo(1);
        assertThat(asked("sendEmail")).isEqualTo(2);
    }

    @Test
    void aRefusedInputIsAFailedRunWithItsCode() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Write to Ada");

        bench.say("And to Bob");

        assertThat(timer("holdpoint.runs", "outcome", "failed", "code", "INTERRUPT_PENDING")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void workTakesAsLongAsTheRegistrysClockSays() {
        bench.model.answers(request -> {
            time.add(Duration.ofSeconds(3));
            return AiMessage.from("Done.");
        });
        bench.say("Hi");

        assertThat(timer("holdpoint.model.calls", "outcome", "answered").totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
        assertThat(timer("holdpoint.runs", "outcome", "completed").totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
    }

    @Test
    @Logs("Run * on thread * failed")
    void failuresHaveTheirCode() {
        bench.model.fails(new IllegalStateException("secret"));
        bench.say("Hi");

        assertThat(timer("holdpoint.model.calls", "outcome", "failed").count()).isEqualTo(1);
        assertThat(registry.find("holdpoint.runs").tag("outcome", "failed").timers())
                .isNotEmpty()
                .allSatisfy(timer ->
                        assertThat(timer.getId().getTag("code")).isNotBlank().isNotEqualTo("none"));
        assertThat(registry.getMetersAsString()).doesNotContain("secret");
    }

    @Test
    @Logs("Tool '*' execution failed")
    void aToolThatFailsIsExecutedWithoutSuccess() {
        bench.model.calls(call("c1", "explode", "{\"why\":\"secret\"}")).says("It failed.");
        bench.say("Explode");

        bench.resume(bench.pending().get(0).asApproval().approve());

        assertThat(timer("holdpoint.tool.executions", "tool", "explode", "outcome", "failed")
                        .count())
                .isEqualTo(1);
        assertThat(registry.getMetersAsString()).doesNotContain("secret");
    }

    @Test
    void aModelThatNeverAnswersIsAbandonedWithItsRun() {
        PuppetModel puppet = new PuppetModel();
        Bench other = new Bench(builder -> builder.streamingChatModel(puppet).observers(metrics));
        var run = other.agent().run(other.input(user("m", "Hi")), new RecordingSink());

        other.agent().cancel(THREAD);
        run.join();
        puppet.ends("Too late.");

        assertThat(registry.get("holdpoint.model.calls").timers())
                .singleElement()
                .satisfies(timer -> {
                    assertThat(timer.getId().getTag("outcome")).isEqualTo("abandoned");
                    assertThat(timer.count()).isEqualTo(1);
                });
        assertThat(timer("holdpoint.runs", "outcome", "cancelled").count()).isEqualTo(1);
    }

    @Test
    void droppedStreamsAreCountedFromZero() {
        assertThat(registry.get("holdpoint.streams.dropped").counter().count()).isZero();

        metrics.streamDropped();

        assertThat(registry.get("holdpoint.streams.dropped").counter().count()).isEqualTo(1);
    }
}
