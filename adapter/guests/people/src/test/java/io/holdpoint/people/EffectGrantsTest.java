package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.Bench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** An approval is one of the effect that was shown: it says nothing about that of a later call, so none is remembered. */
class EffectGrantsTest {

    private static final String PAY = "{\"amount\":5}";

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private int balance = 100;
    private final Effect effect = call -> Plan.of("leaves " + balance).holds("balance", balance);

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval(remember = {Grant.Scope.SAME_CALL, Grant.Scope.TOOL})
        String pay(int amount) {
            effects.add("pay " + amount + " of " + balance);
            return "paid";
        }

        @Tool
        @RequiresApproval(rules = IntendedCalls.class)
        String intend(List<IntendedCall> calls) {
            return "Make them.";
        }
    }

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.tools(new Bank())));
    }

    private Holdpoint withEffect() {
        return agent(builder -> builder.toolPolicies(ToolPolicy.named("pay").rules(effect)));
    }

    private RunResult proposed(Holdpoint agent, String id) {
        bench.model.calls(call(id, "pay", PAY));
        return agent.send(THREAD, "Pay, please");
    }

    private void answered(Holdpoint agent, Approval asked, Grant.Scope scope) {
        bench.model.says("Done.");
        assertThat(agent.resume(THREAD, asked.approveAndRemember(scope))).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void anApprovalOfACallWithAnEffectIsNotOfferedToBeRemembered() {
        Holdpoint agent = withEffect();
        Approval asked = proposed(agent, "p").approvals().get(0);

        assertThat(asked.interrupt().responseSchema().path("properties").has("remember"))
                .isFalse();
        RunResult refused = agent.resume(THREAD, asked.approveAndRemember(Grant.Scope.TOOL));
        assertThat(refused.failure().orElseThrow().code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        assertThat(effects).isEmpty();
    }

    @Test
    void whatWasRememberedBeforeTheToolHadAnEffectCountsNoMore() {
        Holdpoint before = agent(builder -> builder);
        answered(before, proposed(before, "p").approvals().get(0), Grant.Scope.TOOL);
        assertThat(before.grants(THREAD)).hasSize(1);
        balance = 1;

        assertThat(proposed(withEffect(), "q").approvals()).hasSize(1);
        assertThat(effects).containsExactly("pay 5 of 100");
    }

    /** The card shows the plan whichever policy asks. */
    @Test
    void itIsNotRememberedEitherWhereOnlyAnotherPolicyAsks() {
        Holdpoint agent = agent(builder -> builder.toolPolicies(
                ToolPolicy.named("pay").when(call -> ApprovalVerdict.allow()).rules(effect)));
        Approval asked = proposed(agent, "p").approvals().get(0);

        assertThat(asked.interrupt()
                        .metadata()
                        .at("/langchain4j/effect/facts/balance")
                        .intValue())
                .isEqualTo(100);
        assertThat(asked.interrupt().responseSchema().path("properties").has("remember"))
                .isFalse();
    }

    @Test
    void anEffectForAllToolsOfAnAgentIsOneOfThisTool() {
        Approval asked = proposed(agent(builder -> builder.rules(effect)), "p")
                .approvals()
                .get(0);

        assertThat(asked.interrupt().responseSchema().path("properties").has("remember"))
                .isFalse();
    }

    @Test
    void noListApprovesItBeforehandAndTheCardSaysSo() {
        Holdpoint agent = withEffect();
        bench.model.calls(call(
                "i", "intend", "{\"calls\":[{\"tool\":\"pay\",\"arguments\":\"{\\\"amount\\\":5}\",\"times\":3}]}"));
        Approval list = agent.send(THREAD, "Go").approvals().get(0);

        assertThat(list.message()).contains("Call 1 (pay) will still be asked about.");
        bench.model.says("Done.");
        agent.resume(THREAD, list.approve());
        assertThat(agent.grants(THREAD)).isEmpty();
        assertThat(proposed(agent, "p").approvals()).hasSize(1);
        assertThat(effects).isEmpty();
    }

    @Test
    void aPolicyThatSaysBothContradictsItself() {
        for (ToolPolicy policy : List.of(
                ToolPolicy.named("pay").rules(effect).remember(Duration.ofMinutes(5), Grant.Scope.SAME_CALL),
                ToolPolicy.named("pay")
                        .rules(effect)
                        .rememberWithin(Bounds.same("amount").count(2), Duration.ofMinutes(5)))) {
            assertThatThrownBy(() -> agent(builder -> builder.toolPolicies(policy)))
                    .isInstanceOf(IllegalConfigurationException.class)
                    .hasMessageContaining(
                            "an approval with \"effect\" cannot be remembered: somebody has to look at every"
                                    + " call. Remove remember, or \"effect\".");
        }
    }
}
