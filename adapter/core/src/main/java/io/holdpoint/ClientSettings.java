package io.holdpoint;

import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.Store;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of what clients are told and may send, see {@link HoldpointBuilder#client}. Settings that are not set have their defaults. It
 * changes its builder, and is for use within the function that gets it. Not thread-safe.
 */
public final class ClientSettings {

    private final AgentConfig<?> config;

    ClientSettings(AgentConfig<?> config) {
        this.config = config;
    }

    /**
     * Tells clients of the steps of a run: {@code STEP_STARTED} and {@code STEP_FINISHED} around the execution of
     * each tool, by its name (of two at the same time, the second by name and call id), and retrieval, as {@code retrieval}. Off by
     * default.
     */
    public ClientSettings steps(boolean told) {
        config.steps = told;
        return this;
    }

    /**
     * Shows clients the work of a run as activity messages, which the transcript keeps: {@code tool_execution}, {@code retrieval} and
     * {@code interrupt}, each with its {@code status}. Off by default.
     */
    public ClientSettings activities(boolean told) {
        config.activities = told;
        return this;
    }

    /**
     * Names the {@code forwardedProps} of an input that are stored with the turn that it begins, in clear, so that a run which continues
     * the turn has them ({@link UserTurn#forwardedProps}). They may hold tokens, so by default none is stored.
     */
    public ClientSettings storedForwardedProps(String... names) {
        config.hooks.storedForwardedProps = Set.of(names);
        return this;
    }

    /**
     * Takes the messages that a client sends for the whole history that it shows: if they end before the thread does, with a new
     * user message or with one that has an answer, the rest of the thread is replaced, as front ends mean it that have a button to
     * edit a message or to ask again. An input that names what it replaces, or {@code null}, does without, see the guide for clients.
     *
     * @param edits {@code true} by default; {@code false} where a thread is open on several pages of such a client: one that missed
     *     what was said elsewhere would replace it. The store keeps what is replaced ({@link Store.Range#CUT})
     */
    public ClientSettings editByHistory(boolean edits) {
        config.editsByHistory = edits;
        return this;
    }

    /**
     * Sets the media of user messages that the model gets besides text, by default {@link InputMedia#ALL}; others are skipped. The agent's
     * capabilities promise exactly these; they leave the default out.
     */
    public ClientSettings inputMedia(InputMedia media) {
        config.inputMedia = Optional.of(media);
        return this;
    }

    /**
     * Shows clients the model's thinking: as {@code REASONING_*} events, and as messages of the role {@code reasoning} in the transcript,
     * if the model is told to return it ({@code returnThinking(true)}, mostly). Methods with output guardrails show none. {@code true} by
     * default; the capabilities leave that out, because it is not known whether the model thinks.
     */
    public ClientSettings exposeReasoning(boolean exposed) {
        config.reasoning = Optional.of(exposed);
        return this;
    }

    /** Sets when runs send the messages of their thread, and what they show; by default {@link SnapshotSettings#DEFAULT}. */
    public ClientSettings snapshots(SnapshotSettings contents) {
        config.snapshots = contents;
        return this;
    }
}
