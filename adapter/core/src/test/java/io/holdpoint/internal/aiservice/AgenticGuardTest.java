package io.holdpoint.internal.aiservice;

import static io.holdpoint.test.ScriptedModel.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agentic.Agent;
import dev.langchain4j.agentic.AgenticServices;
import dev.langchain4j.agentic.UntypedAgent;
import dev.langchain4j.agentic.agent.AgentBuilder;
import dev.langchain4j.agentic.declarative.ChatModelSupplier;
import dev.langchain4j.agentic.declarative.LoopAgent;
import dev.langchain4j.agentic.declarative.SequenceAgent;
import dev.langchain4j.agentic.declarative.ToolsSupplier;
import dev.langchain4j.agentic.workflow.WorkflowAgentsBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.RequiresApproval;
import io.holdpoint.internal.aiservice.PlainServiceGuardTest.Harmless;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Agents of an agentic system do not get annotated tools, whatever way they are given. */
@Isolated("PlainServiceGuardTest sets a system property that would let them")
class AgenticGuardTest {

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    /** An agent whose tools are given to its builder. */
    public interface Clerk {
        @UserMessage("{{task}}")
        @Agent(outputKey = "done")
        String work(@V("task") String task);
    }

    /** An agent that says itself which tools it has. */
    public interface DeclaredClerk {
        @UserMessage("{{task}}")
        @Agent(outputKey = "done")
        String work(@V("task") String task);

        @ToolsSupplier
        static Object tools() {
            return new OfficeTools();
        }

        @ChatModelSupplier
        static ChatModel model() {
            return new ScriptedModel();
        }
    }

    /** An agent without a model: a workflow calls its method, no AI Service does. */
    public static final class Shredder {

        private final List<String> shredded = new CopyOnWriteArrayList<>();

        @RequiresApproval
        @Agent(outputKey = "done")
        public String shred(@V("task") String task) {
            shredded.add(task);
            return "shredded";
        }
    }

    private AgentBuilder<Clerk, ?> clerk() {
        return AgenticServices.agentBuilder(Clerk.class).chatModel(model);
    }

    private void requireRefused(String agent, ThrowingCallable given) {
        Throwable thrown = requireNonNull(catchThrowable(given), "was not refused");
        while (thrown.getCause() != null) {
            thrown = thrown.getCause();
        }
        assertThat(thrown)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(OfficeTools.class.getName() + ".")
                .hasMessageContaining("the AI Service or agent " + agent + " is not built by Holdpoint");
        assertThat(model.requests()).isEmpty();
        assertThat(tools.effects()).isEmpty();
    }

    @Test
    void anObjectIsRefused() {
        requireRefused("Clerk", () -> clerk().tools(tools).build());
    }

    @Test
    void anObjectIsRefusedByAnAgentWithoutAnInterface() {
        requireRefused("UntypedAgent", () -> AgenticServices.agentBuilder()
                .chatModel(model)
                .userMessage("Go")
                .tools(tools)
                .build());
    }

    @Test
    void aStreamingAgentRefusesToo() {
        requireRefused("Clerk", () -> AgenticServices.agentBuilder(Clerk.class)
                .streamingChatModel(model)
                .tools(tools)
                .build());
    }

    @Test
    void aMapOfSpecificationsIsRefused() {
        Map<ToolSpecification, ToolExecutor> map = new LinkedHashMap<>();
        for (AiServiceTool tool : ToolService.findTools(tools)) {
            map.put(tool.toolSpecification(), tool.toolExecutor());
        }

        requireRefused("Clerk", () -> clerk().tools(map).build());
    }

    @Test
    @Logs("Improper invocation of a standalone agent")
    void aProviderIsRefusedAtItsFirstUse() {
        Clerk clerk = clerk().toolProvider(request -> new ToolProviderResult(ToolService.findTools(tools)))
                .build();

        requireRefused("Clerk", () -> clerk.work("Go"));
    }

