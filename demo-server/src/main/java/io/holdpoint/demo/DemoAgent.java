package io.holdpoint.demo;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import io.holdpoint.demo.model.ScriptedModel;
import io.holdpoint.demo.tools.AffectedRecords;
import io.holdpoint.demo.tools.BankTools;
import io.holdpoint.demo.tools.ContactTools;
import io.holdpoint.demo.tools.DemoEffects;
import io.holdpoint.demo.tools.FlightTools;
import io.holdpoint.demo.tools.HouseholdAccount;
import io.holdpoint.demo.tools.ListTools;
import io.holdpoint.demo.tools.MailTools;
import io.holdpoint.demo.tools.OriginOfPayments;
import io.holdpoint.demo.tools.Questions;
import io.holdpoint.demo.tools.RecordTools;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Reach;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Builds the demo's agent. */
final class DemoAgent {

    /** Between two pieces of the scripted model's answer, so that streaming can be seen. */
    private static final Duration PAUSE = Duration.ofMillis(5);

    private static final int MAX_MESSAGES = 200;

    private DemoAgent() {}

    static Holdpoint create(DemoSettings settings, DemoDatabase database, DemoEffects effects, RunObserver observer) {
        RecordTools records = new RecordTools(effects);
        HouseholdAccount account = new HouseholdAccount(database.pool(), effects);
        return Holdpoint.builder(Assistant.class)
                .streamingChatModel(model(settings))
                .tools(new ContactTools(effects), new MailTools(effects), new BankTools(effects))
                .tools(records, new FlightTools(effects), new ListTools(), account)
                .beans(new AffectedRecords(records), account.effect())
                .toolPolicies(ToolPolicy.named("bookFlight").withoutApproval().askOnFailure())
                .toolPolicies(settings.reviewed() ? new ToolPolicy[] {DemoReviewers.HUGE_TRANSFER} : new ToolPolicy[0])
                .rules(new OriginOfPayments())
                .questions(Questions.class)
                .client(client -> client.steps(true))
                .observers(observer)
                .approvalAuthorizer(settings.reviewed() ? new DemoReviewers() : ApprovalAuthorizer.OWNER)
                .people(name -> settings.people().isEmpty()
                        ? Optional.of(Caller.of(name)) // nobody signs in
                        : settings.people().stream()
                                .filter(person -> person.id().equals(name))
                                .findFirst())
                .with(Reach.links(links()))
                .store(database.threads())
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(MAX_MESSAGES)
                        .chatMemoryStore(database.memories())
                        .build())
                .build();
    }

    /** Links of this process: after a restart there are others. Whoever has to sign in does so on the demo's page. */
    private static Links links() {
        byte[] secret = new byte[Links.Key.MIN_BYTES];
        new SecureRandom().nextBytes(secret);
        return Links.signed(URI.create("http://localhost/agent"), Links.Key.of("demo", secret))
                .page(link -> URI.create("/#thread=" + URLEncoder.encode(link.threadId(), StandardCharsets.UTF_8)));
    }

    private static StreamingChatModel model(DemoSettings settings) {
        return settings.openAi()
                .<StreamingChatModel>map(openAi -> {
                    var model = OpenAiStreamingChatModel.builder()
                            .apiKey(openAi.apiKey())
                            .modelName(openAi.model())
                            .returnThinking(true);
                    openAi.baseUrl().ifPresent(model::baseUrl);
                    return model.build();
                })
                .orElseGet(() -> new ScriptedModel(() -> LockSupport.parkNanos(PAUSE.toNanos())));
    }
}
