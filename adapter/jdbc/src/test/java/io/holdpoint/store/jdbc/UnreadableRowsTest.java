package io.holdpoint.store.jdbc;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadHead;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import io.holdpoint.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in the database cannot be read any more: the thread moves on all the same. */
@Logs({
    "* cannot be read and counts as absent",
    "Of thread * was removed unread*",
    "Run * on thread * failed",
    "Lease* could not be given back",
    "The chat memory of thread * cannot be read and is cleared"
})
@ParameterizedClass
@MethodSource("kinds")
class UnreadableRowsTest {

    /** The databases, and how their drivers say that a page is damaged. */
    enum Kind {
        SQLITE(TestDatabase::sqlite, "database disk image is malformed", null, 11),
        POSTGRESQL(TestDatabase::postgres, "missing chunk number 0 for toast value 16402", "XX001", 0);

        private final Supplier<TestDatabase> databases;
        private final String message;
        private final @Nullable String state;
        private final int code;

        Kind(Supplier<TestDatabase> databases, String message, @Nullable String state, int code) {
            this.databases = databases;
            this.message = message;
            this.state = state;
            this.code = code;
        }

        SQLException damage() {
            return new SQLException(message, state, code);
        }
    }

    static List<Kind> kinds() {
        return List.of(Kind.values()).subList(0, Dialects.tried().size());
    }

    /** A number that the writer of JSON writes, and its reader refuses. */
    private static final String UNREADABLE = "'{\"a\":1.0E+2147483648}'";

    private final Kind kind;
    private final TestDatabase database;
    private final Store store;
    private final Bench bench = new Bench();
    private final Holdpoint agent;
    private PendingInterrupt asked;

    UnreadableRowsTest(Kind kind) {
        this.kind = kind;
        this.database = kind.databases.get();
        this.store = JdbcStore.create(database.dataSource());
        this.agent = bench.another(builder -> builder.store(store));
    }

    @BeforeEach
    void hold() {
        bench.model.calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"));
        agent.send(Bench.THREAD, "Pay");
        asked = agent.pending(Bench.THREAD).get(0);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void goesOnWithAnApproval() {
        bench.model.says("Done.");

        assertThat(agent.resume(Bench.THREAD, asked.asApproval().approve())).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).containsExactly("transferMoney 1|Ada");
    }

    @Test
    void aStateCountsAsAbsent() {
        database.execute("UPDATE holdpoint_thread SET state = " + UNREADABLE);

        assertThat(store.find(Bench.THREAD).orElseThrow().state()).isEmpty();
        goesOnWithAnApproval();
    }

    @Test
    void aMessageIsLeftOutOfTheTranscript() {
        int messages = store.transcript(Bench.THREAD).size();
        database.execute("UPDATE holdpoint_message SET body = " + UNREADABLE
                + " WHERE position = (SELECT MIN(position) FROM holdpoint_message)");

        assertThat(store.transcript(Bench.THREAD)).hasSize(messages - 1);
        goesOnWithAnApproval();
    }

    @Test
    void aTurnOfABatchIsNotMissed() {
        database.execute("UPDATE holdpoint_thread SET turn = " + UNREADABLE);

        goesOnWithAnApproval();
    }