    @Test
    void aProviderIsRefusedInsideOfAWorkflow() {
        UntypedAgent office = AgenticServices.sequenceBuilder()
                .subAgents(clerk().toolProvider(request -> new ToolProviderResult(ToolService.findTools(tools)))
                        .build())
                .outputKey("done")
                .build();

        requireRefused("Clerk", () -> office.invoke(Map.of("task", "Go")));
    }

    @Test
    void aDeclaredToolIsRefused() {
        requireRefused("DeclaredClerk", () -> AgenticServices.sequenceBuilder()
                .subAgents(DeclaredClerk.class)
                .build());
    }

    @Test
    @Logs("Improper invocation of a standalone agent")
    void otherToolsAreWelcome() {
        model.calls(call("c1", "time", "{}")).says("It is now.");

        assertThat(clerk().tools(new Harmless()).build().work("What time is it?"))
                .isEqualTo("It is now.");
    }

    /** The same without an object. */
    public static final class StaticShredder {

        private static final List<String> SHREDDED = new CopyOnWriteArrayList<>();

        @RequiresApproval
        @Agent(outputKey = "done")
        public static String shred(@V("task") String task) {
            SHREDDED.add(task);
            return "shredded";
        }
    }

    public interface DeclaredOffice {
        @SequenceAgent(outputKey = "done", subAgents = StaticShredder.class)
        String work(@V("task") String task);
    }

    /** Has a tool that needs approval besides its method for workflows. */
    public static final class Harmful {

        @Agent(outputKey = "done")
        public String read(@V("task") String task) {
            return "read " + task;
        }

        @Tool
        @RequiresApproval
        public String shred(String task) {
            return "shredded";
        }
    }

    static Stream<Supplier<Object>> workflows() {
        Shredder shredder = new Shredder();
        return Stream.of(
                () -> AgenticServices.sequenceBuilder().subAgents(shredder).build(),
                () -> AgenticServices.sequenceBuilder()
                        .name("office")
                        .subAgents(List.of(shredder))
                        .build(),
                () -> AgenticServices.sequenceBuilder(Clerk.class)
                        .subAgents(shredder)
                        .build(),
                () -> AgenticServices.sequenceBuilder()
                        .subAgents(StaticShredder.class)
                        .build(),
                () -> AgenticServices.createAgenticSystem(DeclaredOffice.class),
                () -> AgenticServices.loopBuilder()
                        .maxIterations(2)
                        .subAgents(shredder)
                        .build(),
                () -> AgenticServices.parallelBuilder()
                        .subAgents(shredder, shredder)
                        .build(),
                () -> AgenticServices.parallelMapperBuilder()
                        .subAgents(shredder)
                        .build(),
                () -> AgenticServices.conditionalBuilder()
                        .subAgents(scope -> true, shredder)
                        .build());
    }

    /** Has a method that is not public. LangChain4j calls it nevertheless. */
    public static final class HiddenShredder {

        private final List<String> shredded = new CopyOnWriteArrayList<>();

        @RequiresApproval
        @Agent(outputKey = "done")
        String shred(@V("task") String task) {
            shredded.add(task);
            return "shredded";
        }
    }

    /** Says of the method of another class that it needs approval. */
    public interface Dangerous {
        @RequiresApproval
        String shred(String task);
    }

    public static class InnocentShredder {

        final List<String> shredded = new CopyOnWriteArrayList<>();

        @Agent(outputKey = "done")
        public String shred(@V("task") String task) {
            shredded.add(task);
            return "shredded";
        }
    }

    public static final class DangerousShredder extends InnocentShredder implements Dangerous {}

    @Test
    void aMarkedMethodThatIsNotPublicIsRefused() {
        HiddenShredder shredder = new HiddenShredder();

        requireMarked("HiddenShredder.shred()", () -> AgenticServices.sequenceBuilder()
                .subAgents(shredder)
                .build()
                .invoke(Map.of("task", "files")));
        assertThat(shredder.shredded).isEmpty();
    }

