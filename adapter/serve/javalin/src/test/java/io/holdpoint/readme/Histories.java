package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.ThreadStatus;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

final class Histories {

    private Histories() {}

    static Holdpoint agent(StreamingChatModel model, Mailer mailer) {
        return Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                // readme
                .with(Follow.settings()
                        .longest(Duration.ofMinutes(5))
                        .lookEvery(Duration.ofSeconds(1))
                        .flushInterval(Duration.ofSeconds(1)))
                // end
                .build();
    }

    static ThreadStatus show(Holdpoint agent, EventSink sink) {
        // readme
        CompletableFuture<ThreadStatus> shown = Follow.of(agent).history("thread-1", "look-1", sink);
        CompletableFuture<ThreadStatus> followed = Follow.of(agent).follow("thread-1", "look-2", sink);
        // end
        shown.join();
        return followed.join();
    }

    static String inbox(Holdpoint agent) {
        StringBuilder out = new StringBuilder();
        // readme
        Caller grace = Caller.of("grace", "approver");
        Optional<String> cursor = Optional.empty();
        do {
            Inbox page = Follow.of(agent.as(grace)).inbox(Inbox.Scope.ACCESSIBLE, cursor, 50);
            for (AskedQuestion item : page.items()) {
                out.append(item.threadId() + ": " + item.interrupt().message() + "\n");
            }
            cursor = page.next();
        } while (cursor.isPresent());
        // end
        return out.toString();
    }
}
