package io.holdpoint.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.TextMessageContentEvent;
import io.holdpoint.agui.TextMessageStartEvent;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.agui.ToolCallArgsEvent;
import io.holdpoint.agui.ToolCallResultEvent;
import io.holdpoint.agui.ToolCallStartEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a client makes of a stream: a line for each message and call. Complains about what comes twice. */
public final class ClientView {

    private final Map<String, String> lines = new LinkedHashMap<>();

    /** What it shows right before the last snapshot, and right after it: the same, if nothing was missing. */
    public static void assertConverged(List<Event> events) {
        ClientView view = new ClientView();
        Map<String, String> before = Map.of();
        Map<String, String> after = Map.of();
        for (Event event : events) {
            if (event instanceof MessagesSnapshotEvent) {
                before = Map.copyOf(view.lines);
            }
            view.take(event);
            if (event instanceof MessagesSnapshotEvent) {
                after = Map.copyOf(view.lines);
            }
        }
        assertThat(before).as("before the last snapshot").isEqualTo(after);
    }

    /** What it shows at the end. */
    public static Map<String, String> of(List<Event> events) {
        ClientView view = new ClientView();
        events.forEach(view::take);
        return view.lines;
    }

    private void take(Event event) {
        if (event instanceof MessagesSnapshotEvent snapshot) {
            lines.clear();
            snapshot.messages().forEach(this::show);
        } else if (event instanceof TextMessageStartEvent start) {
            put("message " + start.messageId(), "");
        } else if (event instanceof TextMessageContentEvent content) {
            append("message " + content.messageId(), content.delta());
        } else if (event instanceof ToolCallStartEvent start) {
            put("call " + start.toolCallId(), "");
        } else if (event instanceof ToolCallArgsEvent arguments) {
            append("call " + arguments.toolCallId(), arguments.delta());
        } else if (event instanceof ToolCallResultEvent result) {
            put("message " + result.messageId(), result.content().asText());
        }
    }

    private void show(Message message) {
        if (message instanceof Message.Assistant assistant) {
            Optional.ofNullable(assistant.content()).ifPresent(text -> put("message " + message.id(), text.toString()));
            for (ToolCall call : assistant.toolCalls()) {
                put("call " + call.id(), call.arguments());
            }
        } else if (message instanceof Message.Tool tool) {
            put("message " + tool.id(), tool.content().asText());
        } else if (message instanceof Message.User user) {
            put("message " + user.id(), user.content().asText());
        }
    }

    private void put(String what, String text) {
        assertThat(lines.put(what, text)).as("%s comes once", what).isNull();
    }

    private void append(String what, String text) {
        assertThat(lines).containsKey(what);
        lines.merge(what, text, String::concat);
    }
}
