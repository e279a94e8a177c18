package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** README.md's sections on tools that ask, fail, and run early. */
class AskingToolsTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> sent = new ArrayList<>();

    /** Bob has moved. */
    public final class Invoices {

        @Tool
        String sendInvoice(String to) {
            if (!to.endsWith("@example.com")) {
                throw new IllegalArgumentException("no such mailbox: " + to);
            }
            sent.add(to);
            return "sent";
        }
    }

    private static PendingInterrupt only(Holdpoint agent) {
        assertThat(agent.pending("t")).hasSize(1);
        return agent.pending("t").get(0);
    }

    @Test
    void theFlightIsBookedInTheClassThatThePersonChose() {
        AskingTools.Travel travel = new AskingTools.Travel();
        Holdpoint agent = AskingTools.agent(model, travel);
        model.calls(call("c1", "bookFlight", "{\"to\":\"Rome\"}")).says("Have a good trip.");
        agent.send("t", "Book me a flight to Rome");
        assertThat(only(agent).reason()).isEqualTo("acme:flight_class");
        assertThat(travel.booked).isEmpty();

        agent.resume("t", AskingTools.answer(only(agent).asInput()));

        assertThat(travel.booked).containsExactly("Rome economy");
        assertThat(model.lastResult("c1")).isEqualTo("Booked economy to Rome for 120 euros.");
    }

    @Test
    @Logs("Tool '*' execution failed")
    void aFailureIsTriedAgainWithOtherArguments() {
        Holdpoint agent = AskingTools.agent(model, new Invoices());
        model.calls(call("c1", "sendInvoice", "{\"to\":\"bob@example.org\"}")).says("Sent.");
        agent.send("t", "Send Bob his invoice");
        assertThat(only(agent).reason()).isEqualTo("langchain4j:tool_error");

        agent.resume("t", AskingTools.tryAgain(only(agent).asFailure()));

        assertThat(sent).containsExactly("bob@example.com");
    }
}
