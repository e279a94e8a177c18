package io.holdpoint.internal.events;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.StepEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
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
        return closing.stream().anyMatch(event -> !(event instanceof StepEvent.Finished));
    }

    /** What closes everything, the last one that was opened first. Nothing is open afterwards. */
    public List<Event> close() {
        List<Event> last = new ArrayList<>(closing);
        Collections.reverse(last);
        closing.clear();
        return last;
    }

    private static Optional<Event> closes(Event event) {
        if (event instanceof TextMessageEvent.Start text) {
            return Optional.of(new TextMessageEvent.End(text.messageId()));
        } else if (event instanceof ToolCallEvent.Start call) {
            return Optional.of(new ToolCallEvent.End(call.toolCallId()));
        } else if (event instanceof ReasoningEvent.Start reasoning) {
            return Optional.of(new ReasoningEvent.End(reasoning.messageId()));
        } else if (event instanceof ReasoningEvent.MessageStart reasoning) {
            return Optional.of(new ReasoningEvent.MessageEnd(reasoning.messageId()));
        } else if (event instanceof StepEvent.Started step) {
            return Optional.of(new StepEvent.Finished(step.stepName()));
        }
        return Optional.empty();
    }

    /** What closes something, without what else the event carries. */
    private static Optional<Event> bare(Event event) {
        if (event instanceof TextMessageEvent.End text) {
            return Optional.of(new TextMessageEvent.End(text.messageId()));
        } else if (event instanceof ToolCallEvent.End call) {
            return Optional.of(new ToolCallEvent.End(call.toolCallId()));
        } else if (event instanceof ReasoningEvent.End reasoning) {
            return Optional.of(new ReasoningEvent.End(reasoning.messageId()));
        } else if (event instanceof ReasoningEvent.MessageEnd reasoning) {
            return Optional.of(new ReasoningEvent.MessageEnd(reasoning.messageId()));
        } else if (event instanceof StepEvent.Finished step) {
            return Optional.of(new StepEvent.Finished(step.stepName()));
        }
        return Optional.empty();
    }
}
