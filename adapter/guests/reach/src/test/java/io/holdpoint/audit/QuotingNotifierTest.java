package io.holdpoint.audit;

import static io.holdpoint.audit.QuotingApplicationTest.RECORD;
import static io.holdpoint.audit.QuotingApplicationTest.SECRET;
import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.reach.Reach;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TestLog;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A notifier is given arguments, and quotes them when it throws. Neither the log, nor its status, nor a table beside the record has them. */
class QuotingNotifierTest {

    /** Pays. */
    public static final class Tools {

        @Tool
        @RequiresApproval
        public String pay(String iban) {
            return "paid";
        }
    }

    @Test
    void neitherTheLogNorAStatusNorATableBesideTheRecordHasWhatANotifierQuotes() throws SQLException {
        ScriptedModel model = new ScriptedModel();
        VirtualClock clock = new VirtualClock();
        model.calls(call("c1", "pay", "{\"iban\":\"" + SECRET + "\"}"));
        try (TestDatabase database = TestDatabase.sqlite()) {
            Holdpoint agent = Holdpoint.builder(Bench.Assistant.class)
                    .streamingChatModel(model)
                    .tools(new Tools())
                    .clock(clock)
                    .argumentRedactor((tool, all) -> all.deepCopy().removeAll())
                    .store(JdbcStore.create(database.dataSource()))
                    .with(Reach.notifier("mail", QuotingApplicationTest::fail))
                    .build();
            agent.send("t", "Pay");
            agent.actOnTime();
            List<ReaderStatus> statuses = Reach.of(agent).notifiers();
            agent.close();

            assertThat(QuotingApplicationTest.printed(TestLog.release()))
                    .contains("The notifier \"mail\" failed on ASKED")
                    .doesNotContain(SECRET);
            assertThat(statuses).hasSize(1).allMatch(status -> status.failures() > 0);
            assertThat(statuses.toString()).doesNotContain(SECRET);
            assertThat(QuotingApplicationTest.tablesWith(SECRET, database)).isSubsetOf(RECORD);
        }
    }
}
