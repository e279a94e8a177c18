package io.holdpoint.internal.follow;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The active runs of an agent in this process, by thread. Thread-safe. */
public final class LiveRuns {

    private final Map<String, LiveRun> active = new ConcurrentHashMap<>();

    /** Creates it without any run. */
    public LiveRuns() {}

    /**
     * Lets a run be found, in the place of an earlier one of the thread.
     *
     * @param threadId the conversation
     * @param run has the thread's lease
     */
    public void begin(String threadId, LiveRun run) {
        active.put(threadId, run);
    }

    /**
     * Forgets a run. Does nothing if the thread has another one by now.
     *
     * @param threadId the conversation
     * @param run what {@link #begin} was given
     */
    public void end(String threadId, LiveRun run) {
        active.remove(threadId, run);
    }

    /**
     * Finds a run.
     *
     * @param threadId the conversation
     * @return the run that is active here, or has just ended
     */
    public Optional<LiveRun> find(String threadId) {
        return Optional.ofNullable(active.get(threadId));
    }
}
