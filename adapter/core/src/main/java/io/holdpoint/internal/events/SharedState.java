package io.holdpoint.internal.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.agui.JsonValues;
import io.holdpoint.internal.input.InputLimits;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The shared state of a thread while a run works on it. The client gets a change at once; the store gets it with the next commit
 * of the run, at the latest with the result of the call that made it. Changes and their events come one after another.
 * Thread-safe.
 */
public final class SharedState {

    /** A deeper state could not come back with a client's next input. */
    static final int MAX_DEPTH = 100;

    /** A patch of at most this many characters is sent even if the state is shorter. */
    private static final int SHORT_PATCH = 1_000;

    private final EventEmitter events;
    private final int maxLength;
    private JsonNode present = JsonNodeFactory.instance.objectNode();
    private JsonNode stored = present;
    /** This run has sent the whole state: some clients take no state but this one, whatever they sent themselves. */
    private boolean clientKnows;

    public SharedState(EventEmitter events, int maxLength) {
        this.events = events;
        this.maxLength = maxLength;
    }

    /** Takes over the state of the thread. */
    public synchronized void startsFrom(JsonNode state) {
        present = state;
        stored = state;
    }

    /** Tells a client that has not sent the state what it is. */
    public synchronized void tell() {
        events.state(present.deepCopy());
        clientKnows = true;
    }

    /** Copies the present state. */
    public synchronized JsonNode get() {
        return present.deepCopy();
    }

    /**
     * Changes the state and returns a copy of it. Throws {@link IllegalArgumentException}, and leaves the state as it was, if the
     * new one is too long, too deep or no JSON.
     */
    public synchronized JsonNode update(UnaryOperator<JsonNode> change) {
        JsonNode next = plain(change.apply(present.deepCopy()));
        if (!next.equals(present)) {
            JsonNode before = present;
            present = next;
            tell(before, next);
        }
        return next.deepCopy();
    }

    private JsonNode plain(JsonNode next) {
        if (InputLimits.isDeeper(next, MAX_DEPTH)) {
            throw new IllegalArgumentException("The state is nested deeper than " + MAX_DEPTH + " levels.");
        }
        JsonValues.violation(next, "state").ifPresent(violation -> {
            throw new IllegalArgumentException(violation);
        });
        String json;
        try {
            json = RecordJson.write(next);
        } catch (StoreException e) {
            throw new IllegalArgumentException("The state cannot be written as JSON.", e);
        }
        if (json.length() > maxLength) {
            throw new IllegalArgumentException("The state has " + json.length() + " characters of JSON; at most "
                    + maxLength + " are kept (Limits.stateLength).");
        }
        return RecordJson.read(json, JsonNode.class);
    }

    /** Sends a patch, or the whole state if the patch would be longer than the state. */
    private void tell(JsonNode before, JsonNode next) {
        if (clientKnows) {
            ArrayNode patch = StateChanges.between(before, next);
            int length = patch.toString().length();
            if (length <= SHORT_PATCH || length <= next.toString().length()) {
                events.stateDelta(patch);
                return;
            }
        }
        tell();
    }

    /** Returns the state if it has changed since it was stored. */
    public synchronized Optional<JsonNode> unstored() {
        return present == stored ? Optional.empty() : Optional.of(present);
    }

    /** Remembers the state that was stored. */
    public synchronized void stored(JsonNode state) {
        stored = state;
    }
}
