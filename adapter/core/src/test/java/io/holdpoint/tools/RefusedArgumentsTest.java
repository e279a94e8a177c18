package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonMappingException;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailRequest;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolErrorContext;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.Limits;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.TestLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that a gated tool does not take: the developer is told, the application's handler is asked, and the turn has an end. */
@Logs("A call of the tool * was refused to the model because of its arguments")
class RefusedArgumentsTest {

    private static final String REFUSED = "{\"order\":{\"count\":\"many\"}}";

    private final ScriptedModel model = new ScriptedModel();
    private final List<Object> effects = new ArrayList<>();

    record Order(int count) {}

    /** Fills in what is left out. */
    static final class Parcel {

        String to;
        int count = 5;

        @Override
        public String toString() {
            return count + " to " + to;
        }
    }

    /** Contains itself. */
    static final class Tree {

        int height = 7;
        List<Tree> branches = new ArrayList<>();
    }

    /** Has parcels that the tool's schema does not describe, and says more of them than it reads. */
    record Van(Map<String, Parcel> parcels, Map<String, Parcel[]> last) {

        public int getTotal() {
            return parcels.values().stream().mapToInt(parcel -> parcel.count).sum();
        }
    }

    static final class Large implements ApprovalCondition {

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            return call.argument("amount", Double.class).orElseThrow() > 100
                    ? ApprovalVerdict.requireApproval()
                    : ApprovalVerdict.allow();
        }
    }

    /** Gated tools. */
    public final class Shop {

        @Tool
        @RequiresApproval
        public String buy(Order order) {
            effects.add(order);
            return "bought";
        }

        @Tool
        @RequiresApproval
        public String send(Parcel parcel) {
            effects.add(parcel.toString());
            return "sent";
        }

        @Tool
        @RequiresApproval
        public String sendAll(Map<String, List<Parcel>> parcels) {
            effects.add(parcels.toString());
            return "sent";
        }

        @Tool
        @RequiresApproval
        public String load(List<Van> vans, Map<String, Van> reserves) {
            effects.add(vans + ", " + reserves);
            return "loaded";
        }

        @Tool
        @RequiresApproval
        public String grow(Map<String, Tree> trees, Map<String, Class<?>> types) {
            effects.add(trees.toString());
            return "grown";
        }

        @Tool
        @RequiresApproval(when = Large.class)
        public String pay(double amount) {
            effects.add(amount);
            return "paid";
        }
    }

    /** Not gated. */
    public final class Window {

        @Tool
        public String look(int times) {
            effects.add(times);
            return "seen";
        }
    }

    @Test
    void theDeveloperIsToldOnceWithTheCause() {
        model.calls(call("c1", "buy", REFUSED))
                .calls(call("c2", "buy", "{\"order\":{\"count\":\"more\\n\\u202e\"}}"))
                .says("I see.");
        Holdpoint agent = Shape.BLOCKING.builder(model).tools(new Shop()).build();

        agent.send("t", "Buy");

        List<TestLog.Line> lines = TestLog.release();
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).text())
                .contains("\"buy\"", "nobody was asked", "InvalidFormatException, expected int")
                .doesNotContain("\n", "many");
    }

    @Test
    void whatIsMissingAtTheTopIsNamedWithoutAPath() {
        ToolSpecification remote = ToolSpecification.builder()
                .name("remote")
                .parameters(JsonObjectSchema.builder()
                        .addStringProperty("order")
                        .required("order")
                        .build())
                .build();
        model.calls(call("c1", "remote", "{}")).says("I see.");

        Shape.BLOCKING
                .builder(model)
                .aiService(service -> service.tools(Map.of(remote, (request, memoryId) -> "done")))
                .toolPolicies(ToolPolicy.named("remote"))
                .build()
                .send("t", "Go");

        assertThat(model.lastResult("c1")).contains("constraints: required property 'order' not found");
    }

    @Test
    void jsonInATextLeavesNothingOutThatATypeFillsIn() {
        model.calls(call("c1", "send", "{\"parcel\":\"{\\\"to\\\":\\\"Ada\\\"}\"}"))
                .calls(call("c2", "send", "{\"parcel\":\"{\\\"to\\\":\\\"Ada\\\",\\\"count\\\":1}\"}"))
                .says("Done.");
        Holdpoint agent = Shape.BLOCKING.builder(model).tools(new Shop()).build();

        agent.resume("t", agent.send("t", "Send").approval().approve());

        assertThat(model.lastResult("c1")).contains("was not executed", "/parcel/count: is missing");
        assertThat(effects).containsExactly("1 to Ada");
    }

    @Test
    void valuesOfAMapLeaveNothingOutThatATypeFillsIn() {
        model.calls(call("c1", "sendAll", "{\"parcels\":{\"x\":[{\"to\":\"Ada\"}]}}"))
                .calls(call("c2", "sendAll", "{\"parcels\":{\"x\":[{\"to\":\"Ada\",\"count\":1}]}}"))
                .says("Done.");
        Holdpoint agent = Shape.BLOCKING.builder(model).tools(new Shop()).build();

        agent.resume("t", agent.send("t", "Send").approval().approve());

        assertThat(model.lastResult("c1")).contains("was not executed", "/parcels/x/0/count: is missing");
        assertThat(effects).containsExactly("{x=[1 to Ada]}");
    }

    @Test
    void valuesOfAMapThatContainThemselvesLeaveNothingOutEither() {
        String trees = "{\"trees\":{\"x\":{\"height\":1,\"branches\":[{}]}},\"types\":{}}";
        model.calls(call("c1", "grow", trees)).says("Done.");
        Holdpoint agent = Shape.BLOCKING.builder(model).tools(new Shop()).build();

        agent.send("t", "Grow");

        assertThat(model.lastResult("c1")).contains("/trees/x/branches/0/height: is missing");
        assertThat(effects).isEmpty();
    }

    @Test
    void aMapInsideAnObjectLeavesNothingOutEither() {
        String full =
                "{\"parcels\":{\"x\":{\"to\":\"Ada\",\"count\":1}},\"last\":{\"y\":[{\"to\":\"Bob\",\"count\":2}]}}";
        String van = "{\"parcels\":{\"x\":{\"to\":\"Ada\"}},\"last\":{\"y\":[{\"to\":\"Bob\"}]}}";
        model.calls(call("c1", "load", "{\"vans\":[" + van + "],\"reserves\":{\"r\":" + van + "}}"))
                .calls(call("c2", "load", "{\"vans\":[" + full + "],\"reserves\":{\"r\":" + full + "}}"))
                .says("Done.");
        Holdpoint agent = Shape.BLOCKING.builder(model).tools(new Shop()).build();

        agent.resume("t", agent.send("t", "Load").approval().approve());

        assertThat(model.lastResult("c1"))
                .contains(
                        "/vans/0/parcels/x/count: is missing, and the tool would get 5",
                        "/vans/0/last/y/0/count: is missing",
                        "/reserves/r/parcels/x/count: is missing",
                        "/reserves/r/last/y/0/count: is missing")
                .doesNotContain("total");
        assertThat(effects).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "-Infinity", "1d"})
    void noConditionSeesWhatIsNoNumberOfJson(String text) {
        model.calls(call("c1", "pay", "{\"amount\":\"" + text + "\"}")).says("I see.");
        Holdpoint agent = Shape.BLOCKING.builder(model).tools(new Shop()).build();

        assertThat(agent.send("t", "Pay")).isInstanceOf(RunResult.Completed.class);

        assertThat(effects).isEmpty();
        assertThat(model.lastResult("c1")).contains("/amount: \"" + text + "\" is not a number of JSON");
    }

    @ParameterizedTest
    @EnumSource
    void oneRefusalAfterAnotherEndsTheTurn(Shape shape) {
        for (int i = 0; i < 9; i++) {
            model.calls(call("c" + i, "buy", REFUSED.replace("many", "many" + i)));
        }
        Holdpoint agent = shape.builder(model)
                .tools(new Shop())
                .limits(Limits.DEFAULT.withDeclinedInARow(4))
                .build();

        RunResult result = agent.send("t", "Buy");

        assertThat(result).isInstanceOfSatisfying(RunResult.Completed.class, done -> assertThat(done.text())
                .contains("4 calls in a row were not approved, or were refused"));
        assertThat(model.requests()).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    void anApprovedCallStartsTheCountAgain(Shape shape) {
        model.calls(call("c1", "buy", REFUSED))
                .calls(call("c2", "buy", "{\"order\":{\"count\":1}}"))
                .calls(call("c3", "buy", REFUSED))
                .says("I see.");
        Holdpoint agent = shape.builder(model)
                .tools(new Shop())
                .limits(Limits.DEFAULT.withDeclinedInARow(2))
                .build();
        agent.send("t", "Buy");

        RunResult result =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(result).isInstanceOfSatisfying(RunResult.Completed.class, done -> assertThat(done.text())
                .isEqualTo("I see."));
        assertThat(effects).containsExactly(new Order(1));
    }

    @Test
    void callsThatAreTooManyForOneMessageAreNotCounted() {
        model.calls(IntStream.rangeClosed(1, 130)
                        .mapToObj(i -> call("c" + i, "look", "{\"times\":" + i + "}"))
                        .toArray(ToolExecutionRequest[]::new))
                .says("Seen.");
        Holdpoint agent = Shape.BLOCKING
                .builder(model)
                .tools(new Window())
                .limits(Limits.DEFAULT.withDeclinedInARow(1))
                .build();

        assertThat(agent.send("t", "Look"))
                .isInstanceOfSatisfying(RunResult.Completed.class, done -> assertThat(done.text())
                        .isEqualTo("Seen."));
    }

    private final List<Throwable> errors = new ArrayList<>();
    private final List<ToolErrorContext> contexts = new ArrayList<>();

    private ToolErrorHandlerResult handled(Throwable error, ToolErrorContext context) {
        errors.add(error);
        contexts.add(context);
        return ToolErrorHandlerResult.text("A whole number, please.");
    }

    @ParameterizedTest
    @EnumSource
    void theApplicationsHandlerAnswersTheModel(Shape shape) {
        model.calls(call("c1", "buy", REFUSED), call("c2", "buy", "{\"order\":{\"count\":1}}"))
                .says("Done.");
        Holdpoint agent = shape.builder(model, service -> service.toolArgumentsErrorHandler(this::handled))
                .tools(new Shop())
                .build();

        agent.send("t", "Buy");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(model.lastResult("c1")).isEqualTo("A whole number, please.");
        assertThat(effects).containsExactly(new Order(1));
        assertThat(errors).singleElement().isInstanceOf(JsonMappingException.class);
        assertThat(contexts.get(0).toolExecutionRequest().arguments()).isEqualTo(REFUSED);
        assertThat(contexts.get(0).memoryId()).isEqualTo("t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"order\":", "{\"order\":{\"count\":1.5}}", "{}", "{\"order\":{\"count\":1},\"more\":1}"})
    void itIsAskedAboutEveryKindOfMisfit(String arguments) {
        model.calls(call("c1", "buy", arguments)).says("Done.");
        Holdpoint agent = Shape.BLOCKING
                .builder(model, service -> service.toolArgumentsErrorHandler(this::handled))
                .tools(new Shop())
                .build();

        agent.send("t", "Buy");

        assertThat(errors).hasSize(1);
        assertThat(model.lastResult("c1")).isEqualTo("A whole number, please.");
    }

    @ParameterizedTest
    @EnumSource
    @Logs({"Run * on thread * failed", "A call of the tool * was refused to the model because of its arguments"})
    void aHandlerThatThrowsFailsTheRunBeforeAnythingIsHeld(Shape shape) {
        model.calls(call("c1", "buy", REFUSED), call("c2", "buy", "{\"order\":{\"count\":1}}"))
                .says("Hello.");
        Holdpoint agent = shape.builder(
                        model,
                        service -> service.toolArgumentsErrorHandler((error, context) -> {
                            throw new IllegalStateException("no second try", error);
                        }))
                .tools(new Shop())
                .build();

        RunResult result = agent.send("t", "Buy");

        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(
                        failed.cause().orElseThrow())
                .hasMessageContaining("no second try"));
        assertThat(agent.pending("t")).isEmpty();
        assertThat(agent.send("t", "Hello?")).isInstanceOf(RunResult.Completed.class);
    }

    @ParameterizedTest
    @EnumSource
    void itIsAskedInAGuardrailsReprompt(Shape shape) {
        OutputGuardrail polite = new OutputGuardrail() {
            @Override
            public OutputGuardrailResult validate(OutputGuardrailRequest request) {
                return request.responseFromLLM().aiMessage().text().contains("please")
                        ? success()
                        : reprompt("impolite", "Say please.");
            }
        };
        model.says("Give.").calls(call("c1", "buy", REFUSED)).says("Not yet, please.");
        Holdpoint agent = shape.builder(
                        model, service -> service.outputGuardrails(polite).toolArgumentsErrorHandler(this::handled))
                .tools(new Shop())
                .build();

        agent.send("t", "Buy");

        assertThat(model.lastResult("c1")).isEqualTo("A whole number, please.");
    }
}
