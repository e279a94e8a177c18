package io.holdpoint.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.store.Call;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A call that was claimed by a run that is over, and about which nobody was asked: no run asks for its decision today. */
class FinalGateTest {

    private static final String ARGUMENTS = "{\"amount\":20}";

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false"})
    void aClaimedCallRunsAgainOnlyIfItsToolWasAndIsIdempotent(boolean was, boolean is) {
        GatedTool tool = new GatedTool(
                ToolSpecification.builder().name("pay").build(),
                null, // neither policies
                MethodArguments.NONE,
                is,
                false,
                Optional.empty(),
                false,
                "of the tool");
        Call claimed = new Call(
                "c1",
                new Call.Proposal("pay", ARGUMENTS, "of the arguments", "of the tool", was, false, null, null),
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
