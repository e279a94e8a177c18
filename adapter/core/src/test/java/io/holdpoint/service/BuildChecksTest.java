package io.holdpoint.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What cannot work is found when the agent is built. */
class BuildChecksTest {

    private final ScriptedModel model = new ScriptedModel();

    interface Both {
        String chat(@UserMessage List<Content> message);

        TokenStream stream(@UserMessage List<Content> message);
    }

    private static void requireRefused(HoldpointBuilder<?> builder, String... parts) {
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(parts));
    }

    private static HoldpointBuilder<Both> both() {
        return Holdpoint.builder(Both.class).method(turn -> "chat");
    }

    @ParameterizedTest
    @EnumSource
    void compensationIsRefused(Shape shape) {
        requireRefused(
                shape.builder(model, service -> service.compensateOnToolErrors(true))
                        .tools(new OfficeTools()),
                "compensateOnToolErrors");
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryInTheCustomizerIsRefused(Shape shape) {
        requireRefused(
                shape.builder(model, service -> service.chatMemory(MessageWindowChatMemory.withMaxMessages(10))),
                "chatMemoryProvider");
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryProviderInTheCustomizerIsRefused(Shape shape) {
        requireRefused(
                shape.builder(
                        model,
                        service -> service.chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(10))),
                "chatMemoryProvider");
    }

    @Test
    void noModelIsRefused() {
        requireRefused(both(), Both.class.getName(), "chatModel");
    }

    @Test
    void aMethodThatReturnsAValueNeedsAChatModel() {
        requireRefused(both().streamingChatModel(model), "Both.chat()", "chatModel");
    }

    @Test
    void aMethodThatReturnsAStreamNeedsAStreamingModel() {
        requireRefused(both().chatModel(model), "Both.stream()", "streamingChatModel");
    }

    interface Future {
        CompletableFuture<String> chat(String message);
    }

    interface Publishing {
        Flow.Publisher<String> chat(String message);
    }

    /** As Reactor's {@code Flux}: an implementation of what a publisher is. */
    abstract static class Flux<T> implements Flow.Publisher<T> {}

    interface Fluxing {
        Flux<String> chat(String message);
    }

    interface Suspending {
        Object chat(@UserMessage String message, @V("k") Continuation<String> continuation);
    }

    private HoldpointBuilder<?> with(Class<?> service) {
        return Holdpoint.builder(service).chatModel(model).streamingChatModel(model);
    }

    interface Generic<T> {
        T chat(@UserMessage List<Content> message);
    }

    interface OfStrings extends Generic<String> {}

    interface Declared extends Generic<String> {
        @Override
        String chat(@UserMessage List<Content> message);
    }

    interface OfMethod {
        <T> T chat(@UserMessage List<Content> message);
    }

    @Test
    void aMethodThatReturnsATypeVariableIsRefused() {
        requireRefused(with(Generic.class), "Generic.chat()", "type variable T", "String chat(...)");
        requireRefused(with(OfStrings.class), "Generic.chat()", "type variable T");
        requireRefused(with(OfMethod.class), "OfMethod.chat()", "type variable T");

        model.says("Hello.");
        assertThat(with(Declared.class).build().send("t", "Hi").orThrow().text())
                .isEqualTo("Hello.");
    }

    @Test
    void toolsThatAreBuiltByHandAreShownTheirPlace() {
        Map<ToolSpecification, ToolExecutor> byHand =
                Map.of(ToolSpecification.builder().name("pay").build(), (request, id) -> "paid");

        assertThatThrownBy(() -> with(Future.class).tools(byHand))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("aiService(service -> service.tools(...))");
    }

    @Test
    void asynchronousMethodsAreRefusedByTheirType() {
        requireRefused(
                with(Future.class), "Future.chat()", "CompletableFuture<java.lang.String>", "Holdpoint.run(...)");
        requireRefused(with(Publishing.class), "Publishing.chat()", "Flow$Publisher<java.lang.String>");
        requireRefused(with(Fluxing.class), "Fluxing.chat()", "Flux<java.lang.String>");
        requireRefused(with(Suspending.class).variable("k", turn -> ""), "Suspending.chat()", "Kotlin suspend fun");
    }

    /** Tools whose bodies would go on after they have returned. */
    public static final class SuspendTool {
        @Tool
        public Object pay(@P("to") String to, Continuation<? super String> continuation) {
            return to;
        }
    }

    /** As above. */
    public static final class FutureTool {
        @Tool
        public CompletableFuture<String> pay(@P("to") String to) {
            return CompletableFuture.completedFuture(to);
        }
    }

    @ParameterizedTest
    @EnumSource
    void asynchronousToolsAreRefusedByTheirType(Shape shape) {
        requireRefused(shape.builder(model).tools(new SuspendTool()), "SuspendTool.pay()", "Kotlin suspend fun");
        requireRefused(shape.builder(model).tools(new FutureTool()), "FutureTool.pay()", "CompletableFuture");
        requireRefused(
                shape.builder(model, service -> service.tools(new SuspendTool())), "SuspendTool.pay()", "suspend fun");
    }

    interface Misspelt {
        @dev.langchain4j.service.SystemMessage("You speak {{langauge}}.")
        String chat(@dev.langchain4j.service.UserMessage String text, @V("language") String language);
    }

    interface Missing {
        @dev.langchain4j.service.UserMessage({"Tell {{ text }}", "for {{audience}}"})
        String chat(String text);
    }

    interface Spelt {
        @dev.langchain4j.service.SystemMessage("Today is {{current_date}}, {{ language }}, not {{")
        @dev.langchain4j.service.UserMessage("{{it}}")
        String chat(@V("it") String text, @V("language") String language);
    }

    interface OfMap {
        @dev.langchain4j.service.UserMessage("{{text}} {{tone}}")
        String chat(@V("text") String text, @V("more") Map<String, Object> more);
    }

    @Test
    void aTemplateWhoseVariableNobodyCanGiveIsRefused() {
        assertThatThrownBy(() -> Holdpoint.builder(Misspelt.class)
                        .chatModel(new ScriptedModel())
                        .variable("language", turn -> "Latin")
                        .build())
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Misspelt.chat() names the variable {{langauge}}");
        assertThatThrownBy(() -> Holdpoint.builder(Missing.class)
                        .chatModel(new ScriptedModel())
                        .build())
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("{{audience}}")
                .hasMessageContaining("@V(\"audience\")");
        assertThat(Holdpoint.builder(Spelt.class)
                        .chatModel(new ScriptedModel())
                        .variable("language", turn -> "Latin")
                        .build())
                .isNotNull();
        assertThat(Holdpoint.builder(OfMap.class)
                        .chatModel(new ScriptedModel())
                        .variable("more", turn -> Map.of("tone", "warm"))
                        .build())
                .isNotNull();
    }
}
