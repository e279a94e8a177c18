package io.holdpoint.internal.follow;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.EventSink;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.StepEvent;
import io.holdpoint.agui.ToolCall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream that shows a thread and goes on with the events of a run that began before it. What a run says is stored before
 * the run goes on, and what is stored does not change: so of a message that a snapshot has, no event is passed on, and of
 * every other one all of them are. Not thread-safe.
 */
public final class FollowerStream {

    private static final Logger LOG = LoggerFactory.getLogger(FollowerStream.class);

    /** A thread as the store has it. */
    public interface Shown {

        /**
         * The shared state.
         *
         * @return the sink's own
         */
        JsonNode state();

        /**
         * The transcript.
         *
         * @return oldest first
         */
        List<Message> messages();
    }

    private final Supplier<Shown> thread;
    /** What closes what this stream has opened, in the order in which it was opened. */
    private final Set<Event> open = new LinkedHashSet<>();
    /** Messages and calls of which the last snapshots had everything. */
    private final Set<EventPiece> shown = new HashSet<>();
    /** Messages of which the client knows, at least the beginning. */
    private final Set<String> known = new HashSet<>();

    private Optional<EventSink> sink;
    private Optional<Event> last = Optional.empty();
    private Optional<JsonNode> state = Optional.empty();
    private boolean stateChanged;

    /**
     * Creates a stream; nothing is sent.
     *
     * @param sink where the events go; one that throws is not called again
     * @param thread reads the thread
     */
    public FollowerStream(EventSink sink, Supplier<Shown> thread) {
        this.sink = Optional.of(sink);
        this.thread = thread;
    }

    /**
     * Whether nobody reads the stream any more.
     *
     * @return {@code true} once it has ended or the sink has thrown
     */
    public boolean isOver() {
        return sink.isEmpty();
    }

    /**
     * Begins.
     *
     * @param threadId the conversation
     * @param runId the run that the client asked for
     */
    public void started(String threadId, String runId) {
        send(new RunEvent.Started(threadId, runId));
    }

    /** Shows the thread as it is: state, then messages. Nothing if that was the last thing that was sent, unchanged. */
    public void show() {
        Shown now = thread.get();
        MessagesSnapshotEvent messages = new MessagesSnapshotEvent(now.messages());
        JsonNode present = now.state();
        if (!last.equals(Optional.of(messages)) || !state.equals(Optional.of(present))) {
            state = Optional.of(present.deepCopy());
            send(new StateEvent.Snapshot(present));
            send(messages);
        }
        stateChanged = false;
    }

    /**
     * Passes an event of the run on, unless the client knows what it says. The beginning and the end of the run are the
     * caller's affair.
     *
     * @param event in the order in which the run sent them
     */
    public void pass(Event event) {
        if (event instanceof StateEvent.Delta) {
            // where the client's copy stands in relation to it is not known: the whole is always right
            stateChanged = true;
            send(new StateEvent.Snapshot(thread.get().state()));
            return;
        }
        stateChanged &= !(event instanceof StateEvent.Snapshot);
        EventPiece.begins(event).filter(id -> !known.contains(id)).ifPresent(this::beforeMessage);
        Optional<EventPiece> piece = EventPiece.of(event);
        if (piece.filter(shown::contains).isEmpty()) {
            piece.filter(message -> message.kind() == EventPiece.Kind.MESSAGE)
                    .ifPresent(message -> known.add(message.id()));
            send(event);
        }
    }

    /** What the run stored without an event, a new message of the user, comes before the answer to it. */
    private void beforeMessage(String id) {
        if (open.stream().allMatch(closing -> closing instanceof StepEvent)) {
            List<Message> messages = thread.get().messages();
            if (messages.stream().anyMatch(message -> !known.contains(message.id()))) {
                send(new MessagesSnapshotEvent(messages));
            }
        }
        known.add(id);
    }

    /**
     * Ends as the run has ended, with the thread as it is then.
     *
     * @param end the last event
     */
    public void end(RunEvent.Finished end) {
        if (stateChanged) {
            send(new StateEvent.Snapshot(thread.get().state()));
        }
        if (last.filter(MessagesSnapshotEvent.class::isInstance).isEmpty()) {
            send(new MessagesSnapshotEvent(thread.get().messages()));
        }
        finish(end);
    }

    /**
     * Closes what is open and ends, wherever the run is.
     *
     * @param end the last event
     */
    public void breakOff(RunEvent.Finished end) {
        finish(end);
    }

    /**
     * Closes what is open and ends with an error.
     *
     * @param end the last event
     */
    public void fail(RunEvent.Error end) {
        finish(end);
    }

    private void finish(Event end) {
        List<Event> closing = new ArrayList<>(open);
        Collections.reverse(closing);
        closing.forEach(this::send);
        send(end);
        sink = Optional.empty();
    }

    private void send(Event event) {
        if (sink.isEmpty()) {
            return;
        }
        if (event instanceof Event.Opening opening) {
            open.add(opening.closing());
        } else if (event instanceof Event.Closing closing) {
            open.remove(closing.bare());
        }
        last = Optional.of(event);
        if (event instanceof MessagesSnapshotEvent snapshot) {
            snapshot.messages().forEach(this::isShown);
        }
        try {
            sink.get().send(event);
        } catch (Throwable e) { // checked ones too: not every sink is written in Java
            LOG.info("A follower of a run is gone: {}", e.toString());
            sink = Optional.empty();
        }
    }

    private void isShown(Message message) {
        known.add(message.id());
        shown.add(EventPiece.ofMessage(message.id()));
        if (message instanceof Message.Assistant assistant) {
            assistant.toolCalls().stream()
                    .map(ToolCall::id)
                    .map(EventPiece::ofCall)
                    .forEach(shown::add);
        }
    }
}
