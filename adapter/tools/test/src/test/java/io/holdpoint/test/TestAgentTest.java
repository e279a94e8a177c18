package io.holdpoint.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The kit in a test of an application. */
class TestAgentTest {

    interface Assistant {
        String chat(String message);
    }

    static class BookingTools {

        private final List<String> cancelled = new ArrayList<>();

        @Tool("Cancel a booking")
        @RequiresApproval(message = "Cancel booking {{number}}?", expiresAfter = "P1D")
        String cancelBooking(@P("number of the booking") String number) {
            cancelled.add(number);
            return "cancelled " + number;
        }

        @Tool("Find a booking")
        String findBooking(String name) {
            return "123";
        }
    }

    private final BookingTools tools = new BookingTools();

    @RegisterExtension
    final TestAgent<Assistant> agent = TestAgent.of(Assistant.class, builder -> builder.tools(tools));

    @Test
    void theStoryOfAnApproval() {
        agent.model().calls("cancelBooking", Map.of("number", "123")).says("It is cancelled.");

        agent.send("Cancel my booking 123");
        agent.assertHeld("cancelBooking").withArguments(Map.of("number", "123")).withMessage("Cancel booking \"123\"?");
        agent.assertDidNotRun("cancelBooking");

        agent.restart();
        agent.approve();
        agent.assertRan("cancelBooking").once().with(Map.of("number", "123"));
        agent.assertModelWasTold("cancelBooking", "cancelled 123");
        agent.assertAnswered("It is cancelled.");
        agent.assertNothingHeld();
        assertThat(tools.cancelled).containsExactly("123");
    }

    private static final Caller GRACE = Caller.of("grace", "treasury");
    private static final Caller HEIDI = Caller.of("heidi", "treasury");

    @RegisterExtension
    final TestAgent<Assistant> treasury = TestAgent.of(Assistant.class, builder -> builder.tools(tools)
            .approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
            .toolPolicies(ToolPolicy.named("cancelBooking")
                    .approvals(Approvals.of(2))
                    .timeline(Timeline.expiresAfter(Duration.ofHours(8)).then(WhenExpired.GO_ON))));

    @Test
    void twoPeopleApproveInTheirOwnNames() {
        treasury.model().calls("cancelBooking", Map.of("number", "123")).says("It is cancelled.");
        treasury.as(Caller.of("ada")).send("Cancel my booking 123");

        treasury.approveAs(GRACE);
        treasury.assertDidNotRun("cancelBooking");
        assertThatThrownBy(() -> treasury.approveAs(Caller.of("ada"))).hasMessageContaining("ada may not approve: ");
        treasury.approveAs(HEIDI);

        treasury.assertRan("cancelBooking").once();
        treasury.assertAnswered("It is cancelled.");
    }

    @Test
    void timeDoesWhatItHasToDoWhenTheTestSaysSo() {
        treasury.model().calls("cancelBooking", Map.of("number", "123")).says("Nobody answered.");
        treasury.as(Caller.of("ada")).send("Cancel my booking 123");

        treasury.advance(Duration.ofHours(7));
        treasury.assertHeld("cancelBooking");
        treasury.advance(Duration.ofHours(1));

        treasury.assertNothingHeld();
        treasury.assertDidNotRun("cancelBooking");
        treasury.assertModelWasTold("cancelBooking", "Nobody answered");
    }

    @Test
    void theStoryOfAnEdit() {
        agent.model().calls("cancelBooking", Map.of("number", "123")).says("The other one is cancelled.");
        agent.send("Cancel my booking");

        agent.approveWith(Map.of("number", "124"));

        agent.assertRan("cancelBooking").once().with(Map.of("number", "124"));
        assertThat(tools.cancelled).containsExactly("124");
    }

    @Test
    void theStoryOfADenial() {
        agent.model().calls("cancelBooking", Map.of("number", "123")).says("As you like.");
        agent.send("Cancel my booking");

        agent.deny("wrong person");

        agent.assertDidNotRun("cancelBooking");
        agent.assertModelWasTold("cancelBooking", "wrong person");
        agent.assertAnswered("As you like.");
    }

    @Test
    void aQuestionExpiresWhenTheTestSaysSo() {
        agent.model().calls("cancelBooking", Map.of("number", "123")).says("Nothing was cancelled.");
        agent.send("Cancel my booking");
        agent.clock().advance(Duration.ofDays(2));

        assertThat(agent.approve()).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.INTERRUPT_EXPIRED));
        agent.cancel();

        agent.assertDidNotRun("cancelBooking");
        assertThat(tools.cancelled).isEmpty();
    }

    @Test
    void whatIsNotSoFailsAndTellsTheStory() {
        agent.model().calls("findBooking", Map.of("name", "Ada")).says("It is 123.");
        agent.send("Find my booking");

        assertThatThrownBy(() -> agent.assertHeld("cancelBooking"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("cancelBooking is not held")
                .hasMessageContaining("PROPOSED findBooking {\"arguments\":{\"name\":\"Ada\"}")
                .hasMessageContaining("CLAIMED findBooking {\"argumentsSha256\"");
        assertThatThrownBy(() -> agent.assertRan("cancelBooking")).hasMessageContaining("did not run");
        assertThatThrownBy(() -> agent.assertDidNotRun("findBooking")).hasMessageContaining("findBooking ran");
        assertThatThrownBy(() -> agent.assertRan("findBooking").times(2)).hasMessageContaining("ran 1 time(s)");
        assertThatThrownBy(() -> agent.assertRan("findBooking").with(Map.of("name", "Bob")))
                .hasMessageContaining("ran with {\"name\":\"Ada\"}");
        assertThatThrownBy(() -> agent.assertModelWasTold("findBooking", "124")).hasMessageContaining("[123]");
        assertThatThrownBy(() -> agent.assertAnswered("It is 124.")).hasMessageContaining("It is 123.");
        assertThatThrownBy(agent::approve).hasMessageContaining("nothing is held");
        assertThatThrownBy(() -> agent.deny("no")).hasMessageContaining("nothing is held");
        assertThatThrownBy(agent::cancel).hasMessageContaining("nothing is held");
    }

    @Test
    void aFailureNamesBothMessages() {
        agent.model().calls("cancelBooking", Map.of("number", "123"));
        agent.send("Cancel my booking");

        assertThatThrownBy(() -> agent.assertHeld("cancelBooking").withMessage("Cancel?"))
                .hasMessageStartingWith("the message is \"Cancel booking \"123\"?\", not \"Cancel?\"");
        assertThatThrownBy(() -> agent.assertHeld("cancelBooking").withArguments(Map.of("number", "124")))
                .hasMessageStartingWith("the arguments are {\"number\":\"123\"}, not {\"number\":\"124\"}");
    }

    @Test
    void aTestHasAsManyThreadsAsItNames() {
        agent.model().calls("cancelBooking", Map.of("number", "123")).says("Hello.");

        agent.send("Cancel my booking 123");
        agent.on("7").send("Hello");

        agent.assertNothingHeld();
        agent.on(TestAgent.THREAD).assertHeld("cancelBooking");
    }
}
