package io.holdpoint.hook;

import io.holdpoint.Caller;
import io.holdpoint.EventSink;
import io.holdpoint.agui.Event;
import io.holdpoint.store.Store;
import java.util.Optional;

/**
 * The work of an {@link Extension} beside one agent, from when it has joined until the agent is shut down. It reads along and is told; it has
 * no say in whether a call runs. Thread-safe.
 */
public interface Guest {

    /** All extensions have joined, and the first run may come: the guest begins what it does by itself. */
    default void begin() {}

    /** Returns the sink to use for a client of that caller, who is shown that thread: by default the sink itself. */
    default EventSink noticing(EventSink sink, Caller caller, String threadId) {
        return sink;
    }

    /** Returns what hears all events of a run that begins now, under that lease; empty by default. */
    default Optional<Follower> follower(Store.Lease run) {
        return Optional.empty();
    }

    /** Does what is due by now, for agents whose time is moved by hand; what the guest does by itself is not repeated. */
    default void actOnTime() {}

    /** The agent lets no further run start. Active runs may go on for their time of grace. */
    default void closing() {}

    /** The runs have ended: begins nothing any more. Must not wait. */
    default void close() {}

    /** Waits until what the guest is at has ended, but not past a time of {@link System#nanoTime}. */
    default void awaitEnd(long deadline) {}

    /** Hears the events of one run, one at a time and in order, on the run's thread; must neither wait nor throw. */
    interface Follower {

        void heard(Event event);

        /** Checks whether somebody reads what is heard: a run that nobody reads may be taken over. May wait for a moment. */
        boolean isReading();

        /** The run has ended, or never began. */
        default void ended() {}
    }
}
