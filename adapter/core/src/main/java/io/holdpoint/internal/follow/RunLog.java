package io.holdpoint.internal.follow;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.EventBase;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.TextMessageEvent;
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

    private static Optional<String> delta(Event event) {
        if (event instanceof TextMessageEvent.Content text) {
            return Optional.of(text.delta());
        } else if (event instanceof ToolCallEvent.Args arguments) {
            return Optional.of(arguments.delta());
        } else if (event instanceof ReasoningEvent.MessageContent reasoning) {
            return Optional.of(reasoning.delta());
        }
        return Optional.empty();
    }

    private static Event with(Event event, String delta) {
        if (event instanceof TextMessageEvent.Content text) {
            return new TextMessageEvent.Content(text.messageId(), delta, text.base());
        } else if (event instanceof ToolCallEvent.Args arguments) {
            return new ToolCallEvent.Args(arguments.toolCallId(), delta, arguments.base());
        } else if (event instanceof ReasoningEvent.MessageContent reasoning) {
            return new ReasoningEvent.MessageContent(reasoning.messageId(), delta, reasoning.base());
        }
        throw new IllegalArgumentException("no piece of a text: " + event);
    }
}
