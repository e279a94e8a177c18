package io.holdpoint.testing;

import io.holdpoint.EventSink;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.RunErrorEvent;
import io.holdpoint.agui.RunFinishedEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.TextMessageContentEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** Keeps the events of a run. */
public final class RecordingSink implements EventSink {

    private final List<Event> events = new CopyOnWriteArrayList<>();

    @Override
    public void send(Event event) {
        events.add(event);
    }

    public List<Event> events() {
        return List.copyOf(events);
    }

    public List<String> types() {
        return events.stream().map(Event::type).toList();
    }

    public <E extends Event> List<E> all(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    public Event last() {
        return events.get(events.size() - 1);
    }

    public String text() {
        return all(TextMessageContentEvent.class).stream()
                .map(TextMessageContentEvent::delta)
                .collect(Collectors.joining());
    }

    public List<Interrupt> interrupts() {
        return last() instanceof RunFinishedEvent finished
                        && finished.outcome() instanceof RunFinishedOutcome.Interrupted interrupted
                ? interrupted.interrupts()
                : List.of();
    }

    public String errorCode() {
        return last() instanceof RunErrorEvent error ? error.code() : "no RUN_ERROR: " + types();
    }
}
