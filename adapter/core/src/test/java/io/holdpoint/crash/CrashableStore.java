package io.holdpoint.crash;

import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Fact;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.ForwardingStore;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** A store with a point before and one after whatever a run or a notifier's reader writes. */
final class CrashableStore extends ForwardingStore {

    /** In the name of a commit that also ends the lease. */
    static final String GIVES_BACK = ", lease given back";

    private final Store store;
    private final CrashPoints points;

    CrashableStore(Store store, CrashPoints points) {
        this.store = store;
        this.points = points;
    }

    @Override
    protected Store store() {
        return store;
    }

    @Override
    public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
        points.pass("before the lease is taken");
        Optional<Lease> lease = super.acquire(threadId, runId, caller, now, until);
        points.pass("after the lease is taken");
        return lease;
    }

    @Override
    public Optional<Acquired> acquireOwn(String threadId, String runId, String caller, Instant now, Instant until) {
        points.pass("before the lease is taken");
        Optional<Acquired> acquired = super.acquireOwn(threadId, runId, caller, now, until);
        points.pass("after the lease is taken");
        return acquired;
    }

    @Override
    public void commit(Lease lease, Commit commit, Instant now) {
        points.pass("before " + name(commit));
        super.commit(lease, commit, now);
        points.pass("after " + name(commit));
    }

    @Override
    public void release(Lease lease) {
        points.pass("before the lease is given back");
        super.release(lease);
        points.pass("after the lease is given back");
    }

    private static String name(Commit commit) {
        if (!commit.facts().isEmpty()
                && commit.facts().get(0).fact().key().place().startsWith(Fact.READER)) {
            return "the notifier's place moves";
        }
        String turn = commit.turn().getClass().getSimpleName();
        return "the commit of " + commit.messages().size() + " message(s), turn " + turn
                + commit.batches().stream().map(CrashableStore::name).collect(Collectors.joining())
                + (commit.releases() ? GIVES_BACK : "");
    }

    private static String name(Batch batch) {
        return ", batch " + batch.state() + " "
                + batch.calls().stream().map(call -> call.state().name()).toList();
    }
}
