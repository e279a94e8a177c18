package io.holdpoint.policy;

import static io.holdpoint.store.Reversibility.EXTERNALLY_REVERSIBLE;
import static io.holdpoint.store.Reversibility.IRREVERSIBLE;
import static io.holdpoint.store.Reversibility.READ_ONLY;
import static io.holdpoint.store.Reversibility.REVERSIBLE;
import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The class of what a tool does: the strictest counts, and it is on the card. */
class ReversibilityTest {

    private final Bench bench = new Bench();

    /** Tools of several classes. */
    static final class Tools {

        @Tool
        @RequiresApproval(reversibility = REVERSIBLE)
        String move() {
            return "moved";
        }

        @Tool
        @RequiresApproval
        String plain() {
            return "done";
        }

        @Tool
        String read() {
            return "read";
        }

        @Tool(metadata = "{\"destructiveHint\": true}")
        @RequiresApproval(reversibility = READ_ONLY)
        String hinted() {
            return "gone";
        }

        @Tool(metadata = "{\"readOnlyHint\": true}")
        @RequiresApproval(reversibility = EXTERNALLY_REVERSIBLE)
        String harmless() {
            return "sent";
        }
    }

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.tools(new Tools())));
    }

    private JsonNode card(Holdpoint agent, String... tools) {
        bench.model.calls(java.util.Arrays.stream(tools)
                .map(tool -> call(tool + "-" + bench.model.requests().size(), tool, "{}"))
                .toArray(dev.langchain4j.agent.tool.ToolExecutionRequest[]::new));
        return agent.send(THREAD, "Go")
                .interrupts()
                .get(0)
                .interrupt()
                .metadata()
                .path("langchain4j");
    }

    @Test
    void theClassIsOnTheCardAndInTheTrail() {
        assertThat(card(agent(builder -> builder), "move").path("reversibility").asText())
                .isEqualTo("reversible");

        assertThat(bench.store.auditTrail(THREAD, 0, 100))
                .filteredOn(event -> event.kind() == AuditEvent.Kind.HELD)
                .singleElement()
                .satisfies(
                        event -> assertThat(event.detail().path("reversibility").asText())
                                .isEqualTo("reversible"));
    }

    @Test
    void aToolWithoutAClassHasNone() {
        JsonNode card = card(agent(builder -> builder), "plain");

        assertThat(card.has("reversibility")).isFalse();
        assertThat(card.has("batchReversibility")).isFalse();
    }

    @Test
    void theStrictestOfAnnotationAndPoliciesCounts() {
        Holdpoint agent = agent(builder -> builder.toolPolicies(
                ToolPolicy.named("move").reversibility(READ_ONLY),
                ToolPolicy.named("move").reversibility(IRREVERSIBLE)));

        assertThat(card(agent, "move").path("reversibility").asText()).isEqualTo("irreversible");
    }

    @Test
    void onlyAPolicyOfTheToolsClassSaysThatItMayRunTwice() {
        ToolPolicy twice = ToolPolicy.classed(REVERSIBLE).idempotent();

        assertThat(isIdempotent(agent(builder -> builder.toolPolicies(twice)), "move"))
                .isTrue();
        bench.agent().cancel(THREAD);
        assertThat(isIdempotent(agent(builder -> builder.toolPolicies(twice)), "plain"))
                .isFalse();
    }

    private boolean isIdempotent(Holdpoint agent, String tool) {
        card(agent, tool);
        return bench.store
                .find(THREAD)
                .flatMap(thread -> thread.batch())
                .orElseThrow()
                .calls()
                .get(0)
                .proposal()
                .idempotent();
    }

    @Test
    void aHintOfAServerOnlyTightens() {
        Holdpoint agent = agent(builder -> builder);

        assertThat(card(agent, "hinted").path("reversibility").asText()).isEqualTo("irreversible");
        bench.agent().cancel(THREAD);
        assertThat(card(agent, "harmless").path("reversibility").asText()).isEqualTo("externally_reversible");
    }

    @Test
    void theHighestClassOfAllCallsOfTheMessageIsOnTheCard() {
        Holdpoint agent = agent(builder ->
                builder.toolPolicies(ToolPolicy.named("read").withoutApproval().reversibility(IRREVERSIBLE)));

        JsonNode card = card(agent, "move", "read");

        assertThat(card.path("reversibility").asText()).isEqualTo("reversible");
        assertThat(card.path("batchReversibility").asText()).isEqualTo("irreversible");
    }

    @Test
    void aPolicyFindsItsToolsByTheirClass() {
        Holdpoint agent = agent(builder -> builder.toolPolicies(
                ToolPolicy.named("read").withoutApproval().reversibility(IRREVERSIBLE),
                ToolPolicy.classed(IRREVERSIBLE).message("Gone for good?")));
        bench.model.calls(call("c1", "read", "{}"));

        assertThat(agent.send(THREAD, "Go").interrupts().get(0).interrupt().message())
                .isEqualTo("Gone for good?");
        agent.cancel(THREAD);
        bench.model.calls(call("c2", "plain", "{}"));
        assertThat(agent.send(THREAD, "Go").interrupts().get(0).interrupt().message())
                .isNotEqualTo("Gone for good?");
    }

    @Test
    void whatIsIrreversibleIsNeverRemembered() {
        Holdpoint agent = agent(builder -> builder.toolPolicies(
                ToolPolicy.named("read").remember(Duration.ofMinutes(15), Grant.Scope.TOOL),
                ToolPolicy.named("read").withoutApproval().reversibility(IRREVERSIBLE)));
        bench.model.calls(call("c1", "read", "{}"));

        assertThat(agent.send(THREAD, "Go")
                        .interrupts()
                        .get(0)
                        .interrupt()
                        .responseSchema()
                        .path("properties")
                        .has("remember"))
                .isFalse();
        assertThatThrownBy(() -> agent(builder -> builder.toolPolicies(ToolPolicy.named("read")
                        .remember(Duration.ofMinutes(15), Grant.Scope.TOOL)
                        .reversibility(IRREVERSIBLE))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("cannot be remembered");
    }

    @Test
    void aQuestionAboutEditedArgumentsKeepsTheClass() {
        Holdpoint agent = bench.another(
                builder -> builder.toolPolicies(ToolPolicy.named("sendEmail").reversibility(IRREVERSIBLE))
                        .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("approver"))));
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL));
        var asked = agent.as(Caller.of("ada"))
                .send(THREAD, "Go")
                .interrupts()
                .get(0)
                .asApproval();
        var edited = asked.arguments().put("subject", "Bye");

        var again = agent.as(Caller.of("grace", "approver"))
                .resume(THREAD, asked.approveWith(edited))
                .interrupts();

        assertThat(again).singleElement().satisfies(question -> assertThat(Reversibility.of(question.interrupt()))
                .contains(IRREVERSIBLE));
    }

    @Test
    void twoClassesInOneAnnotationAreRefused() {
        class Twice {
            @Tool
            @RequiresApproval(reversibility = {READ_ONLY, IRREVERSIBLE})
            String twice() {
                return "";
            }
        }

        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Twice())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("more than one class")
                .hasMessageContaining("twice");
        assertThat(List.of(Reversibility.values())).isSorted();
    }

    /** Fails. */
    static final class Failing {

        @Tool
        @RequiresApproval(reversibility = IRREVERSIBLE)
        String erase() {
            throw new IllegalStateException("no disk");
        }
    }

    @Test
    @Logs("Tool 'erase' execution failed")
    void theQuestionWhetherToTryAgainSaysTheClassAsWell() {
        Holdpoint agent = bench.another(builder -> builder.tools(new Failing())
                .toolPolicies(ToolPolicy.named("erase")
                        .when(call -> ApprovalVerdict.allow())
                        .askOnFailure()));
        bench.model.calls(call("c1", "erase", "{}"));
        var asked = agent.send(THREAD, "Go").interrupts().get(0).asApproval();

        var again = agent.resume(THREAD, asked.approve()).interrupts().get(0);

        assertThat(again.interrupt().reason()).isEqualTo("langchain4j:tool_error");
        assertThat(Reversibility.of(again.interrupt())).contains(IRREVERSIBLE);
    }
}
