package io.holdpoint.internal.events;

import io.holdpoint.agui.Message;
import io.holdpoint.internal.Ids;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The model's reasoning as the client and the transcript get it: in front of the message that it led to. Text and calls divide
 * it into spans, each a message of its own. With output guardrails, which do not see it, it stays unsaid. Thread-safe.
 */
public final class AssistantReasoning {

    private record Span(String id, StringBuilder text) {}

    private final EventEmitter events;
    private final boolean wanted;
    private final List<Span> spans = new ArrayList<>();
    private boolean silent;
    private boolean brokenOff;

    public AssistantReasoning(EventEmitter events, boolean wanted) {
        this.events = events;
        this.wanted = wanted;
    }

    public synchronized void silent(boolean isGuarded) {
        silent = isGuarded;
    }

    public synchronized void partial(@Nullable String delta) {
        if (!wanted || silent || brokenOff || delta == null || delta.isEmpty()) {
            return;
        }
        if (spans.isEmpty() || !events.isReasoning(spans.get(spans.size() - 1).id())) {
            spans.add(new Span(Ids.message(), new StringBuilder()));
        }
        Span span = spans.get(spans.size() - 1);
        span.text().append(delta);
        events.reasoning(span.id(), delta);
    }

    /** Ends the reasoning of a message. Models that do not stream their reasoning give it here. */
    public synchronized void complete(@Nullable String thinking) {
        if (spans.isEmpty()) {
            partial(thinking);
        }
        events.closeReasoning();
    }

    /** Stops the reasoning and returns the messages that the client has read of it. */
    public synchronized List<Message> breakOff() {
        brokenOff = true;
        return taken();
    }

    /** Takes the messages that the transcript gets before the message that has ended. */
    public synchronized List<Message> taken() {
        List<Message> messages = new ArrayList<>();
        for (Span span : spans) {
            messages.add(new Message.Reasoning(span.id(), span.text().toString()));
        }
        spans.clear();
        return messages;
    }
}
