package io.holdpoint.internal.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.EventSink;
import io.holdpoint.agui.ActivityEvent;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.EventBase;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ReasoningEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.StepEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.TokenUsage;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.hook.Guest.Follower;
import io.holdpoint.internal.LogText;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the events of a run as a well-formed stream: it begins with the start, closes all that it opens, and ends with the end.
 * An event that comes too early or too late is dropped. Thread-safe.
 */
public final class EventEmitter {

    private static final Logger LOG = LoggerFactory.getLogger(EventEmitter.class);

    /** The sink of programs, which read results. */
    public static final EventSink NOBODY = event -> {};

    private final Map<String, StringBuilder> openToolCalls = new LinkedHashMap<>();
    private final Set<String> sentToolCalls = new HashSet<>();
    private final Set<String> sentResults = new HashSet<>();
    private final List<Follower> followers;
    private final Optional<Function<Event, List<Event>>> interceptors;
    private Optional<EventSink> sink;
    private Optional<String> openText = Optional.empty();
    private boolean started;
    private final Set<String> reasoned = new HashSet<>();
    private Optional<String> openReasoning = Optional.empty();
    private final Set<String> openSteps = new LinkedHashSet<>();
    private boolean ended;
    private boolean toldFailure;

    public EventEmitter(EventSink sink) {
        this(sink, List.of(), Optional.empty());
    }

    /**
     * The followers get every event, also when the sink is gone. The interceptors replace events that are neither the first nor
     * the last. Neither may throw, and the followers may not wait.
     */
    public EventEmitter(EventSink sink, List<Follower> followers, Optional<Function<Event, List<Event>>> interceptors) {
        this.sink = Optional.of(sink);
        this.followers = followers;
        this.interceptors = interceptors;
    }

    /** Checks whether anybody may see what is sent. */
    public synchronized boolean isSeen() {
        return !followers.isEmpty() || interceptors.isPresent() || !sink.equals(Optional.of(NOBODY));
    }

    /** Checks whether the client or a follower is still there; may wait for a moment. */
    public boolean isRead() {
        Optional<EventSink> present;
        synchronized (this) {
            present = sink;
        }
        try {
            if (present.isPresent() && present.get().isRead()) {
                return true;
            }
        } catch (Throwable e) { // checked ones too: not every sink is written in Java
            LOG.info("The client of a run is gone; the run goes on without it: {}", LogText.of(e));
        }
        for (Follower follower : followers) {
            if (follower.isReading()) {
                return true;
            }
        }
        return false;
    }

    public synchronized void runStarted(String threadId, String runId, @Nullable String parentRunId) {
        started = true;
        pass(new RunEvent.Started(threadId, runId, Agui.PROTOCOL_VERSION, parentRunId, null, EventBase.NONE));
    }

    public synchronized void text(String messageId, String delta) {
        if (delta.isEmpty()) {
            return;
        }
        closeReasoning();
        if (openText.isEmpty() || !openText.get().equals(messageId)) {
            closeText();
            send(new TextMessageEvent.Start(messageId));
            openText = Optional.of(messageId);
        }
        send(new TextMessageEvent.Content(messageId, delta));
    }

    public synchronized void closeText() {
        if (openText.isPresent()) {
            send(new TextMessageEvent.End(openText.get()));
            openText = Optional.empty();
        }
    }

    /** Sends a fragment of reasoning, which may come in the middle of a text. */
    public synchronized void reasoning(String messageId, String delta) {
        if (!isReasoning(messageId)) {
            closeReasoning();
            send(new ReasoningEvent.Start(messageId));
            send(new ReasoningEvent.MessageStart(messageId));
            openReasoning = Optional.of(messageId);
            reasoned.add(messageId);
        }
        send(new ReasoningEvent.MessageContent(messageId, delta));
    }

    /** Checks whether this span of reasoning was sent in this run. */
    public synchronized boolean hasReasoned(String messageId) {
        return reasoned.contains(messageId);
    }

    /** Checks whether this span of reasoning is open. */
    public synchronized boolean isReasoning(String messageId) {
        return openReasoning.equals(Optional.of(messageId));
    }

    public synchronized void closeReasoning() {
        if (openReasoning.isPresent()) {
            send(new ReasoningEvent.MessageEnd(openReasoning.get()));
            send(new ReasoningEvent.End(openReasoning.get()));
            openReasoning = Optional.empty();
        }
    }

    /** Sends a fragment of a tool call's arguments. */
    public synchronized void toolCallDelta(String messageId, String toolCallId, String toolName, String delta) {
        StringBuilder sent = openToolCalls.get(toolCallId);
        if (sent == null) {
            closeReasoning();
            closeText();
            send(new ToolCallEvent.Start(toolCallId, toolName, messageId));
            sent = new StringBuilder();
            openToolCalls.put(toolCallId, sent);
            sentToolCalls.add(toolCallId);
        }
        if (!delta.isEmpty()) {
            send(new ToolCallEvent.Args(toolCallId, delta));
            sent.append(delta);
        }
    }

    /** Checks whether a tool call of that id was sent, which may have come to nothing since. */
    public synchronized boolean hasSentToolCall(String toolCallId) {
        return sentToolCalls.contains(toolCallId);
    }

