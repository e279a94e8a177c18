package io.holdpoint.store.jdbc;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessageSerializer;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.JsonValues;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.TurnRecord;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arguments of a call are stored once, and everything that follows from them is read back as it was. */
@Logs("A call of the tool * was refused to the model because of its arguments")
class StoredBatchTest {

    private static final String BY_MODEL =
            "{ \"to\": \"Ad\u00e1\", \"amount\": 1.10, \"n\": {\"b\":1e5,\"a\":[{\"d\":1,\"c\":2}]} }";
    private static final String CANONICAL =
            "{\"amount\":1.10,\"n\":{\"a\":[{\"c\":2,\"d\":1}],\"b\":1E+5},\"to\":\"Ad\u00e1\"}";

    private final TestDatabase database = TestDatabase.sqlite();
    private final JdbcStore store = JdbcStore.create(database.dataSource());
    private final Bench bench = new Bench();

    @AfterEach
    void close() {
        database.close();
    }

    private Batch batch(String byModel, String proposed) {
        String json = ChatMessageSerializer.messageToJson(AiMessage.from(List.of(ToolExecutionRequest.builder()
                .id("c")
                .name("pay")
                .arguments(byModel)
                .build())));
        Call.Proposal proposal = new Call.Proposal(
                "pay",
                proposed,
                HexFormat.of().formatHex(JsonValues.sha256(proposed)),
                "tool",
                false,
                false,
                null,
                null);
        return Batch.of(
                        "b",
                        "t",
                        new TurnRecord("u", "{}", Set.of(), null),
                        new Batch.ModelMessage("m", json),
                        List.of(Call.pending("c", proposal, "result")))
                .claimed("c", new Call.Attempt("r", proposed, bench.clock.instant()));
    }

    private Batch stored(Batch claimed, String inTranscript) throws SQLException {
        Lease lease = store.acquire(
                        "t",
                        "r",
                        "ada",
                        bench.clock.instant(),
                        bench.clock.instant().plusSeconds(9))
                .orElseThrow();
        Batch first = Batch.of(
                "b",
                "t",
                claimed.turn(),
                claimed.message(),
                List.of(Call.pending("c", claimed.calls().get(0).proposal(), "result")));
        Message said = new Message.Assistant("m", null, List.of(new ToolCall("c", "pay", inTranscript)));
        store.commit(lease, Commit.of(first).with(claimed).append(List.of(said)), bench.clock.instant());
        return store.findBatch("t", Store.By.BATCH, "b").orElseThrow();
    }

    private String rows() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return new Sql(connection, SqlDialect.SQLITE, "", false)
                    .first("SELECT h.body || c.body FROM holdpoint_batch h, holdpoint_call c", row -> row.getString(1))
                    .orElseThrow();
        }
    }

    @Test
    void whatTheModelWroteStandsInTheTranscriptOnly() throws SQLException {
        Batch claimed = batch(BY_MODEL, CANONICAL);

        assertThat(stored(claimed, BY_MODEL)).isEqualTo(claimed);

        assertThat(rows()).doesNotContain("amount", "1.10").contains("\"arguments\":null");
    }

    @Test
    void aProposalThatIsNotWhatTheModelWroteIsWritten() throws SQLException {
        Batch claimed = batch(BY_MODEL, "{\"amount\":2}");

        assertThat(stored(claimed, BY_MODEL)).isEqualTo(claimed);

        assertThat(rows()).contains("{\\\"amount\\\":2}").doesNotContain("1.10");
    }

    @Test
    void aTranscriptThatSaysSomethingElseIsNoAuthority() throws SQLException {
        Batch claimed = batch(BY_MODEL, CANONICAL);

        assertThat(stored(claimed, "{\"amount\":9}")).isEqualTo(claimed);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {"no JSON|no JSON", "``|{}", "[1]|[1]", "{\"a\":1,\"a\":2}|{\"a\":1,\"a\":2}"})
    void argumentsThatAreNoObjectAreReadBackToo(String byModel, String proposed) throws SQLException {
        Batch claimed = batch(byModel, proposed);

        assertThat(stored(claimed, byModel)).isEqualTo(claimed);
    }

    /** Who changes what the model wrote in the one place where it stands has not changed what was approved. */
    @Test
    void argumentsThatWereChangedInTheDatabaseDoNotRun() {
        Holdpoint agent = bench.another(builder -> builder.store(store));
        bench.model
                .calls(call("c", "transferMoney", "{\"to\":\"Ada\",\"amount\":1}"))
                .says("Done.");
        agent.send("t", "Pay");
        PendingInterrupt asked = agent.pending("t").get(0);

        database.execute("UPDATE holdpoint_message SET body = REPLACE(body, 'Ada', 'Eve')");
        agent.resume("t", asked.asApproval().approve());

        assertThat(bench.tools.effects()).isEmpty();
    }

    /** As the gate refuses it to the model: the run must not fail where the call is stored. */
    @Test
    void aNumberOfNoSensibleSizeIsRefusedToTheModelAndItsCallStored() {
        Bench ours = new Bench(builder -> builder.store(store));
        ours.model
                .calls(call("c1", "sendEmail", "{\"to\":1e99999999999999999999}"), call("c2", "sendEmail", Bench.MAIL))
                .says("Done.");

        ours.say("Go");
        ours.resume(ours.pending(0).cancel());

        assertThat(ours.model.lastResult("c1")).contains("exponent");
    }
}
