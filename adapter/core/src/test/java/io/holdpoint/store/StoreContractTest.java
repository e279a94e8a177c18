package io.holdpoint.store;

import static io.holdpoint.store.Batches.NOW;
import static io.holdpoint.store.Batches.answers;
import static io.holdpoint.store.Batches.hold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.Message;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every store must do: what is committed. The classes above have the rest. */
public abstract class StoreContractTest extends StoreOpenContract {

    @Test
    void aLeaseAloneDoesNotMakeAThreadKnown() {
        assertThat(store.find("t")).isEmpty();
    }

    @Test
    void aCommitWithAStaleBatchWritesNothingOfIt() {
        Batch open = hold("h", "t");
        put(open);
        Batch answered = open.answered(answers("h-i"));
        put(answered);

        Commit stale = Commit.of(hold("new", "t"))
                .with(answered)
                .append(List.of(user("u1", "Hi")))
                .state(TextNode.valueOf("state"))
                .turn(new TurnRecord("u1", "{}"));
        assertThatThrownBy(() -> store.commit(lease, stale, NOW)).isInstanceOf(StoreConflictException.class);

        assertThat(store.find("t").orElseThrow().batch()).contains(answered);
        assertThat(store.find("t").orElseThrow().turn()).isEmpty();
        assertThat(store.find("t").orElseThrow().state()).isEmpty();
        assertThat(store.transcript("t")).isEmpty();
        assertThat(store.findByInterrupt("t", "new-i")).isEmpty();
    }

    @Test
    void aBatchMustFollowTheVersionThatIsStored() {
        Batch answered = hold("h", "t").answered(answers("h-i"));

        assertThatThrownBy(() -> put(answered)).isInstanceOf(StoreConflictException.class);
        put(hold("h", "t"));
        assertThatThrownBy(() -> put(hold("h", "t"))).isInstanceOf(StoreConflictException.class);
        assertThatThrownBy(() -> put(answered.claimed("h-b", Batches.ATTEMPT)))
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

        assertThat(store.known("t", List.of("u1", "u2"))).isEqualTo(Map.of("u1", false));
        assertThat(store.known("other", List.of("u1"))).isEmpty();
    }

    private void cut(String fromMessageId, Message... instead) {
        Commit commit = Commit.empty().cut(new Commit.Cut(fromMessageId, 2)).append(List.of(instead));
        store.commit(lease, commit, NOW);
    }

    @Test
    void whatIsCutOffIsKnownAndKeptAndDoesNotComeBack() {
        Message other = user("o1", "Not here");
        store.commit(lease, Commit.empty().append(List.of(user("u1", "1"), user("u2", "2"), user("u3", "3"))), NOW);
        store.commit(acquire("other", "r9").orElseThrow(), Commit.empty().append(List.of(other)), NOW);

        cut("u2", user("u4", "4"));
        cut("u2");
        store.commit(lease, Commit.empty().append(List.of(user("u3", "again"), user("u5", "5"))), NOW);
        cut("u5");
        cut("never");
        store = reopen(store);

        assertThat(store.transcript("t")).containsExactly(user("u1", "1"), user("u4", "4"));
        assertThat(store.cutMessages("t")).containsExactly(user("u2", "2"), user("u3", "3"), user("u5", "5"));
        assertThat(store.known("t", List.of("u1", "u2", "u3", "u4", "u6")))
                .isEqualTo(Map.of("u1", false, "u2", true, "u3", true, "u4", false));
        assertThat(store.countMessages("t")).isEqualTo(5);
        assertThat(store.transcript("other")).containsExactly(other);
        assertThat(store.cutMessages("other")).isEmpty();
    }

    @Test
    void theEndOfATranscriptBeginsAfterAMessageThatItHas() {
        store.commit(lease, Commit.empty().append(List.of(user("u1", "1"), user("u2", "2"), user("u3", "3"))), NOW);

        assertThat(store.transcriptAfter("t", "u1")).containsExactly(user("u2", "2"), user("u3", "3"));
        assertThat(store.transcriptAfter("t", "u3")).isEmpty();
        assertThat(store.transcriptAfter("t", "never")).isEmpty();
        assertThat(store.transcriptAfter("other", "u1")).isEmpty();
        cut("u2", user("u4", "4"));
        assertThat(store.transcriptAfter("t", "u1")).containsExactly(user("u4", "4"));
        assertThat(store.transcriptAfter("t", "u2")).isEmpty();
    }

