package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Agui;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.journal.Audit;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadHead;
import io.holdpoint.store.Store.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs of an agent that are active in this process, and all ways to stop them. Thread-safe. */
public final class ActiveRuns {

    /** The time that stopped runs get to tell their clients, and a purge to end. */
    static final Duration LAST_WORDS = Duration.ofSeconds(5);

    /** A run may start, end and be held between any two looks; it cannot do so all the time. */
    private static final int MOST_ATTEMPTS = 100;

    private static final Logger LOG = LoggerFactory.getLogger(ActiveRuns.class);

    private final AgentConfig<?> config;
    private final Access access;
    private final Set<Active> all = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Equal to itself only. */
    private static final class Active {

        private final Run run;

        /** Completed when the run has ended, and also if it never began. */
        private final CompletableFuture<Void> gone = new CompletableFuture<>();

        Active(Run run) {
            this.run = run;
        }

        boolean isOf(Caller caller) {
            return run.caller.id().equals(caller.id());
        }

        /** Another run has a thread whose lease is lost. */
        boolean isOn(String threadId) {
            return run.threadId.equals(threadId) && !run.lease.isLost();
        }

        /** The store hears of it, because this node may die before the run has given its turn up. */
        boolean cancel() {
            return run.stop.request(RunStop.Reason.CANCELLED, () -> {
                try {
                    run.store.requestCancel(run.threadId, run.clock.instant());
                } catch (Throwable e) { // a missing class too, and not every store is written in Java
                    LOG.warn("The run {} stops, which the store has not noted", run.runId, e);
                }
            });
        }
    }

    ActiveRuns(AgentConfig<?> config) {
        this.config = config;
        this.access = new Access(config);
    }

    /** Refuses every run after {@link #shutDown}. */
    void requireOpen() {
        if (closed) {
            throw new RunRejectedException(
                    ErrorCode.SHUTTING_DOWN,
                    "The server is shutting down. Send this again, to the server that takes its place.");
        }
    }

    /** Tells whether this agent has a run on a thread. */
    boolean isOn(String threadId) {
        for (Active active : all) {
            if (active.isOn(threadId)) {
                return true;
            }
        }
        return false;
    }

    boolean isOpen() {
        return !closed;
    }

    /** Adds a run until its result is there, and stops it at its deadline. A refused run is not added. */
    void add(Run run, CompletableFuture<RunResult> result) {
        Active active = new Active(run);
        all.add(active);
        if (closed) {
            remove(active);
            requireOpen();
        }
        if (config.runTimeout.isPresent()) {
            stopsAt(config.clock.instant().plus(config.runTimeout.get()), active);
        }
        result.whenComplete((ended, never) -> remove(active));
    }

    private void stopsAt(Instant deadline, Active active) {
        Duration left = Duration.between(config.clock.instant(), deadline);
        if (left.isNegative() || left.isZero()) {
            active.run.stop.request(RunStop.Reason.TIMED_OUT);
            return;
        }
        try {
            active.gone.thenRun(config.timer.after(left, () -> stopsAt(deadline, active)));
        } catch (RuntimeException | Error e) { // the timer gets no thread
            LOG.error("The run {} is not timed", active.run.runId, e);
        }
    }

    /** Removes a run that never began. */
    void remove(Run run) {
        all.stream().filter(active -> active.run == run).forEach(this::remove);
    }

    private void remove(Active active) {
        all.remove(active);
        active.gone.complete(null);
    }

    /**
     * Takes a thread from its run for a new message of its owner if the run no longer has a reader. Returns a future of the
     * moment in which the thread is free; empty if it stays the run's.
     */
    Optional<CompletableFuture<Void>> takeOver(Caller caller, String threadId) {
        Optional<Active> found =
                all.stream().filter(active -> active.isOn(threadId)).findFirst();
        if (found.isEmpty()) {
            boolean hasEnded =
                    config.store.active(threadId, config.clock.instant()).isEmpty();
            return hasEnded ? Optional.of(CompletableFuture.completedFuture(null)) : Optional.empty();
        }
        Active active = found.get();
        boolean isOwner = config.store
                .head(threadId)
                .map(thread -> thread.owner().equals(caller.id()))
                .orElseGet(() -> active.isOf(caller));
        if (!isOwner || active.run.events.isRead()) {
            return Optional.empty();
        }
        active.cancel();
        return Optional.of(active.gone);
    }

    /** Cancels one run of a caller; {@code false} if it is not active here, or can no longer be cancelled. */
    public boolean cancel(Caller caller, String threadId, String runId) {
        return all.stream()
                .anyMatch(active -> active.isOn(threadId)
                        && active.run.runId.equals(runId)
                        && active.isOf(caller)
                        && active.cancel());
    }

    /** Cancels what a thread is at: its active run, on this node or another, or the batch that waits on it. */
    public boolean cancel(Caller caller, String threadId) {
        return Agui.isId(threadId) && mayCancel(caller, threadId) && cancel(threadId, caller);
    }

