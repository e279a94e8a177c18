package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Grant;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.TestLog;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two agents of one name on one store: what a person approved at one does not run at the other. */
@Logs({"The call * of the tool \"pay\" is not executed: it was proposed to another"})
class TwoAgentsTest {

    private final ScriptedModel model = new ScriptedModel();
    private final Store store = new InMemoryStore();
    private final List<String> effects = new ArrayList<>();

    /** The agent at which a person is asked. */
    public class Sandbox {

        @Tool("Pays")
        @RequiresApproval(message = "Pay {{amount}} in the SANDBOX?")
        public String pay(@P("amount") int amount) {
            effects.add("sandbox " + amount);
            return "paid";
        }
    }

    /** The same parameters in another class. */
    public class Real {

        @Tool("Pays")
        @RequiresApproval(message = "Pay {{amount}} in the SANDBOX?")
        public String pay(@P("amount") int amount) {
            effects.add("REAL " + amount);
            return "paid";
        }
    }

    /** Nobody is asked. */
    public class Ungated {

        @Tool("Pays")
        public String pay(@P("amount") int amount) {
            effects.add("REAL " + amount);
            return "paid";
        }
    }

    /** Nobody is asked here either. */
    public class Elsewhere {

        @Tool("Pays")
        public String pay(@P("amount") int amount) {
            effects.add("elsewhere " + amount);
            return "paid";
        }
    }

    private HoldpointBuilder<?> agent(Object tools) {
        return Shape.BLOCKING.builder(model).store(store).tools(tools);
    }

    private ResumeEntry heldAt(Holdpoint agent) {
        model.calls(call("c1", "pay", "{\"amount\":5}"));
        agent.send(THREAD, "Pay 5");
        return agent.pending(THREAD).get(0).asApproval().approve();
    }

    static Stream<String> others() {
        return Stream.of("Real", "Ungated");
    }

    private Object other(String name) {
        return name.equals("Real") ? new Real() : new Ungated();
    }

    @ParameterizedTest
    @MethodSource("others")
    void whatWasApprovedAtOneDoesNotRunAtTheOther(String name) {
        ResumeEntry approval = heldAt(agent(new Sandbox()).build());
        Holdpoint wrong = agent(other(name)).build();
        model.says("I see.");

        RunResult result = wrong.resume(THREAD, approval);

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not executed", "tool has changed");
    }

    @ParameterizedTest
    @MethodSource("others")
    void neitherDoesASiblingThatNobodyIsAskedAbout(String name) {
        Holdpoint right = agent(new Sandbox())
                .toolPolicies(ToolPolicy.named("pay").withoutApproval().idempotent())
                .build();
        ResumeEntry approval = heldAt(right);
        model.says("I see.");

        agent(other(name)).build().resume(THREAD, approval);

        assertThat(effects).isEmpty();
    }

    @Test
    @Logs("The chat memory of thread t was not kept")
    void whatWasRememberedAtOneDoesNotCountAtTheOther() {
        ToolPolicy remembering = ToolPolicy.named("pay").remember(Duration.ofHours(1), Grant.Scope.TOOL);
        Holdpoint right = agent(new Ungated()).toolPolicies(remembering).build();
        model.calls(call("c1", "pay", "{\"amount\":5}")).says("Paid.");
        right.send(THREAD, "Pay 5");
        PendingInterrupt.Approval question = right.pending(THREAD).get(0).asApproval();
        right.resume(THREAD, question.approveAndRemember(Grant.Scope.TOOL));
        effects.clear();
        model.calls(call("c2", "pay", "{\"amount\":5}"));

        RunResult result =
                agent(new Elsewhere()).toolPolicies(remembering).build().send(THREAD, "Again");

        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
        assertThat(effects).isEmpty();
    }

    @Test
    void anApprovalOfAToolWithoutAMethodIsNoneOfAMethod() throws Exception {
        ToolSpecification specification =
                ToolSpecifications.toolSpecificationFrom(Real.class.getMethod("pay", int.class));
        ToolExecutor executor = (request, memoryId) -> "paid";
        ResumeEntry approval = heldAt(Shape.BLOCKING
                .builder(model)
                .store(store)
                .aiService(service -> service.tools(Map.of(specification, executor)))
                .toolPolicies(ToolPolicy.named("pay"))
                .build());
        model.says("I see.");

        agent(new Ungated()).build().resume(THREAD, approval);

        assertThat(effects).isEmpty();
    }

    @Test
    void theRightOneRunsItAfterARestart() {
        ResumeEntry approval = heldAt(agent(new Sandbox()).build());
        model.says("Paid.");

        agent(new Sandbox()).build().resume(THREAD, approval);

        assertThat(effects).containsExactly("sandbox 5");
    }

