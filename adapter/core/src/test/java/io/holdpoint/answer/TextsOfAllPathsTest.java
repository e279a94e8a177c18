package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A sentence to which several paths lead is true on each of them. */
class TextsOfAllPathsTest {

    private static final Caller ADA = Caller.of("ada", "r");
    private static final Caller GRACE = Caller.of("grace", "r");

    private final Bench bench = new Bench();

    /** One tool asks before it runs, the other one while it runs. */
    static final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            return "paid";
        }

        @Tool
        String audit(ToolCallContext context) {
            context.answers().stream()
                    .findFirst()
                    .orElseThrow(() -> context.interrupt(
                            ToolInterrupt.confirmation("Half is done. Go on?").expiresAfter(Duration.ofHours(1))));
            return "audited";
        }
    }

    private Holdpoint agent() {
        return bench.another(builder -> builder.tools(new Bank())
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("r"))));
    }

    @Test
    void aCancelledQuestionAboutAnEditWasAnsweredBySomebodyBefore() {
        Holdpoint agent = agent();
        bench.model.calls(call("c1", "pay", "{\"amount\":5}")).says("Well.");
        agent.as(ADA).send(THREAD, "Pay");
        PendingInterrupt.Approval asked = agent.as(GRACE).pending(THREAD).get(0).asApproval();
        PendingInterrupt again = agent.as(GRACE)
                .resume(THREAD, asked.approveWith(Map.of("amount", 6)))
                .interrupts()
                .get(0);

        agent.as(ADA).resume(THREAD, again.cancel());

        assertThat(bench.model.lastResult("c1"))
                .contains("Not everybody whose approval it needs answered", "it was cancelled")
                .doesNotContain("Nobody");
    }

    @Test
    void aQuestionThatAToolAsksWhileItRunsIsNotAboutACallThatWasNotExecuted() {
        Holdpoint agent = agent();
        bench.model.calls(call("c1", "audit", "{}")).says("Well.");
        PendingInterrupt asked =
                agent.as(ADA).send(THREAD, "Audit").interrupts().get(0);
        bench.clock.advance(Duration.ofHours(2));

        RunResult late = agent.as(GRACE).resume(THREAD, ResumeEntry.resolved(asked.id(), BooleanNode.TRUE));

        assertThat(late.failure().orElseThrow().message())
                .contains("has expired, so the answer was not taken")
                .doesNotContain("executed");
        assertThat(late.failure().orElseThrow().code().sentence()).doesNotContain("executed");
        agent.as(ADA).resume(THREAD, asked.cancel());
        assertThat(bench.model.lastResult("c1")).contains("asked a person for something and got no answer");
    }
}
