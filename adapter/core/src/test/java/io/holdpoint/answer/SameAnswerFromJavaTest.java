package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Java has many forms of one number, JSON has one: an answer that a database gives back is still the same answer. */
class SameAnswerFromJavaTest {

    private final TestDatabase database = TestDatabase.sqlite();
    private final Bench bench = new Bench();
    private final Holdpoint agent = bench.another(builder -> builder.store(JdbcStore.create(database.dataSource())));
    private PendingInterrupt asked;

    @BeforeEach
    void hold() {
        bench.model
                .calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"))
                .fails(new IllegalStateException("model down"))
                .says("Done.");
        agent.send("t", "Pay");
        asked = agent.pending("t").get(0);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void isRecognised(ResumeEntry answer) {
        assertThat(agent.resume("t", answer)).isInstanceOf(RunResult.Failed.class);
        assertThat(bench.tools.effects()).hasSize(1);

        assertThat(agent.resume("t", answer)).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).hasSize(1);
    }

    static Object[] amounts() {
        return new Object[] {1.5d, 2.5f, 100L, (short) 7, 3.0d};
    }

    @ParameterizedTest
    @MethodSource("amounts")
    @Logs("Run * on thread * failed")
    void whateverTheTypeOfANumber(Object amount) {
        isRecognised(asked.asApproval().approveWith(Map.of("amount", amount, "to", "Ada")));
    }

    @Test
    @Logs("Run * on thread * failed")
    void whateverElseATreeMayHold() {
        ObjectNode payload =
                ((ObjectNode) asked.asApproval().approve().payload().deepCopy());
        payload.putObject("editedArgs")
                .<ObjectNode>set("amount", JsonNodeFactory.instance.pojoNode(new BigDecimal("1.50")))
                .set("to", JsonNodeFactory.instance.binaryNode(new byte[] {1, 2, 3}));

        isRecognised(ResumeEntry.resolved(asked.id(), payload));
    }
}
