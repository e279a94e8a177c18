package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.model.moderation.ModerationRequest;
import dev.langchain4j.model.moderation.ModerationResponse;
import dev.langchain4j.service.Moderate;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread that waits in {@code send} is the one that works: it comes back, and in the state in which it came. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangingCallerTest {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final ScriptedModel model = new ScriptedModel();
    /** Tasks that wait until the test runs them; empty if they are run at once. */
    private Optional<Queue<Runnable>> aside = Optional.empty();

    private final ManualTimer timer = new ManualTimer() {
        @Override
        public void aside(Runnable task) {
            aside.ifPresentOrElse(queue -> queue.add(task), task);
        }
    };
    private final VirtualClock clock = new VirtualClock();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);
    private final Tools tools = new Tools();

    /** One hangs, one interrupts its thread, one tells whether its thread is interrupted. */
    public final class Tools {

        @Tool
        public String hang() {
            return hangs();
        }

        @Tool
        public String interrupt() {
            Thread.currentThread().interrupt();
            return "interrupted";
        }

        @Tool
        public String look() {
            return "interrupted: " + Thread.currentThread().isInterrupted();
        }
    }

    private String hangs() {
        reached.countDown();
        try {
            never.await();
            return "never";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Holdpoint agent(Shape shape) {
        return timer.in(shape.builder(model).tools(tools).clock(clock).runTimeout(LIMIT))
                .build();
    }

    private RunResult sendUntilTimeout(Holdpoint agent) throws Exception {
        FutureTask<RunResult> sent = new FutureTask<>(() -> {
            RunResult result = agent.send(THREAD, "Go");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return result;
        });
        new Thread(sent, "caller").start();
        reached.await();
        clock.advance(LIMIT);
        timer.ring();
        return sent.get();
    }

    private static void timedOut(RunResult result) {
        assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.RUN_TIMEOUT);
    }

    @ParameterizedTest
    @EnumSource
    void aModelThatHangsIsLeft(Shape shape) throws Exception {
        model.answers(request -> AiMessage.from(hangs()));
        Holdpoint agent = agent(shape);

        timedOut(sendUntilTimeout(agent));

        model.says("Hello.");
        assertThat(agent.resume(THREAD).text()).isEqualTo("Hello.");
    }

    interface Moderated {
        @Moderate
        String chat(@UserMessage String text);
    }

    @Test
    void aModerationThatHangsIsLeft() throws Exception {
        model.says("Hello.");
        HoldpointBuilder<Moderated> builder = Holdpoint.builder(Moderated.class)
                .chatModel(model)
                .aiService(service -> service.moderationModel(new ModerationModel() {
                    @Override
                    public ModerationResponse doModerate(ModerationRequest request) {
                        throw new IllegalStateException(hangs());
                    }
                }))
                .clock(clock)
                .runTimeout(LIMIT);

        timedOut(sendUntilTimeout(timer.in(builder).build()));

        never.countDown();
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Tool '*' execution failed")
    void aToolThatHangsIsLeftAndAskedAbout(Shape shape) throws Exception {
        model.calls(call("c1", "hang", "{}"));
        Holdpoint agent = agent(shape);

        timedOut(sendUntilTimeout(agent));

        assertThat(agent.resume(THREAD).interrupts()).singleElement().satisfies(asked -> assertThat(asked.reason())
                .contains("outcome"));
    }

    /** The stop comes on a thread of its own, which may be later than the interrupt that belongs to it. */
    @ParameterizedTest
    @EnumSource(names = {"STREAMING", "BLOCKING"})
    @Logs("Tool '*' execution failed")
    void whatTheInterruptCausesInAToolIsNotItsOutcome(Shape shape) throws Exception {
        model.calls(call("c1", "hang", "{}"));
        Holdpoint agent = agent(shape);
        Queue<Runnable> late = new ConcurrentLinkedQueue<>();
        aside = Optional.of(late);

        timedOut(sendUntilTimeout(agent));
        assertThat(late).isNotEmpty();
        late.forEach(Runnable::run);
        aside = Optional.empty();

        assertThat(agent.resume(THREAD).interrupts()).singleElement().satisfies(asked -> assertThat(asked.reason())
                .isEqualTo(PendingInterrupt.UnknownOutcome.REASON));
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatLeavesItsThreadInterruptedHarmsNoOther(Shape shape) {
        model.calls(call("c1", "interrupt", "{}"))
                .answers(request -> AiMessage.from(call("c2", "look", "{}")))
                .answers(request ->
                        AiMessage.from("Model " + Thread.currentThread().isInterrupted()));

        assertThat(agent(shape).send(THREAD, "Go").text()).isEqualTo("Model false");

        assertThat(model.lastResult("c2")).isEqualTo("interrupted: false");
        Thread.interrupted();
    }

    @Test
    void anInterruptOfTheCallersThreadIsNotLost() {
        model.answers(request -> {
                    Thread.currentThread().interrupt();
                    return AiMessage.from(call("c1", "look", "{}"));
                })
                .says("Done.");

        assertThat(agent(Shape.BLOCKING).send(THREAD, "Go").text()).isEqualTo("Done.");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(model.lastResult("c1")).isEqualTo("interrupted: false");
    }
}
