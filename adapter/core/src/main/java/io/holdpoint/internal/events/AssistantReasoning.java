package io.holdpoint.internal.events;

import io.holdpoint.agui.Message;
import io.holdpoint.internal.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the model says of its thinking, as the client and the transcript get it: in front of the message that it led to. Each
 * span that is broken off by text or calls is a message of its own. Nothing with output guardrails, which do not see it.
 * Thread-safe.
 */
public final class AssistantReasoning {

    private record Span(String id, StringBuilder text) {}

    private final EventEmitter events;
    private final boolean wanted;
    private final List<Span> spans = new ArrayList<>();
    private boolean silent;
    private boolean brokenOff;

    /**
     * @param wanted whether the client is to have it
     */
    public AssistantReasoning(EventEmitter events, boolean wanted) {
        this.events = events;
        this.wanted = wanted;
    }

    public synchronized void silent(boolean nothing) {
        silent = nothing;
    }

    public synchronized void partial(@Nullable String delta) {
        if (!wanted || silent || brokenOff || delta == null || delta.isEmpty()) {
            return;
        }
        Optional<Span> open = spans.isEmpty()
                ? Optional.empty()
                : Optional.of(spans.get(spans.size() - 1)).filter(last -> events.isReasoning(last.id()));
        Span span = open.orElseGet(() -> {
            Span next = new Span(Ids.message(), new StringBuilder());
            spans.add(next);
            return next;
        });
        span.text().append(delta);
        events.reasoning(span.id(), delta);
    }

    /** The message is complete: models that do not stream their thinking have it here. */
    public synchronized void complete(@Nullable String thinking) {
        if (spans.isEmpty()) {
            partial(thinking);
        }
        events.closeReasoning();
    }

    /** Nothing more is said; gives what the client has read in front of the message that the model was writing. */
    public synchronized List<Message> breakOff() {
        brokenOff = true;
        return taken();
    }

    /** What goes into the transcript before the message that has ended. */
    public synchronized List<Message> taken() {
        List<Message> messages = new ArrayList<>();
        spans.forEach(span ->
                messages.add(new Message.Reasoning(span.id(), span.text().toString())));
        spans.clear();
        return messages;
    }
}
