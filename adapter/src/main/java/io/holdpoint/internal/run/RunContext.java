package io.holdpoint.internal.run;

import io.holdpoint.store.Commit;
import io.holdpoint.store.Lease;
import io.holdpoint.store.Store;
import java.util.concurrent.Executor;

/**
 * What belongs to one run.
 *
 * @param store where it writes
 * @param lease its right to write
 * @param events its stream
 * @param usage its tokens
 * @param executor for what must not be done on a thread of the model
 */
record RunContext(Store store, Lease lease, EventEmitter events, UsageMeter usage, Executor executor) {

    String threadId() {
        return lease.threadId();
    }

    String runId() {
        return lease.runId();
    }

    void commit(Commit commit) {
        store.commit(lease, commit);
    }
}
