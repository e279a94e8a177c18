package io.holdpoint.agui.client;

import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the frames of one response, and gives up when it is silent for too long. Its result is the last event, if it came. */
final class EventStream implements BodySubscriber<Optional<Event.Terminal>> {

    /** The longest event that is read, in bytes; a server that sends more is not believed. */
    private static final int LONGEST = 64_000_000;

    /** The time in which a server closes the stream after the last event. */
    private static final Duration LINGERING = Duration.ofSeconds(1);

    private final Duration idleTimeout;
    private final Consumer<Event> events;
    private final CompletableFuture<Event.Terminal> run;
    private final CompletableFuture<Optional<Event.Terminal>> body = new CompletableFuture<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private volatile CompletableFuture<?> silence = new CompletableFuture<>();
    private Event.@Nullable Terminal last;
    private Flow.@Nullable Subscription subscription;

    EventStream(Duration idleTimeout, Consumer<Event> events, CompletableFuture<Event.Terminal> run) {
        this.idleTimeout = idleTimeout;
        this.events = events;
        this.run = run;
    }

    @Override
    public CompletionStage<Optional<Event.Terminal>> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        run.whenComplete((end, failure) -> {
            if (failure != null) {
                given.cancel();
            }
        });
        listen();
        given.request(1);
    }

    private void listen() {
        await(idleTimeout, () -> fail(new HttpTimeoutException("the server was silent for " + idleTimeout)));
    }

    /** Closes the stream soon after the last event: a server that does not hang up is not waited for. */
    private void hangUp() {
        await(LINGERING, () -> {
            subscription.cancel();
            onComplete();
        });
    }

    private void await(Duration most, Runnable then) {
        silence.cancel(false);
        CompletableFuture<Void> next = new CompletableFuture<>();
        silence = next;
        next.orTimeout(most.toMillis(), TimeUnit.MILLISECONDS).whenComplete((never, failure) -> {
            if (!next.isCancelled()) {
                then.run();
            }
        });
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        boolean hadEnded = last != null;
        if (!hadEnded) {
            listen();
        }
        try {
            for (ByteBuffer buffer : buffers) {
                while (buffer.hasRemaining() && last == null) {
                    take(buffer.get());
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            return;
        }
        if (!hadEnded && last != null) {
            hangUp();
        }
        subscription.request(1);
    }

    private void take(byte next) throws IOException {
        if (next != '\n') {
            line.write(next);
            if (line.size() + data.length() > LONGEST) {
                throw new IOException("an event of more than " + LONGEST + " bytes");
            }
            return;
        }
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (text.endsWith("\r")) {
            text = text.substring(0, text.length() - 1);
        }
        if (text.startsWith("data:")) {
            data.append(data.isEmpty() ? "" : "\n").append(text, text.startsWith("data: ") ? 6 : 5, text.length());
        } else if (text.isEmpty() && !data.isEmpty()) {
            Event event = AguiCodec.readEvent(data.toString());
            data.setLength(0);
            events.accept(event);
            if (event instanceof Event.Terminal end) {
                last = end;
            }
        }
    }

    private void fail(Throwable failure) {
        silence.cancel(false);
        subscription.cancel();
        body.completeExceptionally(failure);
    }

    @Override
    public void onError(Throwable failure) {
        fail(failure);
    }

    @Override
    public void onComplete() {
        silence.cancel(false);
        body.complete(Optional.ofNullable(last));
    }
}
