package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps threads, transcripts, batches and the audit trail. Implementations are thread-safe; every method is atomic. A run writes through
 * {@link #commit}, all of it or nothing. A store has no clock: it is told the time.
 *
 * <p>A method that fails for reasons of its own (no connection, a full disk) throws a {@link RuntimeException}; the caller
 * then does not know whether it was done.
 */
public interface Store {

    /** The number of findings after which {@link #check} stops. */
    int MAX_FINDINGS = 1_000;

    /** The name by which all agents are halted, see {@link #halt}. */
    String ALL_AGENTS = "*";

    /**
     * Returns the same store for another agent. Threads, their audit trails, the feed and its readers are an agent's own: another one does
     * not find them. Only a halt reaches further, and {@link #check} looks at everything. A store that was made for no agent is that of the
     * one without a name. A store that wraps another one must wrap what this gives too, or the agent works past it.
     *
     * @param agent its name; empty for the one without a name
     */
    Store of(String agent);

    /**
     * Takes the right to write to a thread, known or not.
     *
     * @param caller id of the caller that the run works for
     * @param now the present; a lease that ends by then may be taken over
     * @param until when the lease ends unless it is renewed
     * @return the lease, or empty if another run is active on the thread; one that writes at this moment is, even if its
     *     lease has ended
     */
    Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until);

    /**
     * Takes the right to write to a thread that is the caller's own, or that is not known, as {@link #acquire} does, and reads it.
     *
     * @return the lease and the thread; empty if the thread has another owner, whose runs this does not disturb, or an active
     *     run
     * @throws HaltedException if the thread's agent is halted, whoever owns the thread
     */
    default Optional<Acquired> acquireOwn(String threadId, String runId, String caller, Instant now, Instant until) {
        Optional<Halt> halt = halted();
        if (halt.isPresent()) {
            throw new HaltedException(halt.get().agent());
        }
        Optional<ThreadHead> head = head(threadId);
        if (head.isPresent() && !head.get().owner().equals(caller)) {
            return Optional.empty();
        }
        Optional<Lease> lease = acquire(threadId, runId, caller, now, until);
        if (lease.isEmpty()) {
            return Optional.empty();
        }
        Optional<ThreadRecord> thread;
        try {
            thread = find(threadId);
        } catch (Throwable e) { // a missing class too, and not every store is written in Java
            renew(lease.get(), Instant.EPOCH); // what the run before has left is not known
            throw e;
        }
        if (thread.isPresent() && !thread.get().owner().equals(caller)) { // started in between
            release(lease.get());
            return Optional.empty();
        }
        return Optional.of(new Acquired(lease.get(), thread));
    }

    /**
     * Extends a lease, and says whether its run was asked to stop. One that has ended may still be extended until another run
     * takes the thread.
     *
     * @param until when the lease ends unless it is renewed again; {@link Instant#EPOCH} ends it for good, as that of a run that has died
     */
    Renewal renew(Lease lease, Instant until);

    /** Gives the right back. No effect if it was lost. */
    void release(Lease lease);

    /**
     * Asks the active run of a thread to stop, wherever it is. Needs no right to write to the thread. The next run of the thread is not asked;
     * one that takes the lease over is, and knows of it ({@link Lease#cancels}), until it gives the lease back.
     *
     * @param now the present; a lease that ends by then does not count
     * @return whether there is an active run; asking twice changes nothing
     */
    boolean requestCancel(String threadId, Instant now);

    /** The run that is active on a thread, and what it is saying; empty if its lease has ended or was given back. */
    Optional<Active> active(String threadId, Instant now);

    /**
     * Keeps what a run is saying, for whoever looks from another node until the transcript has it. It takes the place of what the
     * run said before, and is forgotten with the lease, however that ends. No effect if the lease is not the thread's present one.
     *
     * @param text the message that the run is writing, as far as it has come
     */
    void say(Lease lease, Message.Assistant text);

    /**
     * Reads a thread; empty if nothing was ever committed for it.
     *
     * @throws DamagedException if its record will never be read: it is given up unread when somebody cancels. Any other failure may pass
     */
    Optional<ThreadRecord> find(String threadId);

    /** Reads whose a thread is and whether something is unfinished in it, without the records; empty if nothing was ever committed for it. */
    Optional<ThreadHead> head(String threadId);

    /** Reads a transcript, oldest message first, without what was cut off; empty for an unknown thread. */
    default List<Message> transcript(String threadId) {
        return transcript(threadId, Range.ALL);
    }

    /** Reads a part of a transcript, or what was cut off it, oldest message first; empty for an unknown thread. */
    List<Message> transcript(String threadId, Range range);

    /**
     * Counts what a thread has had since it was purged, finished batches and what was cut off included.
     *
     * @param limit most to count, at least 1
     * @return how many; {@code limit} if there may be more; 0 for an unknown thread
     */
    int count(Counted what, String threadId, int limit);

    /** Says which messages were ever appended to a transcript, each with whether it was cut off. */
    Map<String, Boolean> known(String threadId, Collection<String> messageIds);

    /** Says whether an id is taken in a thread. */
    boolean has(IdOf what, String threadId, String id);

    /**
     * Finds a batch, finished or not; empty if this thread never had it, or if it is removed: at its end already if a model has made its calls
     * and nobody was asked about them, or when it is purged.
     *
     * @param by the kind of the id
     * @param id of the batch, or of an interrupt that was issued for it
     */
    Optional<Batch> findBatch(String threadId, By by, String id);

    /**
     * Writes, together with all that {@link #withMemory} left for it. With the lease of a {@linkplain FeedPlace#of place of a reader} it writes
     * facts only, and no thread begins.
     *
     * @param lease the right to write, given back if {@link Commit#releases}
     * @throws LeaseLostException if the lease is not the thread's present one; nothing is written then. A lease that has
     *     ended, and that no other run has taken over, is still the present one
     * @throws StoreConflictException if a batch is not at the version before, or a call is to start by a fact that is not there
     *     or does not allow it ({@link Change.Claimed#startsBy}, {@link Change.Claimed#use}); nothing is written then. The fact is locked
     *     from when it is read until what {@code use} makes of it is written, so that two calls never use the same of it
     * @throws HaltedException if a call is to start ({@link Change.Claimed}) and the thread's agent is halted; nothing is written
     *     then. A commit that starts a call comes before a halt or after it, never beside it
     */
    void commit(Lease lease, Commit commit, Instant now);

    /**
     * Reads or writes what lies beside the store and is a run's, such as its chat memory. A store whose database has that as well
     * may keep what was read for as long as the run has the lease, and leave a write for the run's next commit or release, so that it
     * is one transaction with that and with the check of the lease; a commit that fails takes it along.
     *
     * @return whether what the run has read is in the store's own database, so that its writes need no other check of the lease
     * @throws LeaseLostException if a write was checked at once and the lease is not the thread's present one
     */
    default boolean withMemory(Lease lease, Runnable work) {
        work.run();
        return false;
    }

    /**
     * Finds threads, page by page.
     *
     * @param after the last one of the page before, still to be found or not; {@link Place#FIRST} for the first page
     * @param before when what is looked for must have been; {@link Wanted#DUE} and {@link Wanted#DESERTED} may be of that time
     * @return each with the time of what was looked for, longest ago first; fewer than {@code limit} on the last page
     */
    List<Place> threads(Wanted what, Place after, Instant before, int limit);

    /**
     * Finds threads in which somebody is asked, page by page.
     *
     * @param owner whose threads; empty for those of everybody
     * @param after the last one of the page before, still open or not; {@link Place#FIRST} for the first page
     * @return those that were asked about longest ago first; fewer than {@code limit} on the last page
     */
    List<OpenBatch> open(Optional<String> owner, Place after, int limit);

    /**
     * Removes records of an agent's threads that are old, the oldest first.
     *
     * @param before when they must have been finished, added or expired
     * @return how many were removed; {@code limit} if there may be more
     */
    int purge(Old what, Instant before, int limit);

    /**
     * Reads what is known in a place, in the order of the names, also what has ended, until it is purged.
     *
     * @param kind of facts
     * @param place the id of a thread, or another {@linkplain Fact.Key#place place}
     */
    List<Fact> facts(String kind, String place);

    /**
     * Adds to audit trails without the right to write to their threads: for what changes nothing, or takes back what somebody has allowed, who
     * does not wait for the run that is using it. An event that a trail has already
     * ({@link AuditEvent#repeats}) is not added again, so that a client cannot make a trail grow by repeating itself.
     *
     * @param revoked a fact to remove; nothing is written if it is not there
     * @return the events that were added
     */
    List<AuditEvent> audit(Optional<Fact.Key> revoked, List<AuditEvent> events);

    /**
     * Reads the audit trail of a thread. This library never changes anything in it, and removes from it by {@link #purge} only, except that
     * {@link InMemoryStore} keeps the end of it only.
     */
    List<AuditEvent> auditTrail(String threadId, long offset, int limit);

    /**
     * Reads the audit trails of all threads of an agent, in one order. The events that were read are complete: no event gets a place before
     * it later. So an event may be there a moment after it was committed, or longer while transactions last that were active then.
     *
     * @param after the position of the last event that was read; 0 for the first ones
     */
    default List<Fed> feed(long after, int limit) {
        return feed(after, limit, true);
    }

    /**
     * Reads what {@link #feed(long, int)} reads.
     *
     * @param complete {@code false} to read also events before which others may still come, so as to know that there is something
     */
    List<Fed> feed(long after, int limit, boolean complete);

    /** The present end of the feed: the position behind which everything comes that was not there yet. */
    long feedEnd();

    /**
     * Halts an agent, or ends its halt. From then on no call of its threads starts ({@link #commit}), and no run gets a thread of its own
     * ({@link #acquireOwn}); {@link #acquire} still lets a caller cancel what is held. An agent that works as a tool of
     * others is halted with itself.
     *
     * @param halt why; empty to end the halt
     * @param events what happened; written only if this changes something
     * @return whether it did: {@code false} if the agent has a halt already, which stays as it is, or has none to end
     */
    boolean halt(Optional<Halt> halt, List<AuditEvent> events);

    /** Reads the halt of an agent, or else that of all agents; empty if it is not halted. */
    Optional<Halt> halted();

    /**
     * The present by the clock of the machine on which the records are, with which the nodes can compare theirs; nothing is decided by it.
     * Empty if that is the machine of every node.
     */
    default Optional<Instant> time() {
        return Optional.empty();
    }

    /**
     * Checks that what the store holds fits together, for operators: every reference leads somewhere, every record can be
     * read, no transaction has left only a part of itself, and no call has other arguments than people were shown. Changes
     * nothing, and is as slow as reading everything.
     *
     * @return one sentence for each thing that is wrong, naming thread and record, at most {@value #MAX_FINDINGS}; empty if
     *     all is well
     */
    List<String> check();

    /**
     * The id of the chat memory of a thread: the thread's id, which has no control characters, behind the name of the agent and
     * U+001F, or alone if the agent has no name.
     */
    static String memoryOf(String agent, String threadId) {
        return agent.isEmpty() ? threadId : agent + '\u001f' + threadId;
    }

    /** The name by which an agent is halted: no name has a {@code ~} but that of an agent that works as a tool. */
    static String halting(String agent) {
        int end = agent.indexOf('~');
        return end < 0 ? agent : agent.substring(0, end);
    }

    /** The outcome of {@link #renew}. */
    enum Renewal {
        /** The lease is the thread's present one, and ends later now. */
        RENEWED,
        /** The same, and {@link #requestCancel} was called while it was the present one. */
        CANCEL_REQUESTED,
        /** The same as {@link #RENEWED}, and the thread's agent is halted. */
        HALTED,
        /** It is not the thread's present one. */
        LOST
    }

    /** A part of a thread, for {@link Commit#discard}. */
    enum Part {
        /** The unfinished batch and the unfinished turn. */
        UNFINISHED,
        /**
         * The transcript, state, turn, batches, interrupts, tool call ids and facts. The thread stays known, with its
         * owner and the fact that it was purged, so that a client cannot fill it again with the history that it has kept.
         */
        ALL
    }

    /**
     * A part of what a transcript has, or had, for {@link #transcript}.
     *
     * @param after the id of the message behind which it begins; there is nothing if the transcript does not have it
     * @param cut whether it is what {@link Commit#cut} has taken out, in the order of the transcript, for people: nothing of it comes back
     */
    record Range(Optional<String> after, boolean cut) {

        /** All that was not cut off. */
        public static final Range ALL = new Range(Optional.empty(), false);

        /** All that was cut off and not purged. */
        public static final Range CUT = new Range(Optional.empty(), true);

        /** The part behind a message. */
        public static Range after(String messageId) {
            return new Range(Optional.of(messageId), false);
        }
    }

    /** A kind of things, for {@link #count}. */
    enum Counted {
        /** The messages that were appended. */
        MESSAGE,
        /** The interrupts that were issued. */
        INTERRUPT
    }

    /** A kind of ids, for {@link #has}. */
    enum IdOf {
        /** A run that has appended or cut off a message that was not purged. */
        RUN,
        /** A call of a batch, finished or not. */
        TOOL_CALL,
        /**
         * An interrupt that was issued, also if its batch is purged. Every id is one if the thread itself was ever purged, because what
         * it had issued is no longer known.
         */
        INTERRUPT
    }

    /** A kind of ids of a batch, for {@link #findBatch}. */
    enum By {
        /** Its own. */
        BATCH,
        /** That of an interrupt that was issued for one of its calls. */
        INTERRUPT
    }

    /** A kind of threads, for {@link #threads}. */
    enum Wanted {
        /** Threads with an unfinished batch; the time is that of the batch's last change. */
        UNFINISHED,
        /** Threads without an unfinished batch that have something to purge; the time is that of the last commit. */
        IDLE,
        /** Threads with an unfinished batch with which time has something to do; the time is {@link Batch#dueAt}. */
        DUE,
        /**
         * Threads with an unfinished batch or turn whose run has neither given its lease back nor renewed it in time, so that it has
         * died, or is late; the time is the end of the lease.
         */
        DESERTED
    }

    /** A kind of records, for {@link #purge}. */
    enum Old {
        /**
         * Finished batches. Their interrupts and tool calls stay known ({@link #has}); an answer to them can no longer be compared with
         * the one that was given.
         */
        BATCH,
        /** Facts that have {@linkplain Fact#endsAt ended}. */
        FACT,
        /**
         * The beginnings of audit trails: what follows a younger event may stay. So does what a reader of the feed has not passed, or
         * will read again, unless no node has held its place since the time before which events are old ({@link FeedPlace#done}).
         */
        AUDIT_EVENT
    }

    /**
     * The right to write to a thread: one active run per thread, for a limited time that the run extends as long as it lives.
     *
     * @param caller id of the caller that the run works for; a thread that the run creates is theirs
     * @param epoch grows with every lease of the thread, so that a late writer is recognised
     * @param cancels whether it was taken over from a run that {@link #requestCancel} had asked to stop: what that has left is to be given up first
     */
    record Lease(String threadId, String runId, String caller, long epoch, boolean cancels) {

        public Lease(String threadId, String runId, String caller, long epoch) {
            this(threadId, runId, caller, epoch, false);
        }
    }

    /**
     * A run that is active on a thread.
     *
     * @param said what {@link #say} has kept last, which the transcript may have by now
     */
    record Active(Lease lease, Optional<Message.Assistant> said) {}

    /**
     * The halt of an agent.
     *
     * @param agent its name, or {@link #ALL_AGENTS}
     * @param caller id of the caller who halted it, or the database role
     */
    record Halt(String agent, Instant since, String caller, String reason) {}

    /** A thread that a run has just got; without a record if nothing was ever committed for it. */
    record Acquired(Lease lease, Optional<ThreadRecord> thread) {}

    /**
     * The index of a thread: its records themselves are not read, so it is there even if they are damaged.
     *
     * @param owner id of the caller that started it
     * @param batchId the batch that is not finished
     * @param hasTurn whether a turn has not come to its end
     */
    record ThreadHead(String threadId, String owner, Optional<String> batchId, boolean hasTurn) {}

    /**
     * The knowledge of a store about a conversation, besides its transcript. Immutable.
     *
     * @param owner id of the caller that started it
     * @param state the thread's shared state, if there ever was one
     * @param turn the turn that has not come to its end
     * @param batch the batch that is not finished; belongs to {@code turn}
     * @param changedAt when something was committed last; empty if that is purged and nothing was committed since
     * @param purged whether {@link Commit#discard} has ever removed all that the thread held
     */
    record ThreadRecord(
            String threadId,
            String owner,
            Optional<JsonNode> state,
            Optional<TurnRecord> turn,
            Optional<Batch> batch,
            Optional<Instant> changedAt,
            boolean purged) {}

    /**
     * A thread in which somebody is asked. Immutable.
     *
     * @param owner id of the caller that started it
     * @param askedAt when the first of the questions was asked that are open, as exactly as the store keeps times
     * @param batch the batch with the questions; empty if it can no longer be read
     */
    record OpenBatch(String threadId, String owner, Instant askedAt, Optional<Batch> batch) {

        /** The place in the list, which stays the same until an answer comes. */
        public Place place() {
            return new Place(askedAt, threadId);
        }
    }

    /**
     * An event of an audit trail in the feed of its agent.
     *
     * @param position grows with every event, with gaps
     */
    record Fed(long position, AuditEvent event) {}

    /** The place of a thread in a list of threads, and what it is there by. */
    record Place(Instant at, String threadId) {

        /** Comes before all others. */
        public static final Place FIRST = new Place(Instant.MIN, "");
    }
}
