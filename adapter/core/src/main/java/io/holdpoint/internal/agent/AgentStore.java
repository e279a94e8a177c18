package io.holdpoint.internal.agent;

import io.holdpoint.agui.Message;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The store of a named agent, which other agents may use too: every thread id that goes in gets the agent's name, and loses it on
 * the way out. Thread-safe as the store is.
 */
public final class AgentStore implements Store {

    private final Store store;
    private final String agent;
    private final int prefix;

    public AgentStore(Store store, String agent) {
        this.store = store;
        this.agent = agent;
        this.prefix = Store.threadOf(agent, "").length();
    }

    /** The store of an agent that works for another one: no client has its threads. */
    static AgentStore inside(Store store, String agent) {
        return new AgentStore(shared(store), agent);
    }

    /** The store that other agents may use as well. */
    static Store shared(Store store) {
        return store instanceof AgentStore named ? named.store : store;
    }

    /** Refuses a name that could be mistaken for a part of an id. */
    public static String requireName(String agent) {
        if (!agent.matches("[A-Za-z0-9._-]{0,64}")) {
            throw new IllegalArgumentException(
                    "name(\"" + agent + "\"): must have at most 64 letters, digits, '-', '_' and '.'");
        }
        return agent;
    }

    private String in(String threadId) {
        return Store.threadOf(agent, threadId);
    }

    private String out(String threadId) {
        return threadId.substring(prefix);
    }

    private Lease in(Lease lease) {
        return new Lease(in(lease.threadId()), lease.runId(), lease.caller(), lease.epoch());
    }

    private Lease out(Lease lease) {
        return new Lease(out(lease.threadId()), lease.runId(), lease.caller(), lease.epoch());
    }

    private static Batch named(Batch batch, String threadId) {
        return new Batch(
                batch.id(),
                threadId,
                batch.version(),
                batch.state(),
                batch.turn(),
                batch.message(),
                batch.calls(),
                batch.givenUp(),
                batch.changes());
    }

    private Batch out(Batch batch) {
        return named(batch, out(batch.threadId()));
    }

    private ThreadRecord out(ThreadRecord thread) {
        return new ThreadRecord(
                out(thread.threadId()),
                thread.owner(),
                thread.state(),
                thread.turn(),
                thread.batch().map(this::out),
                thread.changedAt(),
                thread.purged());
    }

    private static AuditEvent named(AuditEvent event, String threadId) {
        return new AuditEvent(
                event.at(), threadId, event.runId(), event.caller(), event.kind(), event.about(), event.detail());
    }

    private List<AuditEvent> in(List<AuditEvent> events) {
        return events.stream().map(event -> named(event, in(event.threadId()))).toList();
    }

    private List<AuditEvent> out(List<AuditEvent> events) {
        return events.stream().map(event -> named(event, out(event.threadId()))).toList();
    }

    private Place in(Place place) {
        return place.equals(Place.FIRST) ? place : new Place(place.at(), in(place.threadId()));
    }

    // --- leases

