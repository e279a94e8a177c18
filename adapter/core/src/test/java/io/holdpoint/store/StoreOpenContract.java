package io.holdpoint.store;

import static io.holdpoint.store.Batches.NOW;
import static io.holdpoint.store.Batches.answers;
import static io.holdpoint.store.Batches.hold;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.Interrupt;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store.Abandoned;
import io.holdpoint.store.Store.OpenBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every store must do: which run is active, how long a transcript is, and where somebody is asked. */
abstract class StoreOpenContract extends StoreRetentionContract {

    private static final Optional<String> EVERYBODY = Optional.empty();
    private static final Optional<String> ADA = Optional.of("ada");

    @Test
    void aRunIsActiveUntilItsLeaseEndsOrIsGivenBack() {
        assertThat(store.active("t", NOW)).contains(lease);
        assertThat(store.active("t", NOW.plusSeconds(29))).contains(lease);
        assertThat(store.active("t", NOW.plusSeconds(30))).isEmpty();
        assertThat(store.active("other", NOW)).isEmpty();

        store.release(lease);

        assertThat(store.active("t", NOW)).isEmpty();
    }

    @Test
    void theLengthOfATranscriptCountsEveryMessageOnce() {
        assertThat(store.countMessages("t")).isZero();
        store.commit(lease, Commit.empty().append(List.of(user("u1", "Hi"), user("u2", "Hey"))), NOW);
        store.commit(lease, Commit.empty().append(List.of(user("u2", "Hey"), user("u3", "Ho"))), NOW);

        assertThat(store.countMessages("t")).isEqualTo(3);
        assertThat(store.countMessages("other")).isZero();
    }

    @Test
    void aThreadIsFoundAsLongAsSomebodyIsAsked() {
        Batch open = hold("h", "t");
        put(open);

        assertThat(open(ADA, 10)).containsExactly(new OpenBatch("t", "ada", NOW, Optional.of(open)));
        store = reopen(store);
        assertThat(open(ADA, 10)).hasSize(1);

        put(open.answered(answers("h-i")), NOW);
        assertThat(open(ADA, 10)).isEmpty();
        assertThat(open(EVERYBODY, 10)).isEmpty();
    }

    @Test
    void aThreadThatIsAskedAboutAgainIsFoundAgain() {
        Batch open = hold("h", "t");
        put(open);
        Batch claimed = open.answered(answers("h-i"))
                .settled("h-a", Call.State.NOT_EXECUTED, Batches.RESULT)
                .claimed("h-b", Batches.ATTEMPT);
        put(open.answered(answers("h-i")));
        put(open.answered(answers("h-i")).settled("h-a", Call.State.NOT_EXECUTED, Batches.RESULT));
        put(claimed);
        assertThat(open(ADA, 10)).isEmpty();

        put(claimed.askedAgain(Map.of("h-b", Batches.afterAttempt("again"))));

        assertThat(open(ADA, 10)).extracting(OpenBatch::threadId).containsExactly("t");
    }

    @Test
    void aThreadThatNobodyIsAskedAboutIsNot() {
        onThread("quiet");
        store.commit(lease, Commit.empty().append(List.of(user("u1", "Hi"))), NOW);

        assertThat(open(EVERYBODY, 10)).isEmpty();
    }

    @Test
    void everybodyHasThreadsOfTheirOwnWhoeverContinuesThem() {
        lease = store.acquire("graces", "r1", "grace", NOW, NOW.plusSeconds(30)).orElseThrow();
        store.commit(lease, Commit.empty(), NOW);
        store.release(lease);
        lease = store.acquire("graces", "r2", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
        put(hold("h", "graces"));
        onThread("adas");
        put(hold("h", "adas"));

        assertThat(threads(open(ADA, 10))).containsExactly("adas");
        assertThat(threads(open(Optional.of("grace"), 10))).containsExactly("graces");
        assertThat(threads(open(EVERYBODY, 10))).containsExactlyInAnyOrder("adas", "graces");
        assertThat(open(Optional.of("a"), 10)).isEmpty();
        assertThat(open(Optional.of("ADA"), 10)).isEmpty();
    }

    @Test
    void pagesGoOnWhereTheLastOneEndedEvenIfThatWasAnsweredMeanwhile() {
        for (int i = 0; i < 7; i++) {
            onThread("thread-" + i);
            put(asked("h" + i, "thread-" + i, NOW.plusSeconds(i / 2)));
        }
        for (Optional<String> whose : List.of(ADA, EVERYBODY)) {
            List<String> found = new ArrayList<>();
            OpenBatch.Position after = OpenBatch.Position.FIRST;
            List<OpenBatch> page;
            do {
                page = store.open("", whose, after, 3);
                found.addAll(threads(page));
                after = page.isEmpty() ? after : page.get(page.size() - 1).position();
            } while (page.size() == 3);

            assertThat(found)
                    .containsExactly(
                            "thread-0", "thread-1", "thread-2", "thread-3", "thread-4", "thread-5", "thread-6");
        }
        OpenBatch first = store.open("", ADA, OpenBatch.Position.FIRST, 1).get(0);
        lease = store.acquire("thread-0", "r2", "ada", NOW.plusSeconds(60), NOW.plusSeconds(90))
                .orElseThrow();
        put(first.batch().orElseThrow().answered(answers("h0-i")));

        assertThat(threads(store.open("", ADA, first.position(), 2))).containsExactly("thread-1", "thread-2");
    }

    @Test
    void eachAgentFindsItsOwn() {
        for (String agent : List.of("", "support", "Support", "supporter")) {
            for (String id : List.of("t1", "back\\u001fslash", "ütf", "x".repeat(255))) {
                onThread(Store.threadOf(agent, id));
                put(asked(agent + id, lease.threadId(), NOW));
                store.release(lease);
            }
        }

        for (String agent : List.of("", "support", "Support", "supporter")) {
            String[] own = List.of("t1", "back\\u001fslash", "ütf", "x".repeat(255)).stream()
                    .map(id -> Store.threadOf(agent, id))
                    .toArray(String[]::new);
            assertThat(threads(store.open(agent, ADA, OpenBatch.Position.FIRST, 4)))
                    .containsExactlyInAnyOrder(own);
            assertThat(store.abandoned(agent, Abandoned.FIRST, NOW.plusSeconds(1), 9))
                    .extracting(Abandoned::threadId)
                    .containsExactlyInAnyOrder(own);
        }
        assertThat(store.idle("support", Abandoned.FIRST, NOW.plusSeconds(1), 9))
                .isEmpty();
    }

    private static Batch asked(String id, String threadId, Instant at) {
        Interrupt interrupt = new Interrupt(id + "-i", "tool_call", null, null, null, null, null);
        return Batch.of(
                id,
                threadId,
                new TurnRecord("u1", "{}"),
                new Batch.ModelMessage("assistant-" + id, "{}"),
                List.of(Batches.call(id + "-a", new Question(Question.Kind.APPROVAL, interrupt, at))));
    }

    private List<OpenBatch> open(Optional<String> owner, int limit) {
        return store.open("", owner, OpenBatch.Position.FIRST, limit);
    }

    private static List<String> threads(List<OpenBatch> found) {
        return found.stream().map(OpenBatch::threadId).toList();
    }
}
