package io.holdpoint.internal.events;

import io.holdpoint.internal.agent.AgentConfig;

/** The output side of a run: its events, and the thread's state and the progress of the work, which speak through the events. */
public final class RunOutput {

    public final EventEmitter events;
    public final SharedState state;
    public final Progress progress;

    public RunOutput(EventEmitter events, AgentConfig<?> config) {
        this.events = events;
        this.state = new SharedState(events, config.limits.stateLength());
        this.progress = new Progress(events, config);
    }
}
