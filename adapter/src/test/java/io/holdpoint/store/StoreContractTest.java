package io.holdpoint.store;

import static io.holdpoint.store.Holds.NOW;
import static io.holdpoint.store.Holds.answers;
import static io.holdpoint.store.Holds.hold;
import static io.holdpoint.store.Holds.results;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every store must do. */
abstract class StoreContractTest {

    private final Store store = createStore();
    private final Lease lease = acquire("t", "r1").orElseThrow();

    private Optional<Lease> acquire(String threadId, String runId) {
        return store.acquire(threadId, runId, "ada", NOW, NOW.plusSeconds(30));
    }

    abstract Store createStore();

    private static Message user(String id, String text) {
        return new Message.User(id, MessageContent.text(text));
    }

    private void put(Hold hold) {
        store.commit(lease, Commit.of(hold), NOW);
    }

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

    @Test
    void releasingALostLeaseDoesNotReleaseAnothers() {
        store.release(lease);
        acquire("t", "r2").orElseThrow();

        store.release(lease);

        assertThat(acquire("t", "r3")).isEmpty();
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
    void aLeaseAloneDoesNotMakeAThreadKnown() {
        assertThat(store.find("t")).isEmpty();
    }

    @Test
    void aCommitWithAStaleBatchWritesNothingOfIt() {
        Hold open = hold("h", "t");
        put(open);
        Hold answered = open.answered(answers("h-i"));
        put(answered);

        Commit stale = Commit.of(hold("new", "t"))
                .with(answered)
                .append(List.of(user("u1", "Hi")))
                .state(TextNode.valueOf("state"))
                .turn(new TurnRecord("u1", "{}"));
        assertThatThrownBy(() -> store.commit(lease, stale, NOW)).isInstanceOf(StoreConflictException.class);

        assertThat(store.find("t").orElseThrow().hold()).contains(answered);
        assertThat(store.find("t").orElseThrow().turn()).isEmpty();
        assertThat(store.find("t").orElseThrow().state()).isEmpty();
        assertThat(store.transcript("t")).isEmpty();
        assertThat(store.findByInterrupt("t", "new-i")).isEmpty();
    }

    @Test
    void aBatchMustFollowTheVersionThatIsStored() {
        Hold answered = hold("h", "t").answered(answers("h-i"));

        assertThatThrownBy(() -> put(answered)).isInstanceOf(StoreConflictException.class);
        put(hold("h", "t"));
        assertThatThrownBy(() -> put(hold("h", "t"))).isInstanceOf(StoreConflictException.class);
        assertThatThrownBy(() -> put(answered.claimed("h-b", Holds.ATTEMPT)))
                .isInstanceOf(StoreConflictException.class);
        put(answered);
    }

    @Test
    void theTranscriptKeepsItsOrderAndIgnoresKnownIds() {
        store.commit(lease, Commit.empty().append(List.of(user("u1", "Hi"), user("u2", "There"))), NOW);
        store.commit(
                lease, Commit.empty().append(List.of(user("u1", "Changed"), user("u3", "!"), user("u3", "?"))), NOW);

        assertThat(store.transcript("t")).containsExactly(user("u1", "Hi"), user("u2", "There"), user("u3", "!"));
    }

    @Test
    void knownSaysWhichIdsTheTranscriptHas() {
        store.commit(lease, Commit.empty().append(List.of(user("u1", "Hi"))), NOW);

        assertThat(store.known("t", List.of("u1", "u2"))).containsExactly("u1");
        assertThat(store.known("other", List.of("u1"))).isEmpty();
    }

    @Test
    void aBatchIsFoundByItsInterruptsOnItsOwnThreadFinishedOrNot() {
        Hold open = hold("h", "t");
        put(open);
        assertThat(store.findByInterrupt("t", "h-i")).contains(open);
        Hold finished = finish(open);

        assertThat(store.findByInterrupt("t", "h-i")).contains(finished);
        assertThat(store.findByInterrupt("other", "h-i")).isEmpty();
        assertThat(store.findByInterrupt("t", "never")).isEmpty();
    }

    @Test
    void toolCallIdsStayTakenAfterTheBatchIsFinished() {
        Hold open = hold("h", "t");
        put(open);
        finish(open);

        assertThat(store.hasToolCall("t", "h-b")).isTrue();
        assertThat(store.hasToolCall("other", "h-b")).isFalse();
    }

    @Test
    void theUnfinishedBatchIsTheThreadsUntilItIsFinished() {
        Hold open = hold("h", "t");
        put(open);
        assertThat(store.find("t").orElseThrow().hold()).contains(open);

        finish(open);

        assertThat(store.find("t").orElseThrow().hold()).isEmpty();
    }

    @Test
    void theTurnIsKeptReplacedAndFinished() {
        TurnRecord turn = new TurnRecord("u1", "{}");
        store.commit(lease, Commit.empty().turn(turn), NOW);
        store.commit(lease, Commit.empty().state(TextNode.valueOf("s")), NOW);
        assertThat(store.find("t").orElseThrow().turn()).contains(turn);
        store.commit(lease, Commit.empty().turn(turn.withNextRound()), NOW);
        assertThat(store.find("t").orElseThrow().turn()).contains(turn.withNextRound());

        store.commit(lease, Commit.empty().turnFinished(), NOW);

        assertThat(store.find("t").orElseThrow().turn()).isEmpty();
        assertThat(store.find("t").orElseThrow().state()).contains(TextNode.valueOf("s"));
    }

    /** Commits every transition on the way, as a run does. */
    private Hold finish(Hold open) {
        Hold answered = open.answered(answers("h-i"));
        put(answered);
        Hold declined = answered.settled("h-a", CallState.NOT_EXECUTED, Holds.RESULT);
        put(declined);
        put(declined.claimed("h-b", Holds.ATTEMPT));
        Hold results = results(open, "h");
        put(results);
        put(results.remembered());
        put(results.remembered().finished());
        return results.remembered().finished();
    }
}
