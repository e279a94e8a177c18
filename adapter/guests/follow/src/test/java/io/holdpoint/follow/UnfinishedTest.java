package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.DamagedException;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What runs that died have left is in the inbox, until somebody is asked or goes on. */
@Logs({"Run * on thread * failed", "Lease* could not be given back", "Tool '*' execution failed"})
class UnfinishedTest {

    private static final Duration LONG_AGO = Duration.ofMinutes(10);

    private final Crash crash = new Crash();

    private Inbox inbox() {
        return Follow.of(crash.bench.agent()).inbox();
    }

    @Test
    void aCallThatACrashCutOffIsInTheInboxAfterOneLook() {
        crash.whilePaying();
        crash.bench.clock.advance(LONG_AGO);

        assertThat(inbox().unfinished()).extracting(Inbox.Unfinished::threadId).containsExactly(THREAD);
        assertThat(Follow.of(crash.bench.agent().as(Caller.of("eve"))).inbox().unfinished())
                .isEmpty();
        crash.bench.agent().actOnTime();

        assertThat(inbox().unfinished()).isEmpty();
        assertThat(inbox().items()).extracting(AskedQuestion::interrupt).containsExactly(crash.bench.pending(0));
    }

    @Test
    void aDecidedCallThatNeverRanStaysUnfinishedUntilSomebodyGoesOn() {
        MortalStore store = new MortalStore(crash.bench.store);
        crash.bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        crash.bench.say("Pay");
        ResumeEntry approval = crash.bench.pending(0).asApproval().approve();
        store.dieAfter(1);
        crash.bench
                .another(builder -> builder.tools(crash.new Bank()).store(store))
                .decide(THREAD, approval);
        crash.leasePasses();
        crash.bench.clock.advance(LONG_AGO);
        crash.bench.agent().actOnTime();

        assertThat(inbox().unfinished()).extracting(Inbox.Unfinished::threadId).containsExactly(THREAD);
        crash.bench.model.says("Paid.");
        crash.bench.nothingNew();

        assertThat(inbox().unfinished()).isEmpty();
    }

    @Test
    void aHundredThatOthersHaveLeftHideNoneOfTheCaller() {
        crash.whilePaying();
        crash.bench.clock.advance(LONG_AGO);
        Store store = new ForwardingStore() {
            @Override
            protected Store store() {
                return crash.bench.store;
            }

            @Override
            public List<Place> threads(Wanted what, Place after, Instant before, int limit) {
                return Stream.concat(
                                IntStream.range(1_000, 1_150)
                                        .mapToObj(i -> new Place(Instant.EPOCH.plusSeconds(i), "eves-" + i)),
                                super.threads(what, Place.FIRST, before, limit).stream())
                        .filter(place -> place.at().isAfter(after.at()))
                        .limit(limit)
                        .toList();
            }

            @Override
            public Optional<ThreadHead> head(String threadId) {
                return threadId.startsWith("eves-")
                        ? Optional.of(new ThreadHead(threadId, "eve", Optional.empty(), true))
                        : super.head(threadId);
            }
        };

        assertThat(Follow.of(crash.bench.another(builder -> builder.store(store)))
                        .inbox()
                        .unfinished())
                .extracting(Inbox.Unfinished::threadId)
                .containsExactly(THREAD);
    }

    /** Somebody who may see none of them costs no more, however many there are. */
    @Test
    void aThousandAreLookedAtAndNoMore() {
        AtomicInteger looked = new AtomicInteger();
        Store store = new ForwardingStore() {
            @Override
            protected Store store() {
                return crash.bench.store;
            }

            @Override
            public List<Place> threads(Wanted what, Place after, Instant before, int limit) {
                return IntStream.rangeClosed(1, 2_000)
                        .mapToObj(i -> new Place(Instant.EPOCH.plusSeconds(i), "eves-" + i))
                        .filter(place -> place.at().isAfter(after.at()))
                        .limit(limit)
                        .toList();
            }

            @Override
            public Optional<ThreadHead> head(String threadId) {
                looked.incrementAndGet();
                return Optional.of(new ThreadHead(threadId, "eve", Optional.empty(), true));
            }
        };

        assertThat(Follow.of(crash.bench.another(builder -> builder.store(store)))
                        .inbox()
                        .unfinished())
                .isEmpty();
        assertThat(looked).hasValue(1_000);
    }

    @Test
    void aPageOfFewQuestionsHasAllThatIsUnfinishedBecauseNoOtherOneHasIt() {
        Store store = new ForwardingStore() {
            @Override
            protected Store store() {
                return crash.bench.store;
            }

            @Override
            public List<Place> threads(Wanted what, Place after, Instant before, int limit) {
                return IntStream.range(0, 3)
                        .mapToObj(i -> new Place(Instant.EPOCH.plusSeconds(i), "t" + i))
                        .filter(place -> place.at().isAfter(after.at()))
                        .limit(limit)
                        .toList();
            }

            @Override
            public Optional<ThreadHead> head(String threadId) {
                return Optional.of(new ThreadHead(threadId, "anonymous", Optional.empty(), true));
            }

            @Override
            public Optional<ThreadRecord> find(String threadId) {
                throw new DamagedException("no batch", null);
            }
        };

        assertThat(Follow.of(crash.bench.another(builder -> builder.store(store)))
                        .inbox(Inbox.Scope.OWN, Optional.empty(), 1)
                        .unfinished())
                .hasSize(3);
    }

    /** A run that a halt has stopped lets its lease end, and a page would say that it is so since 1970. */
    @Test
    void whatARunHasLetGoOfIsSoSinceItDidSomethingLast() {
        crash.whilePaying();
        crash.bench.clock.advance(LONG_AGO);
        Store store = crash.bench.store;
        Instant now = crash.bench.clock.instant();
        Lease lease = store.acquire(THREAD, "later", "anonymous", now, now.plusSeconds(30))
                .orElseThrow();
        store.renew(lease, Instant.EPOCH);

        assertThat(inbox().unfinished())
                .extracting(Inbox.Unfinished::since)
                .containsExactly(store.find(THREAD).orElseThrow().changedAt().orElseThrow());
    }

    /** Whoever may see it can give it up; nobody else's page knows of it. */
    @Test
    void aRecordThatCannotBeReadIsUnfinishedAndKeepsNoPageFromBeingRead() {
        crash.whilePaying();
        crash.bench.clock.advance(LONG_AGO);
        Store store = new ForwardingStore() {
            @Override
            protected Store store() {
                return crash.bench.store;
            }

            @Override
            public Optional<ThreadRecord> find(String threadId) {
                throw new DamagedException("no batch", null);
            }
        };

        assertThat(Follow.of(crash.bench.another(builder -> builder.store(store)))
                        .inbox()
                        .unfinished())
                .extracting(Inbox.Unfinished::threadId)
                .containsExactly(THREAD);
    }
}
