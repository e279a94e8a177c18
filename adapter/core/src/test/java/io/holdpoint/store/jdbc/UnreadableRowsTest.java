package io.holdpoint.store.jdbc;

import static io.holdpoint.testing.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is in the database cannot be read any more: the thread moves on all the same. */
@Logs("* cannot be read and counts as absent")
class UnreadableRowsTest {

    /** A number that the writer of JSON writes, and its reader refuses. */
    private static final String UNREADABLE = "'{\"a\":1.0E+2147483648}'";

    private final TestDatabase database = TestDatabase.sqlite();
    private final Store store = JdbcStore.create(database.dataSource());
    private final Bench bench = new Bench();
    private final Holdpoint agent = bench.another(builder -> builder.store(store));
    private PendingInterrupt asked;

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
}
