package io.holdpoint.internal.events;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.internal.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The text of the model's messages, and its reasoning in front of the message that it led to, as the client and the transcript
 * get them. Text and calls divide the reasoning into spans, each a message of its own. With output guardrails only the final,
 * guarded text is sent. Thread-safe.
 */
public final class AssistantText {

    private record Span(String id, StringBuilder text) {}

    private final EventEmitter events;
    private final boolean reasons;
    private final List<Span> spans = new ArrayList<>();
    private Optional<String> messageId = Optional.empty();
    private final StringBuilder streamed = new StringBuilder();
    private boolean onlyFinal;
    private boolean brokenOff;

    /** Leaves the reasoning out unless it {@code reasons}. */
    public AssistantText(EventEmitter events, boolean reasons) {
        this.events = events;
        this.reasons = reasons;
    }

    public synchronized void onlyFinal(boolean only) {
        onlyFinal = only;
    }

    public synchronized boolean isOnlyFinal() {
        return onlyFinal;
    }

    /** Gives the id of the message that the model is writing. */
    public synchronized String messageId() {
        if (messageId.isEmpty()) {
            messageId = Optional.of(Ids.message());
        }
        return messageId.get();
    }

    public synchronized void partial(String delta) {
        if (!onlyFinal && !brokenOff && !delta.isEmpty()) {
            streamed.append(delta);
            events.text(messageId(), delta);
        }
    }

    public synchronized void partialReasoning(@Nullable String delta) {
        if (!reasons || onlyFinal || brokenOff || delta == null || delta.isEmpty()) {
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
    public synchronized void endsReasoning(@Nullable String complete) {
        if (spans.isEmpty()) {
            partialReasoning(complete);
        }
        events.closeReasoning();
    }

    /** Takes the reasoning that the transcript gets before the message that has ended. */
    public synchronized List<Message> takeReasoning() {
        List<Message> messages = new ArrayList<>();
        for (Span span : spans) {
            messages.add(new Message.Reasoning(span.id(), span.text().toString()));
        }
        spans.clear();
        return messages;
    }

    /** Sends a fragment of a tool call of the message that the model is writing. */
    public synchronized void partialToolCall(String toolCallId, String toolName, String delta) {
        if (!brokenOff) {
            events.toolCallDelta(messageId(), toolCallId, toolName, delta);
        }
    }

    /** Stops text and reasoning, and returns the part of the message that the client has read: providers refuse one that is blank. */
    public synchronized Optional<Message.Assistant> breakOff() {
        brokenOff = true;
        String read = streamed.toString();
        return read.isBlank() ? Optional.empty() : Optional.of(new Message.Assistant(messageId(), read, List.of()));
    }

    /** Ends a message that calls tools: closes its text, and the next message gets another id. */
    public synchronized Message.Assistant endsWithToolCalls(AiMessage message) {
        String id = messageId();
        String said = message.text() == null || message.text().isBlank() || onlyFinal ? null : message.text();
        if (said != null) {
            sendUnlessStreamed(id, said);
        }
        next();
        List<ToolCall> calls = new ArrayList<>();
        for (ToolExecutionRequest call : message.toolExecutionRequests()) {
            calls.add(new ToolCall(call.id(), call.name(), Objects.requireNonNullElse(call.arguments(), "")));
        }
        return new Message.Assistant(id, said, calls);
    }

    /** Ends the final message, which is left out if it has no text. */
    public synchronized List<Message> endsWithText(String text) {
        if (text.isEmpty()) {
            next();
            return List.of();
        }
        String id = messageId();
        sendUnlessStreamed(id, text);
        next();
        return List.of(new Message.Assistant(id, text, List.of()));
    }

    private void sendUnlessStreamed(String id, String text) {
        if (streamed.isEmpty()) {
            events.text(id, text);
        }
    }

    private void next() {
        events.closeText();
        streamed.setLength(0);
        messageId = Optional.empty();
    }
}
