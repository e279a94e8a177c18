package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TrailRules;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message is edited while a question about it is open, which the same input lets go of. */
class EditedWhileHeldTest {

    /** How a client says which message it edits. */
    enum Way {
        NAMED,
        SHOWN
    }

    private final Bench bench = new Bench();

    private RunAgentInput edit(Way way) {
        Message.User edited = user("Do not pay", "Do not pay");
        if (way == Way.SHOWN) {
            Stream<Message> before = bench.transcript().stream()
                    .takeWhile(message -> !message.id().equals("Pay"));
            return bench.input(Stream.concat(before, Stream.of(edited)).toArray(Message[]::new));
        }
        ObjectNode forwarded = AguiCodec.mapper().createObjectNode();
        forwarded.putObject("holdpoint").put("replaces", "Pay");
        return bench.input(edited).withForwardedProps(forwarded);
    }

    private void talkAndPay() {
        bench.model.says("1");
        bench.say("One");
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Pay");
    }

    private List<String> said() {
        return bench.transcript().stream()
                .map(message -> message instanceof Message.Assistant assistant ? assistant.content() : message.id())
                .toList();
    }

    private List<String> remembered() {
        return bench.memory().stream().map(EditedWhileHeldTest::text).toList();
    }

    private static String text(ChatMessage message) {
        return message instanceof UserMessage user ? user.singleText() : ((AiMessage) message).text();
    }

    private List<AuditEvent> cuts() {
        return bench.store.auditTrail(THREAD, 0, 1_000).stream()
                .filter(event -> event.kind() == Kind.CUT)
                .toList();
    }

    private RunAgentInput editAndCancel(Way way) {
        return edit(way).withResume(List.of(bench.pending(0).cancel()));
    }

    @ParameterizedTest
    @EnumSource
    void anEditThatCancelsWhatIsOpenReplacesItAndTheModelIsShownTheNewTextOnly(Way way) {
        bench.model.says("1");
        bench.say("One");
        bench.model.calls(call("c1", "searchContacts", "{\"name\":\"Ada\"}"), call("c2", "sendEmail", MAIL));
        bench.say("Pay");
        bench.model.says("As you like.");

        RecordingSink sink = bench.run(editAndCancel(way));

        StreamRules.check(sink.events());
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.pending()).isEmpty();
        assertThat(bench.model.lastMessages().stream().map(EditedWhileHeldTest::text))
                .containsExactly("One", "1", "Do not pay");
        assertThat(said()).containsExactly("One", "1", "Do not pay", "As you like.");
        assertThat(remembered()).containsExactly("One", "1", "Do not pay", "As you like.");
        assertThat(((MessagesSnapshotEvent) sink.events().get(sink.events().size() - 2)).messages())
                .isEqualTo(bench.transcript());
        assertThat(bench.store.auditTrail(THREAD, 0, 100))
                .extracting(AuditEvent::kind)
                .containsSubsequence(Kind.HELD, Kind.DECIDED, Kind.NOT_EXECUTED, Kind.NOT_EXECUTED, Kind.CUT);
        assertThat(cuts().get(0).detail().path("messages").asInt()).isEqualTo(4);
        TrailRules.check(bench.store, THREAD);
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void theSameEditAfterTheServerDiedInItsMiddleReplacesItAllTheSame(Way way) {
        talkAndPay();
        RunAgentInput edit = editAndCancel(way);
        Store dying = new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                if (commit.cut().isPresent()) {
                    throw new IllegalStateException("the server dies");
                }
                super.commit(lease, commit, now);
            }
        };
        bench.another(builder -> builder.store(dying)).run(edit, new RecordingSink());
        assertThat(bench.pending()).isEmpty();
        bench.model.says("As you like.");

        bench.run(edit);

        assertThat(said()).containsExactly("One", "1", "Do not pay", "As you like.");
        assertThat(remembered()).containsExactly("One", "1", "Do not pay", "As you like.");
    }

    @ParameterizedTest
    @EnumSource
    void anEditThatDecidesReplacesNothing(Way way) {
        bench.model.says("1");
        bench.say("One");
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "sendEmail", MAIL));
        bench.say("Pay");
        RunAgentInput edit = edit(way)
                .withResume(List.of(
                        bench.pending(0).asApproval().deny(), bench.pending(1).cancel()));
        bench.model.says("Fine.").says("As you like.");

        bench.run(edit);

        assertThat(bench.transcript()).extracting(Message::id).contains("Pay", "Do not pay");
        assertThat(cuts()).isEmpty();
    }

    @Test
    void aCancellationWithTheMessagesThatItsClientShowsAsksForNoOtherAnswer() {
        talkAndPay();
        RunAgentInput cancel = bench.input(bench.transcript().stream()
                        .filter(message -> message instanceof Message.User)
                        .toArray(Message[]::new))
                .withResume(List.of(bench.pending(0).cancel()));
        bench.model.says("Not paid.");

        bench.run(cancel);

        assertThat(bench.transcript())
                .extracting(Message::role)
                .containsExactly("user", "assistant", "user", "assistant", "tool", "assistant");
        assertThat(cuts()).isEmpty();
    }
}
