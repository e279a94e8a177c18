package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.Bench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an MCP server says about its tools, as LangChain4j passes it on, is a reason to ask. */
class McpHintsTest {

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();

    private Holdpoint agent(Map<String, Object> metadata, ToolPolicy... policies) {
        ToolSpecification tool = ToolSpecification.builder()
                .name("wipe")
                .parameters(JsonObjectSchema.builder().build())
                .metadata(metadata)
                .build();
        ToolProvider server = request -> ToolProviderResult.builder()
                .add(tool, (call, memoryId) -> {
                    effects.add("wiped");
                    return "done";
                })
                .build();
        return bench.another(
                builder -> builder.toolProviders(server).toolPolicies(policies).rules(new McpHints()));
    }

    private List<PendingInterrupt> wipes(Holdpoint agent) {
        bench.model
                .calls(call("w" + bench.model.requests().size(), "wipe", "{}"))
                .says("Done.");
        return agent.send(THREAD, "Go").interrupts();
    }

    @ParameterizedTest
    @CsvSource({
        "destructiveHint,it can destroy something",
        "anthropic/requiresUserInteraction,wants a person to be asked"
    })
    void aHintAsksWhateverPoliciesSay(String hint, String sentence) {
        Holdpoint agent = agent(
                Map.of(hint, true),
                ToolPolicy.matching(Pattern.compile("wipe")).withoutApproval(),
                ToolPolicy.matching(Pattern.compile("w.*")).when(call -> ApprovalVerdict.allow()));

        PendingInterrupt asked = wipes(agent).get(0);

        assertThat(effects).isEmpty();
        assertThat(asked.message()).contains(sentence);
        assertThat(asked.interrupt()
                        .metadata()
                        .at("/langchain4j/mcp")
                        .path(hint)
                        .booleanValue())
                .isTrue();
        assertThat(bench.store.auditTrail(THREAD, 0, 100))
                .filteredOn(event -> event.kind() == AuditEvent.Kind.HELD)
                .singleElement()
                .satisfies(
                        held -> assertThat(held.detail().path("mcp").path(hint).booleanValue())
                                .isTrue());
        agent.resume(THREAD, asked.asApproval().approve());
        assertThat(effects).containsExactly("wiped");
    }

    @Test
    void bothAreSaid() {
        assertThat(wipes(agent(Map.of("destructiveHint", true, "anthropic/requiresUserInteraction", "true")))
                        .get(0)
                        .message())
                .contains("wants a person to be asked", "it can destroy something");
    }

    @Test
    void nothingThatIsRememberedLetsSuchACallThrough() {
        Holdpoint agent = agent(
                Map.of("anthropic/requiresUserInteraction", true),
                ToolPolicy.matching(Pattern.compile("wipe")).remember(Duration.ofDays(1), Grant.Scope.TOOL));
        agent.resume(THREAD, wipes(agent).get(0).asApproval().approveAndRemember(Grant.Scope.TOOL));

        assertThat(wipes(agent)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"readOnlyHint", "idempotentHint"})
    void otherHintsAndFalseOnesSayNothing(String other) {
        assertThat(wipes(agent(Map.of(other, true, "destructiveHint", false)))).isEmpty();
        assertThat(effects).containsExactly("wiped");
    }
}
