package io.holdpoint.internal.agent;

import io.holdpoint.store.Store.ThreadRecord;
import java.util.Optional;

/** An agent that works as a tool of another one, which asks its questions in its name. Thread-safe. */
public interface InnerAgent {

    String name();

    AgentConfig<?> config();

    /** Makes questions of the calls of runs that have died; nobody else looks for them. */
    void look(boolean only);

    /** The thread on which it works for a call of the other agent, which has that name: others may have the same threads and calls. */
    Optional<ThreadRecord> thread(String other, String threadId, String toolCallId);
}
