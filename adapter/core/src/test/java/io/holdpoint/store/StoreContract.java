package io.holdpoint.store;

import static io.holdpoint.store.Batches.NOW;
import static io.holdpoint.store.Batches.answers;
import static io.holdpoint.store.Batches.results;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.store.Store.Abandoned;
import io.holdpoint.store.Store.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the parts of the contract have in common: a new store, and a lease on its thread {@code t}. */
abstract class StoreContract {

    Store store;
    Lease lease;
    private boolean fitsTogether = true;

    @BeforeEach
    void createStoreWithLease() {
        store = createStore();
        lease = acquire("t", "r1").orElseThrow();
    }

    /** Whatever was written and refused fits together. */
    @AfterEach
    void checkAndClose() {
        try {
            assertThat(store.check().isEmpty()).as("%s", store.check()).isEqualTo(fitsTogether);
        } finally {
            close();
        }
    }

    /** Says that the test leaves behind what {@link Store#check} must find: half of what a run commits at once. */
    void writesWhatNoRunDoes() {
        fitsTogether = false;
    }

    /** Removes the store. */
    protected void close() {
        // it is all in memory
    }

    /** An empty store. */
    protected abstract Store createStore();

    /** The same store after everything that it need not keep is gone; the store itself if it is all in memory. */
    protected Store reopen(Store open) {
        return open;
    }

    /** Until 30 seconds from now. */
    Optional<Lease> acquire(String threadId, String runId) {
        return store.acquire(threadId, runId, "ada", NOW, NOW.plusSeconds(30));
    }

    /** The first page. */
    List<String> abandoned(Instant before, int limit) {
        return store.abandoned("", Abandoned.FIRST, before, limit).stream()
                .map(Abandoned::threadId)
                .toList();
    }

    static Message user(String id, String text) {
        return new Message.User(id, MessageContent.text(text));
    }

    void put(Batch batch) {
        put(batch, NOW);
    }

    void put(Batch batch, Instant now) {
        store.commit(lease, Commit.of(batch), now);
    }

    /** A batch that was asked about and is finished, all transitions committed at the same time. */
    Batch putFinished(String id, Instant now) {
        Batch open = Batches.hold(id, lease.threadId());
        put(open, now);
        return finish(open, now);
    }

    /** Commits every transition on the way, as a run does. */
    Batch finish(Batch open, Instant now) {
        Batch answered = open.answered(answers(open.id() + "-i"));
        put(answered, now);
        Batch declined = answered.settled(open.id() + "-a", Call.State.NOT_EXECUTED, Batches.RESULT);
        put(declined, now);
        put(declined.claimed(open.id() + "-b", Batches.ATTEMPT), now);
        Batch results = results(open, open.id());
        put(results, now);
        put(results.remembered(), now);
        put(results.remembered().finished(), now);
        return results.remembered().finished();
    }

    /** Works on another thread from now on. */
    void onThread(String threadId) {
        lease = acquire(threadId, "r1").orElseThrow();
    }
}
