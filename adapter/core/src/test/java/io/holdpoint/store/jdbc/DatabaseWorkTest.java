package io.holdpoint.store.jdbc;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much a database is asked to do for a held call and its resume, chat memory included. */
class DatabaseWorkTest {

    private static final int STATEMENTS = 30;
    private static final int TRANSACTIONS = 8;
    private static final int CONNECTIONS = 10;
    private static final int BATCH = 100;

    private final Bench bench = new Bench();
    private TestDatabase database;
    private CountingDataSource work;
    private Holdpoint agent;

    private void start(SqlDialect dialect) {
        database = dialect == SqlDialect.SQLITE ? TestDatabase.sqlite() : TestDatabase.postgres();
        work = new CountingDataSource(database.dataSource());
        DataSource shared = work.dataSource();
        JdbcStore store = JdbcStore.create(shared);
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.open(shared);
        agent = bench.another(builder -> builder.store(store).chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                .id(id)
                .maxMessages(3 * BATCH)
                .chatMemoryStore(memories)
                .build()));
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
        ResumeEntry[] answers =
                asked.stream().map(each -> each.asApproval().approve()).toArray(ResumeEntry[]::new);
        assertThat(agent.resume(threadId, answers)).isInstanceOf(RunResult.Completed.class);
    }

    @ParameterizedTest
    @EnumSource
    void aHoldWithItsResumeTakesNoMoreThanThis(SqlDialect dialect) {
        start(dialect);
        holdAndResume("warm", 1);

        holdAndResume("t", 1);

        assertThat(work.statements).as(work.toString()).hasSizeLessThanOrEqualTo(STATEMENTS);
        assertThat(work.transactions).as(work.toString()).isLessThanOrEqualTo(TRANSACTIONS);
        assertThat(work.connections).as(work.toString()).isLessThanOrEqualTo(CONNECTIONS);
    }

    @ParameterizedTest
    @EnumSource
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
}
