package io.holdpoint.internal.follow;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.EventSink;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.StepEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.internal.LogText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream that shows a thread and goes on with the events of a run that began before it. A run stores a message before it
 * goes on, and a stored message does not change: so the stream passes on no event of a message that a snapshot has, and all
 * events of every other message. Not thread-safe.
 */
final class FollowerStream {

    private static final Logger LOG = LoggerFactory.getLogger(FollowerStream.class);

    /** A thread as the store has it. */
    interface Shown {

        /** The shared state, as a tree that the stream may keep. */
        JsonNode state();

        /** The transcript, oldest message first. */
        List<Message> messages();

        /** The end of the transcript, after one of its messages. */
        List<Message> messagesAfter(String messageId);
    }

    private final Shown thread;
    /** The events that close all that is open, in the order in which it was opened. */
    private final Set<Event> closings = new LinkedHashSet<>();
    /** Messages of which a snapshot had everything. */
    private final Set<String> shownMessages = new HashSet<>();
    /** Tool calls of such messages. */
    private final Set<String> shownCalls = new HashSet<>();
    /** Messages of which the client knows at least the beginning. */
    private final Set<String> knownMessages = new HashSet<>();

    private volatile Optional<EventSink> sink;
    private Optional<MessagesSnapshotEvent> justShown = Optional.empty();
    private Optional<JsonNode> state = Optional.empty();
    /** The last message that the thread had when its messages were looked at during the run, which cuts before that only. */
    private Optional<String> lastLookedAt = Optional.empty();

    private boolean stateChanged;
    /** The message that another node is writing, and what was sent of it. */
    private Optional<String> growing = Optional.empty();

    private String grown = "";

    /** A sink that throws is not called again. */
    FollowerStream(EventSink sink, Shown thread) {
        this.sink = Optional.of(sink);
        this.thread = thread;
    }

    /** Checks whether the stream has ended or its sink has thrown. */
    boolean isOver() {
        return sink.isEmpty();
    }

    /** Checks whether the client is still there. The only method for other threads. */
    boolean isRead() {
        Optional<EventSink> present = sink;
        return present.isPresent() && present.get().isRead();
    }

    void started(String threadId, String runId) {
        send(new RunEvent.Started(threadId, runId));
    }

    /** Shows the state and the messages of the thread, unless just these were sent last. */
    void show() {
        show(thread.messages(), thread.state());
    }

    void show(List<Message> present, JsonNode presentState) {
        MessagesSnapshotEvent messages = new MessagesSnapshotEvent(present);
        if (!justShown.equals(Optional.of(messages)) || !state.equals(Optional.of(presentState))) {
            state = Optional.of(presentState.deepCopy());
            messages.messages().forEach(this::growUp);
            closeAll();
            growing = Optional.empty();
            send(new StateEvent.Snapshot(presentState));
            send(messages);
        }
        stateChanged = false;
    }

    /** Passes an event of the run on, unless the client knows what it says. Neither the first nor the last event comes here. */
    void pass(Event event) {
        if (event instanceof StateEvent.Delta) {
            // the delta may not apply to the client's copy, but the whole state is always right
            stateChanged = true;
            send(new StateEvent.Snapshot(thread.state()));
            return;
        }
        stateChanged &= !(event instanceof StateEvent);
        if (event instanceof Event.Opening opening) {
            String message = opening.showsMessage();
            if (message != null && !knownMessages.contains(message)) {
                showMessagesBefore();
                knownMessages.add(message);
            }
        }
        String message = event.messageId();
        boolean isShown = message != null ? shownMessages.contains(message) : shownCalls.contains(event.toolCallId());
        if (!isShown) {
            if (message != null) {
                knownMessages.add(message);
            }
            send(event);
        }
    }

    /** Shows a text that grows on another node, as far as the client does not have it, until a snapshot has the message. */
    void grow(Message.Assistant writing) {
        String text = Objects.requireNonNullElse(writing.content(), "");
        if (shownMessages.contains(writing.id())) {
            return;
        }
        if (!growing.equals(Optional.of(writing.id()))) {
            closeAll();
            growing = Optional.of(writing.id());
            grown = "";
            send(new TextMessageEvent.Start(writing.id()));
        }
        if (text.startsWith(grown) && text.length() > grown.length()) {
            send(new TextMessageEvent.Content(writing.id(), text.substring(grown.length())));
            grown = text;
        }
    }

    /** Sends the rest of the text that was growing, if this is its message. */
    private void growUp(Message message) {
        if (growing.equals(Optional.of(message.id())) && message instanceof Message.Assistant complete) {
            grow(complete);
        }
    }

    /** Shows what the run stored without an event: a new message of the user comes before the answer to it. */
    private void showMessagesBefore() {
        boolean isInsideMessage = closings.stream().anyMatch(closing -> !(closing instanceof StepEvent));
        if (isInsideMessage) {
            return;
        }
        List<Message> news = lastLookedAt.map(thread::messagesAfter).orElseGet(thread::messages);
        if (news.stream().anyMatch(message -> !knownMessages.contains(message.id()))) {
            send(new MessagesSnapshotEvent(lastLookedAt.isPresent() ? thread.messages() : news));
        }
        if (!news.isEmpty()) {
            lastLookedAt = Optional.of(news.get(news.size() - 1).id());
        }
    }

    /** Ends as the run has ended, with the thread as it is then. */
    void end(RunEvent.Finished end) {
        if (stateChanged) {
            send(new StateEvent.Snapshot(thread.state()));
        }
        if (justShown.isEmpty()) {
            send(new MessagesSnapshotEvent(thread.messages()));
        }
        close(end);
    }

    /** Ends the stream, wherever the run is: closes all that is open, and sends this event last. */
    void close(Event.Terminal end) {
        closeAll();
        send(end);
        sink = Optional.empty();
    }

    private void closeAll() {
        List<Event> open = new ArrayList<>(closings);
        Collections.reverse(open);
        open.forEach(this::send);
    }

    private void send(Event event) {
        if (sink.isEmpty()) {
            return;
        }
        justShown = Optional.empty();
        if (event instanceof Event.Opening opening) {
            closings.add(opening.closing());
        } else if (event instanceof Event.Closing closing) {
            closings.remove(closing); // a run writes it without base fields, as the opening names it
        } else if (event instanceof MessagesSnapshotEvent snapshot) {
            justShown = Optional.of(snapshot);
            snapshot.messages().forEach(this::isShown);
        }
        try {
            sink.get().send(event);
        } catch (Throwable e) { // checked ones too: not every sink is written in Java
            LOG.info("A follower of a run is gone: {}", LogText.of(e));
            sink = Optional.empty();
        }
    }

    private void isShown(Message message) {
        knownMessages.add(message.id());
        shownMessages.add(message.id());
        if (message instanceof Message.Assistant assistant) {
            assistant.toolCalls().forEach(call -> shownCalls.add(call.id()));
        }
    }
}
