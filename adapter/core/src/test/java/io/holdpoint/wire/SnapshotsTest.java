package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.SnapshotSettings;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.ContentPart.Media;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.PartSource;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.client.Transcript;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a run sends the messages of its thread, and what they show. */
class SnapshotsTest {

    private static final Media INLINE =
            new Media(Media.Kind.IMAGE, new PartSource.Data("iVBORw0KGgo=", "image/png"), "i1", null);
    private static final Media LINKED =
            new Media(Media.Kind.IMAGE, new PartSource.Url("https://example.com/i1", "image/png"), "i1", null);

    /** A client that sends all its messages with every input, as the official one does. */
    private final class Client {

        Transcript copy = new Transcript();

        RecordingSink says(String text, ResumeEntry... answers) {
            copy.add(user("u-" + text, text));
            return sends(input().withResume(Arrays.asList(answers)));
        }

        RecordingSink answers(ResumeEntry... answers) {
            return sends(input().withResume(Arrays.asList(answers)));
        }

        RunAgentInput input() {
            return bench.input(copy.messages().toArray(Message[]::new));
        }

        RecordingSink sends(RunAgentInput input) {
            RecordingSink sink = new RecordingSink();
            bench.agent().run(input, sink).join();
            StreamRules.checkBounded(sink.events());
            sink.events().forEach(copy::accept);
            return sink;
        }

        /** The last message came only as far as that, because the client has closed its connection. */
        void heardOnly(String text) {
            List<Message> messages = new ArrayList<>(copy.messages());
            Message last = messages.remove(messages.size() - 1);
            messages.add(new Message.Assistant(last.id(), text, List.of()));
            copy = new Transcript();
            messages.forEach(copy::add);
        }
    }

    private final Bench bench =
            new Bench(builder -> builder.client(client -> client.snapshots(SnapshotSettings.DEFAULT.bounded())));
    private final Client client = new Client();

    private ResumeEntry approval() {
        return bench.pending(0).asApproval().approve();
    }

    private static List<MessagesSnapshotEvent> snapshots(RecordingSink sink) {
        return sink.all(MessagesSnapshotEvent.class);
    }

    private void isUpToDate() {
        assertThat(client.copy.messages())
                .usingElementComparator((one, other) -> one.toString().equals(other.toString()) ? 0 : 1)
                .isEqualTo(bench.transcript());
    }

    @Test
    void aClientThatHasAllGetsNoneInAHoldAndItsResume() {
        bench.model
                .says("Hello.")
                .saysAndCalls("On it.", call("c1", "sendEmail", MAIL))
                .says("Done.");

        assertThat(snapshots(client.says("Hi"))).isEmpty();
        assertThat(snapshots(client.says("Write"))).isEmpty();
        assertThat(snapshots(client.answers(approval()))).isEmpty();

        isUpToDate();
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void aNewThreadOfSeveralMessagesNeedsNone() {
        client.copy.add(user("u1", "One"));
        client.copy.add(new Message.Assistant("a1", "Two", List.of()));
        bench.model.calls(call("c1", "sendEmail", MAIL));

        assertThat(snapshots(client.says("Write"))).isEmpty();
        isUpToDate();
    }

    @Test
    void sayingSomethingElseInsteadNeedsNoneEither() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("As you like.");
        client.says("Write");

        RecordingSink sink =
                client.says("Leave it", ResumeEntry.cancelled(bench.pending(0).id()));

        assertThat(snapshots(sink))
                .as("a call that was not executed has an error")
                .hasSize(1);
        isUpToDate();
    }

    @Test
    void aClientThatMissesSomethingGetsThemAtTheEndOfEveryRun() {
        bench.model.says("Hello.").says("Nothing.").says("This.").says("That.");
        client.says("Hi");
        bench.say("From another tab");

        assertThat(snapshots(client.says("What is new?"))).hasSize(1);

        isUpToDate();
        assertThat(snapshots(client.says("And now?"))).isEmpty();
    }

