package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.search.ToolSearchRequest;
import dev.langchain4j.service.tool.search.ToolSearchResult;
import dev.langchain4j.service.tool.search.ToolSearchStrategy;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.DynamicTools;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever way a tool comes into the AI Service, it is gated. */
class ToolSourcesTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    /** A way to give tools. */
    enum Source {
        BUILDER,
        CUSTOMIZER,
        CUSTOMIZER_LIST,
        MAP,
        STATIC_PROVIDER,
        DYNAMIC_PROVIDER,
        PROVIDER_IN_CUSTOMIZER,
        DYNAMIC_PROVIDER_IN_CUSTOMIZER,
        TOOL_SEARCH
    }

    private record Provider(List<AiServiceTool> found, boolean isDynamic) implements ToolProvider {

        @Override
        public ToolProviderResult provideTools(ToolProviderRequest request) {
            return new ToolProviderResult(found);
        }
    }

    /** Finds every tool. */
    private static final class FindAll implements ToolSearchStrategy {

        @Override
        public List<ToolSpecification> getToolSearchTools(InvocationContext context) {
            return List.of(ToolSpecification.builder().name("find").build());
        }

        @Override
        public ToolSearchResult search(ToolSearchRequest request) {
            List<String> found = request.searchableTools().stream()
                    .map(ToolSpecification::name)
                    .toList();
            return new ToolSearchResult(found, "found");
        }
    }

    private Holdpoint agent(Shape shape, Source source) {
        List<AiServiceTool> found = ToolService.findTools(tools);
        Map<ToolSpecification, ToolExecutor> map = new LinkedHashMap<>();
        found.forEach(tool -> map.put(tool.toolSpecification(), tool.toolExecutor()));
        return switch (source) {
            case BUILDER -> shape.builder(model).tools(tools).build();
            case CUSTOMIZER ->
                shape.builder(model, service -> service.tools(tools)).build();
            case CUSTOMIZER_LIST ->
                shape.builder(model, service -> service.tools(List.of(tools))).build();
            case MAP -> shape.builder(model, service -> service.tools(map)).build();
            case STATIC_PROVIDER ->
                shape.builder(model).toolProviders(new Provider(found, false)).build();
            case DYNAMIC_PROVIDER ->
                shape.builder(model).toolProviders(new Provider(found, true)).build();
            case PROVIDER_IN_CUSTOMIZER ->
                shape.builder(model, service -> service.toolProvider(new Provider(found, false)))
                        .build();
            case DYNAMIC_PROVIDER_IN_CUSTOMIZER ->
                shape.builder(model, service -> service.toolProviders(new Provider(found, true)))
                        .build();
            case TOOL_SEARCH ->
                shape.builder(model, service -> service.toolSearchStrategy(new FindAll()))
                        .tools(tools)
                        .build();
        };
    }

    static Stream<Arguments> shapesAndSources() {
        return Stream.of(Shape.values())
                .flatMap(shape -> Stream.of(Source.values()).map(source -> Arguments.of(shape, source)));
    }

    @ParameterizedTest
    @MethodSource("shapesAndSources")
    void nothingRunsUntilApproved(Shape shape, Source source) {
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"), call("c2", "sendEmail", MAIL))
                .says("Done.");
        Holdpoint agent = agent(shape, source);

        agent.send("t", "Go");

        assertThat(tools.effects()).isEmpty();
        assertThat(agent.pending("t")).hasSize(1);
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        assertThat(tools.effects())
                .containsExactlyInAnyOrder("searchContacts Ada", "sendEmail ada@example.com|Hi|Hello");
        assertThat(model.lastResult("c2")).isEqualTo("sent to ada@example.com");
    }

    @ParameterizedTest
    @EnumSource
    void aProviderThatIsGivenTwiceIsOneProvider(Shape shape) {
        model.says("Hello.");
        Provider provider = new Provider(ToolService.findTools(tools), false);
        Holdpoint agent = shape.builder(model, service -> service.toolProvider(provider))
                .toolProviders(provider)
                .build();

        assertThat(agent.send("t", "Hi")).isInstanceOf(RunResult.Completed.class);
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatWasSearchedForIsGated(Shape shape) {
        model.calls(call("c0", "find", "{}"))
                .calls(call("c1", "sendEmail", MAIL))
                .says("Done.");
        Holdpoint agent = agent(shape, Source.TOOL_SEARCH);

        agent.send("t", "Go");

        assertThat(agent.pending("t")).hasSize(1);
        assertThat(tools.effects()).isEmpty();
        assertThat(toolNames(model.requests().get(0))).containsExactly("find");
        assertThat(toolNames(model.requests().get(1))).contains("sendEmail");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        assertThat(tools.effects()).hasSize(1);
    }

    private static List<String> toolNames(ChatRequest request) {
        return request.toolSpecifications().stream()
                .map(ToolSpecification::name)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatADynamicProviderGivesInALaterRoundIsGated(Shape shape) {
        Function<String, List<AiServiceTool>> named = name -> ToolService.findTools(tools).stream()
                .filter(tool -> tool.name().equals(name))
                .toList();
        List<AiServiceTool> present = new ArrayList<>(named.apply("searchContacts"));
        ToolProvider growing = new DynamicTools(present);
        model.answers(request -> {
                    present.addAll(named.apply("sendEmail"));
                    return AiMessage.from(call("c0", "searchContacts", "{\"query\":\"Ada\"}"));
                })
                .calls(call("c1", "sendEmail", MAIL))
                .says("Done.");
        Holdpoint agent = shape.builder(model).toolProviders(growing).build();

        agent.send("t", "Go");

        assertThat(agent.pending("t")).hasSize(1);
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        assertThat(tools.effects()).containsExactly("searchContacts Ada", "sendEmail ada@example.com|Hi|Hello");
    }

    /** Providers cache a request by its beginning, and a conversation goes on in other processes, whose JVMs order methods differently. */
    @Test
    void theToolsOfAnObjectAreOfferedByName() {
        Holdpoint agent = Shape.BLOCKING.builder(model).tools(new Unsorted()).build();
        model.says("Hello");

        agent.send("t1", "Hello").orThrow();

        assertThat(model.requests().get(0).toolSpecifications())
                .extracting(ToolSpecification::name)
                .containsExactly("alpha", "beta", "delta", "gamma", "omega");
    }

    static final class Unsorted {

        @Tool
        String omega() {
            return "";
        }

        @Tool
        String delta() {
            return "";
        }

        @Tool(name = "gamma")
        String first() {
            return "";
        }

        @Tool
        String alpha() {
            return "";
        }

        @Tool
        String beta() {
            return "";
        }
    }
}
