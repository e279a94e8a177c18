package io.holdpoint.internal.follow;

import io.holdpoint.ErrorCode;
import io.holdpoint.FollowSettings;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.lease.BeatTimer;
import io.holdpoint.store.Store.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Somebody who looks at a thread, and at the run that is active on it until that ends. A run of this process is heard live; one
 * of another node is seen in what it stores. Everything is done in the mailbox: a follower that does not keep up, or whose time
 * is over, is sent away, and the run does not notice.
 */
final class Follow {

    /** How many events may wait for a follower. */
    static final int MAX_WAITING = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(Follow.class);
    static final String FAILED = "The thread could not be read. Ask for its history again.";

    private final LiveRuns runs;
    private final BeatTimer timer;
    private final FollowSettings following;
    private final ThreadStream stream;
    private final String threadId;
    private final Mailbox mailbox;
    private final CompletableFuture<ThreadStatus> result = new CompletableFuture<>();
    /** One object: it is known by its identity. */
    private final Consumer<Event> ear = this::heard;

    private Optional<LiveRun> joined = Optional.empty();
    private Optional<Lease> watched = Optional.empty();
    private boolean hasBegun;

    Follow(AgentConfig<?> settings, LiveRuns runs, String threadId, ThreadStream stream) {
        this.runs = runs;
        this.timer = settings.timer;
        this.following = settings.following;
        this.stream = stream;
        this.threadId = threadId;
        this.mailbox = new Mailbox(settings.executor, settings.timer::aside, MAX_WAITING);
    }

    /** Begins. */
    CompletableFuture<ThreadStatus> start() {
        AtomicReference<Optional<Follow>> present = new AtomicReference<>(Optional.of(this));
        result.whenComplete((status, failure) -> present.set(Optional.empty())); // the timer keeps its task to the end
        later(following.longest(), () -> present.get().ifPresent(Follow::breakOff));
        post(() -> {
            stream.begin();
            look();
        });
        return result;
    }

    /** Not on the timer's own thread: an executor may work on the thread of who calls it. */
    private void later(Duration delay, Runnable task) {
        timer.after(delay, () -> timer.aside(task));
    }

    /** Ends the stream although the run goes on. */
    private void breakOff() {
        post(() -> end(stream.breakOff()));
    }

    private void heard(Event event) {
        post(() -> take(event));
    }

    private void post(Runnable task) {
        mailbox.post(guarded(task), guarded(() -> end(stream.breakOff())));
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            if (result.isDone()) {
                return;
            }
            try {
                task.run();
                if (stream.isOver()) { // its client is gone
                    end(ThreadStatus.RUNNING);
                }
            } catch (RuntimeException | Error e) {
                LOG.error("The thread {} could not be followed", threadId, e);
                stream.fail(new RunEvent.Error(FAILED, ErrorCode.RUN_FAILED.name()));
                leave();
                result.completeExceptionally(e);
            }
        };
    }

    /** Joins the run if it is one of this process. Joined first and read afterwards, the thread has all that is not heard. */
    private void look() {
        Optional<LiveRun> live = runs.find(threadId);
        Optional<List<Event>> soFar = live.flatMap(run -> run.join(ear));
        if (soFar.isPresent()) {
            joined = live;
            stream.show();
            soFar.get().stream().takeWhile(event -> !result.isDone()).forEach(this::take);
        } else {
            watch();
        }
    }

    private void watch() {
        Optional<Lease> active = stream.active();
        boolean goesOn = active.isPresent() && (watched.isEmpty() || watched.equals(active));
        if (!goesOn) {
            end(stream.endAsItIs());
            return;
        }
        watched = active;
        stream.showNews();
        later(following.lookEvery(), () -> post(this::look));
    }

    private void take(Event event) {
        if (event instanceof RunEvent.Started) {
            hasBegun = true;
        } else if (event instanceof RunEvent.Finished finished) {
            end(stream.endLike(finished));
        } else if (event instanceof RunEvent.Error error) {
            // an input that was refused changed nothing, and is nobody's affair but its client's
            end(hasBegun ? stream.endLike(error) : stream.endAsItIs());
        } else {
            stream.pass(event);
        }
    }

    private void end(ThreadStatus status) {
        leave();
        result.complete(status);
    }

    private void leave() {
        joined.ifPresent(run -> run.leave(ear));
    }
}
