package io.holdpoint.readme;

import io.holdpoint.test.TestAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

// readme
class TestingYourAgentTest {

    private final List<String> sent = new ArrayList<>();

    @RegisterExtension
    final TestAgent<Assistant> agent = TestAgent.of(
            Assistant.class,
            builder -> builder.tools(new MailTools((to, subject, body) -> sent.add(to + ": " + subject))));

    @Test
    void aMailIsSentOnceAndAsEdited() {
        Map<String, String> proposed = Map.of("to", "ada@example.com", "subject", "Hi", "body", "See you.");
        Map<String, String> edited = Map.of("to", "ada@example.com", "subject", "Hello", "body", "See you.");
        agent.model().calls("sendEmail", proposed).says("I wrote to Ada.");

        agent.send("Write to Ada");
        agent.assertHeld("sendEmail")
                .withArguments(proposed)
                .withMessage("Send email to \"ada@example.com\" with subject 'Hi'?");
        agent.assertDidNotRun("sendEmail");

        agent.restart(); // a new agent on the same database, as after a restart of the server
        agent.approveWith(edited);

        agent.assertRan("sendEmail").once().with(edited);
        agent.assertModelWasTold("sendEmail", "sent to ada@example.com");
        agent.assertAnswered("I wrote to Ada.");
    }
}
// end
