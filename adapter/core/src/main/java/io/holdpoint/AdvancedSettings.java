package io.holdpoint;

import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.ToolScope;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Settings of a {@link HoldpointBuilder} that few agents need. Those that are not set have their defaults. */
public final class AdvancedSettings {

    private final AgentConfig<?> config;

    AdvancedSettings(AgentConfig<?> config) {
        this.config = config;
    }

    /**
     * Sets the time for which a run that died keeps its thread, {@link HoldpointBuilder#DEFAULT_LEASE_DURATION} by default; less than a
     * second is an {@link IllegalArgumentException}. A run that lives renews its lease three times in that time. Nodes on one store should
     * use the same duration, and clocks that differ by much less.
     */
    public AdvancedSettings leaseDuration(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("leaseDuration must be at least one second: " + duration);
        }
        config.leaseDuration = duration;
        return this;
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
     * Lets a thread that the store does not know go on from the messages that its chat memory holds already. Their owner is not
     * known, so by default every input to such a thread is refused with {@link ErrorCode#THREAD_NOT_FOUND}, and the memory is
     * neither shown nor changed. System messages alone do not count. Memories may outlive the store, or be there before it.
     *
     * @param claims {@code true} if the first caller owns the thread, with all messages of its memory: only where thread
     *     ids cannot be guessed, or all callers may see all threads. {@code false} by default
     */
    public AdvancedSettings claimExistingMemories(boolean claims) {
        config.claimsMemories = claims;
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

    /**
     * Converts a thread's id to the chat memory's id, which the {@link HoldpointBuilder#chatMemoryProvider}, the method's
     * {@code @MemoryId} and the tools' {@code @ToolMemoryId} get. By default it is the same, and a method whose {@code @MemoryId} is a
     * {@code Long}, an {@code Integer} or a {@code UUID} gets it as that. Two threads must not have the same memory id.
     */
    public AdvancedSettings memoryId(Function<String, Object> converts) {
        config.memoryId = Optional.of(converts);
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
