package io.holdpoint.store;

import io.holdpoint.agui.Message;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps threads, transcripts and batches. Implementations are thread-safe; every method is atomic. What a run writes is
 * written through {@link #commit}, all of it or nothing.
 */
public interface Store {

    /**
     * Takes the right to write to a thread, known or not.
     *
     * @param threadId the conversation
     * @param runId the run that asks
     * @return the lease, or empty if another run is active on the thread
     */
    Optional<Lease> acquire(String threadId, String runId);

    /**
     * Gives the right back. Does nothing if it was lost.
     *
     * @param lease from {@link #acquire}
     */
    void release(Lease lease);

    /**
     * Reads a thread.
     *
     * @param threadId the conversation
     * @return what is known, or empty if nothing was ever committed for it
     */
    Optional<ThreadRecord> find(String threadId);

    /**
     * Reads a transcript.
     *
     * @param threadId the conversation
     * @return its messages, oldest first; empty for an unknown thread
     */
    List<Message> transcript(String threadId);

    /**
     * Says which messages a transcript has.
     *
     * @param threadId the conversation
     * @param messageIds the ids in question
     * @return those of them that the transcript has
     */
    Set<String> known(String threadId, Collection<String> messageIds);

    /**
     * Says whether a tool call id is taken.
     *
     * @param threadId the conversation
     * @param toolCallId the id in question
     * @return whether a batch of the thread, finished or not, has a call of that id
     */
    boolean hasToolCall(String threadId, String toolCallId);

    /**
     * Finds the batch that an interrupt was issued for, finished or not.
     *
     * @param threadId the conversation
     * @param interruptId the interrupt
     * @return the batch, or empty if this thread never issued the interrupt
     */
    Optional<Hold> findByInterrupt(String threadId, String interruptId);

    /**
     * Writes.
     *
     * @param lease the right to write
     * @param commit what to write
     * @throws LeaseLostException if the lease is not the thread's present one, or a batch changed meanwhile; nothing is
     *     written then
     */
    void commit(Lease lease, Commit commit);
}
