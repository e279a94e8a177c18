package io.holdpoint.internal.follow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does things one after the other, elsewhere: there is a thread at work only while something is to be done. Whoever posts
 * does not wait. Thread-safe.
 */
final class Mailbox {

    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

    private final Executor executor;
    private final Executor otherwise;
    private final int capacity;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean working;

    /**
     * @param otherwise works if the executor refuses to
     * @param capacity how much may wait
     */
    Mailbox(Executor executor, Executor otherwise, int capacity) {
        this.executor = executor;
        this.otherwise = otherwise;
        this.capacity = capacity;
    }

    /** Does something after what waits; instead of what waits, {@code ifFull} is done if that is too much. */
    void post(Runnable task, Runnable ifFull) {
        synchronized (this) {
            if (waiting.size() < capacity) {
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
            LOG.warn("The agent's executor takes no more; a thread of its own is used: {}", e.toString());
            otherwise.execute(this::work);
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
