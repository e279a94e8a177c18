package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A part of an argument has a name everywhere that an argument has one. */
class PartsOfArgumentsTest {

    private static final String PAY =
            "{\"p\":{\"amount\":7,\"to\":{\"name\":\"Bob\\n'x'\"},\"lines\":[{\"item\":\"pen\"}]},\"urgent\":true}";

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> ran = new ArrayList<>();

    record Payee(String name) {}

    record Line(String item) {}

    record Payment(int amount, Payee to, List<Line> lines) {}

    record Box<T>(T content) {}

    private Holdpoint agent(Object tools, ToolPolicy... policies) {
        return Holdpoint.builder(Shape.Blocking.class)
                .chatModel(model)
                .tools(tools)
                .toolPolicies(policies)
                .build();
    }

    private final class Bank {

        @Tool
        @RequiresApproval(message = "Pay {{p.amount}} to {{p.to.name}} for {{p.lines.0.item}} and {{p.lines.1.item}}?")
        String pay(Payment p, boolean urgent) {
            ran.add(p + " " + urgent);
            return "paid";
        }
    }

    private final class Plain {

        @Tool
        @RequiresApproval
        String pay(boolean urgent, int amount) {
            ran.add(amount + " " + urgent);
            return "paid";
        }
    }

    @Test
    void aMessageNamesParts() {
        model.calls(call("c", "pay", PAY));

        RunResult held = agent(new Bank()).send("t", "Go");

        assertThat(held.approval().message()).isEqualTo("Pay 7 to \"Bob\\u000a'x'\" for \"pen\" and (none)?");
    }

    @ParameterizedTest
    @CsvSource({"p.amount, 3", "p.to.name, Ada", "p.lines.0.item, ink"})
    void anEditNamesAPart(String path, String value) {
        model.calls(call("c", "pay", PAY)).says("Done.");
        Holdpoint agent = agent(new Bank());
        RunResult held = agent.send("t", "Go");

        RunResult done = agent.resume(
                "t", held.approval().edit(path, path.endsWith("amount") ? (Object) Integer.valueOf(value) : value));

        assertThat(done.failure()).isEmpty();
        assertThat(ran).hasSize(1);
        assertThat(ran.get(0)).contains(value);
    }

    @Test
    void anEditOfAPartThatDoesNotFitIsRefusedByItsPath() {
        model.calls(call("c", "pay", PAY)).says("Done.");
        Holdpoint agent = agent(new Bank());
        RunResult held = agent.send("t", "Go");

        assertThat(agent.resume("t", held.approval().edit("p.amount", "much"))
                        .failure()
                        .orElseThrow()
                        .message())
                .contains("/p/amount");
        assertThat(agent.resume("t", held.approval().edit("p.sum", 3))
                        .failure()
                        .orElseThrow()
                        .message())
                .contains("sum");
        assertThat(ran).isEmpty();
    }