    @Test
    void aRunIsKnownByWhatItHasWrittenToTheTranscript() {
        store.commit(lease, Commit.empty().append(List.of(user("u1", "1"), user("u2", "2"))), NOW);
        store.release(lease);
        lease = acquire("t", "r2").orElseThrow();
        store.commit(lease, Commit.empty().append(List.of(user("u1", "again"))), NOW);
        assertThat(store.hasRun("t", "r1")).isTrue();
        assertThat(store.hasRun("t", "r2")).isFalse();
        assertThat(store.hasRun("other", "r1")).isFalse();

        cut("u2");

        assertThat(store.hasRun("t", "r2")).isTrue();
        assertThat(store.hasRun("t", "r1")).isTrue();
        store.purgeThread(lease);
        assertThat(store.hasRun("t", "r1")).isFalse();
        assertThat(store.cutMessages("t")).isEmpty();
        assertThat(store.known("t", List.of("u1", "u2"))).isEmpty();
    }

    @Test
    void aCommitThatIsRefusedCutsNothing() {
        store.commit(lease, Commit.empty().append(List.of(user("u1", "1"))), NOW);
        Commit stale = Commit.of(hold("h", "t").answered(answers("h-i"))).cut(new Commit.Cut("u1", 1));

        assertThatThrownBy(() -> store.commit(lease, stale, NOW)).isInstanceOf(StoreConflictException.class);

        assertThat(store.transcript("t")).hasSize(1);
        assertThat(store.cutMessages("t")).isEmpty();
    }

    @Test
    void aBatchIsFoundByItsInterruptsOnItsOwnThreadFinishedOrNot() {
        Batch open = hold("h", "t");
        put(open);
        assertThat(store.findByInterrupt("t", "h-i")).contains(open);
        Batch finished = finish(open, NOW);

        assertThat(store.findByInterrupt("t", "h-i")).contains(finished);
        assertThat(store.findByInterrupt("other", "h-i")).isEmpty();
        assertThat(store.findByInterrupt("t", "never")).isEmpty();
    }

    @Test
    void interruptsAreCountedPerThreadUpToALimit() {
        writesWhatNoRunDoes();
        assertThat(store.countInterrupts("t", 2)).isZero();
        putFinished("h", NOW);
        assertThat(store.countInterrupts("t", 2)).isOne();
        put(hold("g", "t"));
        put(hold("f", "t"));

        assertThat(store.countInterrupts("t", 2)).isEqualTo(2);
        assertThat(store.countInterrupts("other", 2)).isZero();
    }

    @Test
    void toolCallIdsStayTakenAfterTheBatchIsFinished() {
        Batch open = hold("h", "t");
        put(open);
        finish(open, NOW);

        assertThat(store.hasToolCall("t", "h-b")).isTrue();
        assertThat(store.hasToolCall("other", "h-b")).isFalse();
    }

