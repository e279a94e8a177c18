package io.holdpoint.internal.follow;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.EventBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The events that a run has sent, with consecutive fragments of one text joined to one event. The log is bounded: a run that
 * sends more cannot be joined. Not thread-safe.
 */
final class RunLog {

    /** The most characters of content, see {@link Event#contentLength}. */
    static final int MAX_LENGTH = 2_000_000;

    static final int MAX_EVENTS = 10_000;

    private final List<Event> events = new ArrayList<>();
    private Optional<Growing> growing = Optional.empty();
    private long length;
    private boolean isTooLong;

    /** A text to which more fragments may come. */
    private record Growing(Event.Fragment first, StringBuilder text) {

        boolean takes(Event.Fragment next) {
            return first.type().equals(next.type())
                    && Objects.equals(first.messageId(), next.messageId())
                    && Objects.equals(first.toolCallId(), next.toolCallId())
                    && first.base().equals(EventBase.NONE)
                    && next.base().equals(EventBase.NONE);
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
        } else {
            growing.ifPresent(text -> events.add(text.whole()));
            growing = Optional.empty();
            events.add(event);
        }
        length += event.contentLength();
        if (length > MAX_LENGTH || events.size() > MAX_EVENTS) {
            isTooLong = true;
            events.clear();
            growing = Optional.empty();
        }
    }

    /** Returns all events, or empty if they were too many or too long. */
    Optional<List<Event>> events() {
        if (isTooLong) {
            return Optional.empty();
        }
        List<Event> all = new ArrayList<>(events);
        growing.map(Growing::whole).ifPresent(all::add);
        return Optional.of(all);
    }
}
