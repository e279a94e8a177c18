package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Store.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Works on threads without a client, in somebody's name. Thread-safe, also between nodes, because a thread is worked on under its lease. */
final class Maintenance {

    private final AgentConfig<?> config;
    private final Caller caller;

    Maintenance(AgentConfig<?> config, String caller) {
        this.config = config;
        this.caller = Caller.of(caller);
    }

    /**
     * Gives up what the run that had the lease before was told to stop. If that fails, whoever takes it next is to do it. The trail names the
     * owner: whoever has found it has not decided it, and who has is not kept.
     */
    static void giveUp(AgentConfig<?> config, Lease lease) {
        Run run = Run.withoutClient(config, lease, config.store::find, Optional.empty());
        try {
            BatchSettlement.ofCancelled(run, List.of(), Optional.empty());
            run.ends();
        } catch (Throwable e) {
            run.lease.abandon();
            throw e;
        }
    }

    /** Leaves a thread with an active run alone: {@code false}, as if the work had found nothing to do. */
    boolean on(String threadId, BiPredicate<Run, Lease> work) {
        return on(threadId, config.clock.instant(), work);
    }

    /** The same, of a thread whose lease may be taken over only if it had ended by a certain time, which is not later than the present. */
    boolean on(String threadId, Instant endedBy, BiPredicate<Run, Lease> work) {
        Instant until = config.clock.instant().plus(config.leaseDuration);
        Optional<Lease> lease = config.store.acquire(threadId, Ids.run(), caller.id(), endedBy, until);
        if (lease.isEmpty()) {
            return false;
        }
        if (lease.get().cancels()) {
            giveUp(config, lease.get());
            return on(threadId, endedBy, work);
        }
        Run run = Run.withoutClient(config, lease.get(), config.store::find, Optional.of(caller));
        try {
            boolean done = work.test(run, lease.get());
            run.ends();
            return done;
        } finally {
            run.givesBack();
        }
    }
}
