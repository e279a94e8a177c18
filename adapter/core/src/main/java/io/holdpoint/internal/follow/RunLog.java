package io.holdpoint.internal.follow;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.EventBase;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.ToolCallEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a run has sent. Pieces of one text that come one after the other are one event. Bounded: a run that sends more cannot
 * be joined. Not thread-safe.
 */
final class RunLog {

    /** Most characters of texts, arguments and results, and of the JSON that others carry. */
    static final int MAX_LENGTH = 2_000_000;

    static final int MAX_EVENTS = 10_000;

    private final List<Event> events = new ArrayList<>();
    private Optional<Growing> growing = Optional.empty();
    private long length;
    private boolean isTooLong;

    /** A text of which more may come. */
    private record Growing(Event.Fragment first, StringBuilder text) {

        boolean takes(Event.Fragment next) {
            return next.base().equals(EventBase.NONE)
                    && first.base().equals(EventBase.NONE)
                    && next.withDelta("").equals(first.withDelta(""));
        }

        Event whole() {
            return first.withDelta(text.toString());
        }
    }

    void add(Event event) {
        if (isTooLong) {
            return;
        }
        if (event instanceof Event.Fragment fragment) {
            if (growing.isPresent() && growing.get().takes(fragment)) {
                growing.get().text().append(fragment.delta());
            } else {
                growing.ifPresent(text -> events.add(text.whole()));
                growing = Optional.of(new Growing(fragment, new StringBuilder(fragment.delta())));
            }
            length += fragment.delta().length();
        } else {
            growing.ifPresent(text -> events.add(text.whole()));
            growing = Optional.empty();
            events.add(event);
        }
        length += carried(event);
        if (length > MAX_LENGTH || events.size() > MAX_EVENTS) {
            isTooLong = true;
            events.clear();
            growing = Optional.empty();
        }
    }

    /** Messages are left out: those of a snapshot are the transcript's own, and a run ends with it. */
    private static int carried(Event event) {
        if (event instanceof ToolCallEvent.Result result) {
            return result.content().asText().length();
        } else if (event instanceof StateEvent.Snapshot state) {
            return lengthOf(state.snapshot());
        } else if (event instanceof StateEvent.Delta state) {
            return lengthOf(state.delta());
        } else if (event instanceof FreeEvent.Custom custom) {
            return lengthOf(custom.value());
        } else if (event instanceof FreeEvent.Raw raw) {
            return lengthOf(raw.event());
        }
        return 0;
    }

    private static int lengthOf(@Nullable JsonNode tree) {
        return tree == null ? 0 : tree.toString().length();
    }

    /** Everything; empty if that was too much. */
    Optional<List<Event>> events() {
        if (isTooLong) {
            return Optional.empty();
        }
        List<Event> all = new ArrayList<>(events);
        growing.map(Growing::whole).ifPresent(all::add);
        return Optional.of(all);
    }
}
