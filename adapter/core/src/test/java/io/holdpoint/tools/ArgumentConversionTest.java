package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** LangChain4j turns JSON into a method's arguments: what it makes of them is what the card showed. */
class ArgumentConversionTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<Object> received = new ArrayList<>();

    /** Tools whose arguments are converted. */
    public final class Converting {

        @Tool
        @RequiresApproval
        public String purge(
                String table, @P(name = "scope", value = "what to purge", defaultValue = "everything") String scope) {
            received.add(scope);
            return "purged";
        }

        @Tool
        @RequiresApproval
        public String limit(@P(name = "rows", value = "how many", defaultValue = "25") int rows) {
            received.add(rows);
            return "limited";
        }

        @Tool
        @RequiresApproval
        public String note(String text) {
            received.add(text);
            return "noted";
        }

        @Tool
        @RequiresApproval
        public String measure(Map<String, Object> values) {
            received.addAll(values.values());
            return "measured";
        }
    }

    private PendingInterrupt approved(Shape shape, String tool, String arguments) {
        model.calls(call("c1", tool, arguments)).says("Done.");
        Holdpoint agent = shape.builder(model).tools(new Converting()).build();
        agent.send("t", "Go");
        PendingInterrupt shown = agent.pending("t").get(0);
        assertThat(agent.resume("t", shown.asApproval().approve())).isInstanceOf(RunResult.Completed.class);
        return shown;
    }

    @ParameterizedTest
    @EnumSource
    void theDefaultOfAnAbsentArgumentIsOnTheCardAndRuns(Shape shape) {
        PendingInterrupt shown = approved(shape, "purge", "{\"table\":\"users\"}");

        assertThat(shown.interrupt().metadata().at("/langchain4j/args"))
                .hasToString("{\"scope\":\"everything\",\"table\":\"users\"}");
        assertThat(received).containsExactly("everything");
    }

    @ParameterizedTest
    @EnumSource
    void theDefaultOfANumberIsANumberOnTheCard(Shape shape) {
        PendingInterrupt shown = approved(shape, "limit", "{}");

        assertThat(shown.arguments()).hasToString("{\"rows\":25}");
        assertThat(received).containsExactly(25);
    }

    @ParameterizedTest
    @EnumSource
    void anArgumentThatIsThereIsNotReplacedByTheDefault(Shape shape) {
        PendingInterrupt shown = approved(shape, "purge", "{\"table\":\"users\",\"scope\":\"old\"}");

        assertThat(shown.arguments().get("scope").asText()).isEqualTo("old");
        assertThat(received).containsExactly("old");
    }

    @ParameterizedTest
    @EnumSource
    void aTextThatTheModelWroteAsANumberKeepsItsDigits(Shape shape) {
        approved(shape, "note", "{\"text\":100000000.00}");

        assertThat(received).containsExactly("100000000.00");
    }

    @ParameterizedTest
    @EnumSource
    void numbersInAMapStayNumbers(Shape shape) {
        approved(shape, "measure", "{\"values\":{\"x\":0.12345,\"y\":1.50}}");

        assertThat(received).hasSize(2).allSatisfy(value -> assertThat(value).isInstanceOf(Number.class));
    }
}
