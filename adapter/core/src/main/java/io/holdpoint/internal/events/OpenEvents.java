package io.holdpoint.internal.events;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.ReasoningEndEvent;
import io.holdpoint.agui.ReasoningMessageEndEvent;
import io.holdpoint.agui.ReasoningMessageStartEvent;
import io.holdpoint.agui.ReasoningStartEvent;
import io.holdpoint.agui.StepFinishedEvent;
import io.holdpoint.agui.StepStartedEvent;
import io.holdpoint.agui.TextMessageEndEvent;
import io.holdpoint.agui.TextMessageStartEvent;
import io.holdpoint.agui.ToolCallEndEvent;
import io.holdpoint.agui.ToolCallStartEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a stream has opened and not closed, as the events that close it. Not thread-safe. */
public final class OpenEvents {

    private final Set<Event> closing = new LinkedHashSet<>();

    public void saw(Event event) {
        bare(event).ifPresent(closing::remove);
        closes(event).ifPresent(closing::add);
    }

    /** Whether a message is being written. */
    public boolean isWriting() {
        return closing.stream().anyMatch(event -> !(event instanceof StepFinishedEvent));
    }

    /** What closes everything, the last one that was opened first. Nothing is open afterwards. */
    public List<Event> close() {
        List<Event> last = new ArrayList<>(closing);
        Collections.reverse(last);
        closing.clear();
        return last;
    }

    private static Optional<Event> closes(Event event) {
        if (event instanceof TextMessageStartEvent text) {
            return Optional.of(new TextMessageEndEvent(text.messageId()));
        } else if (event instanceof ToolCallStartEvent call) {
            return Optional.of(new ToolCallEndEvent(call.toolCallId()));
        } else if (event instanceof ReasoningStartEvent reasoning) {
            return Optional.of(new ReasoningEndEvent(reasoning.messageId()));
        } else if (event instanceof ReasoningMessageStartEvent reasoning) {
            return Optional.of(new ReasoningMessageEndEvent(reasoning.messageId()));
        } else if (event instanceof StepStartedEvent step) {
            return Optional.of(new StepFinishedEvent(step.stepName()));
        }
        return Optional.empty();
    }

    /** What closes something, without what else the event carries. */
    private static Optional<Event> bare(Event event) {
        if (event instanceof TextMessageEndEvent text) {
            return Optional.of(new TextMessageEndEvent(text.messageId()));
        } else if (event instanceof ToolCallEndEvent call) {
            return Optional.of(new ToolCallEndEvent(call.toolCallId()));
        } else if (event instanceof ReasoningEndEvent reasoning) {
            return Optional.of(new ReasoningEndEvent(reasoning.messageId()));
        } else if (event instanceof ReasoningMessageEndEvent reasoning) {
            return Optional.of(new ReasoningMessageEndEvent(reasoning.messageId()));
        } else if (event instanceof StepFinishedEvent step) {
            return Optional.of(new StepFinishedEvent(step.stepName()));
        }
        return Optional.empty();
    }
}
