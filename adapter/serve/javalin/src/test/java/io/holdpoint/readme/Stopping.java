package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import java.time.Duration;

final class Stopping {

    private Stopping() {}

    static Holdpoint agent(StreamingChatModel model, Mailer mailer) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .runTimeout(Duration.ofMinutes(10))
                .build();
        // end
        return agent;
    }

    static boolean cancel(Holdpoint agent) {
        // readme
        boolean stopped = agent.cancel("thread-1");
        // end
        return stopped;
    }

    static boolean shutDown(Holdpoint agent) {
        // readme
        boolean allEnded = agent.shutdown(Duration.ofSeconds(20));
        // end
        return allEnded;
    }
}
