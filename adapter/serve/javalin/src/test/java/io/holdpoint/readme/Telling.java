package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.reach.ApprovalNotifier;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.PlainText;
import io.holdpoint.reach.Reach;
import io.holdpoint.reach.Webhook;
import io.holdpoint.store.Store;
import java.net.URI;
import java.time.Duration;
import java.util.List;

final class Telling {

    private Telling() {}

    static Holdpoint agent(StreamingChatModel model, Mailer mailer, Store store) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .store(store)
                .approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
                .toolPolicies(ToolPolicy.named("sendEmail")
                        .approvals(Approvals.of(1).by(Audience.role("treasury")))
                        .timeline(Timeline.expiresAfter(Duration.ofDays(2)).remind(Duration.ofHours(4))))
                .with(Reach.notifier("treasury-mail", new TreasuryMail(mailer)))
                .build();
        // end
        return agent;
    }

    // readme
    record TreasuryMail(Mailer mailer) implements ApprovalNotifier {

        @Override
        public void tell(Notice notice) {
            for (Notice.Question question : notice.questions()) {
                PendingInterrupt asked = question.item().interrupt();
                List<String> people = question.audiences().stream()
                        .map(audience -> audience.name() + "@example.com")
                        .toList();
                String text =
                        question.outcome().map(Notice.Outcome::sentence).orElseGet(() -> PlainText.ofArguments(asked));
                mailer.send(String.join(",", people), notice.kind() + ": " + PlainText.of(asked.message()), text);
            }
        }
    }
    // end

    static ApprovalNotifier webhook(String secret) {
        // readme
        ApprovalNotifier webhook = Webhook.to(URI.create("https://erp.example/approvals"), secret);
        // end
        return webhook;
    }
}
