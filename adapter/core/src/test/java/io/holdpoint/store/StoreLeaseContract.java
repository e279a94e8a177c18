package io.holdpoint.store;

import static io.holdpoint.store.Batches.NOW;
import static io.holdpoint.store.Batches.hold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.Message;
import io.holdpoint.store.Store.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every store must do: who may write. */
abstract class StoreLeaseContract extends StoreContract {

    private static final int RACES = 20;
    private static final int RACERS = 4;

    private static final Instant END = NOW.plusSeconds(30);

    @Test
    void aThreadHasOneLeaseAtATime() {
        assertThat(acquire("t", "r2")).isEmpty();
        assertThat(acquire("t", "r1")).isEmpty();
        assertThat(acquire("other", "r2")).isPresent();
    }

    @Test
    void aReleasedLeaseCanBeTakenAgainUnderALaterEpoch() {
        store.release(lease);

        assertThat(acquire("t", "r1").orElseThrow().epoch()).isGreaterThan(lease.epoch());
    }

    private static Message.Assistant text(String content) {
        return new Message.Assistant("m1", content, List.of());
    }

    @Test
    void whatARunSaysIsThereUntilItSaysSomethingElseAndIsNoPartOfTheTranscript() {
        assertThat(store.said(lease)).isEmpty();
        store.say(lease, text("Hel"));
        store.say(lease, text("Hello \ud83d"));

        assertThat(store.said(store.active("t", NOW).orElseThrow())).contains(text("Hello \ud83d"));
        assertThat(store.transcript("t")).isEmpty();
        assertThat(store.find("t")).isEmpty();
        assertThat(store.known("t", List.of("m1"))).isEmpty();
    }

    @Test
    void whatARunSaysGoesOnWhileItIsRenewedAndAskedToStop() {
        store.say(lease, text("Hel"));
        store.renew(lease, END.plusSeconds(1));
        store.requestCancel("t", NOW);
        store.commit(lease, Commit.of(hold("b", "t")), NOW);

        assertThat(store.said(lease)).contains(text("Hel"));
        store.say(lease, text("Hello"));
        assertThat(store.isCancelRequested(lease)).isTrue();
        assertThat(store.active("t", END)).contains(lease);
    }

    @Test
    void whatARunSaysIsForgottenWithItsLease() {
        store.say(lease, text("Hel"));
        store.release(lease);
        Lease next = acquire("t", "r2").orElseThrow();
        store.say(lease, text("too late"));
        assertThat(store.said(next)).isEmpty();

        store.say(next, text("Good"));
        assertThat(store.said(lease)).isEmpty();
        Lease taken = store.acquire("t", "r3", "ada", END.plusSeconds(60), END.plusSeconds(90))
                .orElseThrow();
        store.say(next, text("Good morning"));
        assertThat(store.said(next)).isEmpty();
        assertThat(store.said(taken)).isEmpty();
        store.commit(taken, Commit.empty().andRelease(), END.plusSeconds(60));
        assertThat(store.said(taken)).isEmpty();
    }

    @Test
    void theLastCommitOfARunGivesTheLeaseBack() {
        store.commit(lease, Commit.of(hold("b", "t")).andRelease(), NOW);

        assertThat(store.find("t").orElseThrow().batch()).isPresent();
        assertThat(store.active("t", NOW)).isEmpty();
        assertThatThrownBy(() -> store.commit(lease, Commit.empty(), NOW)).isInstanceOf(LeaseLostException.class);
        assertThat(acquire("t", "r2")).isPresent();
    }

    @Test
    void aLastCommitThatComesTooLateGivesNothingBack() {
        store.release(lease);
        Lease next = acquire("t", "r2").orElseThrow();

        assertThatThrownBy(() -> store.commit(lease, Commit.empty().andRelease(), NOW))
                .isInstanceOf(LeaseLostException.class);

        assertThat(store.active("t", NOW)).contains(next);
    }

    @Test
    void aLastCommitThatFailsKeepsTheLease() {
        Batch unknown = hold("b", "t").expired("ada", NOW);

        assertThatThrownBy(() -> store.commit(lease, Commit.of(unknown).andRelease(), NOW))
                .isInstanceOf(StoreConflictException.class);

        assertThat(store.active("t", NOW)).contains(lease);
    }

    @Test
    void aThreadOfOnesOwnOrAnUnknownOneIsTakenAndRead() {
        assertThat(store.acquireOwn("t", "r2", lease.caller(), NOW, END)).isEmpty();
        store.commit(lease, Commit.of(hold("b", "t")).andRelease(), NOW);

        Store.Acquired own =
                store.acquireOwn("t", "r2", lease.caller(), NOW, END).orElseThrow();
        assertThat(own.thread()).isEqualTo(store.find("t"));
        assertThat(own.lease()).isEqualTo(store.active("t", NOW).orElseThrow());
        Store.Acquired unknown =
                store.acquireOwn("unknown", "r3", lease.caller(), NOW, END).orElseThrow();
        assertThat(unknown.thread()).isEmpty();
        assertThat(unknown.lease().epoch()).isGreaterThan(own.lease().epoch());
    }

