package io.holdpoint.testing;

import io.holdpoint.internal.run.BeatTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A timer whose time comes when the test says so, and for which nothing else is done meanwhile. */
public class ManualTimer implements BeatTimer {

    private final List<Runnable> waiting = new ArrayList<>();
    private final List<Duration> delays = new ArrayList<>();

    @Override
    public synchronized void after(Duration delay, Runnable task) {
        waiting.add(task);
        delays.add(delay);
    }

    @Override
    public void aside(Runnable task) {
        task.run();
    }

    /** Runs what waits; what that schedules waits for the next time. */
    public void ring() {
        List<Runnable> due;
        synchronized (this) {
            due = List.copyOf(waiting);
            waiting.clear();
        }
        due.forEach(Runnable::run);
    }

    public synchronized int waiting() {
        return waiting.size();
    }

    /** Every delay that was ever asked for. */
    public synchronized List<Duration> delays() {
        return List.copyOf(delays);
    }
}