    @Test
    void aConditionReadsAPart() {
        model.calls(call("c", "pay", PAY)).says("Done.");

        RunResult denied = agent(
                        new Bank(),
                        ToolPolicy.named("pay")
                                .when(call ->
                                        call.argument("p.amount", Integer.class).orElseThrow() > 5
                                                        && call.argument("p.lines.0.item", String.class)
                                                                .orElseThrow()
                                                                .equals("pen")
                                                        && call.argument("p.lines.7.item", String.class)
                                                                .isEmpty()
                                                ? ApprovalVerdict.deny("too much")
                                                : ApprovalVerdict.allow()))
                .send("t", "Go");

        assertThat(denied.interrupts()).isEmpty();
        assertThat(model.lastResult("c")).contains("too much");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p.sum", "q.amount", "p.lines.item", "urgent.x", "p.to.name.first"})
    void aPartThatIsNoneIsRefusedAtBuild(String path) {
        assertThatThrownBy(() -> agent(new Bank(), ToolPolicy.named("pay").message("Pay {{" + path + "}}?")))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("{{" + path + "}}");
    }

    /** A name with a dot in it is a name. */
    @Test
    void aToolOfAProviderMayHaveNamesWithDots() {
        ToolSpecification tool = ToolSpecification.builder()
                .name("set")
                .parameters(JsonObjectSchema.builder()
                        .addStringProperty("user.name")
                        .addProperty("any", JsonObjectSchema.builder().build())
                        .build())
                .build();
        model.calls(call("c", "set", "{\"user.name\":\"Bob\",\"any\":{\"a\":{\"b\":1}}}"))
                .says("Done.");
        Holdpoint agent = Holdpoint.builder(Shape.Blocking.class)
                .chatModel(model)
                .toolProviders(request -> ToolProviderResult.builder()
                        .add(tool, (call, id) -> {
                            ran.add(call.arguments());
                            return "ok";
                        })
                        .build())
                .toolPolicies(ToolPolicy.named("set").message("Set {{user.name}} to {{any.a.b}}?"))
                .build();
        RunResult held = agent.send("t", "Go");

        assertThat(held.approval().message()).isEqualTo("Set \"Bob\" to 1?");
        agent.resume("t", held.approval().edit("user.name", "Ada"));
        assertThat(ran).containsExactly("{\"any\":{\"a\":{\"b\":1}},\"user.name\":\"Ada\"}");
    }

    private Holdpoint locked() {
        model.calls(call("c", "pay", PAY)).says("Done.");
        return agent(new Bank(), ToolPolicy.named("pay").editable("p.amount", "p.to", "urgent"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            p.amount;  3
            p.to.name; "Ada"
            urgent;    false
            """)
    void whatMayBeEditedOfAnArgumentMay(String path, String value) throws Exception {
        Holdpoint agent = locked();
        RunResult held = agent.send("t", "Go");

        RunResult done =
                agent.resume("t", held.approval().edit(path, AguiCodec.mapper().readTree(value)));

        assertThat(done.failure()).isEmpty();
        assertThat(ran).singleElement().asString().contains(value.replace("\"", ""), "Line[item=pen]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            p.lines.0.item; "ink";          /p/lines
            p.lines;        [];             /p/lines
            p;              null;           /p
            p;              {"amount":3,"to":{"name":"Ada"},"lines":[]}; /p/lines
            """)
    void theOtherPartsMayNot(String path, String value, String where) throws Exception {
        Holdpoint agent = locked();
        RunResult held = agent.send("t", "Go");

        RunResult refused =
                agent.resume("t", held.approval().edit(path, AguiCodec.mapper().readTree(value)));

        assertThat(refused.failure().orElseThrow().message()).contains("editedArgs" + where);
        assertThat(ran).isEmpty();
    }

    @Test
    void theOtherPartsMayBeLeftOut() {
        Holdpoint agent = locked();
        RunResult held = agent.send("t", "Go");

        RunResult done = agent.resume(
                "t",
                held.approval()
                        .approveWith(Map.of("p", Map.of("amount", 3, "to", Map.of("name", "Ada")), "urgent", true)));

        assertThat(done.failure()).isEmpty();
        assertThat(ran).containsExactly("Payment[amount=3, to=Payee[name=Ada], lines=[Line[item=pen]]] true");
    }

    @Test
    void policiesAllowThePartsThatAllOfThemAllow() {
        model.calls(call("c", "pay", PAY)).says("Done.");
        Holdpoint agent = agent(
                new Bank(),
                ToolPolicy.named("pay").editable("p"),
                ToolPolicy.named("pay").editable("p.amount", "urgent"));
        RunResult held = agent.send("t", "Go");

        assertThat(agent.resume("t", held.approval().edit("urgent", false)).failure())
                .isPresent();
        assertThat(agent.resume("t", held.approval().edit("p.amount", 3)).failure())
                .isEmpty();
        assertThat(ran).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p.sum", "p.lines.0.item"})
    void aPartThatCannotBeEditedAloneIsRefusedAtBuild(String path) {
        assertThatThrownBy(() -> agent(new Bank(), ToolPolicy.named("pay").editable(path)))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"" + path + "\"");
    }

    @Test
    void theLibrarysSentenceHasTheArgumentsInTheOrderOfTheMethod() {
        model.calls(call("c", "pay", "{\"amount\":1,\"urgent\":true}"));

        RunResult held = agent(new Plain()).send("t", "Go");

        assertThat(held.approval().message()).isEqualTo("Run pay? (urgent: true, amount: 1)");
    }

    private static final class Generic {
        @Tool
        @RequiresApproval
        String pay(Box<Payee> box) {
            return "paid";
        }
    }

    private abstract static class Typed<T> {
        @Tool
        @RequiresApproval
        String pay(T payee) {
            return "paid " + name(payee);
        }

        abstract String name(T payee);
    }

    private abstract static class ListOfTyped<T> {
        @Tool
        @RequiresApproval
        String pay(List<T> payees) {
            return "paid";
        }
    }

    private static final class ListTypedByItsClass extends ListOfTyped<Payee> {}

    private static final class TypedByItsClass extends Typed<Payee> {
        @Override
        String name(Payee payee) {
            return payee.toString();
        }
    }

    private static final class Wrapped {
        record PayeeBox(Box<Payee> box) {}

        @Tool
        @RequiresApproval
        String pay(PayeeBox x, Box<?> any, List<Box<Payee>> boxes) {
            return "paid";
        }
    }

    private static final class Immediate {
        @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
        @RequiresApproval
        String pay(int amount) {
            return "paid";
        }
    }

    interface WithResult {
        Result<String> chat(@UserMessage String message);
    }

    /** LangChain4j forgets the type argument: the body would fail after it was approved, or read a text as a number. */
    @Test
    void aGenericParameterIsRefusedAtBuildWithTheRemedy() {
        assertThatThrownBy(() -> agent(new Generic()))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"box\"")
                .hasMessageContaining("without its type arguments")
                .hasMessageContaining("Take a record or class that says its types itself");

        assertThatThrownBy(() -> agent(new TypedByItsClass()))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"payee\"")
                .hasMessageContaining("without its type arguments (T)");
        assertThatThrownBy(() -> agent(new ListTypedByItsClass()))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("without its type arguments (java.util.List<T>)");

        agent(new Wrapped());
    }

    @Test
    void aToolThatReturnsAtOnceNeedsAReturnTypeThatHoldsAnyResult() {
        assertThatThrownBy(() -> agent(new Immediate()))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("dev.langchain4j.service.Result");

        Holdpoint.builder(WithResult.class)
                .chatModel(model)
                .tools(new Immediate())
                .build();
    }
}