    @Test
    void aThreadOfAnotherOwnerIsNotDisturbedEvenIfItsLeaseHasEnded() {
        store.commit(lease, Commit.empty(), NOW);

        assertThat(store.acquireOwn("t", "r2", "mallory", END.plusSeconds(1), END.plusSeconds(30)))
                .isEmpty();

        assertThat(store.renew(lease, END.plusSeconds(30))).isTrue();
        store.release(lease);
        assertThat(store.acquireOwn("t", "r2", "mallory", NOW, END)).isEmpty();
        assertThat(acquire("t", "r3")).isPresent();
    }

    @Test
    void transitionsOfOneCommitAreOneStepForOthers() {
        Batch open = hold("b", "t");
        store.commit(lease, Commit.of(open), NOW);
        Batch answered = open.answered(Batches.answers("b-i"));
        Batch settled = answered.settled("b-a", Call.State.NOT_EXECUTED, Batches.RESULT);
        Batch last = settled.claimed("b-b", Batches.ATTEMPT);

        assertThatThrownBy(() -> store.commit(lease, Commit.of(last), NOW)).isInstanceOf(StoreConflictException.class);
        store.commit(lease, Commit.of(answered).with(settled).with(last), NOW);

        assertThat(store.find("t").orElseThrow().batch()).contains(last);
    }

    @Test
    void releasingALostLeaseDoesNotReleaseAnothers() {
        store.release(lease);
        acquire("t", "r2").orElseThrow();

        store.release(lease);

        assertThat(acquire("t", "r3")).isEmpty();
    }

    @Test
    void anActiveRunIsAskedToStopByAnybody() {
        assertThat(store.isCancelRequested(lease)).isFalse();

        assertThat(store.requestCancel("t", NOW)).isTrue();
        assertThat(store.requestCancel("t", NOW)).isTrue();

        assertThat(store.isCancelRequested(lease)).isTrue();
        assertThat(store.renew(lease, END.plusSeconds(30))).isTrue();
        assertThat(store.isCancelRequested(lease)).as("after a renewal").isTrue();
    }

    @Test
    void nobodyIsAskedToStopOnAThreadWithoutAnActiveRun() {
        assertThat(store.requestCancel("other", NOW)).isFalse();
        assertThat(store.requestCancel("t", END)).as("the lease has ended").isFalse();
        assertThat(store.isCancelRequested(lease)).isFalse();

        store.release(lease);

        assertThat(store.requestCancel("t", NOW)).isFalse();
        assertThat(store.isCancelRequested(lease)).isFalse();
    }

    @Test
    void theNextRunOfAThreadIsNotAskedToStop() {
        store.requestCancel("t", NOW);
        Lease overtaking =
                store.acquire("t", "r2", "bob", END, END.plusSeconds(30)).orElseThrow();

        assertThat(store.isCancelRequested(lease)).isFalse();
        assertThat(store.isCancelRequested(overtaking)).isFalse();

        store.requestCancel("t", END);
        store.release(overtaking);

        assertThat(store.isCancelRequested(acquire("t", "r3").orElseThrow())).isFalse();
    }

    @Test
    void aLateWriterWritesNothing() {
        store.release(lease);
        assertThatThrownBy(() -> store.commit(lease, Commit.empty().append(List.of(user("u1", "Hi"))), NOW))
                .isInstanceOf(LeaseLostException.class);
        acquire("t", "r1").orElseThrow();
        assertThatThrownBy(() -> put(hold("h", "t"))).isInstanceOf(LeaseLostException.class);

        assertThat(store.find("t")).isEmpty();
        assertThat(store.transcript("t")).isEmpty();
        assertThat(store.hasToolCall("t", "h-a")).isFalse();
    }

    @Test
    void aLeaseEndsAtItsEndAndNotBefore() {
        assertThat(store.acquire("t", "r2", "bob", END.minusNanos(1_000), END.plusSeconds(30)))
                .isEmpty();

        Lease next = store.acquire("t", "r2", "bob", END, END.plusSeconds(30)).orElseThrow();

        assertThat(next.threadId()).isEqualTo("t");
        assertThat(next.runId()).isEqualTo("r2");
        assertThat(next.caller()).isEqualTo("bob");
        assertThat(next.epoch()).isGreaterThan(lease.epoch());
    }

    @Test
    void aRenewedLeaseEndsLater() {
        assertThat(store.renew(lease, END.plusSeconds(30))).isTrue();

        assertThat(store.acquire("t", "r2", "bob", END, END.plusSeconds(90))).isEmpty();
        assertThat(store.acquire("t", "r2", "bob", END.plusSeconds(30), END.plusSeconds(90)))
                .isPresent();
    }

    @Test
    void aLeaseThatEndedIsStillGoodUntilAnotherTakesIt() {
        store.commit(lease, Commit.empty().append(List.of(user("u1", "Hi"))), END.plusSeconds(1));
        assertThat(store.renew(lease, END.plusSeconds(30))).isTrue();

        assertThat(acquire("t", "r2")).isEmpty();
        assertThat(store.transcript("t")).containsExactly(user("u1", "Hi"));
    }

