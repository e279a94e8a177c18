package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies and rules about an agent that works as a tool are about the call of that agent, and its own about the calls that it makes. */
class GatedAgentTest {

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private final ScriptedModel clerkModel = new ScriptedModel();

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    /** Takes no approval of more than 100, and notes what it is asked about. */
    private static final class AtMost100 implements Rule {

        private final String tool;
        private final List<String> answered = new ArrayList<>();
        private boolean closed;

        AtMost100(String tool) {
            this.tool = tool;
        }

        @Override
        public String name() {
            return "atMost";
        }

        @Override
        public Set<String> tools() {
            return Set.of(tool);
        }

        @Override
        public Optional<String> onAnswer(Answering answer) {
            answered.add(answer.call().toolName() + answer.call().arguments());
            return answer.call().argument("amount", Integer.class).orElse(0) > 100
                    ? Optional.of("100 at most.")
                    : Optional.empty();
        }

        @Override
        public Optional<String> beforeBody(ProposedCall call) {
            return closed ? Optional.of("the office is closed") : Optional.empty();
        }
    }

    private Holdpoint boss(Rule inside, Rule outside) {
        Holdpoint clerk = bench.another(builder -> builder.streamingChatModel(clerkModel)
                .name("clerk")
                .tools(new Bank())
                .rules(inside));
        return bench.another(builder -> builder.toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .rules(outside));
    }

    private PendingInterrupt.Approval asked(Holdpoint boss, int amount) {
        bench.model.calls(call("c1", "clerk", "{\"task\":\"Pay\"}")).says("All done.");
        clerkModel.calls(call("i1", "pay", "{\"amount\":" + amount + "}")).says("Paid.");
        return boss.send(THREAD, "Pay").interrupts().get(0).asApproval();
    }

    @Test
    void anAnswerThatARuleInsideRefusesChangesNothing() {
        AtMost100 inside = new AtMost100("pay");
        AtMost100 outside = new AtMost100("clerk");
        Holdpoint boss = boss(inside, outside);
        PendingInterrupt.Approval question = asked(boss, 500);
        String before = bench.store.find(THREAD).orElseThrow().batch().toString();

        RunResult refused = boss.resume(THREAD, question.approve());

        assertThat(refused).isInstanceOfSatisfying(RunResult.Failed.class, failed -> {
            assertThat(failed.code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
            assertThat(failed.message()).contains("100 at most.");
        });
        assertThat(bench.store.find(THREAD).orElseThrow().batch().toString()).isEqualTo(before);
        assertThat(inside.answered).containsExactly("pay{\"amount\":500}");
        assertThat(outside.answered).as("is about the call of the clerk").isEmpty();

        boss.resume(THREAD, question.approveWith(Map.of("amount", 99)));

        assertThat(effects).containsExactly("pay 99");
    }

    @Test
    void whatARuleInsideKeepsFromRunningDoesNotRun() {
        AtMost100 inside = new AtMost100("pay");
        Holdpoint boss = boss(inside, new AtMost100("clerk"));
        PendingInterrupt.Approval question = asked(boss, 5);
        inside.closed = true;

        boss.resume(THREAD, question.approve());

        assertThat(effects).isEmpty();
        assertThat(clerkModel.lastResult("i1")).contains("the office is closed");
    }

    @Test
    void editsOfWhatAGatedAgentAsksAreEditsOfItsOwnCall() {
        Holdpoint clerk = bench.another(
                builder -> builder.streamingChatModel(clerkModel).name("clerk").tools(new Bank()));
        Holdpoint boss = bench.another(builder -> builder.toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                .toolPolicies(ToolPolicy.named("clerk")));
        PendingInterrupt.Approval start = asked(boss, 5);
        boss.resume(THREAD, start.approve());
        PendingInterrupt.Approval inside = boss.pending(THREAD).get(0).asApproval();

        assertThat(boss.resume(THREAD, inside.approveWith(Map.of("amount", "six"))))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.message())
                        .contains("editedArgs/amount"));
        boss.resume(THREAD, inside.approveWith(Map.of("amount", 6)));

        assertThat(effects).containsExactly("pay 6");
    }

    /** Shows what a payment costs. */
    private record Costs() implements Rule {

        @Override
        public String name() {
            return "costs";
        }

        @Override
        public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
            return Say.remark(AguiCodec.mapper()
                    .createObjectNode()
                    .put("all", call.argument("amount", Integer.class).orElse(0) + 1));
        }
    }

    /** The second of two people would approve a payment of 900 by what was shown of one of 5. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterAnEditNoQuestionShowsWhatARuleInsideSaidBeforeIt(boolean outside) {
        ApprovalAuthorizer treasurer = ApprovalAuthorizer.role("treasurer");
        Holdpoint clerk = bench.another(builder -> builder.streamingChatModel(clerkModel)
                .name("clerk")
                .approvalAuthorizer(treasurer)
                .tools(new Bank())
                .toolPolicies(ToolPolicy.named("pay").approvals(Approvals.of(outside ? 1 : 2)))
                .rules(new Costs()));
        Holdpoint boss = bench.another(
                builder -> builder.approvalAuthorizer(outside ? ApprovalAuthorizer.fourEyes(treasurer) : treasurer)
                        .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk)));
        asked(boss.as(Caller.of("ada")), 5);
        Holdpoint grace = boss.as(Caller.of("grace", "treasurer"));
        PendingInterrupt.Approval first = grace.pending(THREAD).get(0).asApproval();
        assertThat(first.interrupt().metadata().at("/langchain4j/costs/all").asInt())
                .isEqualTo(6);

        grace.resume(THREAD, first.approveWith(Map.of("amount", 900)));

        Holdpoint heidi = boss.as(Caller.of("heidi", "treasurer"));
        PendingInterrupt.Approval edited = heidi.pending(THREAD).get(0).asApproval();
        assertThat(edited.arguments()).hasToString("{\"amount\":900}");
        assertThat(edited.interrupt().metadata().at("/langchain4j/costs/all").asInt())
                .isEqualTo(901);
        heidi.resume(THREAD, edited.approve());
        assertThat(effects).containsExactly("pay 900");
    }
}
