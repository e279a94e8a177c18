package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Fed;
import io.holdpoint.store.Store.ThreadHead;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What was decided by everybody, for those who may see it. */
class DecisionsTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller EVE = Caller.of("eve");
    private static final Caller BOSS = Caller.of("grace", "boss");

    /** How many places of the feed no event has, before the first one. */
    private long gap;

    /** A feed in place of the store's, if it has any event. */
    private List<Fed> many = List.of();

    /** What was asked about threads, in order. */
    private final List<String> looked = new ArrayList<>();

    private final Bench bench = new Bench();
    private final Store later = new ForwardingStore() {

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public List<Fed> feed(long after, int limit) {
            if (!many.isEmpty()) {
                return many.stream()
                        .filter(fed -> fed.position() > after)
                        .limit(limit)
                        .toList();
            }
            return super.feed(Math.max(0, after - gap), limit).stream()
                    .map(fed -> new Fed(fed.position() + gap, fed.event()))
                    .toList();
        }

        @Override
        public Optional<ThreadHead> head(String threadId) {
            looked.add("head " + threadId);
            return super.head(threadId);
        }

        @Override
        public long feedEnd() {
            return many.isEmpty() ? super.feedEnd() + gap : many.size();
        }
    };
    private final ApprovalAuthorizer noting = new ApprovalAuthorizer() {

        @Override
        public boolean mayDecide(Request request) {
            return false;
        }

        @Override
        public boolean mayAccess(Caller caller, String threadId, String ownerId) {
            looked.add("access " + threadId);
            return false;
        }
    };
    private final Holdpoint agent = bench.another(builder -> builder.store(later)
            .approvalAuthorizer(
                    ApprovalAuthorizer.anyOf(noting, ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("boss"))));

    private Approval held(Caller owner, String threadId) {
        bench.model.calls(call("c-" + threadId, "sendEmail", MAIL));
        Approval asked = agent.as(owner).send(threadId, "Go").approvals().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private Decisions of(Caller caller) {
        return page(caller, Optional.empty(), Decisions.MAX_ITEMS);
    }

    private Decisions page(Caller caller, Optional<Long> before, int limit) {
        return Follow.of(agent.as(caller)).decided(before, limit);
    }

    @Test
    void theNewestComeFirstWithWhoDecidedAndWhoseTheyAre() {
        agent.as(BOSS).resume("one", held(ADA, "one").deny("No"));
        agent.as(EVE).resume("two", held(EVE, "two").approve());
        held(ADA, "open");

        Decisions all = of(BOSS);

        assertThat(all.items()).extracting(Decisions.Item::threadId).containsExactly("two", "one");
        assertThat(all.items()).extracting(Decisions.Item::owner).containsExactly("eve", "ada");
        assertThat(all.items()).extracting(item -> item.event().caller()).containsExactly("eve", "grace");
        assertThat(all.items()).extracting(item -> item.event().kind()).containsOnly(Kind.DECIDED);
        assertThat(all.next()).isEmpty();
    }

    @Test
    void nobodySeesDecisionsOnThreadsThatTheyMayNotAccess() {
        agent.as(BOSS).resume("one", held(ADA, "one").approve());

        assertThat(of(ADA).items()).hasSize(1);
        assertThat(of(EVE).items()).isEmpty();
    }

    @Test
    void aPageEndsBeforeThePlaceOfTheOneBeforeIt() {
        agent.as(ADA).resume("one", held(ADA, "one").approve());
        gap = Decisions.LOOKED_AT;

        Decisions first = of(ADA);
        assertThat(first.items()).hasSize(1);
        Decisions second = page(ADA, first.next(), 1);
        assertThat(second.items()).isEmpty();
        assertThat(second.next()).isEmpty();

        gap = 0;
        long place = of(ADA).items().isEmpty() ? 0 : bench.store.feedEnd();
        assertThat(page(ADA, Optional.of(place + 1), 1).items()).hasSize(1);
        assertThat(page(ADA, Optional.of(2L), 1).items()).isEmpty();
    }

    @Test
    void pagesOfAnyLengthHaveEachDecisionOnce() {
        List<String> threads = List.of("one", "two", "three", "four", "five");
        for (String thread : threads) {
            agent.as(ADA).resume(thread, held(ADA, thread).deny("No"));
        }
        gap = 1;
        for (int limit = 1; limit <= threads.size() + 1; limit++) {
            List<String> seen = new ArrayList<>();
            Optional<Long> before = Optional.empty();
            do {
                Decisions page = page(ADA, before, limit);
                assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
                page.items().forEach(item -> seen.add(item.threadId()));
                before = page.next();
            } while (before.isPresent());
            assertThat(seen).as("limit %d", limit).containsExactly("five", "four", "three", "two", "one");
        }
    }

    /** A short page of a long history asks the store for its own threads, and the authorizer once for each of them. */
    @Test
    void aPageLooksAtNoMoreThreadsThanItShows() {
        for (String thread : List.of("one", "two", "three", "two")) {
            agent.as(ADA).resume(thread, held(ADA, thread).deny("No"));
        }
        looked.clear();

        assertThat(page(BOSS, Optional.empty(), 2).items()).hasSize(2);

        assertThat(looked).containsExactly("head two", "access two", "head three", "access three");
    }

    @Test
    void aPageHasNoMoreThanAHundred() {
        Approval asked = held(ADA, "one");
        agent.as(ADA).resume("one", asked.deny("No"));
        Fed decided = bench.store.feed(0, 100).stream()
                .filter(fed -> fed.event().kind() == Kind.DECIDED)
                .findFirst()
                .orElseThrow();
        many = Stream.iterate(1L, place -> place + 1)
                .limit(Decisions.MAX_ITEMS + 1)
                .map(place -> new Fed(place, decided.event()))
                .toList();

        Decisions first = page(ADA, Optional.empty(), Integer.MAX_VALUE);

        assertThat(first.items()).hasSize(Decisions.MAX_ITEMS);
        assertThat(page(ADA, first.next(), Integer.MAX_VALUE).items()).hasSize(1);
    }

    @Test
    void aPlaceAndALimitArePositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> page(ADA, Optional.of(0L), 1))
                .withMessageContaining("before");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> page(ADA, Optional.empty(), 0))
                .withMessageContaining("limit");
    }
}
