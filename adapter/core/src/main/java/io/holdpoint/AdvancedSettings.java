package io.holdpoint;

import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.ToolScope;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Settings of a {@link HoldpointBuilder} that few agents need. Those that are not set have their defaults. */
public final class AdvancedSettings {

    private final AgentConfig<?> config;

    AdvancedSettings(AgentConfig<?> config) {
        this.config = config;
    }

    /**
     * Sets the clock, for tests; by default the system's. With one that stands still, or runs at less than half or more than twice the speed
     * of time, the agent does not look by itself at what is due, and its guests do not either: call {@link Holdpoint#actOnTime}.
     */
    public AdvancedSettings clock(Clock time) {
        config.clock = time;
        return this;
    }

    /**
     * Sets the executor of runs, by default virtual threads if the JDK has them, else a growing pool. It should not be bounded by a queue:
     * a run may hold its thread until its model has answered.
     */
    public AdvancedSettings executor(Executor threads) {
        config.executor = threads;
        return this;
    }

    /**
     * Takes the messages that a client sends for the whole history that it shows: if they end before the thread does, with a new
     * user message or with one that has an answer, the rest of the thread is replaced, as front ends mean it that have a button to
     * edit a message or to ask again. An input that names what it replaces, or {@code null}, does without, see the guide for clients.
     *
     * @param edits {@code true} by default; {@code false} where a thread is open on several pages of such a client: one that missed
     *     what was said elsewhere would replace it. The store keeps what is replaced ({@link Store#cutMessages})
     */
    public AdvancedSettings editByHistory(boolean edits) {
        config.editsByHistory = edits;
        return this;
    }

    /** Sets the redactor of the arguments that the audit trail keeps; by default {@link ArgumentRedactor#NONE}. */
    public AdvancedSettings argumentRedactor(ArgumentRedactor redacts) {
        config.redactor = redacts;
        return this;
    }

    /**
     * Sets the media of user messages that the model takes besides text, by default {@link InputMedia#ALL}. Others fail the run, and are
     * left out when the thread goes on. The agent's capabilities promise exactly these; they leave the default out.
     */
    public AdvancedSettings inputMedia(InputMedia media) {
        config.inputMedia = Optional.of(media);
        return this;
    }

    /**
     * Shows clients the model's thinking: as {@code REASONING_*} events, and as messages of the role {@code reasoning} in the transcript,
     * if the model is told to return it ({@code returnThinking(true)}, mostly). Methods with output guardrails show none. {@code true} by
     * default; the capabilities leave that out, because it is not known whether the model thinks.
     */
    public AdvancedSettings exposeReasoning(boolean exposed) {
        config.reasoning = Optional.of(exposed);
        return this;
    }

    /** Sets when runs send the messages of their thread, and what they show; by default {@link SnapshotSettings#DEFAULT}. */
    public AdvancedSettings snapshots(SnapshotSettings contents) {
        config.snapshots = contents;
        return this;
    }

    /** Adds something that is around the body of every tool, on its thread: a security context for instance. By default there is none. */
    public AdvancedSettings toolScope(ToolScope scope) {
        config.hooks.scopes.add(scope);
        return this;
    }
}
