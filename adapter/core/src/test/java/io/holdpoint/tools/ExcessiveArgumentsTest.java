package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that are short to write down and endless to work with. */
@Logs("A call of the tool * was refused to the model because of its arguments")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExcessiveArgumentsTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final Holdpoint agent =
            Shape.STREAMING.builder(model).tools(new Tools()).build();

    /** A marked tool and another one for each kind of parameter. */
    public final class Tools {

        @Tool
        @RequiresApproval
        public String count(int n) {
            effects.add("count");
            return "counted";
        }

        @Tool
        public String countAtOnce(int n) {
            effects.add("countAtOnce");
            return "counted";
        }

        @Tool
        @RequiresApproval
        public String pay(BigDecimal n) {
            effects.add("pay");
            return "paid";
        }

        @Tool
        @RequiresApproval
        public String keep(Map<String, Object> n) {
            effects.add("keep");
            return "kept";
        }

        @Tool
        public String keepAtOnce(Map<String, Object> n) {
            effects.add("keepAtOnce");
            return "kept";
        }
    }

    private static String arguments(String value) {
        return "{\"n\":" + value + "}";
    }

    /** Objects in objects, as many as the levels. */
    private static String nested(int levels) {
        return "{\"n\":".repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
    }

    private void refusedToTheModel(String tool, String arguments) {
        model.calls(call("c1", tool, arguments)).says("Sorry.");

        RunResult result = agent.send("t", "Go");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(agent.pending("t")).isEmpty();
        assertThat(effects).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not executed");
    }

    private RunResult approveWith(String editedArgs) throws JsonProcessingException {
        String payload = "{\"approved\":true,\"editedArgs\":" + editedArgs + "}";
        return agent.resume(
                "t",
                ResumeEntry.resolved(
                        agent.pending("t").get(0).id(), AguiCodec.mapper().readTree(payload)));
    }

    private void refusedAndStillOpen(RunResult result) {
        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
        assertThat(agent.pending("t")).hasSize(1);
        assertThat(effects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "-1e999999999", "1e200000000", "1e-999999999", "1E+2147483647"})
    void aHugeExponentOfTheModelIsRefusedToItWithoutAsking(String number) {
        refusedToTheModel("count", arguments(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "-1e999999999", "1e200000000", "1e-999999999", "1E+2147483647"})
    void aHugeExponentForAToolThatNobodyIsAskedAboutIsRefused(String number) {
        refusedToTheModel("countAtOnce", arguments(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "1e-999999999"})
    void aHugeExponentForADecimalIsRefused(String number) {
        refusedToTheModel("pay", arguments(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"x\":1e999999999}", "{\"x\":[1,[1e999999999]]}"})
    void aHugeExponentInsideAValueIsRefused(String value) {
        refusedToTheModel("keep", arguments(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99999999999", "-0.1e-2147483648"})
    void anExponentThatNoNumberCanHaveIsRefused(String number) {
        refusedToTheModel("count", arguments(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "-1e999999999", "1e200000000", "1e-999999999"})
    void anEditWithAHugeExponentIsRefusedAndTheInterruptStaysOpen(String number) throws Exception {
        model.calls(call("c1", "count", arguments("1")));
        agent.send("t", "Go");

        refusedAndStillOpen(approveWith(arguments(number)));
    }

    @Test
    void anEditWithAHugeExponentInsideAValueIsRefusedAndTheInterruptStaysOpen() throws Exception {
        model.calls(call("c1", "keep", arguments("{\"x\":1}")));
        agent.send("t", "Go");

        refusedAndStillOpen(approveWith(arguments("{\"x\":[1e999999999]}")));
    }

    @Test
    void ordinaryExponentsAreWelcome() {
        model.calls(call("c1", "pay", arguments("1.5e10"))).says("Done.");
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(effects).containsExactly("pay");
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 999, 50_000})
    void argumentsNestedDeeperThanAHundredLevelsAreRefusedToTheModelWithoutAsking(int levels) {
        refusedToTheModel("keep", nested(levels));
    }

    @Test
    void deepArgumentsForAToolThatNobodyIsAskedAboutAreRefused() {
        refusedToTheModel("keepAtOnce", nested(101));
    }

    @Test
    void aHundredLevelsAreWelcome() {
        model.calls(call("c1", "keep", nested(100))).says("Done.");
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(effects).containsExactly("keep");
    }
}