    @Test
    void aMethodThatAnInterfaceOfTheObjectMarksIsRefused() {
        DangerousShredder shredder = new DangerousShredder();

        requireMarked("InnocentShredder.shred()", () -> AgenticServices.sequenceBuilder()
                .subAgents(shredder)
                .build()
                .invoke(Map.of("task", "files")));
        assertThat(shredder.shredded).isEmpty();
    }

    public static final class StaticReader {

        @Agent(outputKey = "done")
        public static String read(@V("task") String task) {
            return "read " + task;
        }
    }

    public interface MarkedSequence {
        @RequiresApproval
        @SequenceAgent(outputKey = "done", subAgents = StaticReader.class)
        String pay(@V("task") String task);
    }

    public interface MarkedLoop {
        @RequiresApproval
        @LoopAgent(outputKey = "done", maxIterations = 1, subAgents = StaticReader.class)
        String pay(@V("task") String task);
    }

    public interface OfficeWithMarkedSequence {
        @SequenceAgent(outputKey = "done", subAgents = MarkedSequence.class)
        String work(@V("task") String task);
    }

    public interface MarkedAgent {
        @RequiresApproval
        @Agent(outputKey = "done")
        String pay(@V("task") String task);
    }

    static Stream<ThrowingCallable> markedWorkflows() {
        return Stream.of(
                () -> AgenticServices.createAgenticSystem(MarkedSequence.class).pay("bill"),
                () -> AgenticServices.createAgenticSystem(MarkedLoop.class).pay("bill"),
                () -> AgenticServices.createAgenticSystem(OfficeWithMarkedSequence.class)
                        .work("bill"),
                () -> AgenticServices.sequenceBuilder(MarkedAgent.class)
                        .subAgents(StaticReader.class)
                        .build()
                        .pay("bill"));
    }

    @ParameterizedTest
    @MethodSource("markedWorkflows")
    void aWorkflowThatIsMarkedItselfIsRefused(ThrowingCallable workflow) {
        requireMarked(".pay()", workflow);
    }

    private static void requireMarked(String method, ThrowingCallable given) {
        Throwable thrown = requireNonNull(catchThrowable(given), "was not refused");
        while (thrown.getCause() != null) {
            thrown = thrown.getCause();
        }
        assertThat(thrown)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(method + " is an @Agent that is marked @RequiresApproval");
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void aMethodThatAWorkflowWouldCallUnaskedIsRefused(Supplier<Object> workflow) {
        assertThat(catchThrowable(workflow::get))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("hredder.shred() is an @Agent that is marked @RequiresApproval")
                .hasMessageContaining("@Tool of a Holdpoint agent");
        assertThat(StaticShredder.SHREDDED).isEmpty();
    }

    @Test
    void otherWorkflowsAreLangChain4jsOwn() {
        UntypedAgent inner = AgenticServices.sequenceBuilder()
                .subAgents(new Harmful())
                .outputKey("done")
                .build();

        assertThat(AgenticServices.loopBuilder()
                        .subAgents(inner)
                        .maxIterations(1)
                        .output(scope -> scope.readState("done"))
                        .build()
                        .invoke(Map.of("task", "files")))
                .isEqualTo("read files");
    }

    /** A kind of workflow that the guard does not know would be missing for an application. */
    @Test
    void allKindsOfWorkflowsAreKnown() {
        assertThat(WorkflowAgentsBuilder.class.getMethods()).allSatisfy(method -> assertThat(
                        WorkflowGuard.class.getDeclaredMethod(method.getName(), method.getParameterTypes()))
                .isNotNull());
    }

    /** What the Javadoc of {@link WorkflowGuard} says is not covered. */
    @Test
    void aSupervisorCannotBeLookedInto() {
        Shredder shredder = new Shredder();
        model.says("{\"agentName\":\"shred\",\"arguments\":{\"task\":\"files\"}}")
                .says("{\"agentName\":\"done\",\"arguments\":{\"response\":\"all done\"}}");

        AgenticServices.supervisorBuilder()
                .chatModel(model)
                .subAgents(shredder)
                .build()
                .invoke("Shred the files");

        assertThat(shredder.shredded).containsExactly("files");
    }
}
