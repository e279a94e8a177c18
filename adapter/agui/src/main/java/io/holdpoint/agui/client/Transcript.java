package io.holdpoint.agui.client;

import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.agui.ToolCallEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a thread as its client knows them: what it said itself, and what the events of its runs tell. A
 * {@code MESSAGES_SNAPSHOT} replaces them all. Reasoning and activities are left out, as they need not be sent back. Not
 * thread-safe; events of one run come one after another.
 */
public final class Transcript {

    private final List<Message> messages = new ArrayList<>();
    private final Map<String, StringBuilder> arguments = new LinkedHashMap<>();
    private String lastMessage = "";
    private String lastCall = "";

    /** Returns the messages, oldest first, to be sent with the next input; a copy. */
    public List<Message> messages() {
        return List.copyOf(messages);
    }

    /** Adds a message of the client: of its user, or the result of a tool of its own. */
    public void add(Message message) {
        messages.add(message);
    }

    /** Takes an event of a run. */
    public void accept(Event event) {
        if (event instanceof MessagesSnapshotEvent snapshot) {
            messages.clear();
            messages.addAll(snapshot.messages());
        } else if (event instanceof TextMessageEvent text) {
            accept(text);
        } else if (event instanceof ToolCallEvent call) {
            accept(call);
        }
    }

    private void accept(TextMessageEvent text) {
        if (text.messageId() != null) {
            lastMessage = text.messageId();
        }
        String delta = "";
        if (text instanceof TextMessageEvent.Content content) {
            delta = content.delta();
        } else if (text instanceof TextMessageEvent.Chunk chunk && chunk.delta() != null) {
            delta = chunk.delta();
        }
        int place = place(lastMessage);
        Message.Assistant before = (Message.Assistant) messages.get(place);
        String content = (before.content() == null ? "" : before.content()) + delta;
        messages.set(place, new Message.Assistant(before.id(), content, before.toolCalls()));
    }

    private void accept(ToolCallEvent call) {
        if (call instanceof ToolCallEvent.Result result) {
            messages.add(new Message.Tool(result.messageId(), result.toolCallId(), result.content(), null));
            return;
        }
        if (call.toolCallId() != null) {
            lastCall = call.toolCallId();
        }
        if (call instanceof ToolCallEvent.Start start) {
            begin(start.toolCallName(), start.parentMessageId());
        } else if (call instanceof ToolCallEvent.Args args) {
            append(args.delta());
        } else if (call instanceof ToolCallEvent.Chunk chunk) {
            if (chunk.toolCallName() != null) {
                begin(chunk.toolCallName(), chunk.parentMessageId());
            }
            if (chunk.delta() != null) {
                append(chunk.delta());
            }
        }
    }

    private void begin(String tool, @Nullable String parent) {
        arguments.put(lastCall, new StringBuilder());
        int place = place(parent == null ? lastCall : parent);
        Message.Assistant before = (Message.Assistant) messages.get(place);
        List<ToolCall> calls = new ArrayList<>(before.toolCalls());
        calls.add(new ToolCall(lastCall, tool, ""));
        messages.set(place, new Message.Assistant(before.id(), before.content(), calls));
    }

    private void append(String delta) {
        StringBuilder all = arguments.computeIfAbsent(lastCall, id -> new StringBuilder());
        all.append(delta);
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i) instanceof Message.Assistant assistant) {
                List<ToolCall> calls = new ArrayList<>(assistant.toolCalls());
                for (int each = 0; each < calls.size(); each++) {
                    if (calls.get(each).id().equals(lastCall)) {
                        calls.set(each, new ToolCall(lastCall, calls.get(each).name(), all.toString()));
                        messages.set(i, new Message.Assistant(assistant.id(), assistant.content(), calls));
                        return;
                    }
                }
            }
        }
    }

    /** From the end: what is streamed is the last of them, however many there are. */
    private int place(String id) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i) instanceof Message.Assistant
                    && messages.get(i).id().equals(id)) {
                return i;
            }
        }
        messages.add(new Message.Assistant(id, null, List.of()));
        return messages.size() - 1;
    }
}
