package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.DynamicTools;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server that has just been started, and knows no tool of a provider yet, takes an edit: its question cannot show the plan. */
class UnseenPlanTest {

    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller HEIDI = Caller.of("heidi", "approver");

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();

    /** Pays. */
    final class Bank {

        @Tool
        String pay(int amount, String note) {
            effects.add("pay " + amount + " " + note);
            return "paid";
        }
    }

    private Holdpoint started() {
        Effect effect = call -> Plan.of("leaves 95").holds("balance", 100);
        return bench.another(builder -> builder.toolProviders(new DynamicTools(ToolService.findTools(new Bank())))
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("approver")))
                .toolPolicies(ToolPolicy.named("pay").rules(effect)));
    }

    @Test
    void whoHasApprovedAnEditWithoutItIsShownItBeforeTheCallRuns() {
        bench.model.calls(call("p", "pay", "{\"amount\":5,\"note\":\"lunch\"}"));
        started().as(Caller.of("ada")).send(THREAD, "Pay");
        bench.model.says("Done.");
        Holdpoint later = started();
        Approval first = later.as(GRACE).pending(THREAD).get(0).asApproval();
        later.as(GRACE).resume(THREAD, first.edit("note", "dinner"));
        Approval edited = later.as(HEIDI).pending(THREAD).get(0).asApproval();
        assertThat(plan(edited)).isEmpty();

        later.as(HEIDI).resume(THREAD, edited.approve());

        assertThat(effects).as("heidi has seen no plan").isEmpty();
        Approval again = later.as(HEIDI).pending(THREAD).get(0).asApproval();
        assertThat(plan(again)).isEqualTo("leaves 95");
        later.as(HEIDI).resume(THREAD, again.approve());
        assertThat(effects).containsExactly("pay 5 dinner");
    }

    private static String plan(Approval question) {
        return question.interrupt().metadata().at("/langchain4j/effect/plan").asText();
    }
}
