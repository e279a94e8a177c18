package io.holdpoint.internal.agent;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The limits of an interceptor, as {@link io.holdpoint.hook.EventInterceptor} states them: it must neither break a stream, nor
 * change what a person is asked, nor change a message so that the client sends it back as another one.
 */
final class Interception {

    private static final Set<Class<? extends Event>> DELTAS =
            Set.of(TextMessageEvent.Content.class, ReasoningEvent.MessageContent.class);

    private static final Set<Class<? extends Event>> CHANGEABLE =
            Set.of(ToolCallEvent.Result.class, MessagesSnapshotEvent.class);

    private Interception() {}

    /** Checks whether an interceptor may change or drop an event at all. */
    static boolean isFree(Event event) {
        return event instanceof FreeEvent || DELTAS.contains(event.getClass()) || CHANGEABLE.contains(event.getClass());
    }

    /** Checks whether an interceptor may send these events in place of that one. */
    static boolean isAllowed(Event event, List<Event> made) {
        List<Event> others =
                made.stream().filter(each -> !(each instanceof FreeEvent)).toList();
        if (event instanceof FreeEvent) {
            return others.isEmpty();
        }
        if (DELTAS.contains(event.getClass())) {
            return others.stream().allMatch(each -> outline(each).equals(outline(event)) && each.contentLength() > 0);
        }
        if (CHANGEABLE.contains(event.getClass())) {
            return others.size() == 1 && outline(others.get(0)).equals(outline(event));
        }
        return others.equals(List.of(event));
    }

    /** The parts of an event that an interceptor may not change. */
    private static List<?> outline(Event event) {
        List<Object> outline = new ArrayList<>(Arrays.asList(event.type(), event.messageId(), event.toolCallId()));
        if (event instanceof MessagesSnapshotEvent snapshot) {
            snapshot.messages().forEach(message -> outline.add(outline(message)));
        }
        return outline;
    }

    private static List<?> outline(Message message) {
        List<?> calls = message instanceof Message.Assistant assistant ? assistant.toolCalls() : List.of();
        String answered = message instanceof Message.Tool tool ? tool.toolCallId() : "";
        return List.of(message.id(), message.role(), calls, answered);
    }
}
