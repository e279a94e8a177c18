package io.holdpoint.internal.follow;

import io.holdpoint.ErrorCode;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.follow.FollowSettings;
import io.holdpoint.hook.Guest;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.follow.LiveRuns.LiveRun;
import io.holdpoint.internal.lease.Scheduler;
import io.holdpoint.store.Store.Active;
import io.holdpoint.store.Store.Lease;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows one follower a thread, and the run that is active on it until that run ends. The follower hears a run of this process
 * live, and sees a run of another node in the store. Its mailbox does all the work, so that a run does not wait for a follower:
 * one that does not keep up, or whose time is over, is sent away.
 */
final class LiveFollower implements Guest.Follower {

    static final String FAILED = "The thread could not be read. Ask for its history again.";

    private static final Logger LOG = LoggerFactory.getLogger(LiveFollower.class);

    private final LiveRuns runs;
    private final Scheduler timer;
    private final FollowSettings settings;
    private final ThreadStream stream;
    private final String threadId;
    private final Mailbox mailbox;
    private final CompletableFuture<ThreadStatus> result = new CompletableFuture<>();

    private Optional<LiveRun> joined = Optional.empty();
    private Optional<Lease> watched = Optional.empty();
    private boolean hasBegun;

    LiveFollower(AgentConfig<?> config, FollowSettings settings, LiveRuns runs, String threadId, ThreadStream stream) {
        this.runs = runs;
        this.timer = config.timer;
        this.settings = settings;
        this.stream = stream;
        this.threadId = threadId;
        this.mailbox = new Mailbox(config.executor, config.timer::aside);
    }

    CompletableFuture<ThreadStatus> start() {
        Runnable cancel = later(settings.longest(), this::breakOff);
        result.whenComplete((status, failure) -> cancel.run());
        post(() -> {
            stream.begin();
            look();
        });
        return result;
    }

    /** Runs a task later, but not on the timer's own thread: an executor may run what it is given on its caller's thread. */
    private Runnable later(Duration delay, Runnable task) {
        return timer.after(delay, () -> timer.aside(task));
    }

    private void breakOff() {
        post(() -> end(stream.breakOff()));
    }

    @Override
    public void heard(Event event) {
        post(() -> take(event));
    }

    @Override
    public boolean isReading() {
        return !result.isDone() && stream.client.isRead();
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
                if (stream.client.isOver()) { // its client is gone
                    end(ThreadStatus.RUNNING);
                }
            } catch (RuntimeException | Error e) {
                LOG.error("The thread {} could not be followed", threadId, e);
                stream.client.close(new RunEvent.Error(FAILED, ErrorCode.RUN_FAILED.name()));
                leave();
                result.completeExceptionally(e);
            }
        };
    }

    /** Joins the run if it is one of this process. The thread is read after joining, so that it has all that is not heard. */
    private void look() {
        Optional<LiveRun> live = runs.find(threadId);
        Optional<List<Event>> soFar = live.flatMap(run -> run.join(this));
        if (soFar.isPresent()) {
            joined = live;
            stream.client.show();
            soFar.get().stream().takeWhile(event -> !result.isDone()).forEach(this::take);
        } else {
            watch();
        }
    }

    private void watch() {
        Optional<Active> active = stream.active();
        Optional<Lease> lease = active.map(Active::lease);
        boolean goesOn = lease.isPresent() && (watched.isEmpty() || watched.equals(lease));
        if (!goesOn) {
            end(stream.endAsItIs());
            return;
        }
        watched = lease;
        stream.showNews(active.get());
        later(settings.lookEvery(), () -> post(this::look));
    }

    /** Takes an event of the run. The first one is its start, or the error that refuses its input and concerns its client only. */
    private void take(Event event) {
        if (event instanceof RunEvent.Finished finished) {
            end(stream.endLike(finished));
        } else if (event instanceof RunEvent.Error error) {
            end(hasBegun ? stream.endLike(error) : stream.endAsItIs());
        } else if (hasBegun) {
            stream.client.pass(event);
        }
        hasBegun = true;
    }

    private void end(ThreadStatus status) {
        leave();
        result.complete(status);
    }

    private void leave() {
        joined.ifPresent(run -> run.leave(this));
    }

    /**
     * Does one task after the other on the agent's executor, which it occupies only while there are tasks. A post does not
     * wait. Thread-safe.
     */
    private static final class Mailbox {

        /** The most events that may wait for a follower. */
        private static final int CAPACITY = 1_000;

        private final Executor executor;
        private final Executor substitute;
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private boolean working;

        /** The substitute works if the executor refuses to. */
        Mailbox(Executor executor, Executor substitute) {
            this.executor = executor;
            this.substitute = substitute;
        }

        /** Adds a task; if too many wait, {@code ifFull} takes the place of all of them. */
        void post(Runnable task, Runnable ifFull) {
            synchronized (this) {
                if (waiting.size() < CAPACITY) {
                    waiting.add(task);
                } else {
                    waiting.clear();
                    waiting.add(ifFull);
                }
                if (working) {
                    return;
                }
                working = true;
            }
            try {
                executor.execute(this::work);
            } catch (RuntimeException | Error e) { // a pool that is full or shut down
                LOG.warn("The agent's executor no longer takes tasks; another thread is used: {}", e.toString());
                substitute.execute(this::work);
            }
        }

        private void work() {
            for (Optional<Runnable> task = next(); task.isPresent(); task = next()) {
                task.get().run();
            }
        }

        private synchronized Optional<Runnable> next() {
            Optional<Runnable> task = Optional.ofNullable(waiting.poll());
            working = task.isPresent();
            return task;
        }
    }
}
