package io.holdpoint.internal.live;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.EventBase;
import io.holdpoint.agui.ReasoningMessageContentEvent;
import io.holdpoint.agui.TextMessageContentEvent;
import io.holdpoint.agui.ToolCallArgsEvent;
import io.holdpoint.agui.ToolCallResultEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run has sent. Pieces of one text that come one after the other are one event. Bounded: a run that sends more cannot
 * be joined. Not thread-safe.
 */
final class RunLog {

    /** Most characters of texts, arguments and results. */
    static final int MAX_LENGTH = 2_000_000;

    static final int MAX_EVENTS = 10_000;

    private final List<Event> events = new ArrayList<>();
    private Optional<Growing> growing = Optional.empty();
    private long length;
    private boolean isTooLong;

    /** A text of which more may come. */
    private record Growing(Event first, StringBuilder text) {

        static Optional<Growing> of(Event event) {
            return delta(event).map(delta -> new Growing(event, new StringBuilder(delta)));
        }

        boolean takes(Event event) {
            return event.getClass() == first.getClass()
                    && event.base().equals(EventBase.NONE)
                    && first.base().equals(EventBase.NONE)
                    && with(event, "").equals(with(first, ""));
        }

        Event whole() {
            return with(first, text.toString());
        }
    }

    void add(Event event) {
        if (isTooLong) {
            return;
        }
        if (growing.isPresent() && growing.get().takes(event)) {
            growing.get().text().append(delta(event).orElseThrow());
        } else {
            growing.ifPresent(text -> events.add(text.whole()));
            growing = Growing.of(event);
            if (growing.isEmpty()) {
                events.add(event);
            }
        }
        length += delta(event).map(String::length).orElse(0);
        if (event instanceof ToolCallResultEvent result) {
            length += result.content().asText().length();
        }
        if (length > MAX_LENGTH || events.size() > MAX_EVENTS) {
            isTooLong = true;
            events.clear();
            growing = Optional.empty();
        }
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

    private static Optional<String> delta(Event event) {
        if (event instanceof TextMessageContentEvent text) {
            return Optional.of(text.delta());
        } else if (event instanceof ToolCallArgsEvent arguments) {
            return Optional.of(arguments.delta());
        } else if (event instanceof ReasoningMessageContentEvent reasoning) {
            return Optional.of(reasoning.delta());
        }
        return Optional.empty();
    }

    private static Event with(Event event, String delta) {
        if (event instanceof TextMessageContentEvent text) {
            return new TextMessageContentEvent(text.messageId(), delta, text.base());
        } else if (event instanceof ToolCallArgsEvent arguments) {
            return new ToolCallArgsEvent(arguments.toolCallId(), delta, arguments.base());
        } else if (event instanceof ReasoningMessageContentEvent reasoning) {
            return new ReasoningMessageContentEvent(reasoning.messageId(), delta, reasoning.base());
        }
        throw new IllegalArgumentException("no piece of a text: " + event);
    }
}