    @Override
    public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
        return store.acquire(in(threadId), runId, caller, now, until).map(this::out);
    }

    @Override
    public Optional<Acquired> acquireOwn(String threadId, String runId, String caller, Instant now, Instant until) {
        return store.acquireOwn(in(threadId), runId, caller, now, until)
                .map(own -> new Acquired(out(own.lease()), own.thread().map(this::out)));
    }

    @Override
    public Renewal renew(Lease lease, Instant until) {
        return store.renew(in(lease), until);
    }

    @Override
    public void release(Lease lease) {
        store.release(in(lease));
    }

    @Override
    public boolean requestCancel(String threadId, Instant now) {
        return store.requestCancel(in(threadId), now);
    }

    @Override
    public Optional<Active> active(String threadId, Instant now) {
        return store.active(in(threadId), now).map(active -> new Active(out(active.lease()), active.said()));
    }

    @Override
    public void say(Lease lease, Message.Assistant text) {
        store.say(in(lease), text);
    }

    // --- a thread

    @Override
    public Optional<ThreadRecord> find(String threadId) {
        return store.find(in(threadId)).map(this::out);
    }

    @Override
    public Optional<ThreadHead> head(String threadId) {
        return store.head(in(threadId))
                .map(head -> new ThreadHead(threadId, head.owner(), head.batchId(), head.hasTurn()));
    }

    @Override
    public void discard(Lease lease, Part part, List<AuditEvent> events) {
        store.discard(in(lease), part, in(events));
    }

    @Override
    public List<Message> transcript(String threadId) {
        return store.transcript(in(threadId));
    }

    @Override
    public int count(Counted what, String threadId, int limit) {
        return store.count(what, in(threadId), limit);
    }

    @Override
    public List<Message> transcriptAfter(String threadId, String messageId) {
        return store.transcriptAfter(in(threadId), messageId);
    }

    @Override
    public List<Message> cutMessages(String threadId) {
        return store.cutMessages(in(threadId));
    }

    @Override
    public boolean has(IdOf what, String threadId, String id) {
        return store.has(what, in(threadId), id);
    }

    @Override
    public Map<String, Boolean> known(String threadId, Collection<String> messageIds) {
        return store.known(in(threadId), messageIds);
    }

    @Override
    public Optional<Batch> findByInterrupt(String threadId, String interruptId) {
        return store.findByInterrupt(in(threadId), interruptId).map(this::out);
    }

    @Override
    public void commit(Lease lease, Commit commit, Instant now) {
        Commit named = new Commit(
                commit.batches().stream()
                        .map(batch -> named(batch, in(batch.threadId())))
                        .toList(),
                commit.messages(),
                commit.cut(),
                commit.state(),
                commit.turn(),
                in(commit.audit()),
                commit.grants(),
                commit.tokens(),
                commit.revoked(),
                commit.releases());
        store.commit(in(lease), named, now);
    }

    @Override
    public boolean withMemory(Lease lease, Runnable work) {
        return store.withMemory(in(lease), work);
    }

    @Override
    public List<Grant> grants(String threadId) {
        return store.grants(in(threadId));
    }

    @Override
    public List<Grant.Use> uses(String threadId, String grantId) {
        return store.uses(in(threadId), grantId);
    }

    @Override
    public boolean revokeGrant(String threadId, String grantId, AuditEvent event) {
        return store.revokeGrant(in(threadId), grantId, named(event, in(event.threadId())));
    }

    @Override
    public List<AuditEvent> audit(List<AuditEvent> events) {
        return out(store.audit(in(events)));
    }

    @Override
    public List<AuditEvent> auditTrail(String threadId, long offset, int limit) {
        return out(store.auditTrail(in(threadId), offset, limit));
    }

    // --- the agent's threads, whichever is asked for

    @Override
    public List<Place> threads(Wanted what, String any, Place after, Instant before, int limit) {
        return store.threads(what, agent, in(after), before, limit).stream()
                .map(place -> new Place(place.at(), out(place.threadId())))
                .toList();
    }

    @Override
    public List<OpenBatch> open(String any, Optional<String> owner, Place after, int limit) {
        return store.open(agent, owner, in(after), limit).stream()
                .map(open -> new OpenBatch(
                        out(open.threadId()),
                        open.owner(),
                        open.askedAt(),
                        open.batch().map(this::out)))
                .toList();
    }

    @Override
    public int purge(Old what, String any, Instant before, int limit) {
        return store.purge(what, agent, before, limit);
    }

    @Override
    public List<Fed> feed(String any, long after, int limit) {
        return store.feed(agent, after, limit).stream()
                .map(fed -> new Fed(
                        fed.position(), named(fed.event(), out(fed.event().threadId()))))
                .toList();
    }

    @Override
    public long feedEnd(String any) {
        return store.feedEnd(agent);
    }

    @Override
    public Optional<Cursor> cursor(String any, String name, String holder, Instant now, Instant until) {
        return store.cursor(agent, name, holder, now, until);
    }

    @Override
    public List<Retry> retries(String any, String name, long after, int limit) {
        return store.retries(agent, name, after, limit);
    }

    @Override
    public Optional<Instant> time() {
        return store.time();
    }

    @Override
    public boolean advance(Cursor read, Cursor next) {
        return store.advance(read, next);
    }

    @Override
    public boolean halt(String any, Optional<Halt> halt, List<AuditEvent> events) {
        return store.halt(agent, halt, in(events));
    }

    @Override
    public Optional<Halt> halted(String any) {
        return store.halted(agent);
    }

    @Override
    public long tokens(String any, String caller, LocalDate day) {
        return store.tokens(agent, caller, day);
    }

    // --- all threads of the store

    @Override
    public List<String> check() {
        return store.check();
    }
}