    @Test
    void aMessageThatWasHeardInPartIsMadeWhole() {
        bench.model.says("A long story.").says("Well.");
        client.says("Tell me");
        client.heardOnly("A lo");

        assertThat(snapshots(client.says("Go on"))).hasSize(1);
        isUpToDate();
    }

    @Test
    void aResultThatTheClientMadeUpIsTakenAway() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        client.says("Write");
        client.copy.add(new Message.Tool("x", "c1", MessageContent.text("{\"approved\":true}"), null));

        assertThat(snapshots(client.answers(approval()))).hasSize(1);
        isUpToDate();
    }

    @Test
    @Logs("Tool 'explode' execution failed")
    void aFailureIsShown() {
        bench.model.calls(call("c1", "explode", "{\"why\":\"x\"}")).says("Well.");

        client.says("Go");
        assertThat(snapshots(client.answers(approval()))).hasSize(1);
        isUpToDate();
    }

    @Test
    void resultsOfTheClientsOwnToolsNeedNone() {
        ClientToolSpec colour =
                new ClientToolSpec("setColour", "Of the client", JsonNodeFactory.instance.objectNode(), null);
        bench.model.calls(call("c1", "setColour", "{}")).says("Done.");
        client.copy.add(user("u1", "Blue"));
        client.sends(client.input().withTools(List.of(colour)));
        client.copy.add(new Message.Tool("t1", "c1", MessageContent.text("ok"), null));

        assertThat(snapshots(client.sends(client.input().withTools(List.of(colour)))))
                .isEmpty();
        isUpToDate();
    }

    @Test
    void whoSendsOnlyTheNewGetsThemWhereEverybodyDoes() {
        bench.model.says("Hello.").calls(call("c1", "sendEmail", MAIL)).says("Done.");

        assertThat(snapshots(bench.say("Hi"))).isEmpty();
        assertThat(snapshots(bench.say("Write"))).hasSize(1);
        assertThat(snapshots(bench.resume(approval()))).hasSize(1);
    }

    @Test
    void whoHasNothingToSayIsShownTheThread() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        client.says("Write");

        assertThat(snapshots(client.answers())).hasSize(1);
    }

    @Test
    void mediaAreShownAsTheApplicationSays() {
        Bench linking = new Bench(builder ->
                builder.client(client -> client.snapshots(SnapshotSettings.DEFAULT.withMedia(part -> LINKED))));
        linking.model.calls(call("c1", "sendEmail", MAIL));

        RecordingSink held = linking.run(linking.input(picture()));
        RecordingSink shown = linking.nothingNew();

        for (RecordingSink sink : List.of(held, shown)) {
            assertThat(parts(snapshots(sink).get(0).messages().get(0)))
                    .containsExactly(new ContentPart.Text("Look"), LINKED);
        }
        assertThat(parts(linking.transcript().get(0))).as("what is stored").contains(INLINE);
        assertThat(linking.model.lastMessages().toString())
                .as("what the model got")
                .contains("iVBORw0KGgo=");
    }

    static Stream<Throwable> failures() {
        return Stream.of(new IllegalStateException("down"), new IOException("down"), new NoClassDefFoundError("down"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Logs("Media of the message u1 are shown as they came")
    void mediaThatTheApplicationCannotShowStayAsTheyCame(Throwable failure) {
        Bench failing = new Bench(
                builder -> builder.client(client -> client.snapshots(SnapshotSettings.DEFAULT.withMedia(part -> {
                    throw Unchecked.<RuntimeException>of(failure);
                }))));
        failing.model.calls(call("c1", "sendEmail", MAIL));

        RecordingSink held = failing.run(failing.input(picture()));

        assertThat(parts(snapshots(held).get(0).messages().get(0))).contains(INLINE);
    }

    private static Message.User picture() {
        return new Message.User("u1", new MessageContent.Parts(List.of(new ContentPart.Text("Look"), INLINE)));
    }

    private static List<ContentPart> parts(Message message) {
        return ((MessageContent.Parts) ((Message.User) message).content()).parts();
    }
}
