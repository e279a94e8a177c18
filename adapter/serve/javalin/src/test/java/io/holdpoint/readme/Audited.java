package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.oversight.Figures;
import io.holdpoint.store.AuditEvent;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class Audited {

    private static final Logger log = LoggerFactory.getLogger(Audited.class);

    private Audited() {}

    static Holdpoint agent(StreamingChatModel model, Mailer mailer) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .observers(RunObserver.ofTrail(
                        event -> log.info("{} {} by {}", event.kind(), event.toolName(), event.caller())))
                .argumentRedactor((toolName, arguments) -> arguments.remove(List.of("body")))
                .build();
        // end
        return agent;
    }

    static String trail(Holdpoint agent) {
        StringBuilder out = new StringBuilder();
        // readme
        for (AuditEvent event : agent.auditTrail("thread-1", 0, 100)) {
            out.append(event.at() + " " + event.caller() + " " + event.kind() + " " + event.detail() + "\n");
        }
        // end
        return out.toString();
    }

    static String figures(Holdpoint agent, Instant from, Instant to) {
        StringBuilder out = new StringBuilder();
        // readme
        for (Figures.Tool tool : Figures.of(agent, from, to).tools()) {
            out.append(tool.name() + ": " + tool.counts().approved() + " of "
                    + tool.counts().asked() + " approved\n");
            tool.advice().forEach(advice -> out.append(advice + "\n"));
        }
        // end
        return out.toString();
    }
}
