package io.holdpoint.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ToolPolicy;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.gate.PolicySettings;
import io.holdpoint.internal.gate.Rules;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.store.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A call that was claimed by a run that is over, and about which nobody was asked: no run asks for its decision today. */
class FinalGateTest {

    private static final String ARGUMENTS = "{\"amount\":20}";

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false"})
    void aClaimedCallRunsAgainOnlyIfItsToolWasAndIsIdempotent(boolean was, boolean is) {
        ToolPolicy policy = ToolPolicy.named("pay").withoutApproval();
        List<PolicySettings> policies = List.of(PolicySettings.of(is ? policy.idempotent() : policy));
        Rules rules = Rules.of(List.of(), policies);
        GatedTool tool = new PolicyReader(policies, rules, List.of(), ApprovalAuthorizer.OWNER, Duration.ofDays(1))
                .of(ToolSpecification.builder().name("pay").build(), (request, memoryId) -> "paid");
        Call claimed = new Call(
                "c1",
                new Call.Proposal("pay", ARGUMENTS, "of the arguments", tool.sha256(), was, false, null, null),
                "m1",
                Call.State.CLAIMED,
                List.of(),
                List.of(new Call.Attempt("r1", ARGUMENTS, Instant.EPOCH)),
                null);

        NextStep next = new FinalGate(null, tool, true).of(claimed); // nor the tools of a turn are asked

        assertThat(next).isInstanceOfSatisfying(NextStep.Settle.class, settle -> assertThat(settle.outcome())
                .isEqualTo(Call.State.FAILED));
    }
}
