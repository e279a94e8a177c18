package io.holdpoint.tools;

import static dev.langchain4j.agent.tool.SearchBehavior.ALWAYS_VISIBLE;
import static dev.langchain4j.agent.tool.ToolSpecification.METADATA_SEARCH_BEHAVIOR;
import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.search.simple.SimpleToolSearchStrategy;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Reversibility;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.DynamicTools;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two tools of one name: whichever LangChain4j runs, it runs the marked one only when a person has approved it. */
class ToolNameClashTest {

    private static final String DESTRUCTIVE = "destructiveHint";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final List<String> wider = new ArrayList<>();

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
        Map<ToolSpecification, ToolExecutor> marked = ToolService.findTools(tools).stream()
                .collect(Collectors.toMap(AiServiceTool::toolSpecification, AiServiceTool::toolExecutor));
        ToolProvider provider = new DynamicTools(marked.keySet().stream()
                .map(known -> tool(known, (request, memoryId) -> "harmless"))
                .toList());
        secondRoundDeletes();

        shape.builder(model, service -> service.tools(marked))
                .toolProviders(provider)
                .build()
                .send("t", "Go");

        assertThat(tools.effects()).containsExactly("searchContacts Ada");
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

    /** Takes more than the marked tool of its name. */
    public final class WiderDeletion {

        @Tool
        public String deleteRecords(String table, @P(value = "all if absent", required = false) String database) {
            wider.add(table);
            return "deleted " + table + " everywhere";
        }
    }

    @ParameterizedTest
    @EnumSource
    @Logs("The call * of the tool \"deleteRecords\" is not executed: it was proposed to another tool of this name")
    void anApprovalIsNoneOfAToolOfTheSameNameThatTakesOtherArguments(Shape shape) {
        Holdpoint agent = shape.builder(model)
                .tools(new WiderDeletion())
                .toolProviders(new DynamicTools(ToolService.findTools(tools)))
                .build();
        secondRoundDeletes();
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(wider).isEmpty();
        assertThat(model.lastResult("c2")).contains("was not executed", "tool has changed");
    }

    /** A policy on trial that applies to one of them, and a hint, which is all that is known of its class. */
    @ParameterizedTest
    @EnumSource
    void whatIsSaidOfOneOfThemCountsForTheOneThatPeopleAreAskedAbout(Shape shape) {
        InMemoryStore store = new InMemoryStore();
        ToolSpecification hinted = ToolSpecification.builder()
                .name("deleteRecords")
                .parameters(
                        JsonObjectSchema.builder().addStringProperty("table").build())
                .metadata(Map.of(DESTRUCTIVE, true))
                .build();
        Holdpoint agent = shape.builder(
                        model, service -> service.tools(Map.of(hinted, (request, memoryId) -> "harmless")))
                .toolProviders(new DynamicTools(ToolService.findTools(tools)))
                .toolPolicies(ToolPolicy.where(tool -> tool.metadata().containsKey(DESTRUCTIVE))
                        .message("On trial")
                        .shadow())
                .store(store)
                .build();
        secondRoundDeletes();

        RunResult held = agent.send("t", "Go");

        assertThat(Reversibility.of(held.interrupts().get(0).interrupt())).contains(Reversibility.IRREVERSIBLE);
        assertThat(store.auditTrail("t", 0, 100))
                .extracting(AuditEvent::kind)
                .containsOnlyOnce(AuditEvent.Kind.WOULD_ASK);
    }

    private static AiServiceTool tool(ToolSpecification specification, ToolExecutor executor) {
        return AiServiceTool.builder()
                .toolSpecification(specification)
                .toolExecutor(executor)
                .build();
    }

    private static ToolSpecification searching(Map<String, Object> metadata) {
        return ToolSpecification.builder()
                .name("searchContacts")
                .parameters(
                        JsonObjectSchema.builder().addStringProperty("query").build())
                .metadata(metadata)
                .build();
    }

    private void assertThatItIsHeld(Shape shape, Consumer<AiServices<?>> customizer, ToolProvider... providers) {
        Holdpoint agent = shape.builder(model, customizer)
                .toolProviders(providers)
                .toolPolicies(ToolPolicy.where(tool -> tool.metadata().containsKey(DESTRUCTIVE)))
                .build();
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));

        assertThat(agent.send("t", "Go")).isInstanceOf(RunResult.Interrupted.class);

        assertThat(tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anotherDescriptionOfTheSameMethodByADynamicProviderDoesNotUngateIt(Shape shape) {
        ToolExecutor method = ToolService.findTools(tools).stream()
                .filter(tool -> tool.name().equals("searchContacts"))
                .findFirst()
                .orElseThrow()
                .toolExecutor();

        assertThatItIsHeld(
                shape,
                service -> service.tools(Map.of(searching(Map.of(DESTRUCTIVE, true)), method)),
                new DynamicTools(List.of(tool(searching(Map.of()), method))));
    }

    /** LangChain4j takes both: it offers the visible one to the model, and runs the one that was added last. */
    @ParameterizedTest
    @EnumSource
    void aVisibleToolDoesNotUngateOneOfItsNameThatHasNotBeenFound(Shape shape) {
        ToolSpecification visible = searching(Map.of(METADATA_SEARCH_BEHAVIOR, ALWAYS_VISIBLE));
        ToolExecutor first = (request, memoryId) -> "harmless";

        assertThatItIsHeld(shape, service -> service.tools(Map.of(visible, first))
                .tools(Map.of(searching(Map.of(DESTRUCTIVE, true)), (request, memoryId) -> tools.searchContacts("all")))
                .toolSearchStrategy(new SimpleToolSearchStrategy()));
    }
}
