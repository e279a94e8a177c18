package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.OpenBatch;
import io.holdpoint.store.Store.Place;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that waits for somebody, across threads. */
class InboxTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller BOSS = Caller.of("grace", "boss");

    private final Bench bench = new Bench(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss")));

    private void hold(Caller caller, String threadId) {
        bench.model.calls(call("c-" + threadId, "sendEmail", MAIL));
        bench.agent().as(caller).send(threadId, "Go");
        bench.clock.advance(Duration.ofMinutes(1));
    }

    private Inbox first(Caller caller, Inbox.Scope scope) {
        return Follow.of(bench.agent().as(caller)).inbox(scope, Optional.empty(), 10);
    }

    private static List<String> threads(Inbox inbox) {
        return inbox.items().stream().map(AskedQuestion::threadId).toList();
    }

    @Test
    void withoutArgumentsItIsEverythingThatTheCallerMayAccess() {
        hold(ADA, "hers");
        hold(BOSS, "his");

        assertThat(threads(Follow.of(bench.agent().as(BOSS)).inbox())).containsExactly("hers", "his");
        assertThat(threads(Follow.of(bench.agent().as(ADA)).inbox())).containsExactly("hers");
    }

    @Test
    void whatWaitsLongestComesFirstUntilItIsAnswered() {
        hold(ADA, "one");
        hold(ADA, "two");

        Inbox inbox = first(ADA, Inbox.Scope.OWN);

        assertThat(threads(inbox)).containsExactly("one", "two");
        assertThat(inbox.next()).isEmpty();
        AskedQuestion item = inbox.items().get(0);
        assertThat(item.owner()).isEqualTo("ada");
        assertThat(item.interrupt())
                .isEqualTo(bench.agent().as(ADA).pending("one").get(0));
        assertThat(item.askedAt()).isEqualTo(bench.clock.instant().minus(Duration.ofMinutes(2)));
        assertThat(item.expired()).isFalse();

        bench.model.says("Left alone.");
        bench.agent().as(ADA).resume("one", item.interrupt().cancel());
        assertThat(threads(first(ADA, Inbox.Scope.OWN))).containsExactly("two");
    }

    @Test
    void allInterruptsOfAThreadAreOnOnePage() {
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "transferMoney", "{\"amount\":1,\"to\":\"Bob\"}"));
        bench.agent().as(ADA).send("two-calls", "Go");
        bench.clock.advance(Duration.ofMinutes(1));
        hold(ADA, "later");

        Inbox page = Follow.of(bench.agent().as(ADA)).inbox(Inbox.Scope.OWN, Optional.empty(), 1);

        assertThat(threads(page)).containsExactly("two-calls", "two-calls");
        Inbox next = Follow.of(bench.agent().as(ADA)).inbox(Inbox.Scope.OWN, page.next(), 1);
        assertThat(threads(next)).containsExactly("later");
        Inbox last = Follow.of(bench.agent().as(ADA)).inbox(Inbox.Scope.OWN, next.next(), 1);
        assertThat(last).isEqualTo(new Inbox(List.of(), Optional.empty(), List.of()));
    }

    @Test
    void nobodySeesWhatTheyMayNotAccess() {
        hold(ADA, "adas");
        hold(Caller.of("eve"), "eves");

        assertThat(threads(first(ADA, Inbox.Scope.OWN))).containsExactly("adas");
        assertThat(threads(first(ADA, Inbox.Scope.ACCESSIBLE))).containsExactly("adas");
        assertThat(threads(first(BOSS, Inbox.Scope.OWN))).isEmpty();
        assertThat(threads(first(BOSS, Inbox.Scope.ACCESSIBLE))).containsExactly("adas", "eves");
        assertThat(threads(first(Caller.ANONYMOUS, Inbox.Scope.ACCESSIBLE))).isEmpty();
    }

    @Test
    void aPageLooksOnUntilItHasAThread() {
        for (int i = 0; i < 5; i++) {
            hold(Caller.of("eve"), "eves-" + i);
        }
        hold(ADA, "adas");
        List<String> found = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        int pages = 0;
        do {
            Inbox page = Follow.of(bench.agent().as(ADA)).inbox(Inbox.Scope.ACCESSIBLE, cursor, 2);
            found.addAll(threads(page));
            cursor = page.next();
            pages++;
        } while (cursor.isPresent());

        assertThat(found).containsExactly("adas");
        assertThat(pages).isEqualTo(1);
    }

    /** Anybody can read a cursor: it says nothing of threads that its reader may not see. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aCursorNamesNoThreadOfOthers(int limit) {
        hold(ADA, "adas-1");
        hold(Caller.of("eve"), "eves-1");
        hold(Caller.of("eve"), "eves-2");
        hold(ADA, "adas-2");
        hold(ADA, "adas-3");
        hold(Caller.of("eve"), "eves-3");
        List<String> found = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            Inbox page = Follow.of(bench.agent().as(ADA)).inbox(Inbox.Scope.ACCESSIBLE, cursor, limit);
            found.addAll(threads(page));
            cursor = page.next();
            String readable = new String(Base64.getUrlDecoder().decode(cursor.orElse("")), UTF_8);
            assertThat(readable).doesNotContain("eve");
        } while (cursor.isPresent());

        assertThat(found).containsExactly("adas-1", "adas-2", "adas-3");
    }

    /** A request that shows nothing must not read all that everybody is asked. */
    @Test
    void aPageOfWhoMaySeeNothingEndsAfterTenLooksAndTheNextOneGoesOn() {
        hold(ADA, "adas");
        AtomicInteger looks = new AtomicInteger();
        List<OpenBatch> eves = IntStream.range(0, 3_500)
                .mapToObj(i -> new OpenBatch(
                        "eves-" + (1_000 + i),
                        "eve",
                        Instant.EPOCH.plusSeconds(i < 1_500 ? 0 : i), // as of one clock that stands
                        Optional.empty()))
                .toList();
        Store store = new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public List<OpenBatch> open(Optional<String> owner, Place after, int limit) {
                looks.incrementAndGet();
                return Stream.concat(eves.stream(), super.open(owner, Place.FIRST, 10).stream())
                        .filter(each -> Comparator.comparing(Place::at)
                                        .thenComparing(Place::threadId)
                                        .compare(each.place(), after)
                                > 0)
                        .limit(limit)
                        .toList();
            }
        };
        Follow follow = Follow.of(bench.another(builder -> builder.store(store)).as(ADA));
        Inbox page = follow.inbox();
        assertThat(page.items()).isEmpty();
        assertThat(looks).hasValue(10);
        int pages = 1;
        while (page.next().isPresent()) {
            assertThat(new String(Base64.getUrlDecoder().decode(page.next().get()), UTF_8))
                    .doesNotContain("eve");
            looks.set(0);
            page = follow.inbox(Inbox.Scope.ACCESSIBLE, page.next(), 100);
            assertThat(looks.get()).isBetween(1, 16);
            pages++;
            assertThat(pages).isLessThan(6);
        }

        assertThat(threads(page)).containsExactly("adas");
        assertThat(pages).isEqualTo(4);
    }

    @Test
    void whereOwnersAloneDecideNoThreadsOfOthersAreLookedAt() {
        List<Optional<String>> owners = new ArrayList<>();
        Store store = new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public List<OpenBatch> open(Optional<String> owner, Place after, int limit) {
                owners.add(owner);
                return super.open(owner, after, limit);
            }
        };
        hold(ADA, "adas");
        Follow follow =
                Follow.of(new Bench(builder -> builder.store(store)).agent().as(ADA));

        assertThat(threads(follow.inbox())).containsExactly("adas");
        assertThat(owners).containsExactly(Optional.of("ada"));
    }

    @Test
    void whatHasExpiredIsMarked() {
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"customers\"}"));
        bench.agent().as(ADA).send("t", "Go");
        assertThat(first(ADA, Inbox.Scope.OWN).items())
                .extracting(AskedQuestion::expired)
                .containsExactly(false);

        bench.clock.advance(Duration.ofHours(1));

        assertThat(first(ADA, Inbox.Scope.OWN).items())
                .extracting(AskedQuestion::expired)
                .containsExactly(true);
    }

    @Test
    void lookingChangesNothing() {
        hold(Caller.ANONYMOUS, Bench.THREAD);
        Bench.Everything before = bench.everything();
        int events = bench.store.auditTrail(Bench.THREAD, 0, 100).size();

        Follow.of(bench.agent()).inbox(Inbox.Scope.OWN, Optional.empty(), 1_000_000);

        assertThat(bench.everything()).isEqualTo(before);
        assertThat(bench.store.auditTrail(Bench.THREAD, 0, 100)).hasSize(events);
    }

    @Test
    void nonsenseIsRefused() {
        for (String cursor : List.of("", "x", "!", "MjAyNg", "bm8gdGltZQ")) {
            assertThatIllegalArgumentException()
                    .as(cursor)
                    .isThrownBy(() -> Follow.of(bench.agent()).inbox(Inbox.Scope.OWN, Optional.of(cursor), 1))
                    .withMessageContaining("cursor");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Follow.of(bench.agent()).inbox(Inbox.Scope.OWN, Optional.empty(), 0))
                .withMessageContaining("limit");
    }
}
