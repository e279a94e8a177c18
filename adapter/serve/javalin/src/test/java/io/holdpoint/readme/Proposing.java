package io.holdpoint.readme;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.Proposal;

final class Proposing {

    private Proposing() {}

    static Proposal propose(Holdpoint agent) {
        // readme
        ObjectNode arguments = JsonNodeFactory.instance
                .objectNode()
                .put("to", "bob@example.com")
                .put("subject", "Invoice 7")
                .put("body", "It is due on Friday.");
        Proposal reminder = agent.as(Caller.of("billing")).propose("reminder-7", "sendEmail", arguments, "reminder-7");
        // end
        return reminder;
    }

    static String result(Holdpoint agent) {
        // readme
        Proposal reminder = agent.as(Caller.of("billing"))
                .proposal("reminder-7", "reminder-7")
                .orElseThrow();
        String became = reminder.result()
                .map(result -> reminder.state() + ": " + result.resultText())
                .orElse("not decided yet");
        // end
        return became;
    }
}
