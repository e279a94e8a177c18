package io.holdpoint.tutorials.t11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.ErrorCode;
import io.holdpoint.test.TestAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tutorial 11: tests of an agent. */
class BookingToolsTest {

    private static final Map<String, String> PROPOSED = Map.of("number", "MS-777");

    // readme
    private final List<String> cancelled = new ArrayList<>();

    @RegisterExtension
    final TestAgent<BookingTools.Assistant> agent =
            TestAgent.of(BookingTools.Assistant.class, builder -> builder.tools(new BookingTools(cancelled::add)));

    @Test
    void aBookingIsCancelledOnceAndAfterARestart() {
        agent.model().calls("cancelBooking", PROPOSED).says("It is cancelled.");

        agent.send("Cancel MS-777");
        agent.assertHeld("cancelBooking").withArguments(PROPOSED).withMessage("Cancel booking \"MS-777\"?");
        assertThat(cancelled).isEmpty();

        agent.restart();
        agent.approve();
        agent.assertRan("cancelBooking").once().with(PROPOSED);
        agent.assertAnswered("It is cancelled.");
        assertThat(cancelled).containsExactly("MS-777");
    }
    // end

    // readme
    @Test
    void theModelReadsWhyItWasDenied() {
        agent.model().calls("cancelBooking", PROPOSED).says("Then I keep it.");

        agent.send("Cancel MS-777");
        agent.deny("the customer has called again");

        agent.assertDidNotRun("cancelBooking");
        agent.assertModelWasTold("cancelBooking", "the customer has called again");
    }

    @Test
    void anApprovalThatComesTooLateIsRefused() {
        agent.model().calls("cancelBooking", PROPOSED);

        agent.send("Cancel MS-777");
        agent.clock().advance(Duration.ofHours(2));

        assertThat(agent.approve().failure().orElseThrow().code()).isEqualTo(ErrorCode.INTERRUPT_EXPIRED);
        agent.assertDidNotRun("cancelBooking");
    }
    // end

    /** What the text asks the reader to change. */
    @Test
    void aFailureListsTheHistoryOfTheThread() {
        agent.model().calls("cancelBooking", PROPOSED).says("It is cancelled.");
        agent.send("Cancel MS-777");
        agent.approve();

        assertThatThrownBy(agent::approve)
                .hasMessageContaining("nothing is held")
                .hasMessageContaining("EXECUTED");
        assertThatThrownBy(() -> agent.assertRan("cancelBooking").with(Map.of("number", "MS-778")))
                .hasMessageContaining("MS-778")
                .hasMessageContaining("EXECUTED");
    }
}
