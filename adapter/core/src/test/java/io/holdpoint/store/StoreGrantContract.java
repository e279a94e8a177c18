package io.holdpoint.store;

import static io.holdpoint.store.Batches.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.AguiCodec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every store must do: the decisions that a thread remembers. */
abstract class StoreGrantContract extends StoreLeaseContract {

    static List<String> textsOfGrants() {
        return RichRecords.TEXTS;
    }

    static Grant grant(String id, Instant grantedAt, Instant expiresAt) {
        return new Grant(
                id,
                Grant.Scope.SAME_CALL,
                new Grant.Approved("call-1", "interrupt-1", "mail", "tool-hash", "arguments-hash"),
                "ada",
                Set.of("approver", "admin"),
                grantedAt,
                expiresAt);
    }

    void give(Grant... grants) {
        store.commit(lease, Commit.empty().grant(List.of(grants)), NOW);
    }

    private static AuditEvent revoked(String grantId) {
        return new AuditEvent(
                NOW,
                "t",
                "",
                "ada",
                AuditEvent.Kind.REVOKED,
                new AuditEvent.Subject(Optional.empty(), Optional.empty(), Optional.empty()),
                AguiCodec.mapper().createObjectNode().put("grant", grantId));
    }

    @Test
    void grantsAreKeptOldestFirstExpiredOrNot() {
        Grant second = grant("a", NOW.plusNanos(1), NOW.plusSeconds(60));
        Grant first = grant("b", NOW, NOW.minusSeconds(60));
        give(second);
        give(first);
        store = reopen(store);

        assertThat(store.grants("t")).containsExactly(first, second);
        assertThat(store.grants("other")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("textsOfGrants")
    void everythingInAGrantIsKept(String odd) {
        Grant rich = new Grant(
                "g" + odd,
                Grant.Scope.TOOL,
                new Grant.Approved(odd, odd, odd, odd, odd),
                odd,
                Set.of(odd),
                NOW,
                NOW.plusSeconds(1));
        onThread("thread" + odd);
        give(rich);
        store = reopen(store);

        assertThat(store.grants("thread" + odd)).containsExactly(rich);
        assertThat(store.revokeGrant("thread" + odd, "g" + odd, revoked("g"))).isTrue();
        assertThat(store.grants("thread" + odd)).isEmpty();
    }

    @Test
    void aGrantIsWrittenWithItsCommitOrNotAtAll() {
        Batch open = Batches.hold("h", "t");
        put(open);
        Commit stale = Commit.of(open).grant(List.of(grant("g", NOW, NOW.plusSeconds(60))));

        assertThatThrownBy(() -> store.commit(lease, stale, NOW)).isInstanceOf(StoreConflictException.class);

        assertThat(store.grants("t")).isEmpty();
    }

    @Test
    void aCallDoesNotStartByAGrantThatIsRevoked() {
        give(grant("kept", NOW, NOW.plusSeconds(60)), grant("revoked", NOW, NOW.plusSeconds(60)));
        Batch batch = Batch.of(
                "h",
                "t",
                new TurnRecord("u1", "{}"),
                new Batch.ModelMessage("assistant", "{}"),
                List.of(
                        Batches.call("a").letThroughBy("kept"),
                        Batches.call("b").letThroughBy("revoked"),
                        Batches.call("c")));
        put(batch);
        store.revokeGrant("t", "revoked", revoked("revoked"));

        Batch first = batch.claimed("a", Batches.ATTEMPT);
        put(first);
        Batch refused = first.claimed("b", Batches.ATTEMPT);
        assertThatThrownBy(() -> put(refused))
                .isInstanceOf(StoreConflictException.class)
                .hasMessageContaining("revoked");

        Batch other = first.claimed("c", Batches.ATTEMPT);
        put(other);
        store.revokeGrant("t", "kept", revoked("kept"));
        put(other.settled("a", Call.State.EXECUTED, Batches.RESULT));
    }

    @Test
    void revokingNeedsNoLeaseAndIsNotedIfThereWasSomethingToRevoke() {
        give(grant("g", NOW, NOW.plusSeconds(60)));
        acquire("other", "r2");

        assertThat(store.revokeGrant("other", "g", revoked("g"))).isFalse();
        assertThat(store.revokeGrant("t", "never", revoked("never"))).isFalse();
        assertThat(store.revokeGrant("t", "g", revoked("g"))).isTrue();
        assertThat(store.revokeGrant("t", "g", revoked("again"))).isFalse();

        assertThat(store.grants("t")).isEmpty();
        assertThat(store.auditTrail("t", 0, 10)).containsExactly(revoked("g"));
    }

    @Test
    void grantsThatExpiredLongestAgoArePurgedFirst() {
        Grant old = grant("a", NOW, NOW.minusSeconds(30));
        Grant older = grant("b", NOW, NOW.minusSeconds(60));
        Grant present = grant("c", NOW, NOW);
        give(old, older, present);

        assertThat(store.purgeGrants("", NOW, 1)).isEqualTo(1);
        assertThat(store.grants("t")).containsExactly(old, present);
        assertThat(store.purgeGrants("", NOW, 10)).isEqualTo(1);
        assertThat(store.purgeGrants("", NOW, 10)).isZero();
        assertThat(store.grants("t")).containsExactly(present);
    }
}
