package io.holdpoint.store;

import static io.holdpoint.store.Batches.NOW;
import static io.holdpoint.store.Batches.answers;
import static io.holdpoint.store.Batches.hold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.AguiCodec;
import io.holdpoint.store.Store.Abandoned;
import io.holdpoint.store.Store.ThreadRecord;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every store must do: the audit trail, and what becomes of old batches. */
abstract class StoreRetentionContract extends StoreGrantContract {

    static AuditEvent event(String threadId, int number) {
        return new AuditEvent(
                NOW.plusSeconds(number),
                threadId,
                "r" + number,
                "ada",
                AuditEvent.Kind.values()[number % AuditEvent.Kind.values().length],
                new AuditEvent.Subject(
                        Optional.of("call-" + number), Optional.empty(), Optional.of("interrupt-" + number)),
                AguiCodec.mapper().createObjectNode().put("number", number));
    }

    private static List<AuditEvent> events(String threadId, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> event(threadId, number))
                .toList();
    }

    @Test
    void anAuditTrailIsReadInPagesOldestFirst() {
        writesWhatNoRunDoes();
        store.audit(events("t", 0, 3));
        store.audit(events("other", 0, 2));
        store.commit(lease, Commit.empty().audit(events("t", 3, 8)), NOW);

        assertThat(store.auditTrail("t", 0, 100)).isEqualTo(events("t", 0, 8));
        assertThat(store.auditTrail("t", 0, 3)).isEqualTo(events("t", 0, 3));
        assertThat(store.auditTrail("t", 3, 4)).isEqualTo(events("t", 3, 7));
        assertThat(store.auditTrail("t", 7, 4)).isEqualTo(events("t", 7, 8));
        assertThat(store.auditTrail("t", 8, 4)).isEmpty();
        assertThat(store.auditTrail("other", 0, 100)).isEqualTo(events("other", 0, 2));
        assertThat(store.auditTrail("never", 0, 100)).isEmpty();
    }

    @Test
    void whatClientsMayRepeatIsAddedOncePerInterruptAndCaller() {
        AuditEvent presented = remark("ada", AuditEvent.Kind.PRESENTED, "i");
        AuditEvent toBob = remark("bob", AuditEvent.Kind.PRESENTED, "i");
        AuditEvent replayed = remark("ada", AuditEvent.Kind.REPLAYED, "i");
        AuditEvent another = remark("ada", AuditEvent.Kind.PRESENTED, "j");
        AuditEvent lost = remark("ada", AuditEvent.Kind.LEASE_LOST, "i");
        store.audit(List.of(presented, presented));
        store.audit(List.of(presented, toBob, replayed, another, lost));
        store.audit(List.of(replayed, presented, another, toBob, lost));

        assertThat(store.auditTrail("t", 0, 100)).containsExactly(presented, toBob, replayed, another, lost, lost);
    }

    private static AuditEvent remark(String caller, AuditEvent.Kind kind, String interruptId) {
        return new AuditEvent(
                NOW,
                "t",
                "r",
                caller,
                kind,
                new AuditEvent.Subject(Optional.empty(), Optional.empty(), Optional.of(interruptId)),
                AguiCodec.mapper().createObjectNode());
    }

    @Test
    void whatIsNotCommittedIsNotInTheAuditTrail() {
        Commit conflicting = Commit.of(hold("h", "t").answered(answers("h-i"))).audit(events("t", 0, 1));
        assertThatThrownBy(() -> store.commit(lease, conflicting, NOW)).isInstanceOf(StoreConflictException.class);
        store.release(lease);
        assertThatThrownBy(() -> store.commit(lease, Commit.empty().audit(events("t", 0, 1)), NOW))
                .isInstanceOf(LeaseLostException.class);

        assertThat(store.auditTrail("t", 0, 100)).isEmpty();
    }

    @Test
    void anAuditTrailAloneDoesNotMakeAThreadKnown() {
        writesWhatNoRunDoes();
        store.audit(events("t", 0, 1));

        assertThat(store.find("t")).isEmpty();
    }

    @Test
    void aPurgedBatchIsGoneAndItsIdsAreNot() {
        writesWhatNoRunDoes();
        putFinished("h", NOW);
        store.audit(events("t", 0, 1));

        assertThat(store.purge("", NOW.plusSeconds(1), 10)).isEqualTo(1);
        store = reopen(store);

        assertThat(store.findByInterrupt("t", "h-i")).isEmpty();
        assertThat(store.hasInterrupt("t", "h-i")).isTrue();
        assertThat(store.hasInterrupt("t", "never")).isFalse();
        assertThat(store.hasInterrupt("other", "h-i")).isFalse();
        assertThat(store.hasToolCall("t", "h-a")).isTrue();
        assertThat(store.find("t")).isPresent();
        assertThat(store.auditTrail("t", 0, 10)).hasSize(1);
    }

    @Test
    void onlyFinishedBatchesOfBeforeArePurged() {
        putFinished("old", NOW.minusSeconds(1));
        putFinished("new", NOW);
        onThread("other");
        put(hold("unfinished", "other"), NOW.minusSeconds(100));

        assertThat(store.purge("", NOW, 10)).isEqualTo(1);

        assertThat(store.findByInterrupt("t", "old-i")).isEmpty();
        assertThat(store.findByInterrupt("t", "new-i")).isPresent();
        assertThat(store.findByInterrupt("other", "unfinished-i")).isPresent();
    }

    @Test
    void theOldestBatchesOfAllThreadsArePurgedFirst() {
        for (int i = 0; i < 6; i++) {
            onThread("thread-" + i % 3);
            putFinished("h" + i, NOW.plusSeconds(i * 7 % 6));
            store.release(lease);
        }

        assertThat(store.purge("", NOW.plusSeconds(100), 4)).isEqualTo(4);
        List<Integer> left = IntStream.range(0, 6)
                .filter(i ->
                        store.findByInterrupt("thread-" + i % 3, "h" + i + "-i").isPresent())
                .boxed()
                .toList();
        assertThat(left).containsExactly(4, 5);

        assertThat(store.purge("", NOW.plusSeconds(100), 4)).isEqualTo(2);
        assertThat(store.purge("", NOW.plusSeconds(100), 4)).isZero();
    }

    @Test
    void abandonedThreadsAreThoseWhoseUnfinishedBatchHasNotChangedLongestAgoFirst() {
        Instant[] changed = {NOW.minusSeconds(1), NOW.minusSeconds(3), NOW.minusSeconds(2), NOW};
        for (int i = 0; i < changed.length; i++) {
            onThread("thread-" + i);
            put(hold("h" + i, "thread-" + i), changed[i]);
        }
        onThread("finished");
        putFinished("finished", NOW.minusSeconds(4));

        assertThat(abandoned(NOW, 10)).containsExactly("thread-1", "thread-2", "thread-0");
        assertThat(abandoned(NOW, 2)).containsExactly("thread-1", "thread-2");
    }

    @Test
    void abandonedThreadsAreReadInPages() {
        for (int i = 0; i < 7; i++) {
            onThread("thread-" + i);
            put(hold("h" + i, "thread-" + i), NOW.minusSeconds(9 - i / 3));
        }
        List<Abandoned> all = store.abandoned("", Abandoned.FIRST, NOW, 10);
        assertThat(all).hasSize(7).isSortedAccordingTo(Comparator.comparing(Abandoned::since));

        List<Abandoned> first = store.abandoned("", Abandoned.FIRST, NOW, 2);
        List<Abandoned> second = store.abandoned("", first.get(1), NOW, 4);
        List<Abandoned> third = store.abandoned("", second.get(3), NOW, 4);

        assertThat(Stream.of(first, second, third).flatMap(List::stream)).containsExactlyElementsOf(all);
        assertThat(store.abandoned("", all.get(6), NOW, 1)).isEmpty();
    }

    @Test
    void aBatchThatChangesOrIsFinishedIsNotAbandoned() {
        Batch open = hold("h", "t");
        put(open, NOW.minusSeconds(10));
        assertThat(abandoned(NOW, 10)).containsExactly("t");

        put(open.answered(answers("h-i")), NOW);
        assertThat(abandoned(NOW, 10)).isEmpty();
        assertThat(abandoned(NOW.plusSeconds(1), 10)).containsExactly("t");
    }

    @Test
    void otherCommitsDoNotMakeABatchYounger() {
        put(hold("h", "t"), NOW.minusSeconds(10));
        store.commit(lease, Commit.empty().append(List.of(user("u1", "Hi"))), NOW.plusSeconds(10));

        assertThat(abandoned(NOW, 10)).containsExactly("t");
    }

    private List<String> idle(Instant before, int limit) {
        return store.idle("", Abandoned.FIRST, before, limit).stream()
                .map(Abandoned::threadId)
                .toList();
    }

    private void say(String threadId, Instant now) {
        onThread(threadId);
        store.commit(lease, Commit.empty().append(List.of(user("u1", "Hi"))), now);
    }

    @Test
    void idleThreadsAreThoseOnWhichNothingWasCommittedLongestAgoFirst() {
        Instant[] changed = {NOW.minusSeconds(1), NOW.minusSeconds(3), NOW.minusSeconds(2), NOW};
        for (int i = 0; i < changed.length; i++) {
            say("thread-" + i, changed[i]);
        }
        onThread("asked");
        put(hold("h", "asked"), NOW.minusSeconds(4));

        assertThat(idle(NOW, 10)).containsExactly("thread-1", "thread-2", "thread-0");
        assertThat(idle(NOW, 2)).containsExactly("thread-1", "thread-2");
        List<Abandoned> first = store.idle("", Abandoned.FIRST, NOW, 1);
        assertThat(store.idle("", first.get(0), NOW, 1))
                .extracting(Abandoned::threadId)
                .containsExactly("thread-2");
    }

    @Test
    void everyCommitKeepsAThreadFromBeingIdle() {
        writesWhatNoRunDoes();
        say("thread", NOW.minusSeconds(10));
        assertThat(store.find("thread").orElseThrow().changedAt()).contains(NOW.minusSeconds(10));

        store.commit(lease, Commit.empty().audit(events("thread", 0, 1)), NOW);

        assertThat(idle(NOW, 10)).isEmpty();
        assertThat(idle(NOW.plusSeconds(1), 10)).containsExactly("thread");
    }

    @Test
    void aPurgedThreadHoldsNothingAndKeepsItsOwner() {
        putFinished("h", NOW);
        store.commit(
                lease,
                Commit.empty()
                        .append(List.of(user("u1", "Hi")))
                        .state(AguiCodec.mapper().createObjectNode())
                        .turn(new TurnRecord("u1", "{}"))
                        .audit(events("t", 0, 1)),
                NOW);

        store.purgeThread(lease);
        store = reopen(store);

        ThreadRecord left = store.find("t").orElseThrow();
        assertThat(left)
                .isEqualTo(new ThreadRecord(
                        "t", "ada", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), true));
        assertThat(store.transcript("t")).isEmpty();
        assertThat(store.countMessages("t")).isZero();
        assertThat(store.known("t", List.of("u1"))).isEmpty();
        assertThat(store.findByInterrupt("t", "h-i")).isEmpty();
        assertThat(store.countInterrupts("t", 10)).isZero();
        assertThat(store.hasToolCall("t", "h-a")).isFalse();
        assertThat(store.auditTrail("t", 0, 10)).hasSize(1);
        assertThat(idle(Instant.MAX, 10)).isEmpty();
    }

    @Test
    void aPurgedThreadIsTakenToHaveIssuedEveryInterruptAlsoWhenItGoesOn() {
        putFinished("h", NOW);
        store.purgeThread(lease);
        assertThat(store.hasInterrupt("t", "h-i")).isTrue();

        put(hold("later", "t"), NOW);

        assertThat(store.hasInterrupt("t", "h-i")).isTrue();
        assertThat(store.findByInterrupt("t", "later-i")).isPresent();
        assertThat(store.find("t").orElseThrow().purged()).isTrue();
    }

    @Test
    void aPurgedThreadThatGoesOnIsIdleAgainLater() {
        say("thread", NOW);
        store.purgeThread(lease);
        store.commit(lease, Commit.empty().append(List.of(user("u2", "Hi"))), NOW);

        assertThat(idle(NOW.plusSeconds(1), 10)).containsExactly("thread");
    }

    @Test
    void nobodyPurgesAThreadWithoutItsLease() {
        say("thread", NOW);
        store.release(lease);

        assertThatThrownBy(() -> store.purgeThread(lease)).isInstanceOf(LeaseLostException.class);
        assertThat(store.transcript("thread")).hasSize(1);
    }

    @Test
    void auditTrailsArePurgedFromTheirBeginnings() {
        store.audit(events("other", 0, 2));
        store.audit(events("t", 0, 3));
        Instant before = NOW.plusSeconds(2);

        assertThat(store.purgeAudit("", before, 3)).isEqualTo(3);
        assertThat(store.purgeAudit("", before, 3)).isEqualTo(1);
        assertThat(store.purgeAudit("", before, 3)).isZero();
        assertThat(store.auditTrail("t", 0, 10)).isEqualTo(events("t", 2, 3));
        assertThat(store.auditTrail("other", 0, 10)).isEmpty();
    }

    @Test
    void eachAgentPurgesItsOwn() {
        writesWhatNoRunDoes();
        List<String> agents = List.of("", "support", "Support", "supporter");
        List<String> ids = List.of("t1", "back\\u001fslash", "ütf", "x".repeat(255));
        for (String id : ids) {
            for (String agent : agents) {
                onThread(Store.threadOf(agent, id));
                putFinished(agent + id, NOW);
                give(grant(agent + id, NOW, NOW));
                store.audit(events(lease.threadId(), 0, 1));
                store.release(lease);
            }
        }
        Instant later = NOW.plusSeconds(1);

        assertThat(store.purge("support", later, 3)).isEqualTo(3);
        assertThat(store.purge("support", later, 3)).isEqualTo(1);
        assertThat(store.purgeGrants("support", later, 9)).isEqualTo(4);
        assertThat(store.purgeAudit("support", later, 3)).isEqualTo(3);
        assertThat(store.purgeAudit("support", later, 3)).isEqualTo(1);

        for (String id : ids) {
            for (String agent : agents) {
                String thread = Store.threadOf(agent, id);
                int left = agent.equals("support") ? 0 : 1;
                assertThat(store.findByInterrupt(thread, agent + id + "-i").stream())
                        .as(thread)
                        .hasSize(left);
                assertThat(store.grants(thread)).as(thread).hasSize(left);
                assertThat(store.auditTrail(thread, 0, 9)).as(thread).hasSize(left);
            }
        }
        assertThat(store.purge("", later, 9)).isEqualTo(4);
        assertThat(store.purgeGrants("", later, 9)).isEqualTo(4);
        assertThat(store.purgeAudit("", later, 9)).isEqualTo(4);
    }

    @Test
    void noTimeIsTooEarlyOrTooLate() {
        put(hold("h", "t"));

        assertThat(abandoned(Instant.MIN, 10)).isEmpty();
        assertThat(abandoned(Instant.MAX, 10)).containsExactly("t");
        assertThat(store.purge("", Instant.MIN, 10)).isZero();
        assertThat(store.purge("", Instant.MAX, 10)).isZero();
        assertThat(store.renew(lease, Instant.MAX)).isTrue();
    }
}
