package io.holdpoint.readme;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.oversight.Drills;
import io.holdpoint.oversight.Figures;
import java.time.Instant;
import java.util.Map;

final class Drilling {

    private Drilling() {}

    static Map.Entry<Drills, Holdpoint> agent(StreamingChatModel model, Mailer mailer, byte[] secret) {
        // readme
        ObjectNode arguments = JsonNodeFactory.instance
                .objectNode()
                .put("to", "all@example.com")
                .put("subject", "Salaries")
                .put("body", "As attached.");
        Drills drills = Drills.of(secret, new Drills.Sample("sendEmail", arguments, Caller.of("billing")))
                .every(200); // of the questions, on average
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .rules(drills)
                .with(drills)
                .build();
        // end
        return Map.entry(drills, agent);
    }

    static String figures(Holdpoint agent, Instant from, Instant to) {
        // readme
        Figures.Drilled mails = Figures.of(agent, from, to).drills().get("sendEmail");
        String line = mails.caught() + " of " + mails.planted() + " were caught, " + mails.missed()
                + " approved as they were";
        // end
        return line;
    }
}
