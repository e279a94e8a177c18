package io.holdpoint.internal.agent;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import java.util.List;

/**
 * The rules for events that replace others: they must not break the stream, change a question, or make the client send back
 * another message than the one it got.
 */
final class Interception {

    private Interception() {}

    /** Tells whether an event may be changed at all. */
    static boolean isFree(Event event) {
        return isExtra(event)
                || event instanceof TextMessageEvent.Content
                || event instanceof ReasoningEvent.MessageContent
                || event instanceof ToolCallEvent.Result
                || event instanceof MessagesSnapshotEvent;
    }

    /** Tells whether these events may be sent in place of that one. */
    static boolean isAllowed(Event event, List<Event> made) {
        List<Event> others = made.stream().filter(each -> !isExtra(each)).toList();
        if (isExtra(event)) {
            return others.isEmpty();
        }
        if (event instanceof TextMessageEvent.Content text) {
            return others.stream()
                    .allMatch(each -> each instanceof TextMessageEvent.Content other
                            && other.messageId().equals(text.messageId())
                            && !other.delta().isEmpty());
        }
        if (event instanceof ReasoningEvent.MessageContent reasoning) {
            return others.stream()
                    .allMatch(each -> each instanceof ReasoningEvent.MessageContent other
                            && other.messageId().equals(reasoning.messageId())
                            && !other.delta().isEmpty());
        }
        return others.size() == 1 && isSame(event, others.get(0));
    }

    private static boolean isExtra(Event event) {
        return event instanceof FreeEvent.Custom || event instanceof FreeEvent.Raw;
    }

    private static boolean isSame(Event event, Event other) {
        if (event instanceof ToolCallEvent.Result result && other instanceof ToolCallEvent.Result changed) {
            return result.messageId().equals(changed.messageId())
                    && result.toolCallId().equals(changed.toolCallId());
        }
        if (event instanceof MessagesSnapshotEvent snapshot && other instanceof MessagesSnapshotEvent changed) {
            return outline(snapshot).equals(outline(changed));
        }
        return event.equals(other);
    }

    private static List<List<?>> outline(MessagesSnapshotEvent snapshot) {
        return snapshot.messages().stream().<List<?>>map(Interception::outline).toList();
    }

    private static List<?> outline(Message message) {
        List<?> calls = message instanceof Message.Assistant assistant ? assistant.toolCalls() : List.of();
        String answered = message instanceof Message.Tool tool ? tool.toolCallId() : "";
        return List.of(message.id(), message.role(), calls, answered);
    }
}
