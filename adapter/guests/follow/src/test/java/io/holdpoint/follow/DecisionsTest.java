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
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What was decided by everybody, for those who may see it. */
class DecisionsTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller EVE = Caller.of("eve");
    private static final Caller BOSS = Caller.of("grace", "boss");

    /** How many places of the feed no event has, before the first one. */
    private long gap;

    private final Bench bench = new Bench();
    private final Store later = new ForwardingStore() {

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public List<Fed> feed(long after, int limit) {
            return super.feed(Math.max(0, after - gap), limit).stream()
                    .map(fed -> new Fed(fed.position() + gap, fed.event()))
                    .toList();
        }

        @Override
        public long feedEnd() {
            return super.feedEnd() + gap;
        }
    };
    private final Holdpoint agent = bench.another(builder -> builder.store(later)
            .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("boss"))));

    private Approval held(Caller owner, String threadId) {
        bench.model.calls(call("c-" + threadId, "sendEmail", MAIL));
        Approval asked = agent.as(owner).send(threadId, "Go").approvals().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private Decisions of(Caller caller) {
        return Follow.of(agent.as(caller)).decided(Optional.empty());
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
        Decisions second = Follow.of(agent.as(ADA)).decided(first.next());
        assertThat(second.items()).isEmpty();
        assertThat(second.next()).isEmpty();

        gap = 0;
        long place = of(ADA).items().isEmpty() ? 0 : bench.store.feedEnd();
        assertThat(Follow.of(agent.as(ADA)).decided(Optional.of(place + 1)).items())
                .hasSize(1);
        assertThat(Follow.of(agent.as(ADA)).decided(Optional.of(2L)).items()).isEmpty();
    }

    @Test
    void aPlaceIsPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Follow.of(agent).decided(Optional.of(0L)))
                .withMessageContaining("before");
    }
}
