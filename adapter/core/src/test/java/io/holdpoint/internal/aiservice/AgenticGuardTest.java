package io.holdpoint.internal.aiservice;

import static io.holdpoint.test.ScriptedModel.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agentic.Agent;
import dev.langchain4j.agentic.AgenticServices;
import dev.langchain4j.agentic.UntypedAgent;
import dev.langchain4j.agentic.agent.AgentBuilder;
import dev.langchain4j.agentic.declarative.ChatModelSupplier;
import dev.langchain4j.agentic.declarative.ToolsSupplier;
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
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

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

    /** What the Javadoc of {@link PlainServiceGuard} says is not covered. */
    @Test
    void aMethodThatAWorkflowCallsItselfIsNoTool() {
        Shredder shredder = new Shredder();
        UntypedAgent office = AgenticServices.sequenceBuilder()
                .subAgents(shredder)
                .outputKey("done")
                .build();

        assertThat(office.invoke(Map.of("task", "files"))).isEqualTo("shredded");
        assertThat(shredder.shredded).containsExactly("files");
    }
}
