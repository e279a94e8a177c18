package io.holdpoint.internal.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.flipkart.zjsonpatch.DiffFlags;
import com.flipkart.zjsonpatch.JsonDiff;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.JsonValues;
import io.holdpoint.internal.input.InputLimits;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The shared state of a run's thread while the run works on it. A change is told to the client at once, and stored with
 * whatever the run stores next: the result of the call that made it, at the latest. Changes come one after another, and so do
 * their events. Thread-safe.
 */
public final class SharedState {

    /** Deeper ones could not come back with a client's next input. */
    static final int MAX_DEPTH = 100;

    /** A patch of so many characters is sent in any case. */
    private static final int SHORT_PATCH = 1_000;

    /** Moves and copies are left out: a patch is applied by clients of all kinds. */
    private static final EnumSet<DiffFlags> FLAGS = DiffFlags.dontNormalizeOpIntoMoveAndCopy();

    private final EventEmitter events;
    private final int longest;
    private JsonNode present = AguiCodec.mapper().createObjectNode();
    private JsonNode stored = present;
    private boolean clientKnows;

    /**
     * @param longest state, in characters of its JSON
     */
    public SharedState(EventEmitter events, int longest) {
        this.events = events;
        this.longest = longest;
    }

    /**
     * @param state of the thread, if it has one
     * @param fromClient whether the client has sent it: a patch can only be applied to what one has
     */
    public synchronized void startsFrom(Optional<JsonNode> state, boolean fromClient) {
        state.ifPresent(known -> {
            present = known;
            stored = known;
        });
        clientKnows = fromClient;
    }

    /** A copy. */
    public synchronized JsonNode get() {
        return present.deepCopy();
    }

    /**
     * Changes the state; nothing has changed if this throws.
     *
     * @return a copy of the new state
     * @throws IllegalArgumentException if the new state is too long, too deep or no JSON
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
        if (json.length() > longest) {
            throw new IllegalArgumentException("The state has " + json.length() + " characters of JSON; at most "
                    + longest + " are kept (Limits.stateLength).");
        }
        return RecordJson.read(json, JsonNode.class);
    }

    /** A long patch that is even longer than what it leads to is of no use, nor is one that takes long to find. */
    private void tell(JsonNode before, JsonNode next) {
        if (clientKnows && PatchEffort.isBearable(before, next)) {
            ArrayNode patch = (ArrayNode) JsonDiff.asJson(before, next, FLAGS);
            int length = patch.toString().length();
            if (length <= SHORT_PATCH || length <= next.toString().length()) {
                events.stateDelta(patch);
                return;
            }
        }
        events.state(next.deepCopy());
        clientKnows = true;
    }

    /** The state, if it has changed since it was stored. */
    public synchronized Optional<JsonNode> unstored() {
        return present == stored ? Optional.empty() : Optional.of(present);
    }

    /** Takes note of what was stored. */
    public synchronized void stored(JsonNode state) {
        stored = state;
    }
}