    @Test
    void aBatchIsNotExecuted() {
        database.execute("UPDATE holdpoint_batch SET body = " + UNREADABLE);

        assertThat(agent.pending(Bench.THREAD)).isEmpty();
        assertThat(agent.resume(Bench.THREAD, asked.asApproval().approve()))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.INTERRUPT_ALREADY_RESOLVED));
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void aBatchCanBeLetGoOfWithoutItsTurnRunningAgain() {
        database.execute("UPDATE holdpoint_batch SET body = " + UNREADABLE);

        assertThat(agent.resume(Bench.THREAD, asked.cancel())).isInstanceOf(RunResult.Completed.class);
        assertThat(agent.resume(Bench.THREAD)).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.model.requests()).hasSize(1);
    }

    @Test
    void aNewMessageIsHeardAndMayBeHeldAgain() {
        database.execute("UPDATE holdpoint_batch SET body = " + UNREADABLE);
        bench.model
                .calls(call("c2", "transferMoney", "{\"amount\":2,\"to\":\"Bob\"}"))
                .says("Done.");

        agent.send(Bench.THREAD, "Pay Bob");
        asked = agent.pending(Bench.THREAD).get(0);

        assertThat(agent.resume(Bench.THREAD, asked.asApproval().approve())).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Bob");
        assertThat(bench.memory())
                .extracting(ChatMessage::type)
                .endsWith(
                        ChatMessageType.USER,
                        ChatMessageType.AI,
                        ChatMessageType.TOOL_EXECUTION_RESULT,
                        ChatMessageType.AI);
    }

    private void damageBatch() {
        database.execute("UPDATE holdpoint_batch SET body = " + UNREADABLE);
    }

    private void takesANewMessage() {
        bench.model.says("Hello.");

        assertThat(agent.send(Bench.THREAD, "Hi")).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(store.check()).isEmpty();
    }

    private List<AuditEvent> discarded() {
        return agent.auditTrail(Bench.THREAD, 0, 100).stream()
                .filter(event -> event.kind() == AuditEvent.Kind.DISCARDED)
                .toList();
    }

    private List<String> lost() {
        return discarded().stream()
                .map(event -> String.join(
                        " ",
                        event.toolCallId().orElse(""),
                        event.toolName().orElse(""),
                        event.detail().path("mayHaveRun").asText()))
                .toList();
    }

    @Test
    void cancellingRemovesABatchUnread() {
        damageBatch();
        assertThat(store.check()).hasSize(1);

        assertThat(agent.cancel(Bench.THREAD)).isTrue();

        assertThat(agent.cancel(Bench.THREAD)).isFalse();
        assertThat(discarded()).singleElement().satisfies(event -> assertThat(event.toolCallId())
                .contains("c1"));
        takesANewMessage();
    }

    /** A record that is no JSON of ours, and rows that are gone. */
    static List<String> damages() {
        return List.of(
                "UPDATE holdpoint_batch SET body = " + UNREADABLE,
                "UPDATE holdpoint_batch SET body = ''",
                "UPDATE holdpoint_call SET body = " + UNREADABLE,
                "DELETE FROM holdpoint_call",
                "DELETE FROM holdpoint_batch",
                "UPDATE holdpoint_thread SET batch_id = 'nowhere'");
    }

    @ParameterizedTest
    @MethodSource("damages")
    void cancellingFreesTheThreadWhateverTheDamage(String damage) {
        database.execute(damage);

        assertThat(agent.pending(Bench.THREAD)).isEmpty();
        assertThat(agent.cancel(Bench.THREAD)).isTrue();
        assertThat(lost()).containsExactly("c1 transferMoney false");
        takesANewMessage();
    }

    /** What else a thread has may be damaged at the same time: the new message is heard without it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "holdpoint_thread SET state",
                "holdpoint_thread SET turn",
                "holdpoint_message SET body",
                "holdpoint_audit SET detail"
            })
    void cancellingIsNotStoppedByOtherDamage(String column) {
        damageBatch();
        database.execute("UPDATE " + column + " = " + UNREADABLE);

        assertThat(agent.cancel(Bench.THREAD)).isTrue();

        assertThat(discarded()).hasSize(1);
        bench.model.says("Hello.");
        assertThat(agent.send(Bench.THREAD, "Hi")).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {UNREADABLE, "'no JSON\n99999999999999999999 {}'"})
    void cancellingClearsAChatMemoryThatCannotBeRead(String body) {
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(database.dataSource());
        Holdpoint persistent =
                bench.another(builder -> builder.store(store).chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(10)
                        .chatMemoryStore(memories)
                        .build()));
        bench.model.calls(call("c2", "transferMoney", "{\"amount\":2,\"to\":\"Bob\"}"));
        persistent.send("other", "Pay Bob");
        database.execute("UPDATE holdpoint_chat_message SET body = " + body + " WHERE position > 0");

        String owner = store.head("other").orElseThrow().owner();
        store.release(store.acquireOwn("other", "r", owner, Instant.EPOCH, Instant.EPOCH)
                .orElseThrow()
                .lease());
        assertThat(persistent.cancel("other")).isTrue();
        bench.model.says("Hello.");
        assertThat(persistent.send("other", "Hi")).isInstanceOf(RunResult.Completed.class);
        assertThat(store.check()).isEmpty();
    }

    /** The database itself cannot read one of the columns. */
    @ParameterizedTest
    @ValueSource(strings = {"h.body", "t.state", "t.turn"})
    void cancellingReadsNoRecordThatCannotBeRead(String column) {
        Store damaged = JdbcStore.open(
                ConnectionSource.of(() -> without(column, database.dataSource().getConnection())));
        Holdpoint operator = bench.another(builder -> builder.store(damaged));

        assertThat(operator.cancel(Bench.THREAD)).isTrue();

        boolean isBatchRead = column.equals("t.state"); // then its calls are cancelled
        assertThat(lost()).isEqualTo(isBatchRead ? List.of() : List.of("c1 transferMoney false"));
        assertThat(operator.cancel(Bench.THREAD)).isFalse();
        takesANewMessage();
    }

    /** The lease is stored when the thread is read, so it is given back. */
    @Test
    void aRunThatCannotReadItsThreadDoesNotKeepIt() {
        database.execute("UPDATE holdpoint_call SET body = body || ',null'"); // a call that no reader expects
        Instant now = bench.clock.instant();
        String owner = store.head(Bench.THREAD).orElseThrow().owner();

        assertThatThrownBy(() -> store.acquireOwn(Bench.THREAD, "r", owner, now, now.plusSeconds(30)))
                .isInstanceOf(RuntimeException.class);

        assertThat(store.active(Bench.THREAD, now)).isEmpty();
        assertThat(agent.cancel(Bench.THREAD)).isTrue();
        takesANewMessage();
    }

    @Test
    void onlyWhoMayAccessTheThreadCancels() {
        damageBatch();

        assertThat(agent.as(Caller.of("mallory")).cancel(Bench.THREAD)).isFalse();
        assertThat(store.head(Bench.THREAD).flatMap(ThreadHead::batchId)).isPresent();
    }

    /** The database itself cannot read the record. */
    @Test
    void aRecordOnADamagedPageIsRemovedUnread() {
        Store damaged = JdbcStore.open(ConnectionSource.of(
                () -> without("h.body", database.dataSource().getConnection())));
        Holdpoint operator = bench.another(builder -> builder.store(damaged));
        assertThatThrownBy(() -> operator.pending(Bench.THREAD)).isInstanceOf(StoreException.class);

        assertThat(operator.cancel(Bench.THREAD)).isTrue();

        assertThat(discarded()).hasSize(1);
        takesANewMessage();
    }

    /** The database itself cannot read the shared state. */
    @Test
    void aStateOnADamagedPageCountsAsAbsentToo() {
        database.execute("UPDATE holdpoint_thread SET state = '{\"a\":1}'");
        Store damaged = JdbcStore.open(ConnectionSource.of(
                () -> without("t.state", database.dataSource().getConnection())));
        Holdpoint operator = bench.another(builder -> builder.store(damaged));

        assertThat(operator.pending(Bench.THREAD)).hasSize(1);
        assertThat(operator.cancel(Bench.THREAD)).isTrue();
        assertThat(discarded()).isEmpty();
        bench.model.says("Hello.");
        assertThat(operator.send(Bench.THREAD, "Hi")).isInstanceOf(RunResult.Completed.class);
    }

    /** A failure that says nothing of damage is none: the state would be lost for it. */
    @Test
    void aStateThatCannotBeReachedIsNotAbsent() {
        Store unreachable = JdbcStore.open(ConnectionSource.of(() -> {
            Connection real = database.dataSource().getConnection();
            return failing(real, "t.state", new SQLException("connection reset", "08006"));
        }));

        assertThatThrownBy(() -> unreachable.find(Bench.THREAD)).isInstanceOf(StoreException.class);
    }

    private Connection without(String column, Connection real) {
        return failing(real, column, kind.damage());
    }

    private static Connection failing(Connection real, String column, SQLException failure) {
        return (Connection) Proxy.newProxyInstance(
                UnreadableRowsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            && String.valueOf(arguments[0]).startsWith("SELECT")
                            && String.valueOf(arguments[0]).contains(column)) {
                        throw failure;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void anEventOfALaterVersionIsLeftOutOfTheTrail() {
        database.execute("UPDATE holdpoint_audit SET kind = 'FORETOLD' WHERE kind = 'HELD'");

        assertThat(agent.auditTrail(Bench.THREAD, 0, 100))
                .extracting(AuditEvent::kind)
                .containsExactly(AuditEvent.Kind.PROPOSED);
        goesOnWithAnApproval();
        assertThat(store.check()).singleElement().asString().contains("FORETOLD");
    }

    /** Everything of a call that a later version may say in words of its own. */
    private void foretold(String what) {
        database.execute(
                switch (what) {
                    case "batch" -> "UPDATE holdpoint_batch SET state = 'FORETOLD'";
                    case "call" -> foretold("state", "DECIDED", "FORETOLD");
                    case "answer" -> foretold("how", "RESOLVED", "FORETOLD");
                    default -> foretold("how", "RESOLVED", "0");
                });
    }

    private static String foretold(String field, String before, String after) {
        String json = "'\"" + field + "\":\"";
        return "UPDATE holdpoint_call SET body = REPLACE(body, " + json + before + "\"', " + json + after + "\"')";
    }

    @ParameterizedTest
    @ValueSource(strings = {"batch", "call", "answer", "number"})
    @Logs("Run * on thread * failed")
    void anApprovalInWordsOfALaterVersionRunsNothingAndTheThreadGoesOn(String what) {
        bench.another(builder -> builder.store(store).streamingChatModel(run -> {
                    throw new IllegalStateException("the answer is stored, and nothing after it");
                }))
                .resume(Bench.THREAD, asked.asApproval().approve());
        foretold(what);

        assertThat(agent.resume(Bench.THREAD)).isInstanceOf(RunResult.Completed.class);

        assertThat(store.find(Bench.THREAD).orElseThrow().batch()).isEmpty();
        takesANewMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"approve", "deny", "cancel", "cancel all"})
    void anOpenBatchOfALaterVersionIsShownAndRunsNothing(String how) {
        foretold("batch");
        assertThat(agent.resume(Bench.THREAD).interrupts()).containsExactly(asked);

        switch (how) {
            case "approve" -> agent.resume(Bench.THREAD, asked.asApproval().approve());
            case "deny" -> agent.resume(Bench.THREAD, asked.asApproval().deny());
            case "cancel" -> agent.resume(Bench.THREAD, asked.cancel());
            default -> assertThat(agent.cancel(Bench.THREAD)).isTrue();
        }

        takesANewMessage();
        assertThat(store.find(Bench.THREAD).orElseThrow().batch()).isEmpty();
    }

    /** One who reads on takes an empty page for the end, and a short one too. */
    @ParameterizedTest
    @ValueSource(strings = {"kind = 'FORETOLD'", "detail = " + UNREADABLE})
    @Logs("An audit event of thread * is of a kind that is not known here*")
    void whatCannotBeReadEndsNoPageOfTheFeed(String change) {
        goesOnWithAnApproval();
        List<Long> all = positions(store.feed(0, 100));
        makeUnreadable(change, 0, 1, 3);

        assertThat(positions(store.feed(0, 1))).containsExactly(all.get(2));
        assertThat(positions(store.feed(0, 1, false))).containsExactly(all.get(2));
        assertThat(positions(store.feed(0, 2))).containsExactly(all.get(2), all.get(4));
        assertThat(positions(store.feed(0, 100))).hasSize(all.size() - 3);
    }

    private static List<Long> positions(List<Store.Fed> feed) {
        return feed.stream().map(Store.Fed::position).toList();
    }

    /** A pager goes on by what it got, and ends at a page that is not full. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void anEventOfALaterVersionIsNotCountedWhileATrailIsPaged(int limit) {
        goesOnWithAnApproval();
        List<AuditEvent> all = store.auditTrail(Bench.THREAD, 0, 100);
        makeUnreadable("kind = 'FORETOLD'", 1, 2, 4); // the first one is of the agent

        List<AuditEvent> read = new ArrayList<>();
        List<AuditEvent> page;
        do {
            page = store.auditTrail(Bench.THREAD, read.size(), limit);
            read.addAll(page);
        } while (page.size() == limit);

        assertThat(read).hasSize(all.size() - 3).doesNotHaveDuplicates().isSubsetOf(all);
    }

    @Test
    void aDamagedEventEndsNoPageOfATrail() {
        goesOnWithAnApproval();
        List<AuditEvent> all = store.auditTrail(Bench.THREAD, 0, 100);
        makeUnreadable("detail = " + UNREADABLE, 1, 2, 4);

        assertThat(store.auditTrail(Bench.THREAD, 0, 1)).containsExactly(all.get(2));
        assertThat(store.auditTrail(Bench.THREAD, 0, 2)).containsExactly(all.get(2), all.get(4));
        assertThat(store.auditTrail(Bench.THREAD, 3, 1)).containsExactly(all.get(4));
        assertThat(store.auditTrail(Bench.THREAD, 0, 100)).hasSize(all.size() - 3);
    }

    private void makeUnreadable(String change, int... events) {
        List<Long> all = positions(store.feed(0, 100));
        for (int event : events) {
            database.execute("UPDATE holdpoint_audit SET " + change + " WHERE id = " + all.get(event));
        }
    }

    @Test
    void aDamagedEventIsLeftOutOfTheTrail() {
        agent.resume(Bench.THREAD); // notes that the question was presented
        database.execute("UPDATE holdpoint_audit SET detail = " + UNREADABLE);

        assertThat(agent.auditTrail(Bench.THREAD, 0, 100)).isEmpty();
        assertThat(agent.resume(Bench.THREAD)).isInstanceOf(RunResult.Interrupted.class);
        goesOnWithAnApproval();
    }

    /** A process died in a tool, and then its record was damaged. */
    @Test
    void cancellingSaysWhatMayHaveRun() {
        MortalStore mortal = new MortalStore(store);
        mortal.dieAfter(1); // the answer with the claim
        bench.another(builder -> builder.store(mortal))
                .resume(Bench.THREAD, asked.asApproval().approve());
        bench.clock.advance(Duration.ofMinutes(1));
        damageBatch();

        assertThat(agent.cancel(Bench.THREAD)).isTrue();
        assertThat(lost()).containsExactly("c1 transferMoney true");
    }
}
