package io.holdpoint.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How the annotation is misused. */
class AnnotationMisuseTest {

    private final ScriptedModel model = new ScriptedModel();

    interface Acting {
        String act(String what);
    }

    static class NoTool {
        @Tool
        public void other() {}

        @RequiresApproval
        public void act() {}
    }

    static class UnknownPlaceholder {
        @Tool
        @RequiresApproval(message = "Act on {{whom}}?")
        public void act(String what) {}
    }

    static class BadDuration {
        @Tool
        @RequiresApproval(expiresAfter = "15 minutes")
        public void act() {}
    }

    static class NegativeDuration {
        @Tool
        @RequiresApproval(expiresAfter = "-PT1M")
        public void act() {}
    }

    static class ZeroDuration {
        @Tool
        @RequiresApproval(expiresAfter = "PT0S")
        public void act() {}
    }

    static class EndlessDuration {
        @Tool
        @RequiresApproval(expiresAfter = "PT2562047788015215H")
        public void act() {}
    }

    static class RememberedDestruction {
        @Tool
        @RequiresApproval(remember = Grant.Scope.TOOL, reversibility = Reversibility.IRREVERSIBLE)
        public void act() {}
    }

    static class RememberedHint {
        @Tool(metadata = "{\"destructiveHint\": true}")
        @RequiresApproval(remember = Grant.Scope.SAME_CALL)
        public void act() {}
    }

    static class RememberedForSeconds {
        @Tool
        @RequiresApproval(remember = Grant.Scope.TOOL, rememberFor = "PT90S")
        public void act() {}
    }

    static class RememberedForNoTime {
        @Tool
        @RequiresApproval(remember = Grant.Scope.TOOL, rememberFor = "PT0M")
        public void act() {}
    }

    static class RememberedForEver {
        @Tool
        @RequiresApproval(remember = Grant.Scope.TOOL, rememberFor = "P31D")
        public void act() {}
    }

    static class RememberedForALittle {
        @Tool
        @RequiresApproval(remember = Grant.Scope.TOOL, rememberFor = "a while")
        public void act() {}
    }

    static Stream<Arguments> misuses() {
        return Stream.of(
                Arguments.of(new NoTool(), "Add @Tool"),
                Arguments.of(new UnknownPlaceholder(), "{{whom}}"),
                Arguments.of(new UnknownPlaceholder(), "compile with -parameters and run mvn clean once"),
                Arguments.of(new BadDuration(), "not an ISO-8601 duration"),
                Arguments.of(new NegativeDuration(), "longer than zero"),
                Arguments.of(new ZeroDuration(), "longer than zero"),
                Arguments.of(new EndlessDuration(), "at most 100 years"),
                Arguments.of(new RememberedDestruction(), "what the tool does is irreversible"),
                Arguments.of(new RememberedHint(), "what the tool does is irreversible"),
                Arguments.of(new RememberedForSeconds(), "whole number of minutes"),
                Arguments.of(new RememberedForNoTime(), "at least one minute"),
                Arguments.of(new RememberedForEver(), "at most 30 days"),
                Arguments.of(new RememberedForALittle(), "not an ISO-8601 duration"));
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void aMisuseIsFoundWhenToolsAreGivenAndNamesClassAndMethod(Object tools, String problem) {
        HoldpointBuilder<?> builder = Shape.STREAMING.builder(model);

        assertThatThrownBy(() -> builder.tools(tools))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(tools.getClass().getName() + ".act()")
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void aMisuseInTheCustomizerIsFoundWhenTheAgentIsBuilt(Object tools, String problem) {
        HoldpointBuilder<?> builder = Shape.BLOCKING.builder(model, service -> service.tools(List.of(tools)));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(tools.getClass().getName() + ".act()")
                .hasMessageContaining(problem);
    }

    @Test
    @Logs("Run * on thread * failed")
    void aMisuseInAProviderFailsTheRunThatUsesIt() {
        ToolProvider provider = request -> new ToolProviderResult(ToolService.findTools(new UnknownPlaceholder()));
        Holdpoint agent = Shape.STREAMING.builder(model).toolProviders(provider).build();

        RunResult failed = agent.send("t", "Go");

        assertThat(((RunResult.Failed) failed).cause().orElseThrow())
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("{{whom}}");
    }

    @Test
    void aJdkProxyIsRefused() {
        Object proxy = Proxy.newProxyInstance(
                Acting.class.getClassLoader(), new Class<?>[] {Acting.class}, (self, method, arguments) -> "x");

        assertThatThrownBy(() -> Shape.STREAMING.builder(model).tools(proxy))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("JDK proxy");
    }
}
