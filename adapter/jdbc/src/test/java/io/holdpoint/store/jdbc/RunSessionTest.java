package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.store.Commit;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.TestDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run's chat memory in the store's own database: its writes go with the run's commits, and it is read once. */
class RunSessionTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);

    private TestDatabase database;
    private CountingDataSource work;
    private DataSource shared;
    private JdbcStore store;
    private JdbcChatMemoryStore memories;
    private Lease lease;

    private void start(SqlDialect dialect) {
        database = dialect == SqlDialect.SQLITE ? TestDatabase.sqlite() : TestDatabase.postgres();
        work = new CountingDataSource(database.dataSource());
        shared = work.dataSource();
        store = JdbcStore.create(shared);
        memories = JdbcChatMemoryStore.open(shared);
        lease = store.acquire("t", "r1", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void write(String text) {
        store.withMemory(lease, () -> memories.updateMessages("t", List.of(UserMessage.from(text))));
    }

    private List<ChatMessage> read() {
        List<ChatMessage> read = new ArrayList<>();
        assertThat(store.withMemory(lease, () -> read.addAll(memories.getMessages("t"))))
                .isTrue();
        return read;
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aRunThatHasLostItsLeaseWritesNothingEvenIfItDoesNotKnow(SqlDialect dialect) {
        start(dialect);
        write("first");
        store.commit(lease, Commit.empty(), NOW);
        store.acquire("t", "r2", "ada", LATER, LATER.plusSeconds(30)).orElseThrow();

        write("late");
        assertThatThrownBy(() -> store.commit(lease, Commit.empty(), LATER)).isInstanceOf(LeaseLostException.class);
        assertThat(read()).containsExactly(UserMessage.from("first"));
        store.withMemory(lease, () -> memories.deleteMessages("t"));
        store.release(lease);

        assertThat(memories.getMessages("t")).containsExactly(UserMessage.from("first"));
        assertThatThrownBy(() -> write("later")).isInstanceOf(LeaseLostException.class);
        assertThat(memories.getMessages("t")).containsExactly(UserMessage.from("first"));
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void whatARunWritesIsPartOfItsNextCommitOrTheEndOfItsLease(SqlDialect dialect) {
        start(dialect);
        write("first");
        assertThat(memories.getMessages("t")).isEmpty();
        store.commit(lease, Commit.empty(), NOW);
        assertThat(memories.getMessages("t")).containsExactly(UserMessage.from("first"));

        write("second");
        store.release(lease);
        assertThat(memories.getMessages("t")).containsExactly(UserMessage.from("second"));
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aCommitThatFailsTakesTheMemoryAlong(SqlDialect dialect) {
        start(dialect);
        write("first");
        store.commit(lease, Commit.empty(), NOW);
        write("never");
        database.execute("ALTER TABLE holdpoint_thread RENAME TO elsewhere");
        assertThatThrownBy(() -> store.commit(lease, Commit.empty(), NOW)).isInstanceOf(StoreException.class);
        database.execute("ALTER TABLE elsewhere RENAME TO holdpoint_thread");

        assertThat(read()).containsExactly(UserMessage.from("first"));
        store.release(lease);
        assertThat(memories.getMessages("t")).containsExactly(UserMessage.from("first"));
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aMemoryWithTheIdOfTheThreadIsReadWithTheThread(SqlDialect dialect) {
        start(dialect);
        write("first");
        store.release(lease);
        work.reset();

        lease = store.acquireOwn("t", "r2", "ada", NOW, LATER).orElseThrow().lease();

        assertThat(read()).containsExactly(UserMessage.from("first"));
        assertThat(work.statements).hasSize(2); // the lease and the read
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aMemoryIsReadOnceAndKnownAfterEachWrite(SqlDialect dialect) {
        start(dialect);
        memories.updateMessages("t", List.of(UserMessage.from("before")));
        assertThat(read()).containsExactly(UserMessage.from("before"));
        work.reset();

        read();
        write("after");
        assertThat(read()).containsExactly(UserMessage.from("after"));

        assertThat(work.statements).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void whatTheApplicationWritesInBetweenIsSeen(SqlDialect dialect) {
        start(dialect);
        write("ours");

        memories.updateMessages("t", List.of(UserMessage.from("the application's")));
        assertThat(read()).containsExactly(UserMessage.from("the application's"));

        memories.deleteMessages("t");
        assertThat(read()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void runsOfTwoThreadsWithOneMemoryLoseNothingOfEachOther(SqlDialect dialect) {
        start(dialect);
        Lease other = store.acquire("u", "r2", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
        write("first");

        for (String next : List.of("second", "third")) {
            Lease writer = next.equals("second") ? other : lease;
            List<ChatMessage> all = new ArrayList<>();
            store.withMemory(writer, () -> all.addAll(memories.getMessages("t")));
            all.add(UserMessage.from(next));
            store.withMemory(writer, () -> memories.updateMessages("t", all));
        }
        store.commit(other, Commit.empty(), NOW);
        store.commit(lease, Commit.empty(), NOW);

        assertThat(memories.getMessages("t"))
                .containsExactly(UserMessage.from("first"), UserMessage.from("second"), UserMessage.from("third"));
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aRunThatHasLostItsLeaseKeepsNoOtherFromASharedMemory(SqlDialect dialect) {
        start(dialect);
        write("lost");
        store.acquire("t", "r2", "ada", LATER, LATER.plusSeconds(30)).orElseThrow();
        Lease other =
                store.acquire("u", "r3", "ada", LATER, LATER.plusSeconds(30)).orElseThrow();

        store.withMemory(other, () -> assertThat(memories.getMessages("t")).isEmpty());
    }

    /** Nobody should, but a mixture of two writes may be a call without its result. */
    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void whatAnotherProcessWritesInBetweenIsReplacedAsAWhole(SqlDialect dialect) {
        start(dialect);
        JdbcChatMemoryStore other = JdbcChatMemoryStore.open(database.dataSource());
        write("ours");
        store.commit(lease, Commit.empty(), NOW);
        other.updateMessages("t", List.of(UserMessage.from("theirs"), UserMessage.from("theirs too")));

        store.withMemory(
                lease, () -> memories.updateMessages("t", List.of(UserMessage.from("ours"), UserMessage.from("next"))));
        store.commit(lease, Commit.empty(), NOW);
        assertThat(other.getMessages("t")).containsExactly(UserMessage.from("ours"), UserMessage.from("next"));

        other.deleteMessages("t");
        write("again");
        store.commit(lease, Commit.empty(), NOW);
        assertThat(other.getMessages("t")).containsExactly(UserMessage.from("again"));
    }

    /** A database that was restored may give a number again. */
    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void leasesOfTwoThreadsWithTheSameNumberAreTwo(SqlDialect dialect) {
        start(dialect);
        write("first");

        RunSession.begin(shared, new Lease("u", "r2", "bob", lease.epoch()));
        RunSession.end(shared, new Lease("v", "r3", "bob", lease.epoch()));

        store.commit(lease, Commit.empty(), NOW);
        assertThat(memories.getMessages("t")).containsExactly(UserMessage.from("first"));
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void anotherDataSourceIsNotCovered(SqlDialect dialect) {
        start(dialect);
        JdbcChatMemoryStore elsewhere = JdbcChatMemoryStore.open(database.dataSource());

        assertThat(store.withMemory(lease, () -> elsewhere.getMessages("t"))).isFalse();
    }
}