    /** Completes a tool call: sends the rest of its arguments and closes it. */
    public synchronized void toolCall(String messageId, String toolCallId, String toolName, String arguments) {
        toolCallDelta(messageId, toolCallId, toolName, "");
        String sent = String.valueOf(openToolCalls.get(toolCallId));
        if (arguments.startsWith(sent)) {
            toolCallDelta(messageId, toolCallId, toolName, arguments.substring(sent.length()));
        } else {
            LOG.warn("The model streamed other arguments for the tool call {} than it proposed in the end", toolCallId);
        }
        closeToolCall(toolCallId);
    }

    /** Sends a result once per run: a batch that is given up may have sent some of its results before. */
    public synchronized void toolResult(Message.Tool result) {
        if (!sentResults.add(result.id())) {
            return;
        }
        toldFailure |= result.error() != null;
        ObjectNode metadata = result.extras().metadata();
        EventBase base = metadata == null ? EventBase.NONE : EventBase.ofMetadata(metadata);
        send(new ToolCallEvent.Result(result.id(), result.toolCallId(), result.content(), base));
    }

    /** Checks whether a result was sent that is a failure: the event cannot say that, but a snapshot can. */
    public synchronized boolean toldFailure() {
        return toldFailure;
    }

    /** Opens a step and returns its name, to which the id is added if a step of that name is open. */
    public synchronized String stepStarted(String name, String id) {
        String unique = openSteps.contains(name) ? name + " " + id : name;
        openSteps.add(unique);
        send(new StepEvent.Started(unique));
        return unique;
    }

    /** Closes a step if it is open. */
    public synchronized void stepFinished(String name) {
        if (openSteps.remove(name)) {
            send(new StepEvent.Finished(name));
        }
    }

    public synchronized void activity(String messageId, String type, ObjectNode content) {
        send(new ActivityEvent.Snapshot(messageId, type, content, null));
    }

    public synchronized void activityDelta(String messageId, String type, ArrayNode patch) {
        send(new ActivityEvent.Delta(messageId, type, patch));
    }

    public synchronized void custom(String name, JsonNode value) {
        send(new FreeEvent.Custom(name, value));
    }

    public synchronized void raw(JsonNode event, String source) {
        send(new FreeEvent.Raw(event, source));
    }

    public synchronized void state(JsonNode state) {
        send(new StateEvent.Snapshot(state));
    }

    public synchronized void stateDelta(ArrayNode patch) {
        send(new StateEvent.Delta(patch));
    }

    public synchronized void messages(List<Message> transcript) {
        send(new MessagesSnapshotEvent(transcript));
    }

    public synchronized void runFinished(
            String threadId,
            String runId,
            RunFinishedOutcome outcome,
            @Nullable JsonNode result,
            List<TokenUsage> usage) {
        closeAll();
        end(new RunEvent.Finished(threadId, runId, outcome, result, usage));
    }

    /** Ends a run that was refused and asks nothing: a message for the person says why, and the metadata say it to the client. */
    public synchronized void runFinished(
            String threadId, String runId, String messageId, String complaint, ObjectNode langchain4j) {
        text(messageId, complaint);
        closeAll();
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        metadata.set("langchain4j", langchain4j);
        EventBase base = EventBase.ofMetadata(metadata);
        end(new RunEvent.Finished(threadId, runId, RunFinishedOutcome.success(), null, List.of(), base));
    }

    /** Ends with a sentence for the person in front of the page; the developer's is in the metadata. */
    public synchronized void runError(String message, String code, String detail, List<TokenUsage> usage) {
        closeAll();
        started = true;
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        metadata.putObject("langchain4j").put("detail", detail);
        end(new RunEvent.Error(message, code, usage, EventBase.ofMetadata(metadata)));
    }

    /** Sends a message of the transcript as if it came just now, closed; one of the user has no events. */
    public synchronized void again(Message message) {
        if (message instanceof Message.Assistant assistant) {
            Optional.ofNullable(assistant.content()).ifPresent(text -> text(assistant.id(), text));
            closeText();
            assistant.toolCalls().forEach(call -> toolCall(assistant.id(), call.id(), call.name(), call.arguments()));
        } else if (message instanceof Message.Tool result) {
            toolResult(result);
        } else if (message instanceof Message.Activity activity) {
            activity(activity.id(), activity.activityType(), activity.content());
        }
    }

    /** Closes all that is open, before the event that ends the run. */
    public synchronized void closeAll() {
        closeReasoning();
        closeText();
        for (String toolCallId : List.copyOf(openToolCalls.keySet())) {
            closeToolCall(toolCallId);
        }
        for (String step : List.copyOf(openSteps)) {
            stepFinished(step);
        }
    }

    private void closeToolCall(String toolCallId) {
        openToolCalls.remove(toolCallId);
        send(new ToolCallEvent.End(toolCallId));
    }

    private void end(Event.Terminal last) {
        pass(last);
        ended = true;
        sink = Optional.empty();
    }

    private void send(Event event) {
        if (interceptors.isEmpty()) {
            pass(event);
        } else if (started && !ended) {
            for (Event each : interceptors.get().apply(event)) {
                pass(each);
            }
        }
    }

    /** Checks again whether the run has ended, because an interceptor that fails may end it. */
    private void pass(Event event) {
        if (!started || ended) {
            return;
        }
        for (Follower follower : followers) {
            follower.heard(event);
        }
        if (sink.isEmpty()) {
            return;
        }
        try {
            sink.get().send(event);
        } catch (Throwable e) { // checked ones too: not every sink is written in Java
            LOG.info("The client of a run is gone; the run goes on without it: {}", LogText.of(e));
            sink = Optional.empty();
        }
    }
}
