package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TamperedStore;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whoever edits a call sees what it would do by that, and their answer is about what they have seen. */
class PlansTest {

    private static final String PAY = "{\"amount\":500,\"note\":\"lunch\"}";
    private static final Caller GRACE = new Caller("grace", Set.of("approver"));
    private static final Caller MALLORY = new Caller("mallory", Set.of());

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private BigDecimal balance = BigDecimal.valueOf(950);

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval(message = "Pay {{amount}}?")
        String pay(BigDecimal amount, String note) {
            effects.add("pay " + amount);
            return "paid";
        }

        @Tool
        @RequiresApproval
        String plain(int n) {
            return "done";
        }
    }

    private final Effect effect = call -> Plan.of(Map.of(
                    "leaves",
                    balance.subtract(call.argument("amount", BigDecimal.class).orElseThrow())))
            .holds("balance", balance)
            .validFor(Duration.ofHours(4));

    private final Holdpoint agent = bench.another(builder -> builder.tools(new Bank())
            .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
            .toolPolicies(ToolPolicy.named("pay").rules(effect)));

    private final Holdpoint grace = agent.as(GRACE);

    private Approval held() {
        bench.model.calls(call("p", "pay", PAY));
        Approval asked = agent.send(THREAD, "Pay, please").approvals().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private ObjectNode plan(ResumeEntry answer) {
        return Plans.of(grace).shown(THREAD, answer).orElseThrow();
    }

    private static JsonNode effect(PendingInterrupt asked) {
        return asked.interrupt().metadata().at("/langchain4j/effect");
    }

    private static ResumeEntry seeing(Approval asked, ResumeEntry answer, JsonNode plan) {
        return asked.with(answer, "effect", plan.path("fingerprint").asText());
    }

    @Test
    void whatAnEditWouldDoIsShownAndRunsAsItWasShown() {
        Approval asked = held();
        ResumeEntry edit = asked.edit("amount", 5);

        ObjectNode plan = plan(edit);
        assertThat(plan.path("plan")).hasToString("{\"leaves\":945}");
        assertThat(plan.path("facts")).hasToString("{\"balance\":950}");
        assertThat(plan.path("fingerprint")).isNotEqualTo(effect(asked).path("fingerprint"));
        assertThat(grace.pending(THREAD)).hasSize(1);

        assertThat(grace.resume(THREAD, seeing(asked, edit, plan))).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("pay 5");
        assertThat(bench.store.check()).isEmpty();
    }

    @Test
    void anEditWhosePlanHasChangedSinceIsAskedAgain() {
        Approval asked = held();
        ResumeEntry edit = asked.edit("amount", 5);
        ObjectNode plan = plan(edit);
        balance = BigDecimal.valueOf(50_000);

        Approval again =
                grace.resume(THREAD, seeing(asked, edit, plan)).approvals().get(0);

        assertThat(effects).isEmpty();
        assertThat(effect(again).path("why").asText()).isEqualTo("changed");
        assertThat(effect(again).path("plan")).hasToString("{\"leaves\":49995}");
        assertThat(again.arguments().path("amount").intValue()).isEqualTo(5);
        grace.resume(THREAD, again.approve());
        assertThat(effects).containsExactly("pay 5");
    }

    /** Without facts that differ, the arguments make it another plan. */
    @Test
    void thePlanOfOneEditIsNotThatOfAnother() {
        Approval asked = held();
        ObjectNode seen = plan(asked.edit("amount", 5));

        RunResult result = grace.resume(THREAD, seeing(asked, asked.edit("amount", 900), seen));

        assertThat(effects).isEmpty();
        assertThat(effect(result.approvals().get(0)).path("plan")).hasToString("{\"leaves\":50}");
    }

    @Test
    void anEditThatWasSeenAgesAsTheQuestionDoes() {
        Approval asked = held();
        ResumeEntry edit = asked.edit("amount", 5);
        ObjectNode plan = plan(edit);
        bench.clock.advance(Duration.ofHours(5));

        RunResult result = grace.resume(THREAD, seeing(asked, edit, plan));

        assertThat(effects).isEmpty();
        assertThat(effect(result.approvals().get(0)).path("why").asText()).isEqualTo("expired");
    }

    @Test
    void anApprovalOfAnotherEffectThanTheOneShownIsRefused() {
        Approval asked = held();
        ObjectNode other = plan(asked.edit("amount", 5));

        RunResult refused = grace.resume(THREAD, seeing(asked, asked.approve(), other));

        assertThat(refused.failure().orElseThrow().code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        assertThat(refused.failure().orElseThrow().message()).contains("another effect than the question shows");
        assertThat(effects).isEmpty();
        assertThat(grace.resume(THREAD, seeing(asked, asked.approve(), effect(asked))))
                .isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("pay 500");
    }

    /** The record of what was shown decides whether it still holds: nobody may change it after the answer. */
    @Test
    @Logs({"Run * on thread * failed", "The call p of the tool \"pay\" is not executed: the record*"})
    void aDecisionIsBoundToTheEffectThatWasShown() {
        Approval asked = held();
        bench.another(builder -> builder.tools(new Bank())
                        .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                        .toolPolicies(ToolPolicy.named("pay").rules(effect))
                        .streamingChatModel(run -> {
                            throw new IllegalStateException("the answer is stored, and nothing after it");
                        }))
                .as(GRACE)
                .resume(THREAD, asked.approve());
        balance = BigDecimal.valueOf(50_000);

        bench.another(builder -> builder.tools(new Bank())
                        .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                        .toolPolicies(ToolPolicy.named("pay").rules(effect))
                        .store(new TamperedStore(
                                bench.store, json -> json.replace("\"balance\":950", "\"balance\":50000"))))
                .as(GRACE)
                .resume(THREAD);

        assertThat(effects).isEmpty();
    }

    @Test
    void theFingerprintIsTakenBesideAnEditAndTheCallIsNotRemembered() {
        JsonNode schema = held().interrupt().responseSchema();

        assertThat(schema.at("/properties/effect/type").asText()).isEqualTo("string");
        assertThat(schema.path("required")).hasToString("[\"approved\"]");
        assertThat(schema.path("properties").has("remember")).isFalse();
    }

    @Test
    void onlyWhoMayGiveTheAnswerSeesThePlan() {
        Approval asked = held();
        ResumeEntry edit = asked.edit("amount", 5);

        rejected(agent.as(MALLORY), THREAD, edit, ErrorCode.THREAD_NOT_FOUND);
        rejected(agent, THREAD, edit, ErrorCode.INTERRUPT_FORBIDDEN);
        rejected(grace, "elsewhere", edit, ErrorCode.THREAD_NOT_FOUND);
        rejected(grace, THREAD, ResumeEntry.resolved("int_other", edit.payload()), ErrorCode.INTERRUPT_UNKNOWN);
        rejected(grace, THREAD, asked.edit("amount", "much"), ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        assertThat(Plans.of(grace).shown(THREAD, asked.deny())).isEmpty();
        assertThat(Plans.of(grace).shown(THREAD, asked.cancel())).isEmpty();
    }

    private static void rejected(Holdpoint agent, String thread, ResumeEntry answer, ErrorCode code) {
        assertThatThrownBy(() -> Plans.of(agent).shown(thread, answer))
                .isInstanceOfSatisfying(
                        RunRejectedException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void aToolWithoutAnEffectHasNoPlan() {
        bench.model.calls(call("p", "plain", "{\"n\":1}"));
        Approval asked = agent.send(THREAD, "Go").approvals().get(0);

        assertThat(Plans.of(grace).shown(THREAD, asked.approve())).isEqualTo(Optional.empty());
        assertThat(asked.interrupt().responseSchema().path("properties").has("effect"))
                .isFalse();
    }
}
