package io.holdpoint.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.SseFrame;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written when, to a container that is moved by hand. */
class SseStreamTest {

    /** Takes as long as it is ready; throws what a container does if it is written to although it is not. */
    private static final class Output extends ServletOutputStream {

        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private boolean ready = true;
        private boolean broken;
        private int flushes;
        private Runnable whileWriting = () -> {};

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (broken) {
                throw new IOException("broken pipe");
            }
            if (!ready) {
                throw new IllegalStateException("not ready");
            }
            body.write(bytes, offset, length);
            whileWriting.run();
        }

        @Override
        public void flush() {
            flushes++;
        }

        private String text() {
            return body.toString(StandardCharsets.UTF_8);
        }
    }

    private static final int BUFFER = 1_000;
    private static final Event LAST = new RunEvent.Finished("t", "r", RunFinishedOutcome.success(), null, List.of());

    private final Output out = new Output();
    private final List<Runnable> tasks = new ArrayList<>();
    private final ManualTimer timer = new ManualTimer();
    private final ManualTimer bursts = new ManualTimer();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger gone = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private boolean stopping;
    private boolean completed;
    private final SseStreams settings = new SseStreams(
            BUFFER,
            KeepAlive.keepAlive(timer::after, Duration.ofSeconds(1)),
            dropped::incrementAndGet,
            this::later,
            Optional.of(bursts::after),
            nanos::get);
    private final SseStream stream = new SseStream(request(), Dialect.V1_0, settings, gone::incrementAndGet);

    private void later(Runnable task) {
        if (stopping) {
            throw new RejectedExecutionException("stopping");
        }
        tasks.add(task);
    }

    private void work() {
        List<Runnable> due = List.copyOf(tasks);
        tasks.clear();
        due.forEach(Runnable::run);
    }

    private AsyncContext request() {
        HttpServletResponse response =
                proxy(HttpServletResponse.class, method -> method.equals("getOutputStream") ? out : null);
        ServletRequest request =
                proxy(ServletRequest.class, method -> method.equals("isAsyncStarted") ? !completed : null);
        Map<String, Object> parts = Map.of("getResponse", response, "getRequest", request);
        return proxy(AsyncContext.class, parts::get);
    }

    private static <T> T proxy(Class<T> type, Function<String, @Nullable Object> answer) {
        return type.cast(Proxy.newProxyInstance(
                SseStreamTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer.apply(method.getName())));
    }

    private static Event delta(int number) {
        return new TextMessageEvent.Content("m", "delta " + number);
    }

    private static String frame(Event event) {
        return new String(SseFrame.of(event), StandardCharsets.UTF_8);
    }

    private void passes() {
        nanos.addAndGet(SseStreams.BURST);
    }

    @Test
    void aRequestThatTheContainerHasCompletedIsNotCompletedAgain() {
        stream.send(delta(1));
        stream.onWritePossible();
        completed = true; // the client is gone, and the listener is about to hear of it
        stream.end();

        assertThat(stream.over()).isNotDone();
    }

    /**
     * Tells whether the container waits that has heard that the client is gone: what it says that to may use the request
     * until it returns.
     */
    private boolean containerWaits() {
        Thread container = new Thread(() -> stream.onError(new AsyncEvent(request(), new IOException("reset"))));
        container.start();
        while (container.getState() != Thread.State.BLOCKED && container.isAlive()) {
            Thread.onSpinWait();
        }
        return container.isAlive();
    }

    @Test
    void theContainerDoesNotTakeTheRequestAwayWhileItIsWrittenTo() {
        AtomicBoolean waits = new AtomicBoolean();
        out.whileWriting = () -> waits.set(containerWaits());
        stream.open();

        stream.send(delta(1));
        stream.onWritePossible();

        assertThat(waits).isTrue();
    }

    static List<Named<Consumer<SseStreamTest>>> ends() {
        return List.of(
                Named.of("the body is written", test -> test.stream.end()),
                Named.of("the connection broke", test -> {
                    test.out.broken = true;
                    test.stream.end();
                }),
                Named.of("the client does not read", test -> {
                    test.out.ready = false;
                    assertThatThrownBy(() -> {
                                for (int i = 0; i < 100; i++) {
                                    test.stream.send(delta(i));
                                }
                            })
                            .isInstanceOf(IllegalStateException.class);
                }));
    }

    @ParameterizedTest
    @MethodSource("ends")
    @Logs("More than * bytes wait for a client")
    void theContainerDoesNotTakeTheRequestAwayWhileItIsCompleted(Consumer<SseStreamTest> ended) {
        AtomicBoolean waits = new AtomicBoolean();
        stream.over().thenRun(() -> waits.set(containerWaits()));
        stream.open();
        stream.onWritePossible();
        stream.send(delta(0));

        ended.accept(this);

        assertThat(waits).isTrue();
    }

    @Test
    void aRequestIsCompletedWhenItsBodyIsWritten() {
        stream.send(LAST);
        stream.end();
        stream.onWritePossible();

        assertThat(out.text()).isEqualTo(frame(LAST));
        assertThat(stream.over()).isDone();
    }

    @Test
    void anEventOfAQuietRunIsWrittenAtOnceByTheOneWhoSpeaks() {
        stream.send(delta(1));
        stream.onWritePossible();
        for (int i = 2; i < 5; i++) {
            passes();
            stream.send(delta(i));
            assertThat(out.text()).endsWith(frame(delta(i)));
            assertThat(out.flushes).isEqualTo(i);
        }
        assertThat(tasks).isEmpty();
        assertThat(bursts.waiting()).isZero();
    }

    @Test
    void whatFollowsSoonIsWrittenTogetherAndFlushedOnceWhateverTheRunWaitsFor() {
        stream.send(delta(1));
        stream.onWritePossible();
        stream.send(delta(2));
        stream.send(delta(3));

        assertThat(out.text()).isEqualTo(frame(delta(1)));
        assertThat(bursts.delays()).containsExactly(Duration.ofNanos(SseStreams.BURST));
        bursts.ring();

        assertThat(out.text()).isEqualTo(frame(delta(1)) + frame(delta(2)) + frame(delta(3)));
        assertThat(out.flushes).isEqualTo(2);
        assertThat(bursts.waiting()).isZero();

        stream.send(delta(4));
        bursts.ring();

        assertThat(out.text()).endsWith(frame(delta(4)));
    }

    @Test
    void theEventsOfALongBurstDoNotWaitForItsEnd() {
        stream.onWritePossible();
        stream.send(delta(1));
        assertThat(out.text()).isEmpty();

        stream.send(new TextMessageEvent.Content("m", "x".repeat(SseStreams.BLOCK_BYTES)));

        assertThat(out.text()).startsWith(frame(delta(1))).hasSizeGreaterThan(SseStreams.BLOCK_BYTES);
        bursts.ring();
        assertThat(out.flushes).isEqualTo(1);
    }

    @Test
    void theLastEventGoesOutWithTheEndOfTheBody() {
        stream.onWritePossible();
        stream.send(delta(1));
        stream.send(LAST);
        stream.end();

        assertThat(out.text()).isEqualTo(frame(delta(1)) + frame(LAST));
        assertThat(out.flushes).isZero();
        assertThat(stream.over()).isCompleted();
        bursts.ring();
    }

    @Test
    void theLastEventDoesNotWaitForWhatTheEndOfTheRunWaitsFor() {
        stream.onWritePossible();
        stream.send(LAST);
        bursts.ring();

        assertThat(out.text()).isEqualTo(frame(LAST));
        assertThat(stream.over()).isNotDone();
    }

    @Test
    void aStreamThatIsOverHasNothingToWriteAnyMore() {
        stream.onWritePossible();
        stream.send(delta(1));
        stream.onComplete(new AsyncEvent(request()));
        bursts.ring();

        assertThat(out.text()).isEmpty();
        assertThat(gone).hasValue(0);
        work();
        assertThat(gone).hasValue(1);
    }

    @Test
    void aClientThatTakesEverythingLosesNothingHoweverFastTheRunIs() {
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            stream.send(delta(i));
            said.append(frame(delta(i)));
        }
        stream.send(LAST);
        stream.end();
        stream.onWritePossible();

        assertThat(out.text()).isEqualTo(said + frame(LAST));
        assertThat(stream.over()).isCompleted();
        assertThat(gone).hasValue(0);
    }

    @Test
    @Logs("More than * bytes wait for a client")
    void aClientThatTakesNothingIsDroppedBeyondTheLimit() {
        out.ready = false;

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        stream.send(delta(i));
                    }
                })
                .isInstanceOf(IllegalStateException.class);
        work();

        assertThat(stream.over()).isCompleted();
        assertThat(dropped).hasValue(1);
        assertThat(gone).hasValue(1);
        assertThatThrownBy(() -> stream.send(delta(0))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theEndOfARunIsKeptForASlowClientEvenBehindASingleEventThatIsTooLarge() {
        Event large = new TextMessageEvent.Content("m", "x".repeat(10 * BUFFER));
        out.ready = false;

        stream.send(large);
        stream.send(LAST);
        stream.end();
        out.ready = true;
        stream.onWritePossible();

        assertThat(out.text()).isEqualTo(frame(large) + frame(LAST));
        assertThat(stream.over()).isCompleted();
    }

    @Test
    void theBodyDoesNotEndBeforeTheClientTookTheLastEvent() {
        stream.send(LAST);
        out.ready = false;
        stream.onWritePossible();
        stream.end();
        work();
        assertThat(stream.over()).isNotDone();

        out.ready = true;
        stream.onWritePossible();

        assertThat(out.text()).isEqualTo(frame(LAST));
        assertThat(stream.over()).isCompleted();
        assertThat(out.flushes).as("goes out with the end of the body").isZero();
    }

    @Test
    void aCommentIsWrittenOnlyIfNothingWaits() {
        stream.send(delta(1));
        timer.ring();
        stream.onWritePossible();
        timer.ring();

        assertThat(out.text()).isEqualTo(frame(delta(1)) + ": keep-alive\n\n");
    }

    @Test
    void aClientWhoseConnectionBrokeIsReportedOnceAndNothingMoreIsWritten() {
        stream.send(delta(1));
        out.broken = true;
        stream.onWritePossible();
        stream.onError(new IOException("again"));
        stream.onComplete(new AsyncEvent(request()));
        work();

        assertThat(dropped).hasValue(0);
        assertThat(gone).hasValue(1);
        assertThat(stream.over()).isCompleted();
        assertThat(timer.waiting()).isEqualTo(1);
        timer.ring();
        assertThat(timer.waiting()).isZero();
    }

    @Test
    void aRequestThatTheContainerCompletedIsNotCompletedAgain() {
        stream.send(delta(1));

        stream.onComplete(new AsyncEvent(request()));
        stream.end();
        work();

        assertThat(stream.over())
                .as("what completes the request would touch it")
                .isNotDone();
        assertThat(gone).hasValue(1);
        assertThat(out.text()).isEmpty();
    }

    @Test
    void aClientThatLeavesAfterTheRunHasEndedIsNotReported() {
        out.ready = false;
        stream.send(LAST);
        stream.end();

        stream.onError(new IOException("reset"));
        work();

        assertThat(gone).hasValue(0);
        assertThat(stream.over()).isCompleted();
    }

    @Test
    void whileTheServerStopsTheOneWhoSpeaksWrites() {
        stream.send(delta(1));
        stream.onWritePossible();
        stopping = true;

        stream.send(LAST);
        stream.end();

        assertThat(out.text()).isEqualTo(frame(delta(1)) + frame(LAST));
        assertThat(stream.over()).isCompleted();
    }

    @Test
    @Logs("A stream could not be written to")
    void aStreamThatFailsDoesNotEndTheBeatOfTheOthers() {
        SseStream other = new SseStream(request(), Dialect.V1_0, settings, gone::incrementAndGet);
        SseStream failing = new SseStream(request(), Dialect.V1_0, settings, () -> {
            throw new IllegalStateException("the database is gone");
        });
        for (SseStream each : List.of(failing, other)) {
            each.open();
            each.onWritePossible();
            each.send(delta(1));
        }
        stopping = true;
        out.broken = true;
        bursts.ring();
        out.broken = false;

        stream.open();
        stream.onWritePossible();
        stream.send(delta(2));
        bursts.ring();

        assertThat(out.text()).isEqualTo(frame(delta(2)));
    }

    @Test
    void aRunThatEndsBeforeItsStreamIsOpenLeavesNothingBehind() throws InterruptedException {
        Thread run = new Thread(() -> {
            stream.send(LAST);
            stream.end();
        });
        run.start();
        run.join();
        stream.open();
        stream.onWritePossible();
        stream.onComplete(new AsyncEvent(request()));
        timer.ring();

        assertThat(out.text()).isEqualTo(frame(LAST));
        assertThat(timer.waiting()).isZero();
    }
}
