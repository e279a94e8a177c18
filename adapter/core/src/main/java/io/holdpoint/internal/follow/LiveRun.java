package io.holdpoint.internal.follow;

import io.holdpoint.agui.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What one active run sends, whoever its client is. Followers may come at any time: they get everything that was sent, with
 * the pieces of a text put together, and then whatever comes. Thread-safe.
 */
public final class LiveRun {

    /** How many may follow a run at a time. */
    public static final int MAX_FOLLOWERS = 100;

    private final RunLog log = new RunLog();
    private List<Consumer<Event>> followers = List.of();

    /** A run that has sent nothing, and that nobody follows. */
    public LiveRun() {}

    /**
     * Passes an event on. Calls must not overlap.
     *
     * @param event what the run sends
     */
    public void sent(Event event) {
        List<Consumer<Event>> present;
        synchronized (this) {
            log.add(event);
            present = followers;
        }
        present.forEach(follower -> follower.accept(event));
    }

    /**
     * Follows the run.
     *
     * @param follower gets every further event, on the run's thread: it must neither wait nor throw
     * @return what was sent before; empty if that is too much to be kept, or too many follow already: nothing comes then
     */
    public synchronized Optional<List<Event>> join(Consumer<Event> follower) {
        Optional<List<Event>> soFar = followers.size() < MAX_FOLLOWERS ? log.events() : Optional.empty();
        if (soFar.isPresent()) {
            List<Consumer<Event>> more = new ArrayList<>(followers);
            more.add(follower);
            followers = List.copyOf(more);
        }
        return soFar;
    }

    /**
     * Stops following. An event may still come that is on its way.
     *
     * @param follower who joined
     */
    public synchronized void leave(Consumer<Event> follower) {
        followers = followers.stream().filter(each -> each != follower).toList();
    }
}
