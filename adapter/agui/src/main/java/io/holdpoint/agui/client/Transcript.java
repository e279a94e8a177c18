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
import java.util.Optional;
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

    /** A fragment of the text, or of the arguments, that grows: what comes after it is joined before it is placed. */
    private Optional<Event.Fragment> growing = Optional.empty();

    private final StringBuilder grown = new StringBuilder();

    /** Returns the messages, oldest first, to be sent with the next input; a copy. */
    public List<Message> messages() {
        placeGrown();
        return List.copyOf(messages);
    }

    /** Adds a message of the client: of its user, or the result of a tool of its own. */
    public void add(Message message) {
        placeGrown();
        messages.add(message);
    }

    /** Takes an event of a run. */
    public void accept(Event event) {
        if (event instanceof MessagesSnapshotEvent snapshot) {
            placeGrown();
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
        if (text instanceof TextMessageEvent.Content content) {
            grow(content);
        } else if (text instanceof TextMessageEvent.Chunk chunk && chunk.delta() != null) {
            grow(new TextMessageEvent.Content(lastMessage, chunk.delta()));
        } else {
            placeGrown();
            say(lastMessage, "");
        }
    }

    private void accept(ToolCallEvent call) {
        if (call instanceof ToolCallEvent.Result result) {
            add(new Message.Tool(result.messageId(), result.toolCallId(), result.content(), null));
            return;
        }
        if (call.toolCallId() != null) {
            lastCall = call.toolCallId();
        }
        if (call instanceof ToolCallEvent.Start start) {
            begin(start.toolCallName(), start.parentMessageId());
        } else if (call instanceof ToolCallEvent.Args args) {
            grow(args);
        } else if (call instanceof ToolCallEvent.Chunk chunk) {
            if (chunk.toolCallName() != null) {
                begin(chunk.toolCallName(), chunk.parentMessageId());
            }
            if (chunk.delta() != null) {
                grow(new ToolCallEvent.Args(lastCall, chunk.delta()));
            }
        }
    }

    private void begin(String tool, @Nullable String parent) {
        placeGrown();
        arguments.put(lastCall, new StringBuilder());
        int place = place(parent == null ? lastCall : parent);
        Message.Assistant before = (Message.Assistant) messages.get(place);
        List<ToolCall> calls = new ArrayList<>(before.toolCalls());
        calls.add(new ToolCall(lastCall, tool, ""));
        messages.set(place, new Message.Assistant(before.id(), before.content(), calls));
    }

    private void grow(Event.Fragment fragment) {
        if (growing.isEmpty() || !fragment.continues(growing.get())) {
            placeGrown();
            growing = Optional.of(fragment);
        }
        grown.append(fragment.delta());
    }

    private void placeGrown() {
        String more = grown.toString();
        grown.setLength(0);
        growing.ifPresent(fragment -> {
            if (fragment instanceof ToolCallEvent.Args args) {
                append(args.toolCallId(), more);
            } else if (fragment instanceof TextMessageEvent.Content text) {
                say(text.messageId(), more);
            }
        });
        growing = Optional.empty();
    }

    private void say(String messageId, String more) {
        int place = place(messageId);
        Message.Assistant before = (Message.Assistant) messages.get(place);
        String content = (before.content() == null ? "" : before.content()) + more;
        messages.set(place, new Message.Assistant(before.id(), content, before.toolCalls()));
    }

    private void append(String toolCallId, String more) {
        StringBuilder all = arguments.computeIfAbsent(toolCallId, id -> new StringBuilder());
        all.append(more);
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i) instanceof Message.Assistant assistant) {
                List<ToolCall> calls = new ArrayList<>(assistant.toolCalls());
                for (int each = 0; each < calls.size(); each++) {
                    if (calls.get(each).id().equals(toolCallId)) {
                        calls.set(each, new ToolCall(toolCallId, calls.get(each).name(), all.toString()));
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
