package io.holdpoint.internal.follow;

import io.holdpoint.agui.ActivityDeltaEvent;
import io.holdpoint.agui.ActivitySnapshotEvent;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.ReasoningEndEvent;
import io.holdpoint.agui.ReasoningMessageContentEvent;
import io.holdpoint.agui.ReasoningMessageEndEvent;
import io.holdpoint.agui.ReasoningMessageStartEvent;
import io.holdpoint.agui.ReasoningStartEvent;
import io.holdpoint.agui.TextMessageContentEvent;
import io.holdpoint.agui.TextMessageEndEvent;
import io.holdpoint.agui.TextMessageStartEvent;
import io.holdpoint.agui.ToolCallArgsEvent;
import io.holdpoint.agui.ToolCallEndEvent;
import io.holdpoint.agui.ToolCallResultEvent;
import io.holdpoint.agui.ToolCallStartEvent;
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
        if (event instanceof TextMessageStartEvent text) {
            return Optional.of(text.messageId());
        } else if (event instanceof ToolCallStartEvent call) {
            return Optional.ofNullable(call.parentMessageId());
        } else if (event instanceof ReasoningStartEvent reasoning) {
            return Optional.of(reasoning.messageId());
        } else if (event instanceof ReasoningMessageStartEvent reasoning) {
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
        if (event instanceof ToolCallStartEvent start) {
            return Optional.of(start.toolCallId());
        } else if (event instanceof ToolCallArgsEvent arguments) {
            return Optional.of(arguments.toolCallId());
        } else if (event instanceof ToolCallEndEvent end) {
            return Optional.of(end.toolCallId());
        }
        return Optional.empty();
    }

    private static Optional<String> messageOf(Event event) {
        if (event instanceof TextMessageStartEvent start) {
            return Optional.of(start.messageId());
        } else if (event instanceof TextMessageContentEvent content) {
            return Optional.of(content.messageId());
        } else if (event instanceof TextMessageEndEvent end) {
            return Optional.of(end.messageId());
        } else if (event instanceof ToolCallResultEvent result) {
            return Optional.of(result.messageId());
        } else if (event instanceof ActivitySnapshotEvent activity) {
            return Optional.of(activity.messageId());
        } else if (event instanceof ActivityDeltaEvent activity) {
            return Optional.of(activity.messageId());
        }
        return Optional.empty();
    }

    private static Optional<String> thoughtOf(Event event) {
        if (event instanceof ReasoningStartEvent start) {
            return Optional.of(start.messageId());
        } else if (event instanceof ReasoningMessageStartEvent start) {
            return Optional.of(start.messageId());
        } else if (event instanceof ReasoningMessageContentEvent content) {
            return Optional.of(content.messageId());
        } else if (event instanceof ReasoningMessageEndEvent end) {
            return Optional.of(end.messageId());
        } else if (event instanceof ReasoningEndEvent end) {
            return Optional.of(end.messageId());
        }
        return Optional.empty();
    }
}