    @Test
    void theUnfinishedBatchIsTheThreadsUntilItIsFinished() {
        Batch open = hold("h", "t");
        put(open);
        assertThat(store.find("t").orElseThrow().batch()).contains(open);

        finish(open, NOW);

        assertThat(store.find("t").orElseThrow().batch()).isEmpty();
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

    @Test
    void everythingInABatchIsKept() {
        writesWhatNoRunDoes();
        Random random = new Random(11);
        for (int i = 0; i < 30; i++) {
            Batch rich = RichRecords.hold(random, "h" + i, "t");
            Batch stored = new Batch(
                    rich.id(), "t", 0, rich.state(), rich.turn(), rich.message(), rich.calls(), rich.givenUp());
            put(stored);
            store = reopen(store);

            stored.calls().stream().flatMap(call -> call.questions().stream()).forEach(question -> assertThat(
                            store.findByInterrupt("t", question.interrupt().id()))
                    .contains(stored));
            if (stored.state() != Batch.State.FINISHED) {
                assertThat(store.find("t").orElseThrow().batch()).contains(stored);
            }
        }
    }

    @Test
    void aCallAskedAboutAgainIsFoundByItsNewInterruptToo() {
        Batch open = hold("h", "t");
        Batch answered = open.answered(answers("h-i"));
        Batch claimed = answered.claimed("h-b", Batches.ATTEMPT);
        Batch again = claimed.askedAgain(Map.of("h-b", Batches.question("h-again")));
        List.of(open, answered, claimed, again).forEach(this::put);

        assertThat(store.findByInterrupt("t", "h-again")).contains(again);
        assertThat(store.findByInterrupt("t", "h-i")).contains(again);
        assertThat(store.hasInterrupt("t", "h-again")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("texts")
    void anyTextIsAnId(String odd) {
        String threadId = "thread" + odd.replace(Store.AGENT_END, '\u001e'); // it ends the name of an agent
        Batch open = Batch.of(
                "h" + odd,
                threadId,
                new TurnRecord("u" + odd, odd),
                new Batch.ModelMessage("a" + odd, odd),
                List.of(Batches.call("c" + odd, Batches.question("i" + odd))));
        assertThat(store.find(threadId)).isEmpty();
        assertThat(store.hasInterrupt(threadId, "i" + odd)).isFalse();

        lease = store.acquire(threadId, "r" + odd, "ada" + odd, NOW, NOW.plusSeconds(30))
                .orElseThrow();
        assertThat(acquire(threadId, "r2")).isEmpty();
        AuditEvent event = RichRecords.event(NOW, threadId, odd);
        store.commit(
                lease,
                Commit.of(open)
                        .append(List.of(RichRecords.message("m1", odd), user("m2", odd)))
                        .state(TextNode.valueOf(odd))
                        .turn(new TurnRecord(odd, odd))
                        .audit(List.of(event)),
                NOW);
        store = reopen(store);

        ThreadRecord thread = store.find(threadId).orElseThrow();
        assertThat(thread)
                .isEqualTo(new ThreadRecord(
                        threadId,
                        "ada" + odd,
                        Optional.of(TextNode.valueOf(odd)),
                        Optional.of(new TurnRecord(odd, odd)),
                        Optional.of(open),
                        Optional.of(NOW),
                        false));
        assertThat(store.transcript(threadId)).containsExactly(RichRecords.message("m1", odd), user("m2", odd));
        assertThat(store.known(threadId, List.of("m1", "x" + odd))).containsOnlyKeys("m1");
        assertThat(store.hasToolCall(threadId, "c" + odd)).isTrue();
        assertThat(store.findByInterrupt(threadId, "i" + odd)).contains(open);
        assertThat(abandoned(NOW.plusSeconds(1), 10)).containsExactly(threadId);
        assertThat(store.auditTrail(threadId, 0, 10)).containsExactly(event);
    }

    static List<String> texts() {
        return RichRecords.TEXTS;
    }

    @Test
    void differentIdsAreDifferent() {
        List<String> ids =
                List.of("a", "A", "a ", " a", "a\0", "\ud83d", "\ude00", "?", "\\u0000", "\0", "\u00e9", "e\u0301");
        String many = "x".repeat(100_000);
        List<String> messages = Stream.of("", "x".repeat(200))
                .flatMap(prefix -> ids.stream().map(id -> prefix + id))
                .filter(Agui::isId)
                .toList();

        store.commit(
                lease,
                Commit.empty()
                        .append(messages.stream().map(id -> user(id, "Hi")).toList()),
                NOW);

        assertThat(store.transcript("t").stream().map(Message::id)).isEqualTo(messages);
        for (String id : ids) {
            assertThat(acquire(id, "r1")).isPresent();
            assertThat(acquire(many + id, "r1")).isPresent();
        }
    }

    @Test
    void manyIdsCanBeAskedForAtOnce() {
        List<Message> messages =
                IntStream.range(0, 1_000).mapToObj(i -> user("m" + i, "Hi")).toList();
        store.commit(lease, Commit.empty().append(messages), NOW);
        List<String> asked = IntStream.range(500, 1_700).mapToObj(i -> "m" + i).toList();

        assertThat(store.known("t", asked))
                .hasSize(500)
                .containsKeys("m500", "m999")
                .doesNotContainKey("m1000");
        assertThat(store.known("t", List.of())).isEmpty();
        assertThat(store.transcript("t")).isEqualTo(messages);
    }

    @Test
    void hugeRecordsAreKept() {
        String huge = "x\0\u00e9".repeat(1_000_000);
        store.commit(
                lease,
                Commit.empty()
                        .append(List.of(user("u1", huge)))
                        .state(TextNode.valueOf(huge))
                        .turn(new TurnRecord("u1", huge)),
                NOW);
        store = reopen(store);

        assertThat(store.transcript("t")).containsExactly(user("u1", huge));
        assertThat(store.find("t").orElseThrow().state()).contains(TextNode.valueOf(huge));
        assertThat(store.find("t").orElseThrow().turn()).contains(new TurnRecord("u1", huge));
    }

    @Test
    void jsonNullIsAState() {
        store.commit(lease, Commit.empty().state(NullNode.instance), NOW);

        assertThat(store.find("t").orElseThrow().state()).contains(NullNode.instance);
    }

    @Test
    void everythingIsThereAfterARestart() {
        writesWhatNoRunDoes();
        Batch open = hold("h", "t");
        store.commit(lease, Commit.of(open).append(List.of(user("u1", "Hi"))).audit(List.of(event("t", 1))), NOW);

        store = reopen(store);

        assertThat(store.find("t").orElseThrow().batch()).contains(open);
        assertThat(store.transcript("t")).containsExactly(user("u1", "Hi"));
        assertThat(store.auditTrail("t", 0, 10)).containsExactly(event("t", 1));
        assertThat(acquire("t", "r2")).isEmpty();
        assertThat(store.renew(lease, NOW.plusSeconds(60))).isTrue();
        store.release(lease);
        assertThat(acquire("t", "r2").orElseThrow().epoch()).isGreaterThan(lease.epoch());
    }

    @Test
    void theHeadSaysWhatIsUnfinished() {
        assertThat(store.head("t")).isEmpty();
        put(hold("h", "t"));
        assertThat(store.head("t")).contains(new Store.ThreadHead("t", "ada", Optional.of("h"), false));
        store.commit(lease, Commit.empty().turn(new TurnRecord("u1", "{}")), NOW);
        assertThat(store.head("t").orElseThrow().hasTurn()).isTrue();

        finish(hold("h", "t"), NOW);
        store.commit(lease, Commit.empty().turnFinished(), NOW);
        assertThat(store.head("t")).contains(new Store.ThreadHead("t", "ada", Optional.empty(), false));
    }

    @Test
    void discardRemovesWhatIsUnfinishedAndNothingElse() {
        putFinished("old", NOW);
        store.commit(
                lease,
                Commit.of(hold("h", "t")).append(List.of(user("u1", "Hi"))).turn(new TurnRecord("u1", "{}")),
                NOW);

        store.discard(lease, List.of(event("t", 7)));

        assertThat(store.head("t")).contains(new Store.ThreadHead("t", "ada", Optional.empty(), false));
        assertThat(store.find("t").orElseThrow().turn()).isEmpty();
        assertThat(store.findByInterrupt("t", "h-i")).isEmpty();
        assertThat(store.hasInterrupt("t", "h-i")).isTrue();
        assertThat(store.findByInterrupt("t", "old-i")).isPresent();
        assertThat(store.transcript("t")).hasSize(1);
        assertThat(store.auditTrail("t", 0, 10)).containsExactly(event("t", 7));
        assertThat(store.open("", Optional.empty(), Store.OpenBatch.Position.FIRST, 10))
                .isEmpty();
    }

    @Test
    void discardNeedsTheLease() {
        put(hold("h", "t"));
        store.release(lease);

        assertThatThrownBy(() -> store.discard(lease, List.of())).isInstanceOf(LeaseLostException.class);
        assertThat(store.head("t").orElseThrow().batchId()).contains("h");
    }
}
