package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.RateLimitException;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An agent in a tool has paid, and then something goes wrong: the other model must not hear that the task has failed. */
@Logs({"Run * on thread * failed", "Tool '*' execution failed"})
class HiddenPaymentTest {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final List<String> effects = new ArrayList<>();
    private final Store store = new InMemoryStore();
    private final VirtualClock clock = new VirtualClock();
    private final ManualTimer timer = new ManualTimer();
    private final ScriptedModel bossModel =
            new ScriptedModel().calls(call("c1", "clerk", "{\"task\":\"Pay\"}")).says("Done.");
    private final ScriptedModel clerkModel = new ScriptedModel().calls(call("i1", "pay", "{\"amount\":5}"));
    private Runnable afterwards = () -> {};
    private Holdpoint boss;

    private final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) throws InterruptedException {
            effects.add("pay " + amount);
            afterwards.run();
            return "paid";
        }

        @Tool
        String look() {
            return "nothing";
        }
    }

    private static void waits() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("not waited for", e);
        }
    }

    private void build(UnaryOperator<HoldpointBuilder<?>> inner, UnaryOperator<HoldpointBuilder<?>> outer) {
        Holdpoint clerk = inner.apply(Shape.BLOCKING
                        .builder(clerkModel)
                        .name("clerk")
                        .store(store)
                        .tools(new Bank()))
                .build();
        boss = outer.apply(Shape.BLOCKING
                        .builder(bossModel)
                        .name("boss")
                        .store(store)
                        .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk)))
                .build();
    }

    private HoldpointBuilder<?> timed(HoldpointBuilder<?> builder) {
        return timer.in(builder.runTimeout(LIMIT).clock(clock));
    }

    private RunResult approved() {
        return boss.resume("t", boss.send("t", "Go").approval().approve());
    }

    private void paidOnceAndToldSo(RunResult result) {
        assertThat(effects).containsExactly("pay 5");
        assertThat(result.text()).isEqualTo("Done.");
        assertThat(bossModel.lastResult("c1")).isEqualTo("Paid.");
    }

    private void asksWhatCameOfThePayment(RunResult result) {
        assertThat(effects).containsExactly("pay 5");
        assertThat(bossModel.requests()).hasSize(1);
        PendingInterrupt.UnknownOutcome question =
                (PendingInterrupt.UnknownOutcome) result.interrupts().get(0);
        assertThat(question.toolName()).isEqualTo("pay");
        clerkModel.says("Paid.");
        paidOnceAndToldSo(boss.resume("t", question.done()));
    }

    static Stream<RuntimeException> failures() {
        return Stream.of(
                new RateLimitException("too many"),
                new RuntimeException("HTTP 500 of the provider", new IllegalStateException("key-123")),
                new HttpException(400, "bad request"),
                new ContentFilteredException("refused"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureOfTheModelFailsTheTurnAndTheTaskGoesOn(RuntimeException failure) {
        clerkModel.fails(failure).says("Paid.");
        build(clerk -> clerk, boss -> boss);

        RunResult failed = approved();

        assertThat(failed.failure()).isPresent();
        assertThat(bossModel.requests()).hasSize(1);
        paidOnceAndToldSo(boss.resume("t"));
    }

    @Test
    void theClientHearsWhatHasFailed() {
        clerkModel.fails(new RateLimitException("too many"));
        build(clerk -> clerk, boss -> boss);

        assertThat(approved().failure().orElseThrow().code()).isEqualTo(ErrorCode.MODEL_RATE_LIMITED);
    }

    @Test
    void aTaskThatHasEndedWithoutAnAnswerSaysWhatRan() {
        for (int i = 0; i < 200; i++) {
            clerkModel.answers(
                    request -> AiMessage.from(call("l" + request.messages().size(), "look", "{}")));
        }
        build(clerk -> clerk, boss -> boss);

        approved();

        assertThat(bossModel.lastResult("c1"))
                .startsWith("The task has ended without an answer (TOO_MANY_ROUNDS).")
                .contains("Calls that ran before: pay, look")
                .doesNotContain("again when", "same input");
    }

    @Test
    void aQuestionThatNobodyAnswersAnyMoreSaysWhatRanAndStaysNowhere() {
        clerkModel.calls(call("i2", "pay", "{\"amount\":6}"));
        build(clerk -> clerk, boss -> boss);
        PendingInterrupt second = approved().interrupts().get(0);

        boss.resume("t", second.cancel());

        assertThat(bossModel.lastResult("c1")).contains("not finished", "Calls that ran before: pay.");
        assertThat(store.of("clerk~tool").threads(Store.Wanted.UNFINISHED, Store.Place.FIRST, Instant.MAX, 9))
                .isEmpty();
    }

    @Test
    void itsOwnTimeIsOver() {
        afterwards = () -> {
            clock.advance(LIMIT);
            new Thread(() -> timer.ring(LIMIT)).start();
            waits();
        };
        build(clerk -> timed(clerk), boss -> boss);

        asksWhatCameOfThePayment(approved());
    }

    @Test
    void theTimeOfTheOtherRunIsOver() {
        afterwards = () -> {
            clock.advance(LIMIT);
            new Thread(() -> timer.ring(LIMIT)).start();
            waits();
        };
        build(clerk -> clerk, boss -> timed(boss));

        approved();

        asksWhatCameOfThePayment(boss.resume("t"));
    }

    @Test
    void theTimeOfTheToolIsOver() {
        afterwards = HiddenPaymentTest::waits;
        build(
                clerk -> clerk,
                boss -> boss.toolPolicies(
                        ToolPolicy.named("clerk").withoutApproval().timeLimit(Duration.ofMillis(300))));

        RunResult asked = later(boss.send("t", "Go"));

        asksWhatCameOfThePayment(later(boss.resume("t", asked.approval().approve())));
    }

    /** On a slow machine the time is over before anything has happened, and the task goes on. */
    private RunResult later(RunResult first) {
        RunResult result = first;
        while (result.failure().isPresent()) {
            result = boss.resume("t");
        }
        return result;
    }

    @Test
    void theOtherAgentIsShutDown() {
        afterwards = () -> {
            new Thread(() -> boss.shutdown(Duration.ZERO)).start();
            waits();
        };
        build(clerk -> clerk, boss -> boss);
        assertThat(approved().failure()).isPresent();

        build(clerk -> clerk, boss -> boss);

        asksWhatCameOfThePayment(boss.resume("t"));
    }

    @Test
    void theApplicationInterruptsTheThread() {
        afterwards = () -> {
            Thread.currentThread().interrupt();
            waits();
        };
        build(clerk -> clerk, boss -> boss);

        RunResult asked = approved();

        assertThat(Thread.interrupted()).isTrue();
        asksWhatCameOfThePayment(asked);
    }
}
