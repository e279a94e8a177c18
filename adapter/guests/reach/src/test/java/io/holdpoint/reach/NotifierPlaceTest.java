package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.store.Fact;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Law 14: of several nodes one at a time tells a notifier. */
class NotifierPlaceTest {

    @Test
    void whileOneNodeTellsNoOtherDoesAndWhenItHasDiedAnotherOneTellsAgainWithTheSameId() {
        List<Notice> mails = new ArrayList<>();
        List<Notice> others = new ArrayList<>();
        Bench bench = new Bench();
        Holdpoint other = bench.another(builder -> builder.with(Reach.notifier("mail", others::add)));
        List<Integer> toldMeanwhile = new ArrayList<>();
        Holdpoint first = bench.another(builder -> builder.with(Reach.notifier("mail", notice -> {
            mails.add(notice);
            bench.clock.advance(Duration.ofSeconds(4));
            other.actOnTime();
            toldMeanwhile.add(others.size());
            bench.clock.advance(Duration.ofSeconds(1)); // from here on this node stands still
            other.actOnTime();
        })));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send(THREAD, "Go");
        first.actOnTime();

        assertThat(toldMeanwhile).containsExactly(0);
        assertThat(others).hasSize(1);
        assertThat(others.get(0).id()).isEqualTo(mails.get(0).id());
        other.actOnTime();
        first.actOnTime();
        assertThat(others.size() + mails.size()).isEqualTo(2);
    }

    /** After an outage there may be thousands, which stay until somebody removes them. */
    @Test
    @Logs("The notifier \"mail\" failed on *")
    void aNodeThatWaitsReadsWhatWasNotDeliveredWhenThatMayHaveChanged() {
        Bench bench = new Bench();
        List<String> read = new ArrayList<>();
        Store counting = new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public List<Fact> facts(String kind, String place) {
                read.add(kind);
                return super.facts(kind, place);
            }
        };
        Holdpoint first = bench.another(builder -> builder.with(Reach.notifier("mail", notice -> {
            throw new IllegalStateException("no connection");
        })));
        Holdpoint other = bench.another(builder -> builder.store(counting).with(Reach.notifier("mail", notice -> {})));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send(THREAD, "Go");
        first.actOnTime();
        other.actOnTime();
        assertThat(read).contains("RETRY", "UNDELIVERED");
        read.clear();

        other.actOnTime();
        assertThat(read).containsOnly("READER");
        bench.clock.advance(Duration.ofMinutes(1));
        other.actOnTime();
        assertThat(read).contains("RETRY", "UNDELIVERED");
    }

    /** What it has told before it stood still may come twice; what comes after that is the other one's. */
    @Test
    void aNodeThatHasLostItsPlaceTellsNothingMore() {
        List<String> told = new ArrayList<>();
        Bench bench = new Bench();
        Holdpoint other = bench.another(
                builder -> builder.with(Reach.notifier("mail", notice -> told.add("other " + notice.threadId()))));
        Holdpoint slow = bench.another(builder -> builder.with(Reach.notifier("mail", notice -> {
            told.add("slow " + notice.threadId());
            bench.clock.advance(Duration.ofSeconds(6));
            other.actOnTime();
        })));
        for (String thread : List.of("a", "b")) {
            bench.model.calls(call("c1", "sendEmail", MAIL));
            bench.agent().send(thread, "Go");
        }
        slow.actOnTime();

        assertThat(told).containsExactly("slow a", "other a", "other b");
    }

    /** A store keeps what it knows of a lease until that is given back. */
    @Test
    void aPlaceThatWasLostIsGivenBackToo() {
        Bench bench = new Bench();
        List<Store.Lease> taken = new ArrayList<>();
        Store noting = new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
                Optional<Lease> lease = super.acquire(threadId, runId, caller, now, until);
                lease.ifPresent(taken::add);
                return lease;
            }

            @Override
            public void release(Lease lease) {
                super.release(lease);
                taken.remove(lease);
            }
        };
        Holdpoint other = bench.another(builder -> builder.with(Reach.notifier("mail", notice -> {})));
        Holdpoint slow = bench.another(builder -> builder.store(noting).with(Reach.notifier("mail", notice -> {
            bench.clock.advance(Duration.ofSeconds(6));
            other.actOnTime();
        })));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send(THREAD, "Go");
        slow.actOnTime();

        assertThat(taken).isEmpty();
    }

    @Test
    @Logs("The notifier \"mail\" has not come back for 2 minutes*")
    void aNotifierThatHangsForTwoMinutesLosesItsPlaceToAnotherServer() {
        ManualTimer timer = new ManualTimer();
        List<String> told = new ArrayList<>();
        Bench bench = new Bench();
        Holdpoint other = bench.another(builder -> builder.with(Reach.notifier("mail", notice -> told.add("other"))));
        Holdpoint hanging = bench.another(builder -> timer.in(builder).with(Reach.notifier("mail", notice -> {
            told.add("hanging");
            for (int second = 1; second < 140; second++) {
                bench.clock.advance(Duration.ofSeconds(1));
                timer.ring(Duration.ofMillis(1_500));
                if (second % 10 == 0) {
                    other.actOnTime();
                }
                if (second == 110) {
                    told.add("nobody");
                }
            }
            told.add("hung");
        })));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        hanging.send(THREAD, "Go");
        hanging.actOnTime();

        assertThat(told).containsExactly("hanging", "nobody", "other", "hung");
    }
}
