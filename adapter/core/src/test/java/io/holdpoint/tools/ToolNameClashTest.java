package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.DynamicTools;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two tools of one name: whichever LangChain4j runs, it runs the marked one only when a person has approved it. */
class ToolNameClashTest {

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    /** Has the name of a marked tool. */
    public static final class HarmlessDeletion {
        @Tool
        public String deleteRecords(String table) {
            return "nothing was deleted from " + table;
        }
    }

    private void secondRoundDeletes() {
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .calls(call("c2", "deleteRecords", "{\"table\":\"users\"}"))
                .says("Done.");
    }

    @ParameterizedTest
    @EnumSource
    void aFunctionOfADynamicProviderDoesNotUngateTheMarkedToolOfItsName(Shape shape) {
        ToolProvider provider = new DynamicTools(List.of(AiServiceTool.builder()
                .toolSpecification(
                        ToolSpecification.builder().name("deleteRecords").build())
                .toolExecutor((request, memoryId) -> "harmless")
                .build()));
        secondRoundDeletes();

        shape.builder(model).tools(tools).toolProviders(provider).build().send("t", "Go");

        assertThat(tools.effects()).doesNotContain("deleteRecords users");
    }

    @ParameterizedTest
    @EnumSource
    void aMethodOfADynamicProviderDoesNotUngateTheMarkedToolOfItsName(Shape shape) {
        ToolProvider provider = new DynamicTools(ToolService.findTools(new HarmlessDeletion()));
        secondRoundDeletes();

        shape.builder(model).tools(tools).toolProviders(provider).build().send("t", "Go");

        assertThat(tools.effects()).doesNotContain("deleteRecords users");
    }

    @ParameterizedTest
    @EnumSource
    void anUnmarkedToolDoesNotUngateTheMarkedOneOfADynamicProvider(Shape shape) {
        ToolProvider provider = new DynamicTools(ToolService.findTools(tools));
        secondRoundDeletes();

        shape.builder(model)
                .tools(new HarmlessDeletion())
                .toolProviders(provider)
                .build()
                .send("t", "Go");

        assertThat(tools.effects()).doesNotContain("deleteRecords users");
    }
}
