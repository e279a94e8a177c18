package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.oversight.Drills;
import io.holdpoint.test.ScriptedModel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The guide about drills. */
class DrillingTest {

    @Test
    void aPlantedCallIsCaughtAndCounted() {
        List<String> outbox = new ArrayList<>();
        Map.Entry<Drills, Holdpoint> made =
                Drilling.agent(new ScriptedModel(), (to, subject, body) -> outbox.add(to), new byte[16]);
        Holdpoint grace = made.getValue().as(Caller.of("grace", "approver"));
        String thread = made.getKey().plant(made.getValue()).threadId();

        grace.resume(thread, grace.pending(thread).get(0).asApproval().deny("To all?"));

        Instant now = Instant.now();
        assertThat(Drilling.figures(made.getValue(), now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1))))
                .isEqualTo("1 of 1 were caught, 0 approved as they were");
        assertThat(outbox).isEmpty();
    }
}
