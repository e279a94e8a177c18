package io.holdpoint.internal.agent;

import io.holdpoint.Retention.Purged;
import io.holdpoint.store.Store.ThreadRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/** An agent that works as a tool of another one, which asks its questions in its name. Thread-safe. */
public interface InnerAgent {

    String name();

    AgentConfig<?> config();

    /** Makes questions of the calls of runs that have died; nobody else looks for them. */
    void look(boolean only);

    /** Keeps its questions for so long at least, because another agent asks them that long. */
    void keep(Duration abandoned);

    /** Applies its own retention. The {@code rest} is told how long each transaction took, and says whether to go on. */
    Purged purge(LongPredicate rest);

    /** The thread on which it works for a call of the other agent, which has that name: others may have the same threads and calls. */
    Optional<ThreadRecord> thread(String other, String threadId, String toolCallId);

    /** The calls that it has started for a call of the other agent, also in agents inside of it: for people and models. */
    List<String> started(String other, String threadId, String toolCallId);

    /** Gives up what it asks for a call of the other agent, which has ended. */
    void letGo(String other, String threadId, String toolCallId);
}
