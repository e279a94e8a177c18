package io.holdpoint.store.jdbc;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.SnapshotSettings;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.client.Transcript;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How much a database is asked to do for a held call and its resume, chat memory included. */
class DatabaseWorkTest {

    private static final int STATEMENTS = 28;
    /** On PostgreSQL, where the statements of a transaction go together with its commit. */
    private static final int ROUND_TRIPS = 7;

    private static final int VOICE = 15;
    private static final int TRANSACTIONS = 7;
    private static final int CONNECTIONS = 7;
    private static final int BATCH = 100;
    private static final int MAIL = 4_500;
    /** What the records have besides, in characters: the labels of the arguments among them, and twice the hash of the decision (152). */
    private static final int OTHERS = 4_500;
    /** What stays of that when the batch is purged. */
    private static final int OTHERS_LATER = 2_100;

    private static final int SHORT = 10;
    private static final int LONG = 5_000;

    private final Bench bench = new Bench();
    private TestDatabase database;
    private CountingDataSource work;
    private JdbcStore store;
    private JdbcChatMemoryStore memories;
    private Holdpoint agent;

    private void start(SqlDialect dialect) {
        database = dialect == SqlDialect.SQLITE ? TestDatabase.sqlite() : TestDatabase.postgres();
        work = new CountingDataSource(database.dataSource());
        DataSource shared = work.dataSource();
        store = JdbcStore.create(shared);
        memories = JdbcChatMemoryStore.open(shared);
        agent = agent(builder -> builder);
    }

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(
                builder -> custom.apply(builder.store(store).chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(3 * BATCH)
                        .chatMemoryStore(memories)
                        .build())));
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Holds and approves a batch of calls, and counts. */
    private void holdAndResume(String threadId, int calls) {
        bench.model
                .calls(IntStream.range(0, calls)
                        .mapToObj(i -> call(threadId + i, "transferMoney", "{\"amount\":" + i + ",\"to\":\"Ada\"}"))
                        .toArray(ToolExecutionRequest[]::new))
                .says("Done.");
        work.reset();
        agent.send(threadId, "Pay");
        List<PendingInterrupt> asked = agent.pending(threadId);
        assertThat(asked).hasSize(calls);
        work.connections--; // pending() is a look of the test's own
        work.statements.remove(work.statements.size() - 1);
        work.roundTrips--;
        ResumeEntry[] answers =
                asked.stream().map(each -> each.asApproval().approve()).toArray(ResumeEntry[]::new);
        assertThat(agent.resume(threadId, answers)).isInstanceOf(RunResult.Completed.class);
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aHoldWithItsResumeTakesNoMoreThanThis(SqlDialect dialect) {
        start(dialect);
        holdAndResume("warm", 1);

        holdAndResume("t", 1);

        assertThat(work.statements).as(work.toString()).hasSizeLessThanOrEqualTo(STATEMENTS);
        if (dialect == SqlDialect.POSTGRESQL) {
            assertThat(work.roundTrips).as(work.toString()).isLessThanOrEqualTo(ROUND_TRIPS);
        }
        assertThat(work.transactions).as(work.toString()).isLessThanOrEqualTo(TRANSACTIONS);
        assertThat(work.connections).as(work.toString()).isLessThanOrEqualTo(CONNECTIONS);
    }

    /** Steps of time and the people who are needed are in the records that are written anyway; only a voice is one more answer. */
    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aTimelineAndTwoPeopleCostTheirVoiceOnly(SqlDialect dialect) {
        start(dialect);
        holdAndResume("warm", 1);
        agent = agent(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("treasury")));
        List<Integer> plain = statementsOf("plain", "grace");
        agent = agent(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
                .toolPolicies(ToolPolicy.named("transferMoney")
                        .approvals(Approvals.of(2))
                        .timeline(Timeline.expiresAfter(Duration.ofDays(2))
                                .remind(Duration.ofHours(4))
                                .escalate(Duration.ofDays(1), Audience.role("manager")))));
        statementsOf("warm2", "grace", "heidi");

        List<Integer> several = statementsOf("several", "grace", "heidi");

        assertThat(several).hasSize(3).first().isEqualTo(plain.get(0));
        assertThat(several.get(1)).isLessThanOrEqualTo(VOICE);
        assertThat(several.get(2)).isEqualTo(plain.get(1));
    }

    /** The statements of a hold, and of each answer to it. */
    private List<Integer> statementsOf(String threadId, String... people) {
        bench.model
                .calls(call(threadId, "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"))
                .says("Done.");
        List<Integer> counted = new ArrayList<>();
        work.reset();
        RunResult result = agent.as(Caller.of("ada")).send(threadId, "Pay");
        counted.add(work.statements.size());
        for (String person : people) {
            work.reset();
            ResumeEntry approval = result.approvals().get(0).approve();
            result = agent.as(Caller.of(person, "treasury")).resume(threadId, approval);
            counted.add(work.statements.size());
        }
        assertThat(result).isInstanceOf(RunResult.Completed.class);
        return counted;
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aBatchCostsAtMostAsMuchAsItsCallsOneByOne(SqlDialect dialect) {
        start(dialect);
        holdAndResume("one", 1);
        int statements = work.statements.size();
        int transactions = work.transactions;
        long characters = work.characters;

        holdAndResume("many", BATCH);

        assertThat(work.statements).hasSizeLessThanOrEqualTo(BATCH * statements);
        assertThat(work.transactions).isLessThanOrEqualTo(BATCH * transactions);
        assertThat(work.characters).isLessThanOrEqualTo(BATCH * characters);
    }

    /** The mail is in the transcript, in the memory and in the trail. What is asked and runs is read from the transcript. */
    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aLongMailIsStoredNoMoreOftenThanThis(SqlDialect dialect) throws SQLException {
        start(dialect);
        String mail = "m".repeat(MAIL);
        bench.model
                .calls(call("c", "sendEmail", "{\"to\":\"ada\",\"subject\":\"Hi\",\"body\":\"" + mail + "\"}"))
                .says("Done.");
        agent.send("t", "Write");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(stored()).isLessThan(3 * MAIL + OTHERS);
        store.purge(Store.Old.BATCH, bench.clock.instant().plusSeconds(1), 9);
        assertThat(stored()).isLessThan(3 * MAIL + OTHERS_LATER);
    }

    /** The characters of all texts that may quote arguments. */
    private long stored() throws SQLException {
        long stored = 0;
        try (Connection connection = database.dataSource().getConnection()) {
            Sql sql = new Sql(connection, SqlDialect.of(connection), "", false);
            for (String text : List.of(
                    "turn FROM holdpoint_thread",
                    "state FROM holdpoint_thread",
                    "body FROM holdpoint_batch",
                    "body FROM holdpoint_call",
                    "value FROM holdpoint_fact WHERE kind = 'GRANT'",
                    "body FROM holdpoint_message",
                    "detail FROM holdpoint_audit",
                    "body FROM holdpoint_chat_message")) {
                String column = text.substring(0, text.indexOf(' '));
                stored += sql.first(
                                "SELECT COALESCE(SUM(LENGTH(" + column + ")), 0)" + text.substring(column.length()),
                                row -> row.getLong(1))
                        .orElseThrow();
            }
        }
        return stored;
    }

    /**
     * Of a thread of any length only its end is read, except for a snapshot, which has all of it: a client that has the thread
     * gets none if snapshots are bounded.
     */
    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aRunReadsAsMuchOfALongThreadAsOfAShortOne(SqlDialect dialect) {
        start(dialect);
        holdAndResume("warm", 1);
        for (SnapshotSettings snapshots : List.of(SnapshotSettings.DEFAULT, SnapshotSettings.DEFAULT.bounded())) {
            agent = agent(builder -> builder.client(client -> client.snapshots(snapshots)));
            rowsOfARun(snapshots + "warm", SHORT);
            long few = rowsOfARun(snapshots + "short", SHORT);
            int statements = work.statements.size();

            long many = rowsOfARun(snapshots + "long", LONG);

            assertThat(work.statements).as(work.toString()).hasSizeLessThanOrEqualTo(statements);
            long wholeThread = snapshots.isBounded() ? 0 : 2 * (LONG - SHORT); // once in the hold, once in the resume
            assertThat(many).as(work.toString()).isLessThanOrEqualTo(few + wholeThread);
        }
    }

    /** A hold with its resume on a thread that has been going on, whose client sends everything that it has. */
    private long rowsOfARun(String threadId, int length) {
        Instant now = bench.clock.instant();
        List<Message> copy = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            copy.add(i % 2 == 0 ? Bench.user("u" + i, "?") : new Message.Assistant("a" + i, "!", List.of()));
        }
        Lease lease = store.acquire(threadId, "r0", "anonymous", now, now.plusSeconds(1))
                .orElseThrow();
        store.commit(lease, Commit.empty().append(copy), now);
        store.release(lease);
        memories.updateMessages(threadId, List.of(UserMessage.from("?"), AiMessage.from("!"))); // as much of either
        bench.model
                .calls(call(threadId, "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"))
                .says("Done.");
        copy.add(Bench.user("new", "Pay"));
        work.reset();
        Transcript client = new Transcript();
        copy.forEach(client::add);

        RunResult held = agent.run(RunAgentInput.of(threadId, "r1", copy), client::accept)
                .join();
        RunAgentInput answer = RunAgentInput.of(threadId, "r2", client.messages())
                .withResume(List.of(((RunResult.Interrupted) held)
                        .interrupts()
                        .get(0)
                        .asApproval()
                        .approve()));
        assertThat(agent.run(answer, client::accept).join()).isInstanceOf(RunResult.Completed.class);

        assertThat(client.messages()).hasSize(length + 4);
        return work.rows;
    }
}
