package io.holdpoint.internal.follow;

import io.holdpoint.agui.ActivityEvent;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import java.util.Optional;

/**
 * What an event is a piece of.
 *
 * @param kind whether it is a message or a tool call of one
 * @param id of the message or the call
 */
record EventPiece(Kind kind, String id) {

    enum Kind {
        MESSAGE,
        CALL
    }

    static EventPiece ofMessage(String messageId) {
        return new EventPiece(Kind.MESSAGE, messageId);
    }

    static EventPiece ofCall(String toolCallId) {
        return new EventPiece(Kind.CALL, toolCallId);
    }

    /** The message that the event may be the first one of. */
    static Optional<String> begins(Event event) {
        if (event instanceof TextMessageEvent.Start text) {
            return Optional.of(text.messageId());
        } else if (event instanceof ToolCallEvent.Start call) {
            return Optional.ofNullable(call.parentMessageId());
        } else if (event instanceof ReasoningEvent.Start reasoning) {
            return Optional.of(reasoning.messageId());
        } else if (event instanceof ReasoningEvent.MessageStart reasoning) {
            return Optional.of(reasoning.messageId());
        }
        return Optional.empty();
    }

    /** Empty for events that are about something else. */
    static Optional<EventPiece> of(Event event) {
        Optional<EventPiece> call = callOf(event).map(EventPiece::ofCall);
        return call.isPresent()
                ? call
                : messageOf(event).or(() -> thoughtOf(event)).map(EventPiece::ofMessage);
    }

    private static Optional<String> callOf(Event event) {
        if (event instanceof ToolCallEvent.Start start) {
            return Optional.of(start.toolCallId());
        } else if (event instanceof ToolCallEvent.Args arguments) {
            return Optional.of(arguments.toolCallId());
        } else if (event instanceof ToolCallEvent.End end) {
            return Optional.of(end.toolCallId());
        }
        return Optional.empty();
    }

    private static Optional<String> messageOf(Event event) {
        if (event instanceof TextMessageEvent.Start start) {
            return Optional.of(start.messageId());
        } else if (event instanceof TextMessageEvent.Content content) {
            return Optional.of(content.messageId());
        } else if (event instanceof TextMessageEvent.End end) {
            return Optional.of(end.messageId());
        } else if (event instanceof ToolCallEvent.Result result) {
            return Optional.of(result.messageId());
        } else if (event instanceof ActivityEvent.Snapshot activity) {
            return Optional.of(activity.messageId());
        } else if (event instanceof ActivityEvent.Delta activity) {
            return Optional.of(activity.messageId());
        }
        return Optional.empty();
    }

    private static Optional<String> thoughtOf(Event event) {
        if (event instanceof ReasoningEvent.Start start) {
            return Optional.of(start.messageId());
        } else if (event instanceof ReasoningEvent.MessageStart start) {
            return Optional.of(start.messageId());
        } else if (event instanceof ReasoningEvent.MessageContent content) {
            return Optional.of(content.messageId());
        } else if (event instanceof ReasoningEvent.MessageEnd end) {
            return Optional.of(end.messageId());
        } else if (event instanceof ReasoningEvent.End end) {
            return Optional.of(end.messageId());
        }
        return Optional.empty();
    }
}
