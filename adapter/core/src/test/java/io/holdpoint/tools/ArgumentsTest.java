package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown is what runs, and what is not one JSON object is not even shown. */
@Logs("A call of the tool * was refused to the model because of its arguments")
class ArgumentsTest {

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools office = new OfficeTools();
    private final List<Object> received = new ArrayList<>();

    /** A payment, nested. */
    public record Payment(BigDecimal amount, Long account) {}

    /** Tools that must get every digit. */
    public final class Bank {

        @Tool
        @RequiresApproval
        public String pay(BigDecimal amount, long account) {
            received.add(amount);
            received.add(account);
            return "paid";
        }

        @Tool
        @RequiresApproval
        public String payNested(Payment payment) {
            received.add(payment.amount());
            received.add(payment.account());
            return "paid";
        }

        @Tool
        @RequiresApproval
        public String payAll(List<BigDecimal> amounts) {
            received.addAll(amounts);
            return "paid";
        }

        @Tool
        @RequiresApproval
        public String nothing() {
            received.add("nothing");
            return "done";
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"to\":",
                "{\"to\":\"a\"} {\"to\":\"b\"}",
                "{\"to\":\"a\"} x",
                "[\"a\"]",
                "\"a\"",
                "null",
                "42",
                "{\"to\":\"a\",\"to\":\"b\"}",
                "{\"to\":{\"x\":1,\"x\":2}}",
                "{to:\"a\"}",
                "{\"to\":NaN}",
                "{\"to\":\"a\",}",
                "/* */ {}",
            })
    void whatIsNotOneJsonObjectIsRefusedToTheModelWithoutAsking(String arguments) {
        model.calls(call("c1", "sendEmail", arguments)).says("Sorry.");
        Holdpoint agent = Shape.STREAMING.builder(model).tools(office).build();

        RunResult result = agent.send("t", "Go");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(office.effects()).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not executed", "not exactly one valid JSON object");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n", "{}", " {} "})
    void blankMeansNoArguments(String arguments) {
        model.calls(call("c1", "nothing", arguments)).says("Done.");
        Holdpoint agent = Shape.BLOCKING.builder(model).tools(new Bank()).build();
        agent.send("t", "Go");

        assertThat(agent.pending("t").get(0).arguments()).isEmpty();
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(received).containsExactly("nothing");
    }

    @Test
    void absentArgumentsAreNoArguments() {
        model.calls(call("c1", "nothing", null)).says("Done.");
        Holdpoint agent = Shape.STREAMING.builder(model).tools(new Bank()).build();
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(received).containsExactly("nothing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pay {\"amount\":12345678901234567.89,\"account\":9007199254740993}",
                "payNested {\"payment\":{\"amount\":12345678901234567.89,\"account\":9007199254740993}}",
            })
    void numbersReachTheToolWithAllTheirDigits(String proposal) {
        String[] parts = proposal.split(" ", 2);
        model.calls(call("c1", parts[0], parts[1])).says("Done.");
        Holdpoint agent = Shape.STREAMING.builder(model).tools(new Bank()).build();
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(received).containsExactly(new BigDecimal("12345678901234567.89"), 9007199254740993L);
    }

    @Test
    void numbersInListsReachTheToolWithAllTheirDigits() {
        model.calls(call("c1", "payAll", "{\"amounts\":[1.5,12345678901234567.89]}"))
                .says("Done.");
        Holdpoint agent = Shape.STREAMING.builder(model).tools(new Bank()).build();
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(received).containsExactly(new BigDecimal("1.5"), new BigDecimal("12345678901234567.89"));
    }

    @Test
    void editedNumbersReachTheToolWithAllTheirDigits() throws Exception {
        model.calls(call("c1", "pay", "{\"amount\":1,\"account\":2}")).says("Done.");
        Holdpoint agent = Shape.STREAMING.builder(model).tools(new Bank()).build();
        agent.send("t", "Go");
        String payload = "{\"approved\":true,\"editedArgs\":"
                + "{\"amount\":12345678901234567.89,\"account\":9007199254740993}}";
        String id = agent.pending("t").get(0).id();

        agent.resume("t", ResumeEntry.resolved(id, AguiCodec.mapper().readTree(payload)));

        assertThat(received).containsExactly(new BigDecimal("12345678901234567.89"), 9007199254740993L);
    }

    @Test
    void theCardShowsTheDigitsThatRun() {
        model.calls(call("c1", "pay", "{\"amount\":12345678901234567.890,\"account\":9007199254740993}"));
        Holdpoint agent = Shape.STREAMING.builder(model).tools(new Bank()).build();

        agent.send("t", "Go");

        PendingInterrupt pending = agent.pending("t").get(0);
        assertThat(pending.message()).contains("12345678901234567.890", "9007199254740993");
        assertThat(pending.arguments().get("amount").decimalValue()).isEqualByComparingTo("12345678901234567.89");
    }

    @Test
    void anEditMayUseDecimalsOfJava() {
        model.calls(call("c1", "pay", "{\"amount\":1,\"account\":2}")).says("Done.");
        Holdpoint agent = Shape.BLOCKING.builder(model).tools(new Bank()).build();
        agent.send("t", "Go");

        agent.resume(
                "t",
                agent.pending("t")
                        .get(0)
                        .asApproval()
                        .approveWith(Map.of("amount", new BigDecimal("12345678901234567.89"), "account", 3L)));

        assertThat(received).containsExactly(new BigDecimal("12345678901234567.89"), 3L);
    }
}
