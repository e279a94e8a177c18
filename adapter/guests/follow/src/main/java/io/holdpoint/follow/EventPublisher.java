package io.holdpoint.follow;

import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The events of runs for reactive servers: each subscriber starts a run, as by {@link Holdpoint#run}, on the thread that subscribes, which works
 * with the store; with WebFlux, {@code subscribeOn(Schedulers.boundedElastic())}. No thread waits for a subscriber: what it has not requested yet
 * is kept, and a subscriber that leaves {@value #MOST_KEPT} events behind fails, while its run goes on to its end without it, as it does
 * after a cancel. The run begins whether anything is requested or not. Thread-safe.
 *
 * <p>A run that is refused is an error without an event, a {@link RunRejectedException}. Every other run completes after its last event, a {@code RUN_FINISHED}
 * or {@code RUN_ERROR}.
 */
public final class EventPublisher implements Flow.Publisher<Event> {

    /** The most events that wait for a subscriber. */
    public static final int MOST_KEPT = 10_000;

    private final Holdpoint agent;
    private final RunAgentInput input;

    private EventPublisher(Holdpoint agent, RunAgentInput input) {
        this.agent = agent;
        this.input = input;
    }

    /**
     * Makes a publisher of the events of a run.
     *
     * @param agent bound to the caller, see {@link Holdpoint#as}; a supplier is asked on the thread that subscribes
     */
    public static EventPublisher of(Holdpoint agent, RunAgentInput input) {
        return new EventPublisher(Objects.requireNonNull(agent, "agent"), Objects.requireNonNull(input, "input"));
    }

    @Override
    public void subscribe(Flow.Subscriber<? super Event> subscriber) {
        Client client = new Client(Objects.requireNonNull(subscriber, "subscriber"));
        subscriber.onSubscribe(client);
        if (client.isRead()) {
            try {
                agent.run(input, client).whenComplete((result, failure) -> client.end(failure));
            } catch (RuntimeException e) {
                client.end(e);
            }
        }
    }

    /** A subscriber, which is told one thing at a time, on the thread that has the next one for it or that requests it. */
    private static final class Client implements Flow.Subscription, EventSink {

        private final Flow.Subscriber<? super Event> subscriber;
        private final Queue<Event> kept = new ArrayDeque<>();
        private long requested;
        private boolean gone;
        private boolean ended;
        private boolean telling;
        private @Nullable Throwable failure;

        Client(Flow.Subscriber<? super Event> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public synchronized boolean isRead() {
            return !gone;
        }

        @Override
        public void send(Event event) {
            synchronized (this) {
                if (gone || ended) {
                    throw new IllegalStateException("the subscriber is gone");
                }
                if (kept.size() < MOST_KEPT) {
                    kept.add(event);
                } else {
                    kept.clear();
                    fail(new IllegalStateException(MOST_KEPT + " events wait for the subscriber: it requests too few"));
                }
            }
            tell();
        }

        @Override
        public void request(long more) {
            synchronized (this) {
                if (more > 0) {
                    requested = requested + more < 0 ? Long.MAX_VALUE : requested + more;
                } else {
                    kept.clear();
                    fail(new IllegalArgumentException("request: must be at least 1, and is " + more));
                }
            }
            tell();
        }

        @Override
        public synchronized void cancel() {
            gone = true;
            kept.clear();
        }

        void end(@Nullable Throwable why) {
            synchronized (this) {
                fail(why);
            }
            tell();
        }

        private void fail(@Nullable Throwable why) {
            failure = failure == null ? why : failure;
            ended = true;
        }

        private void tell() {
            for (Event next = next(true); next != null; next = next(false)) {
                try {
                    subscriber.onNext(next);
                } catch (RuntimeException | Error e) {
                    cancel();
                    throw e;
                }
            }
            if (isOver()) {
                if (failure == null) {
                    subscriber.onComplete();
                } else {
                    subscriber.onError(failure);
                }
            }
        }

        private synchronized @Nullable Event next(boolean begins) {
            if (begins && telling) {
                return null; // another thread tells it, or this one does further out
            }
            telling = !gone && requested > 0 && !kept.isEmpty();
            requested -= telling ? 1 : 0;
            return telling ? kept.remove() : null;
        }

        /** Says so once. */
        private synchronized boolean isOver() {
            boolean over = ended && !gone && !telling && kept.isEmpty();
            gone |= over;
            return over;
        }
    }
}
