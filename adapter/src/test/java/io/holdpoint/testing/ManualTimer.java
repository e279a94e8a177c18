package io.holdpoint.testing;

import io.holdpoint.internal.run.BeatTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A timer whose time comes when the test says so, and for which nothing else is done meanwhile. */
public class ManualTimer implements BeatTimer {

    private record Later(Duration delay, Runnable task) {}

    private final List<Later> waiting = new ArrayList<>();
    private final List<Duration> delays = new ArrayList<>();

    @Override
    public synchronized void after(Duration delay, Runnable task) {
        waiting.add(new Later(delay, task));
        delays.add(delay);
    }

    @Override
    public void aside(Runnable task) {
        task.run();
    }

    /** Runs what waits; what that schedules waits for the next time. */
    public void ring() {
        ring(later -> true);
    }

    /** The same, of what waits for this long. */
    public void ring(Duration delay) {
        ring(later -> later.delay().equals(delay));
    }

    private void ring(Predicate<Later> isDue) {
        List<Later> due;
        synchronized (this) {
            due = waiting.stream().filter(isDue).toList();
            waiting.removeAll(due);
        }
        due.forEach(later -> later.task().run());
    }

    public synchronized int waiting() {
        return waiting.size();
    }

    /** Every delay that was ever asked for. */
    public synchronized List<Duration> delays() {
        return List.copyOf(delays);
    }
}
