package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Policies gate tools that nobody annotated. */
class ToolPolicyTest {

    private static final ToolSpecification DELETE = ToolSpecification.builder()
            .name("delete_file")
            .description("Deletes a file")
            .parameters(JsonObjectSchema.builder().addStringProperty("path").build())
            .build();

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final ToolExecutor deletes = (request, memoryId) -> {
        effects.add(request.arguments());
        return "deleted";
    };
    private final ToolProvider provider =
            request -> ToolProviderResult.builder().add(DELETE, deletes).build();

    private HoldpointBuilder<?> provided(Shape shape) {
        model.calls(call("c1", "delete_file", "{\"path\":\"/etc\"}")).says("Well.");
        return shape.builder(model).toolProviders(provider);
    }

    static Stream<ToolPolicy> policies() {
        return Stream.of(
                ToolPolicy.named("delete_file"),
                ToolPolicy.matching(Pattern.compile("(write|delete)_.*")),
                ToolPolicy.where(tool -> tool.description().contains("Deletes")),
                ToolPolicy.where(tool -> {
                    throw new IllegalStateException("broken");
                }),
                ToolPolicy.where(tool -> {
                    throw new NoClassDefFoundError("com/example/Rules");
                }));
    }

    @ParameterizedTest
    @MethodSource("policies")
    @Logs("The policy for * failed on the tool")
    void aProvidedToolIsHeldByNamePatternPredicateAndByAPredicateThatFails(ToolPolicy policy) {
        Holdpoint agent = provided(Shape.STREAMING).toolPolicies(policy).build();

        assertThat(agent.send("t", "go")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(effects).isEmpty();

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        assertThat(effects).containsExactly("{\"path\":\"/etc\"}");
    }

    @ParameterizedTest
    @EnumSource
    void aToolBuiltByHandIsHeld(Shape shape) {
        model.calls(call("c1", "delete_file", "{\"path\":\"/etc\"}")).says("Well.");
        Holdpoint agent = shape.builder(model, service -> service.tools(java.util.Map.of(DELETE, deletes)))
                .toolPolicies(ToolPolicy.named("delete_file"))
                .build();

        assertThat(agent.send("t", "go")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(effects).isEmpty();
    }

    @Test
    void aPatternMustMatchTheWholeName() {
        Holdpoint agent = provided(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.matching(Pattern.compile("delete")))
                .build();

        assertThat(agent.send("t", "go")).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void aPolicySaysHowToAsk() {
        VirtualClock clock = new VirtualClock();
        Holdpoint agent = provided(Shape.BLOCKING)
                .clock(clock)
                .toolPolicies(ToolPolicy.named("delete_file")
                        .message("Delete {{path}}?")
                        .editable()
                        .expiresAfter(Duration.ofMinutes(5)))
                .build();
        agent.send("t", "go");

        PendingInterrupt asked = agent.pending("t").get(0);
        assertThat(asked.message()).isEqualTo("Delete \"/etc\"?");
        assertThat(asked.interrupt().responseSchema().path("properties").has("editedArgs"))
                .isFalse();
        assertThat(asked.interrupt().expiresAt()).isEqualTo(clock.instant().plus(Duration.ofMinutes(5)));
    }

    @Test
    void ofSeveralPoliciesTheStrictestCounts() {
        VirtualClock clock = new VirtualClock();
        Holdpoint agent = provided(Shape.BLOCKING)
                .clock(clock)
                .toolPolicies(
                        ToolPolicy.named("delete_file").message("First?").expiresAfter(Duration.ofHours(2)),
                        ToolPolicy.named("delete_file").editable().expiresAfter(Duration.ofHours(1)),
                        ToolPolicy.named("delete_file").when(call -> ApprovalVerdict.allow()))
                .build();
        agent.send("t", "go");

        PendingInterrupt asked = agent.pending("t").get(0);
        assertThat(asked.message()).isEqualTo("First?");
        assertThat(asked.interrupt().responseSchema().path("properties").has("editedArgs"))
                .isFalse();
        assertThat(asked.interrupt().expiresAt()).isEqualTo(clock.instant().plus(Duration.ofHours(1)));
    }

    @Test
    void aPolicyCountsWhetherItComesBeforeOrAfterTheTools() {
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
        OfficeTools tools = new OfficeTools();

        RunResult result = Shape.BLOCKING
                .builder(model)
                .tools(tools)
                .toolPolicies(ToolPolicy.named("searchContacts"))
                .build()
                .send("t", "go");

        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
        assertThat(tools.effects()).isEmpty();
    }

    @Test
    void aPolicyForAToolThatCannotExistIsRefusedWhenTheAgentIsBuilt() {
        HoldpointBuilder<?> builder =
                Shape.BLOCKING.builder(model).tools(new OfficeTools()).toolPolicies(ToolPolicy.named("sendMail"));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"sendMail\"")
                .hasMessageContaining("sendEmail");
    }

    @Test
    void aPolicyForAToolThatAProviderMayBringIsTaken() {
        assertThat(provided(Shape.BLOCKING)
                        .toolPolicies(ToolPolicy.named("not_there_yet"))
                        .build())
                .isNotNull();
    }

    @Test
    @Logs("Run * on thread * failed")
    void aMessageThatNamesNoParameterFailsTheRunAtTheToolsFirstUse() {
        Holdpoint agent = provided(Shape.BLOCKING)
                .toolPolicies(ToolPolicy.named("delete_file").message("Delete {{file}}?"))
                .build();

        RunResult.Failed failed = (RunResult.Failed) agent.send("t", "go");

        assertThat(failed.cause().orElseThrow())
                .hasMessageContaining("{{file}}")
                .hasMessageContaining("delete_file");
        assertThat(effects).isEmpty();
    }
}
