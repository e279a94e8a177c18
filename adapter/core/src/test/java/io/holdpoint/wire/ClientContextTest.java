package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.ContentPart.Media;
import io.holdpoint.agui.ContextEntry;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.PartSource;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The {@code context} of an input: told to the model in this run, and kept nowhere. */
class ClientContextTest {

    private static final List<ContextEntry> PAGE = List.of(
            new ContextEntry("The page that is shown", "Invoice {{number}} of \"Ada\""),
            new ContextEntry("Language", "de"));

    private final Bench bench = new Bench();

    private static String lastUserText(List<ChatMessage> messages) {
        return UserMessage.findLast(messages).orElseThrow().singleText();
    }

    @Test
    void theModelIsToldBeforeWhatTheUserSaid() {
        bench.model.says("Ja.");

        bench.run(bench.input(user("u1", "Is it paid?")).withContext(PAGE));

        assertThat(lastUserText(bench.model.lastMessages()))
                .contains("The page that is shown: Invoice {{number}} of \"Ada\"", "Language: de")
                .endsWith("\n\nIs it paid?");
    }

    @Test
    void neitherMemoryNorTranscriptKeepsIt() {
        bench.model.says("Ja.").says("Nein.");

        bench.run(bench.input(user("u1", "Is it paid?")).withContext(PAGE));
        bench.say("Sure?");

        assertThat(bench.memory().toString()).doesNotContain("Invoice");
        assertThat(bench.transcript().toString()).doesNotContain("Invoice");
        assertThat(bench.model.lastMessages().toString()).doesNotContain("Invoice");
    }

    @Test
    void everyRequestOfTheRunHasItOnce() {
        bench.model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}")).says("Found.");

        bench.run(bench.input(user("u1", "Find Ada")).withContext(PAGE));

        assertThat(bench.model.requests()).hasSize(2).allSatisfy(request -> assertThat(
                        request.messages().toString().split("Invoice", -1))
                .hasSize(2));
    }

    @Test
    void aResumedRunHasItsOwn() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.run(bench.input(user("u1", "Write")).withContext(PAGE));
        bench.model.says("Done.");

        bench.run(bench.answers(bench.pending(0).asApproval().approve())
                .withContext(List.of(new ContextEntry("The page that is shown", "Outbox"))));

        assertThat(lastUserText(bench.model.lastMessages())).contains("Outbox").doesNotContain("Invoice");
    }

    @Test
    void whoMayOnlyDecideTellsTheModelNothing() {
        Bench shared = new Bench(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss")));
        shared.model.calls(call("c1", "sendEmail", MAIL));
        shared.say("Write");
        shared.model.says("Done.");
        Caller boss = new Caller("boss", Set.of("boss"));

        var approval = shared.agent()
                .as(boss)
                .pending(Bench.THREAD)
                .get(0)
                .asApproval()
                .approve();
        shared.agent()
                .as(boss)
                .run(shared.answers(approval).withContext(PAGE), event -> {})
                .join();

        assertThat(shared.model.requests()).hasSize(2);
        assertThat(shared.model.lastMessages().toString()).doesNotContain("Invoice");
    }

    @Test
    void aMessageThatBeginsWithAPictureKeepsIt() {
        bench.model.says("Ja.");
        ContentPart picture = new Media(Media.Kind.IMAGE, new PartSource.Data("iVBORw0KGgo=", "image/png"));

        bench.run(bench.input(new Message.User("u1", new MessageContent.Parts(List.of(picture))))
                .withContext(PAGE));

        assertThat(UserMessage.findLast(bench.model.lastMessages())
                        .orElseThrow()
                        .contents())
                .hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void everyShapeOfServiceHasIt(Shape shape) {
        Bench any = new Bench();
        any.model.says("Ja.");

        shape.builder(any.model)
                .build()
                .run(any.input(user("u1", "Is it paid?")).withContext(PAGE), event -> {})
                .join();

        assertThat(lastUserText(any.model.lastMessages())).contains("Invoice");
    }
}
