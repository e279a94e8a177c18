package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.Holdpoint;
import io.holdpoint.reach.Notice.Kind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Fact;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Depth;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Law 14: nothing is lost when the node that tells dies, at any point. {@code -Dholdpoint.notices.kills=1000} kills as often on each
 * store.
 */
@Logs({"The notifier \"mail\" failed on *"})
class NotifierKillTest {

    private static final int KILLS = Integer.getInteger("holdpoint.notices.kills", Depth.of(5, 25));
    private static final int MOST_LOOKS = 1_000;

    private static final class Killed extends Error {

        private static final long serialVersionUID = 1L;
    }

    /** The node's way to the store and to the notifier: it dies at one of the points before and after each use. */
    private static final class Node extends ForwardingStore {

        private final Store store;
        private int left;

        Node(Store store, int points) {
            this.store = store;
            this.left = points;
        }

        boolean isDead() {
            return left < 0;
        }

        void pass() {
            if (left < 0 || --left < 0) {
                throw new Killed();
            }
        }

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public List<Fact> facts(String kind, String place) {
            pass();
            return super.facts(kind, place);
        }

        @Override
        public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
            pass();
            Optional<Lease> lease = super.acquire(threadId, runId, caller, now, until);
            pass();
            return lease;
        }

        @Override
        public List<Fed> feed(long after, int limit, boolean complete) {
            pass();
            return super.feed(after, limit, complete);
        }

        @Override
        public Optional<Batch> findBatch(String threadId, By by, String id) {
            pass();
            return super.findBatch(threadId, by, id);
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            pass();
            super.commit(lease, commit, now);
            pass();
        }

        @Override
        public void release(Lease lease) {
            pass();
            super.release(lease);
            pass();
        }
    }

    @Test
    void nothingIsLostInMemory() {
        check(new InMemoryStore());
    }

    @Test
    void nothingIsLostOnSqlite() {
        try (TestDatabase database = TestDatabase.sqlite()) {
            check(JdbcStore.create(database.dataSource()));
        }
    }

    @Test
    @Tag("deep")
    void nothingIsLostOnPostgres() {
        try (TestDatabase database = TestDatabase.postgres()) {
            check(JdbcStore.create(database.dataSource()));
        }
    }

    private static void check(Store store) {
        Bench bench = new Bench(builder -> builder.store(store));
        List<Notice> told = new ArrayList<>();
        Set<String> asked = new HashSet<>();
        tellAll(bench, store, told);
        int points = 0;
        int most = 0;
        int lives = 0;
        for (int kill = 0; kill < KILLS; ) {
            for (int question = 0; question < 2; question++) {
                asked.add(ask(bench, "t" + lives + "-" + question));
            }
            bench.clock.advance(Duration.ofSeconds(6)); // a dead node has lost the place by now
            lives++;
            if (diesAt(points, points % 3 == 0 ? 3 : 0, bench, store, told)) { // every third notice is tried again
                kill++;
                points++;
                most = Math.max(most, points);
            } else {
                points = 0; // it has passed all points there are
            }
            if (lives % 2 == 0) { // else the next node finds what several have left
                bench.clock.advance(Duration.ofMinutes(1));
                tellAll(bench, store, told, asked);
            }
        }
        bench.clock.advance(Duration.ofDays(1));
        tellAll(bench, store, told, asked);
        tellAll(bench, store, told);

        assertThat(most).as("points passed").isGreaterThanOrEqualTo(Math.min(KILLS, 18));
        assertThat(threads(told)).isEqualTo(asked);
        assertThat(told).extracting(Notice::kind).containsOnly(Kind.ASKED);
        assertThat(told.stream().map(Notice::id).distinct()).hasSameSizeAs(asked);
    }

    /** The clock is the test's; what is between two looks is the longest time for which a reader asks its timer. */
    @Test
    void whenTheReaderHasDiedAtAnyPointAnotherOneTellsWithinTwelveSeconds() {
        ManualTimer timer = new ManualTimer();
        new Bench(builder -> timer.in(builder).clock(Clock.systemUTC()).with(Reach.notifier("mail", notice -> {})));
        Duration betweenLooks = Collections.max(timer.delays());
        Store store = new InMemoryStore();
        Bench bench = new Bench(builder -> builder.store(store));
        tellAll(bench, store, new ArrayList<>());
        List<Duration> times = new ArrayList<>();
        for (int points = 0; points < 12; points++) {
            for (Duration next = Duration.ZERO; next.compareTo(betweenLooks) < 0; next = next.plusSeconds(1)) {
                tellAll(bench, store, new ArrayList<>()); // what the last one has left
                List<Notice> told = new ArrayList<>();
                ask(bench, points + "-" + next);
                Instant asked = bench.clock.instant();
                bench.clock.advance(Duration.ofMillis(100)); // the one that has asked looks soon
                diesAt(points, 0, bench, store, told);
                bench.clock.advance(next);
                tellAll(bench, store, told);
                while (told.isEmpty() && bench.clock.instant().isBefore(asked.plusSeconds(12))) {
                    bench.clock.advance(betweenLooks);
                    tellAll(bench, store, told);
                }
                assertThat(told).as("told after %d points", points).isNotEmpty();
                times.add(Duration.between(asked, bench.clock.instant()));
            }
        }
        assertThat(times).allMatch(time -> time.compareTo(Duration.ofSeconds(12)) <= 0);
        assertThat(times).anyMatch(time -> time.compareTo(Duration.ofSeconds(5)) >= 0);
    }

    private static Set<String> threads(List<Notice> told) {
        Set<String> threads = new HashSet<>();
        told.forEach(notice -> threads.add(notice.threadId()));
        return threads;
    }

    private static String ask(Bench bench, String thread) {
        bench.model.calls(call(thread, "sendEmail", MAIL));
        bench.agent().send(thread, "Go");
        return thread;
    }

    private static boolean diesAt(int points, int failures, Bench bench, Store store, List<Notice> told) {
        Node node = new Node(store, points);
        int[] calls = {0};
        try {
            Holdpoint agent = bench.another(builder -> builder.store(node).with(Reach.notifier("mail", notice -> {
                node.pass();
                if (calls[0]++ < failures) {
                    throw new IllegalStateException("no connection");
                }
                told.add(notice);
                node.pass();
            })));
            agent.actOnTime();
        } catch (Killed e) {
            // it is dead
        }
        if (node.isDead()) {
            assertThatThrownBy(node::pass).isInstanceOf(Killed.class);
        }
        return node.isDead();
    }

    /** A look tells of nothing that a transaction of the database itself may still come before; one of the next does. */
    private static void tellAll(Bench bench, Store store, List<Notice> told, Set<String> asked) {
        Set<String> left = new HashSet<>(asked);
        for (int looks = 0; looks < MOST_LOOKS && !left.isEmpty(); looks++) {
            tellAll(bench, store, told);
            left.removeAll(threads(told));
        }
        assertThat(left).as("lost").isEmpty();
    }

    private static void tellAll(Bench bench, Store store, List<Notice> told) {
        bench.another(builder -> builder.store(store).with(Reach.notifier("mail", told::add)))
                .actOnTime();
    }
}