    @Test
    void aLeaseThatWasTakenOverIsNeitherRenewedNorReleasedNorWrittenUnder() {
        Lease next = store.acquire("t", "r1", "ada", END, END.plusSeconds(30)).orElseThrow();

        assertThat(store.renew(lease, END.plusSeconds(90))).isFalse();
        store.release(lease);
        assertThatThrownBy(() -> put(hold("h", "t"))).isInstanceOf(LeaseLostException.class);

        assertThat(store.find("t")).isEmpty();
        assertThat(store.acquire("t", "r3", "ada", END.plusSeconds(29), END.plusSeconds(90)))
                .isEmpty();
        assertThat(store.renew(next, END.plusSeconds(60))).isTrue();
    }

    /** The batch is at the version that the earlier run knows, so that only the lease stands in its way. */
    @Test
    void aRunThatHasLostItsThreadMovesNoBatchOn() {
        Batch open = hold("b", "t");
        put(open);
        Commit late = Commit.of(open.answered(Batches.answers("b-i")));
        store.acquire("t", "r2", "bob", END, END.plusSeconds(30)).orElseThrow();

        assertThatThrownBy(() -> store.commit(lease, late, END)).isInstanceOf(LeaseLostException.class);

        assertThat(store.find("t").orElseThrow().batch()).contains(open);
    }

    @Test
    void aReleasedLeaseIsNotRenewed() {
        store.release(lease);

        assertThat(store.renew(lease, END)).isFalse();
        assertThat(acquire("t", "r2")).isPresent();
    }

    @Test
    void theThreadBelongsToTheCallerOfItsFirstCommit() {
        Lease next = store.acquire("t", "r2", "bob", END, END.plusSeconds(30)).orElseThrow();
        store.commit(next, Commit.empty().append(List.of(user("u1", "Hi"))), END);
        Lease third = store.acquire("t", "r3", "eve", END.plusSeconds(30), END.plusSeconds(60))
                .orElseThrow();
        store.commit(third, Commit.empty().append(List.of(user("u2", "Hi"))), END.plusSeconds(30));

        assertThat(store.find("t").orElseThrow().owner()).isEqualTo("bob");
    }

    @Test
    void ofManyWhoAskAtOnceExactlyOneGetsTheLease() throws Exception {
        for (int race = 0; race < RACES; race++) {
            String threadId = "race-" + race;

            List<Optional<Lease>> leases = atOnce(racer -> () -> acquire(threadId, "r" + racer));

            assertThat(leases.stream().flatMap(Optional::stream)).hasSize(1);
        }
    }

    @Test
    void ofManyWhoTakeOverAtOnceExactlyOneGetsTheLease() throws Exception {
        for (int race = 0; race < RACES; race++) {
            String threadId = "race-" + race;
            Lease ended = acquire(threadId, "r").orElseThrow();

            List<Optional<Lease>> leases =
                    atOnce(racer -> () -> store.acquire(threadId, "r" + racer, "ada", END, END.plusSeconds(30)));

            assertThat(leases.stream().flatMap(Optional::stream))
                    .singleElement()
                    .satisfies(lease -> assertThat(lease.epoch()).isGreaterThan(ended.epoch()));
        }
    }

    /** Law 5 rests on it: what an ended lease writes is there when the next one begins, or never. */
    @Test
    void aCommitComesBeforeATakeOverOrNotAtAll() throws Exception {
        for (int race = 0; race < RACES; race++) {
            String threadId = "race-" + race;
            Lease ended = acquire(threadId, "r").orElseThrow();

            List<Boolean> written = atOnce(racer -> racer == 0
                    ? () -> {
                        takeOver(threadId);
                        return store.find(threadId).isPresent();
                    }
                    : () -> commits(ended, Commit.empty().append(List.of(user("u" + racer, "Hi")))));

            boolean seenAtTakeOver = written.get(0);
            boolean committed = written.subList(1, RACERS).contains(true);
            assertThat(seenAtTakeOver).isEqualTo(committed);
        }
    }

    /** A run that writes at the moment is active, whatever its lease says; it has written soon. */
    private void takeOver(String threadId) {
        while (store.acquire(threadId, "r2", "bob", END, END.plusSeconds(30)).isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private boolean commits(Lease under, Commit commit) {
        try {
            store.commit(under, commit, END);
            return true;
        } catch (LeaseLostException e) {
            return false;
        }
    }

    private interface Racer<T> {
        Callable<T> of(int number);
    }

    private static <T> List<T> atOnce(Racer<T> racer) throws Exception {
        CyclicBarrier start = new CyclicBarrier(RACERS);
        ExecutorService threads = Executors.newFixedThreadPool(RACERS);
        try {
            List<Future<T>> results = new ArrayList<>();
            for (int i = 0; i < RACERS; i++) {
                Callable<T> task = racer.of(i);
                results.add(threads.submit(() -> {
                    start.await();
                    return task.call();
                }));
            }
            List<T> all = new ArrayList<>();
            for (Future<T> result : results) {
                all.add(result.get());
            }
            return all;
        } finally {
            threads.shutdown();
        }
    }
}