    /** As a framework generates it: without annotations. */
    public final class Sandbox$$Proxy1 extends Sandbox {

        @Override
        public String pay(int amount) {
            return super.pay(amount);
        }
    }

    /** As a framework generates it in another process. */
    public final class Sandbox$$Proxy2 extends Sandbox {

        @Override
        public String pay(int amount) {
            return super.pay(amount);
        }
    }

    @Test
    void theNameOfAGeneratedClassDoesNotMatter() {
        ResumeEntry approval = heldAt(agent(new Sandbox$$Proxy1()).build());
        model.says("Paid.");

        agent(new Sandbox$$Proxy2()).build().resume(THREAD, approval);

        assertThat(effects).containsExactly("sandbox 5");
    }

    private Holdpoint withExecutor(Object tools) throws Exception {
        ToolSpecification specification =
                ToolSpecifications.toolSpecificationFrom(Sandbox.class.getMethod("pay", int.class));
        ToolExecutor executor = new DefaultToolExecutor(tools, tools.getClass().getMethod("pay", int.class));
        return Shape.BLOCKING
                .builder(model)
                .store(store)
                .aiService(service -> service.tools(Map.of(specification, executor)))
                .build();
    }

    @Test
    void norDoesItIfTheApplicationCallsItsMethodItself() throws Exception {
        ResumeEntry approval = heldAt(withExecutor(new Sandbox$$Proxy1()));
        model.says("Paid.");

        withExecutor(new Sandbox$$Proxy2()).resume(THREAD, approval);

        assertThat(effects).containsExactly("sandbox 5");
    }

    private static final List<String> HIDDEN_EFFECTS = new ArrayList<>();

    /** Its name is another one in each process, once it is hidden. */
    public static final class Hidden {

        @Tool
        @RequiresApproval
        public String pay(int amount) {
            HIDDEN_EFFECTS.add("hidden " + amount);
            return "paid";
        }
    }

    private static Object hidden() throws Exception {
        try (InputStream file = TwoAgentsTest.class.getResourceAsStream("TwoAgentsTest$Hidden.class")) {
            return MethodHandles.lookup()
                    .defineHiddenClass(Objects.requireNonNull(file).readAllBytes(), true, ClassOption.NESTMATE)
                    .lookupClass()
                    .getConstructor()
                    .newInstance();
        }
    }

    @Test
    void theNumberOfAHiddenClassDoesNotMatter() throws Exception {
        Object before = hidden();
        Object after = hidden();
        assertThat(before.getClass().getName()).isNotEqualTo(after.getClass().getName());
        ResumeEntry approval = heldAt(agent(before).build());
        model.says("Paid.");

        agent(after).build().resume(THREAD, approval);

        assertThat(HIDDEN_EFFECTS).containsExactly("hidden 5");
    }

    @Test
    void aSentenceThatNobodyWasShownIsNoApproval() {
        ToolPolicy inEuros = ToolPolicy.named("pay").message("Pay {{amount}} euros?");
        ToolPolicy inCents = ToolPolicy.named("pay").message("Pay {{amount}} cents?");
        ResumeEntry approval = heldAt(agent(new Ungated()).toolPolicies(inEuros).build());
        model.says("I see.");

        agent(new Ungated()).toolPolicies(inCents).build().resume(THREAD, approval);

        assertThat(effects).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not executed", "tool has changed");
    }

    @Test
    void anotherDescriptionForTheModelIsNoOtherTool() {
        ResumeEntry approval = heldAt(agent(new Sandbox()).build());
        List<AiServiceTool> reworded = ToolService.findTools(new Sandbox()).stream()
                .map(tool -> tool.toBuilder()
                        .toolSpecification(tool.toolSpecification().toBuilder()
                                .description("Pays somebody")
                                .build())
                        .build())
                .toList();
        Holdpoint updated = Shape.BLOCKING
                .builder(model)
                .store(store)
                .aiService(service -> service.tools(reworded))
                .build();
        model.says("Paid.");

        updated.resume(THREAD, approval);

        assertThat(effects).containsExactly("sandbox 5");
    }

    private void isUsed(HoldpointBuilder<?> agent, String thread) {
        model.says("Hello.");
        agent.build().send(thread, "Hello");
    }

    @Test
    void agentsWithNamesOfTheirOwnMayShareAStore() {
        isUsed(agent(new Sandbox()).name("sandbox"), "t1");
        isUsed(agent(new Real()).name("real"), "t1");

        assertThat(TestLog.release()).isEmpty();
    }
}