    /** A thread whose first run has not stored anything yet has no owner but the run's caller. */
    private boolean mayCancel(Caller caller, String threadId) {
        Optional<ThreadHead> thread = config.store.head(threadId);
        return thread.isPresent()
                ? access.allows(caller, threadId, thread.get().owner())
                : all.stream().anyMatch(active -> active.isOn(threadId) && active.isOf(caller));
    }

    private boolean cancel(String threadId, Caller caller) {
        Store store = config.store;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            if (all.stream().anyMatch(active -> active.isOn(threadId) && active.cancel())
                    || store.requestCancel(threadId, config.clock.instant())) {
                return true;
            }
            if (store.head(threadId).filter(this::waits).isEmpty()) {
                return false;
            }
            Instant now = config.clock.instant();
            Optional<Lease> lease =
                    store.acquire(threadId, Ids.run(), caller.id(), now, now.plus(config.leaseDuration));
            if (lease.isPresent()) {
                return giveUpBatch(caller, lease.get());
            }
        }
        throw new RunRejectedException(ErrorCode.RUN_IN_PROGRESS, "Other runs kept taking the thread. Try again.");
    }

    private boolean giveUpBatch(Caller caller, Lease lease) {
        Run run = Run.withoutClient(config, lease, this::readable, Optional.of(caller));
        try {
            Optional<ThreadHead> head = run.store.head(run.threadId).filter(this::waits);
            Discard discard = new Discard(config, lease);
            discard.clearDamagedMemory();
            if (run.found.flatMap(ThreadRecord::batch).isPresent()) {
                BatchSettlement.ofCancelled(run, List.of(), Optional.empty());
            } else if (head.isPresent()) {
                discard.of(head.get());
            }
            run.ends();
            return head.isPresent();
        } catch (Throwable e) {
            if (lease.cancels()) {
                run.lease.abandon(); // or it is forgotten that somebody was told that it was done
            } else {
                run.givesBack();
            }
            throw e;
        }
    }

    /** Without a batch, a turn that can be read goes on with the next input by itself. */
    private boolean waits(ThreadHead thread) {
        return thread.batchId().isPresent()
                || (thread.hasTurn() && readable(thread.threadId()).isEmpty());
    }

    /** Empty if the batch cannot be read; a second failure in a row is not one of the network. */
    private Optional<ThreadRecord> readable(String threadId) {
        try {
            return config.store.find(threadId);
        } catch (RuntimeException first) {
            try {
                return config.store.find(threadId);
            } catch (RuntimeException second) {
                if (!Discard.isDamage(second)) {
                    throw second;
                }
                config.store.head(threadId); // throws if the store is down: then the record is not damaged
                return Optional.empty();
            }
        }
    }

    /** Halts the agent on all nodes, and stops its runs on this one at once; {@code false} if it was halted already. */
    public boolean halt(Caller caller, String reason) {
        requireReason(reason);
        Instant now = config.clock.instant();
        Store.Halt halt = new Store.Halt(Store.halting(config.name), now, caller.id(), reason);
        try {
            return halt(caller, reason, now, Optional.of(halt), AuditEvent.Kind.HALTED);
        } finally { // also if the store is down
            all.forEach(active -> active.run.stop.request(RunStop.Reason.HALTED));
        }
    }

    /** Ends the halt of the agent; {@code false} if it had none of its own. */
    public boolean endHalt(Caller caller, String reason) {
        requireReason(reason);
        return halt(caller, reason, config.clock.instant(), Optional.empty(), AuditEvent.Kind.RELEASED);
    }

    /** It is shown in pages, logs and tables, as one line. */
    private static void requireReason(String reason) {
        if (reason.isBlank() || reason.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "reason: must be one line of text, not only blanks, without control characters such as line breaks");
        }
    }

    private boolean halt(Caller caller, String reason, Instant now, Optional<Store.Halt> halt, AuditEvent.Kind kind) {
        AuditEvent event = Audit.ofAgent(
                now, caller.id(), kind, JsonNodeFactory.instance.objectNode().put("reason", reason));
        boolean changed = config.store.halt(halt, List.of(event));
        if (changed) {
            LOG.info("The agent is {} by \"{}\": {}", kind, caller.id(), reason);
            config.observers.stored(event);
        }
        return changed;
    }

    /** Lets no further run start, and stops those that do not end in time; {@code true} if none had to be stopped. */
    boolean shutDown(Duration grace) {
        closed = true;
        if (awaitEnd(grace)) {
            return true;
        }
        all.forEach(active -> active.run.stop.request(RunStop.Reason.SHUT_DOWN));
        awaitEnd(LAST_WORDS);
        return false;
    }

    private boolean awaitEnd(Duration most) {
        CompletableFuture<?>[] runs = all.stream().map(active -> active.gone).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(runs).get(most.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of a run is never exceptional", e);
        }
    }
}
