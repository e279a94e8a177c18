package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Reversibility;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Policies on trial. */
class ShadowTest {

    private static final ToolPolicy LARGE = ToolPolicy.matching(java.util.regex.Pattern.compile("pay|send"))
            .when(call -> call.arguments().path("amount").asInt() > 1000
                    ? ApprovalVerdict.deny("too much")
                    : ApprovalVerdict.requireApprovalIf(
                            call.arguments().path("amount").asInt() > 100));

    private final Bench bench = new Bench();

    /** One is gated, the other is not. */
    static final class Bank {

        @Tool
        String pay(int amount) {
            return "paid";
        }

        @Tool
        @RequiresApproval
        String send(int amount) {
            return "sent";
        }
    }

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.tools(new Bank())));
    }

    private RunResult proposes(Holdpoint agent, String id, String tool, int amount) {
        bench.model.calls(call(id, tool, "{\"amount\":" + amount + "}"));
        if (tool.equals("pay")) {
            bench.model.says("Done.");
        }
        return agent.send(THREAD, "Please " + tool + " " + amount);
    }

    private List<AuditEvent> events(Kind... kinds) {
        return bench.store.auditTrail(THREAD, 0, 1000).stream()
                .filter(event -> Set.of(kinds).contains(event.kind()))
                .toList();
    }

    @Test
    void aPolicyOnTrialIsInTheTrailAndChangesNothing() {
        Holdpoint agent = agent(builder -> builder.toolPolicies(LARGE.shadow()));

        assertThat(proposes(agent, "c1", "pay", 500)).isInstanceOf(RunResult.Completed.class);
        assertThat(proposes(agent, "c2", "pay", 5000)).isInstanceOf(RunResult.Completed.class);
        assertThat(proposes(agent, "c3", "pay", 5)).isInstanceOf(RunResult.Completed.class);

        assertThat(events(Kind.EXECUTED)).hasSize(3);
        assertThat(events(Kind.WOULD_ASK, Kind.WOULD_DENY))
                .extracting(AuditEvent::kind, event -> event.toolCallId().orElseThrow(), event -> event.detail()
                        .toString())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(Kind.WOULD_ASK, "c1", "{\"policy\":\"/pay|send/\"}"),
                        org.assertj.core.groups.Tuple.tuple(
                                Kind.WOULD_DENY, "c2", "{\"policy\":\"/pay|send/\",\"reason\":\"too much\"}"));
    }

    @Test
    @Logs("The condition for pay failed; the policy only looks on, so nothing follows from that")
    void nobodyIsSaidToBeAskedByAPolicyOnTrialThatFails() {
        Holdpoint agent = agent(builder -> builder.toolPolicies(ToolPolicy.named("pay")
                .when(call -> {
                    throw new IllegalStateException("no rates");
                })
                .shadow()));

        assertThat(proposes(agent, "c1", "pay", 1)).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void aPolicyOnTrialLoosensNoAnnotationAndTheCardDoesNotShowIt() {
        ToolPolicy generous = ToolPolicy.named("send")
                .withoutApproval()
                .reversibility(Reversibility.IRREVERSIBLE)
                .message("On trial")
                .remember(Duration.ofMinutes(5), io.holdpoint.store.Grant.Scope.TOOL);
        PendingInterrupt with = proposes(
                        agent(builder -> builder.toolPolicies(
                                generous.reversibility(Reversibility.READ_ONLY).shadow(), LARGE.shadow())),
                        "c1",
                        "send",
                        5000)
                .interrupts()
                .get(0);
        bench.agent().cancel(THREAD);
        PendingInterrupt without = proposes(agent(builder -> builder), "c2", "send", 5000)
                .interrupts()
                .get(0);

        assertThat(with.interrupt().message()).isEqualTo(without.interrupt().message());
        assertThat(with.interrupt().metadata()).isEqualTo(without.interrupt().metadata());
        assertThat(with.interrupt().responseSchema())
                .isEqualTo(without.interrupt().responseSchema());
        assertThat(events(Kind.WOULD_DENY)).hasSize(1);
    }

    @Test
    void aPolicyOnTrialDoesNotSayThatAToolMayRunTwice() {
        proposes(
                agent(builder -> builder.toolPolicies(
                        ToolPolicy.named("send").idempotent().shadow())),
                "c1",
                "send",
                5);

        assertThat(bench.store.find(THREAD).orElseThrow().batch().orElseThrow().calls())
                .singleElement()
                .satisfies(call -> assertThat(call.proposal().idempotent()).isFalse());
    }

    @Test
    void theReasonOfADenialIsNotKeptWhereArgumentsAreRedacted() {
        Holdpoint agent = agent(builder -> builder.toolPolicies(LARGE.shadow())
                .argumentRedactor((tool, arguments) -> arguments.remove(List.of("amount")))
                .clock(bench.clock)
                .executor(Runnable::run));

        proposes(agent, "c1", "pay", 5000);

        assertThat(events(Kind.WOULD_DENY).get(0).detail().has("reason")).isFalse();
    }
}
