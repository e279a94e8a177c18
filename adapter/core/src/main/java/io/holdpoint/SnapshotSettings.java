package io.holdpoint;

import io.holdpoint.agui.ContentPart;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Settings for {@code MESSAGES_SNAPSHOT}, the event that has a thread's messages: when a run sends it, and what it has.
 * {@code SnapshotSettings.DEFAULT.bounded().withEvents("list-changed")} changes the defaults. Immutable; thread-safe if the function is.
 *
 * @param isBounded whether a run leaves the snapshot out if its client has everything that it would say: the last message of its
 *     input that the thread knows is the thread's last one, and the rest was told as events. A client with another copy gets the
 *     snapshot, at the end of every run; one that sends its new messages only gets it where runs send one anyway. {@code false}
 *     by default: every hold, and every run that goes on from an earlier one, ends with a snapshot
 * @param media makes of each part of a user message that is not text the one to show: one whose source is a URL of the
 *     application, for instance. The model gets what came, and that is stored. Must be quick; a part at which it throws is shown
 *     as it came. By default all are. Whoever else is shown the thread gets the same
 * @param events the names of {@code CUSTOM} events of tools ({@link ToolCallContext#emit}) that are kept. They are sent as ever, and
 *     stand in the transcript as {@code {"role":"activity","activityType":"CUSTOM","content":{"name":…,"value":…}}}. None by
 *     default
 */
public record SnapshotSettings(boolean isBounded, UnaryOperator<ContentPart> media, Set<String> events) {

    /** Not bounded, media as they came, no events. */
    public static final SnapshotSettings DEFAULT = new SnapshotSettings(false, UnaryOperator.identity(), Set.of());

    /** Copies the set. */
    public SnapshotSettings {
        events = Set.copyOf(events);
    }

    /** Bounds the snapshots of runs, see {@link #isBounded}. */
    public SnapshotSettings bounded() {
        return new SnapshotSettings(true, media, events);
    }

    /** Shows each part as a function makes it, see {@link #media}. */
    public SnapshotSettings withMedia(UnaryOperator<ContentPart> shown) {
        return new SnapshotSettings(isBounded, shown, events);
    }

    /** Keeps these {@code CUSTOM} events only, see {@link #events}. */
    public SnapshotSettings withEvents(String... names) {
        return new SnapshotSettings(isBounded, media, Set.of(names));
    }
}
