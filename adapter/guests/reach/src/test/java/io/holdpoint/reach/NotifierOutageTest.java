package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdpoint.Holdpoint;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.DamagedException;
import io.holdpoint.store.Fact;
import io.holdpoint.store.FeedPlace;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A notifier that fails for a time, for ever, or on some notices. */
@Logs({"The notifier \"mail\" failed on *"})
class NotifierOutageTest {

    private final List<Notice> mails = new ArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private boolean isDown;
    private Bench bench = new Bench(builder -> builder.with(Reach.notifier("mail", this::mail)));

    private void mail(Notice notice) {
        attempts.incrementAndGet();
        if (isDown) {
            throw new IllegalStateException("no connection");
        }
        mails.add(notice);
    }

    private void hold() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send(THREAD, "Go");
    }

    private void look() {
        bench.agent().actOnTime();
    }

    private void after(Duration time) {
        bench.clock.advance(time);
        look();
    }

    private ReaderStatus status() {
        return Reach.of(bench.agent()).notifiers().get(0);
    }

    @Test
    void aNotifierThatFailsIsCalledAgainWithGrowingPausesAndLetsTheOthersGoOn() {
        isDown = true;
        hold();
        look();
        assertThat(attempts).hasValue(3);
        assertThat(status().failures()).isEqualTo(3);
        assertThat(status().lastError()).contains("java.lang.IllegalStateException: no connection");
        bench.model.calls(call("c2", "sendEmail", MAIL));
        bench.agent().send("other", "Go");
        after(Duration.ofSeconds(9));
        assertThat(attempts).as("the first before its time, and the new one").hasValue(5);

        after(Duration.ofSeconds(1));
        assertThat(attempts).hasValue(6);
        after(Duration.ofSeconds(19));
        assertThat(mails).isEmpty();
        isDown = false;
        after(Duration.ofSeconds(1));

        assertThat(mails).extracting(Notice::threadId).containsExactly(THREAD, "other");
        int all = attempts.get();
        after(Duration.ofDays(1));
        assertThat(attempts).hasValue(all);
        assertThat(status().undelivered()).isZero();
    }

    /** What was first is told first, whatever pauses each notice has come to, and a reminder never before its question. */
    @Test
    void afterAnOutageEverythingIsToldAtOnceAndInOrder() {
        isDown = true;
        for (int i = 0; i < 150; i++) {
            bench.model.calls(call("c1", "sendEmail", MAIL));
            bench.agent().send("t" + i, "Go");
            after(Duration.ofSeconds(24));
        }
        assertThat(attempts.get()).as("at most two notices are tried at a look").isLessThan(2 * 150 + 3);
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send("t150", "Go");
        isDown = false;

        look();

        assertThat(mails)
                .extracting(Notice::threadId)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(0, 150).mapToObj(i -> "t" + i).toList());
        attempts.set(0);
        after(Duration.ofDays(1));
        assertThat(attempts).hasValue(0);
    }

    /** Also by a server that has started meanwhile. */
    @Test
    void afterARestartTheFirstNoticeShowsThatTheOthersCanBeTold() {
        isDown = true;
        hold();
        look();
        for (int i = 0; i < 10; i++) {
            after(Duration.ofHours(1));
        }
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send("other", "Go");
        isDown = false;

        bench.another(builder -> builder.with(Reach.notifier("mail", this::mail)))
                .actOnTime();

        assertThat(mails).extracting(Notice::threadId).containsExactly(THREAD, "other");
    }

    /** A notice that the receiver never takes is not taken for an outage of it, and keeps nothing from the others. */
    @Test
    void aNoticeThatAlwaysFailsIsTriedAtItsOwnPausesAndDelaysNoOther() {
        bench = new Bench(builder -> builder.with(Reach.notifier("mail", notice -> {
            isDown = notice.threadId().startsWith("bad");
            mail(notice);
        })));
        for (String thread : List.of("bad1", "bad2", "bad3")) {
            bench.model.calls(call("c1", "sendEmail", MAIL));
            bench.agent().send(thread, "Go");
            bench.model.calls(call("c1", "sendEmail", MAIL));
            bench.agent().send("good-" + thread, "Go");
            look();
        }
        assertThat(mails).hasSize(3);
        attempts.set(0);
        for (int i = 0; i < 50; i++) {
            bench.model.calls(call("c1", "sendEmail", MAIL));
            bench.agent().send("t" + i, "Go");
            after(Duration.ofSeconds(10));
            look(); // what a failure has put off
            assertThat(mails).hasSize(3 + i + 1);
        }
        assertThat(attempts.get() - 50)
                .as("at most three times the five of their own pauses")
                .isLessThan(3 * 3 * 5);
    }

    @Test
    void whatFailsTwentyTimesStaysAndIsCountedAndIsNotTriedAgain() {
        isDown = true;
        hold();
        Instant asked = bench.clock.instant();
        look();
        while (attempts.get() < 20) {
            after(Duration.ofSeconds(10));
        }

        assertThat(Duration.between(asked, bench.clock.instant())).isBetween(Duration.ofHours(9), Duration.ofHours(10));
        after(Duration.ofDays(1));
        after(Duration.ofDays(1));
        assertThat(attempts).hasValue(20);
        assertThat(status().undelivered()).isEqualTo(1);
        assertThat(bench.agent().pending(THREAD)).hasSize(1);
    }

    /** Law 14: what is tried again is read again, so that it must be there. */
    @Test
    void noEventIsPurgedThatIsTriedAgain() {
        isDown = true;
        hold();
        after(Duration.ofHours(1));
        bench.store.purge(Store.Old.AUDIT_EVENT, bench.clock.instant(), 100);

        isDown = false;
        after(Duration.ofHours(1));

        assertThat(mails).hasSize(1);
        assertThat(bench.store.purge(Store.Old.AUDIT_EVENT, bench.clock.instant(), 100))
                .isPositive();
    }

    /** A record that will never be read, on a damaged page for instance. */
    @Test
    void aThreadThatCannotBeReadDelaysNoOther() {
        Store damaged = new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public Optional<Batch> findBatch(String threadId, By by, String id) {
                if (threadId.equals("bad")) {
                    throw new DamagedException("a page is damaged", null);
                }
                return super.findBatch(threadId, by, id);
            }
        };
        Holdpoint agent = bench.another(builder -> builder.store(damaged).with(Reach.notifier("mail", this::mail)));
        for (String thread : List.of("bad", "good")) {
            bench.model.calls(call("c1", "sendEmail", MAIL));
            bench.agent().send(thread, "Go");
        }

        agent.actOnTime();

        assertThat(mails).extracting(Notice::threadId).containsExactly("good");
        assertThat(bench.store.facts("RETRY", FeedPlace.of("mail"))).hasSize(1);
    }

    /** As PostgreSQL does after a start while a transaction of another program lasts: the feed does not give yet what it gave before. */
    @Test
    void whatTheFeedHoldsBackIsTriedAgainAllTheSame() {
        boolean[] holdsBack = new boolean[1];
        Store slow = new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public List<Fed> feed(long after, int limit, boolean complete) {
                return complete && holdsBack[0] ? List.of() : super.feed(after, limit, complete);
            }
        };
        Holdpoint agent = bench.another(builder -> builder.store(slow).with(Reach.notifier("mail", this::mail)));
        isDown = true;
        bench.model.calls(call("c1", "sendEmail", MAIL));
        agent.send(THREAD, "Go");
        agent.actOnTime();
        isDown = false;
        holdsBack[0] = true;
        bench.clock.advance(Duration.ofSeconds(10));
        agent.actOnTime();

        assertThat(mails).extracting(Notice::threadId).containsExactly(THREAD);
    }

    /** It is back, and that it has told what it had failed on is stored, though the store could not say so. */
    @Test
    void aStoreThatFailsOnceTheNotifierIsBackFailsOneLookOnly() {
        boolean[] breaksOff = new boolean[1];
        Store weak = new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                super.commit(lease, commit, now);
                if (breaksOff[0]) {
                    throw new StoreException("no connection");
                }
            }
        };
        Holdpoint agent = bench.another(builder -> builder.store(weak).with(Reach.notifier("mail", this::mail)));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        agent.send(THREAD, "Go");
        isDown = true;
        agent.actOnTime();
        isDown = false;
        breaksOff[0] = true;
        bench.clock.advance(Duration.ofSeconds(10));
        assertThatExceptionOfType(StoreException.class).isThrownBy(agent::actOnTime);
        breaksOff[0] = false;
        bench.model.calls(call("c2", "sendEmail", MAIL));
        agent.send("next", "Go");
        bench.clock.advance(Duration.ofSeconds(10));

        agent.actOnTime();

        assertThat(mails).extracting(Notice::threadId).containsExactly(THREAD, "next");
    }

    /** As people do by SQL; the notifier, which has given it up, reads what is stored again after a minute. */
    @Test
    void whatWasGivenUpIsToldIfSomebodyMakesARetryOfIt() {
        isDown = true;
        hold();
        for (int hour = 0; hour < 20; hour++) {
            after(Duration.ofHours(1));
        }
        isDown = false;
        after(Duration.ofDays(1));
        assertThat(status().undelivered()).isEqualTo(1);
        assertThat(mails).isEmpty();
        Fact left = bench.store.facts("UNDELIVERED", FeedPlace.of("mail")).get(0);
        Fact.Key key = new Fact.Key("RETRY", Fact.HERE, left.key().name());
        Instant now = bench.clock.instant();
        Store.Lease lease = bench.store
                .acquire(FeedPlace.of("mail"), "sql", "", now, now.plusSeconds(1))
                .orElseThrow();
        List<Fact.Change> changes = List.of(
                new Fact.Change(Fact.How.PUT, new Fact(key, Optional.empty(), left.value())),
                new Fact.Change(Fact.How.REMOVE, left));
        bench.store.commit(lease, Commit.empty().change(changes).andRelease(), now);

        after(Duration.ofMinutes(1));

        assertThat(mails).hasSize(1);
        assertThat(status().undelivered()).isZero();
        assertThat(bench.store.facts("RETRY", FeedPlace.of("mail"))).isEmpty();
    }
}
