package io.holdpoint.wire;

import static io.holdpoint.store.Grant.Scope.TOOL;
import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.PRESENTED;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Retention;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TrailRules;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message is edited, or an answer asked for again: the thread goes on from there, and nothing that happened is undone. */
class ReplacedMessagesTest {

    /** A tool whose approval may be remembered. */
    static final class Notes {

        private final List<String> written = new ArrayList<>();

        @Tool
        @RequiresApproval(
                remember = {TOOL},
                rememberFor = "PT30M")
        public String write(String text) {
            written.add(text);
            return "written";
        }
    }

    /** How a client says it. */
    enum Way {
        /** It names the message, and sends what is new only. */
        NAMED,
        /** It shows the messages before, and says nothing more. */
        SHOWN
    }

    private final Bench bench = new Bench();

    private static RunAgentInput naming(RunAgentInput input, String messageId) {
        ObjectNode forwarded = AguiCodec.mapper().createObjectNode();
        forwarded.putObject("holdpoint").put("replaces", messageId);
        return input.withForwardedProps(forwarded);
    }

    /** The messages of the thread before one of them, and others. */
    private Message[] before(String messageId, Message... others) {
        return Stream.concat(
                        bench.transcript().stream()
                                .takeWhile(message -> !message.id().equals(messageId)),
                        Stream.of(others))
                .toArray(Message[]::new);
    }

    private RunAgentInput edit(Way way, String messageId, String text) {
        return way == Way.NAMED
                ? naming(bench.input(user(text, text)), messageId)
                : bench.input(before(messageId, user(text, text)));
    }

    private RunAgentInput again(Way way, String userMessageId) {
        List<Message> behind = bench.store.transcript(THREAD, Store.Range.after(userMessageId));
        return way == Way.NAMED
                ? naming(bench.input(), behind.get(0).id())
                : bench.input(before(behind.get(0).id()));
    }

    private static Message.Assistant assistant(List<Message> messages, int index) {
        return (Message.Assistant) messages.get(index);
    }

    private List<String> said() {
        return bench.transcript().stream()
                .map(message -> message instanceof Message.Assistant assistant ? assistant.content() : message.id())
                .toList();
    }

    private List<String> remembered() {
        return bench.memory().stream().map(ReplacedMessagesTest::text).toList();
    }

    private static String text(ChatMessage message) {
        return message instanceof UserMessage user ? user.singleText() : ((AiMessage) message).text();
    }

    private List<AuditEvent> cuts() {
        return bench.store.auditTrail(THREAD, 0, 1_000).stream()
                .filter(event -> event.kind() == Kind.CUT)
                .toList();
    }

    private void talk(String... pairs) {
        for (int i = 0; i < pairs.length; i += 2) {
            bench.model.says(pairs[i + 1]);
            bench.say(pairs[i]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEditedMessageTakesThePlaceOfTheOldOneAndOfAllThatFollowed(Way way) {
        talk("One", "1", "Two", "2", "Three", "3");
        String answer = assistant(bench.transcript(), 3).id();
        bench.model.says("2b");

        RecordingSink sink = bench.run(edit(way, "Two", "Two b"));

        assertThat(sink.text()).isEqualTo("2b");
        assertThat(said()).containsExactly("One", "1", "Two b", "2b");
        assertThat(remembered()).containsExactly("One", "1", "Two b", "2b");
        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).isEqualTo(bench.transcript());
        assertThat(bench.store.transcript(THREAD, Store.Range.CUT))
                .extracting(Message::id)
                .startsWith("Two", answer, "Three")
                .hasSize(4);
        assertThat(cuts()).singleElement().satisfies(event -> {
            assertThat(event.detail()).hasToString("{\"from\":\"Two\",\"messages\":4}");
            assertThat(event.caller()).isEqualTo(Caller.ANONYMOUS.id());
            assertThat(event.runId()).isEqualTo("run-4");
        });
        TrailRules.check(bench.store, THREAD);
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerIsAskedForAgainAndOnlyTheNewOneIsKept(Way way) {
        talk("One", "1", "Two", "2");
        bench.model.says("2b");

        RecordingSink sink = bench.run(again(way, "Two"));

        assertThat(sink.text()).isEqualTo("2b");
        assertThat(said()).containsExactly("One", "1", "Two", "2b");
        assertThat(remembered()).containsExactly("One", "1", "Two", "2b");
        assertThat(bench.model.lastMessages()).hasSize(3);
        assertThat(cuts()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void anEarlierAnswerIsAskedForAgain(Way way) {
        talk("One", "1", "Two", "2");
        bench.model.says("1b");

        bench.run(again(way, "One"));

        assertThat(said()).containsExactly("One", "1b");
        assertThat(remembered()).containsExactly("One", "1b");
    }

    @Test
    void theFirstMessageIsReplacedByNameOnly() {
        talk("One", "1", "Two", "2");
        bench.model.says("3").says("1b");

        bench.run(edit(Way.SHOWN, "One", "A new page"));
        assertThat(said()).containsExactly("One", "1", "Two", "2", "A new page", "3");

        bench.run(edit(Way.NAMED, "One", "One b"));
        assertThat(said()).containsExactly("One b", "1b");
        assertThat(remembered()).containsExactly("One b", "1b");
    }

    @ParameterizedTest
    @EnumSource
    void theSameEditSentAgainIsNotAnsweredTwice(Way way) {
        talk("One", "1", "Two", "2");
        RunAgentInput edit = edit(way, "Two", "Two b");
        bench.model.says("2b");
        bench.run(edit);
        Everything before = bench.everything();

        RecordingSink sink = bench.run(edit);

        assertThat(sink.types()).isEqualTo(PRESENTED);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void theSameWishForAnotherAnswerSentAgainIsNotFulfilledTwice(Way way) {
        talk("One", "1");
        RunAgentInput again = again(way, "One");
        bench.model.says("1b");
        bench.run(again);
        Everything before = bench.everything();

        assertThat(bench.run(again).types()).isEqualTo(PRESENTED);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void theFirstInputSentAgainAfterItsResponseWasLostAsksNobodyAgain() {
        RunAgentInput first = bench.input(user("One", "One"));
        bench.model.says("1");
        bench.run(first);

        assertThat(bench.run(first).types()).isEqualTo(PRESENTED);
        assertThat(bench.model.requests()).hasSize(1);
    }

    @Test
    void aClientWithoutIdsThatSendsItsFirstWordsOnceMoreReplacesNothing() {
        bench.model.says("1").says("2").says("3");
        for (String text : List.of("Hello", "Pay Bob", "Hello")) {
            bench.run(bench.input(AguiCodec.readRunAgentInput(("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":"
                                    + "[{\"role\":\"user\",\"content\":\"" + text + "\"}]}")
                            .getBytes(StandardCharsets.UTF_8))
                    .messages()
                    .toArray(Message[]::new)));
        }

        assertThat(cuts()).isEmpty();
        assertThat(bench.transcript()).hasSize(4);
        assertThat(bench.model.requests()).hasSize(2);
    }

    @Test
    void aMessageThatWasReplacedIsNotAnsweredAgainAndHidesNothingNew() {
        talk("One", "1", "Two", "2");
        Message[] old = bench.transcript().toArray(Message[]::new);
        bench.model.says("2b").says("3");
        bench.run(edit(Way.SHOWN, "Two", "Two b"));

        assertThat(bench.run(bench.input(old)).types()).isEqualTo(PRESENTED);
        List<Message> stale = new ArrayList<>(List.of(old));
        stale.add(user("Three", "Three"));
        RecordingSink sink = bench.run(bench.input(stale.toArray(Message[]::new)));

        assertThat(said()).containsExactly("One", "1", "Two b", "2b", "Three", "3");
        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).isEqualTo(bench.transcript());
        assertThat(cuts()).hasSize(1);
    }

    @Test
    void twoPagesThatReplaceTheSameMessageLoseNoneOfTheTwo() {
        talk("One", "1", "Two", "2");
        bench.model.says("2b").says("2c");
        RunAgentInput other = edit(Way.NAMED, "Two", "Two c");

        bench.run(edit(Way.NAMED, "Two", "Two b"));
        bench.run(other);

        assertThat(said()).containsExactly("One", "1", "Two b", "2b", "Two c", "2c");
    }

    @Test
    void theTextOfAMessageThatIsAnsweredAgainIsTheStoredOne() {
        talk("One", "1");
        bench.model.says("1b");

        bench.run(bench.input(user("One", "Something else")));

        assertThat(remembered()).containsExactly("One", "1b");
    }

    @Nested
    class WithTools {

        private void pay(String callId) {
            bench.model.calls(call(callId, "sendEmail", MAIL));
        }

        private ResumeEntry approval() {
            return bench.pending(0).asApproval().approve();
        }

        @ParameterizedTest
        @EnumSource
        void whatHasRunDoesNotRunAgainUnlessItIsProposedAndApprovedAgain(Way way) {
            pay("c1");
            bench.say("Pay");
            ResumeEntry first = approval();
            bench.model.says("Paid.");
            bench.resume(first);
            assertThat(bench.tools.effects()).hasSize(1);

            pay("c2");
            RecordingSink sink = bench.run(again(way, "Pay"));

            assertThat(sink.interrupts()).hasSize(1);
            assertThat(bench.tools.effects()).hasSize(1);
            assertThat(bench.model.lastMessages()).hasSize(1);
            assertThat(bench.run(bench.answers(ResumeEntry.resolved(
                                    first.interruptId(),
                                    AguiCodec.mapper().createObjectNode().put("approved", false))))
                            .errorCode())
                    .isEqualTo("INTERRUPT_ALREADY_RESOLVED");
            bench.run(bench.answers(first));
            assertThat(bench.tools.effects()).hasSize(1);
            bench.model.says("Paid again.");
            bench.resume(approval());
            assertThat(bench.tools.effects()).hasSize(2);
            assertThat(bench.store.auditTrail(THREAD, 0, 100))
                    .extracting(AuditEvent::kind)
                    .containsSubsequence(Kind.EXECUTED, Kind.CUT, Kind.HELD, Kind.EXECUTED);
            TrailRules.check(bench.store, THREAD);
        }

        @ParameterizedTest
        @EnumSource
        void aThreadThatIsHeldIsNotCut(Way way) {
            talk("One", "1");
            pay("c1");
            bench.say("Pay");
            Everything before = bench.everything();

            assertThat(bench.run(edit(way, "Pay", "Do not pay")).errorCode()).isEqualTo("INTERRUPT_PENDING");
            bench.run(again(way, "One"));

            assertThat(bench.everything()).isEqualTo(before);
            assertThat(bench.pending()).hasSize(1);
        }

        @ParameterizedTest
        @EnumSource
        void aThreadWhoseCallIsLeftToThePageIsNotCut(Way way) {
            talk("One", "1");
            bench.model.calls(call("c1", "setColour", "{}"));
            ClientToolSpec colour = new ClientToolSpec(
                    "setColour",
                    "Of the page",
                    AguiCodec.mapper().createObjectNode().put("type", "object"),
                    null);
            bench.run(bench.input(user("Blue", "Blue")).withTools(List.of(colour)));
            bench.model.says("2");

            bench.run(edit(way, "Blue", "Red"));

            assertThat(bench.transcript()).extracting(Message::id).contains("Blue", "Red");
            assertThat(cuts()).isEmpty();
        }

        @Test
        void aRememberedDecisionStays() {
            Notes notes = new Notes();
            Bench writing = new Bench(builder -> builder.tools(notes));
            writing.model.calls(call("c1", "write", "{\"text\":\"a\"}")).says("Done.");
            writing.say("Write a");
            writing.resume(writing.pending(0).asApproval().approveAndRemember(Grant.Scope.TOOL));
            writing.model.calls(call("c2", "write", "{\"text\":\"b\"}")).says("Done.");

            writing.run(naming(writing.input(user("Write b", "Write b")), "Write a"));

            assertThat(notes.written).containsExactly("a", "b");
            assertThat(writing.agent().grants(THREAD)).hasSize(1);
        }
    }

    @Test
    void anAgentWithANameReplacesOnItsOwnThread() {
        Bench named = new Bench(builder -> builder.name("support"));
        Store stored = named.store.of("support");
        named.model.says("1").says("1b");
        named.say("One");

        named.run(naming(named.input(user("One b", "One b")), "One"));

        assertThat(stored.transcript(THREAD))
                .extracting(Message::id)
                .startsWith("One b")
                .hasSize(2);
        assertThat(stored.transcript(THREAD, Store.Range.CUT)).hasSize(2);
        assertThat(stored.auditTrail(THREAD, 0, 10))
                .extracting(AuditEvent::kind)
                .containsExactly(Kind.CUT);
    }

    @Test
    void othersSeeWhatTheThreadHasNow() {
        talk("One", "1", "Two", "2");
        bench.model.says("2b");
        bench.run(edit(Way.NAMED, "Two", "Two b"));

        RecordingSink sink = bench.nothingNew();

        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).isEqualTo(bench.transcript());
    }

    @Test
    @Logs("Run * on thread * failed")
    void aMessageWhoseTurnFailedIsReplaced() {
        talk("One", "1");
        bench.model.fails(new IllegalStateException("down")).says("2b");
        bench.say("Two");

        bench.run(edit(Way.SHOWN, "Two", "Two b"));

        assertThat(said()).containsExactly("One", "1", "Two b", "2b");
        assertThat(remembered()).containsExactly("One", "1", "Two b", "2b");
    }

    @Test
    @Logs("Run * on thread * failed")
    void aTurnThatFailedIsRunAgainAsBefore() {
        bench.model.fails(new IllegalStateException("down")).says("1");
        bench.say("One");

        bench.run(bench.input(user("One", "One")));

        assertThat(said()).containsExactly("One", "1");
        assertThat(cuts()).isEmpty();
    }

    @Test
    void withoutTheOptionAPageThatMissedSomethingReplacesNothing() {
        Bench careful = new Bench(builder -> builder.client(client -> client.editByHistory(false)));
        careful.model.says("1").says("2").says("3");
        careful.say("One");
        Message[] seen = careful.transcript().toArray(Message[]::new);
        careful.say("Two");

        careful.run(careful.input(Stream.concat(Stream.of(seen), Stream.of(user("Three", "Three")))
                .toArray(Message[]::new)));
        careful.run(careful.input(seen[0]));

        assertThat(careful.transcript()).hasSize(6);
        assertThat(careful.model.requests()).hasSize(3);
        assertThat(careful.store.transcript(THREAD, Store.Range.CUT)).isEmpty();
    }

    @Test
    void aPageThatNamesWhatItReplacesReplacesNothingByMissingSomething() {
        talk("One", "1", "Two", "2");
        bench.model.says("3");
        Message[] seen = bench.transcript().subList(0, 2).toArray(Message[]::new);
        ObjectNode replacesNothing = AguiCodec.mapper().createObjectNode();
        replacesNothing.putObject("holdpoint").putNull("replaces");

        bench.run(bench.input(Stream.concat(Stream.of(seen), Stream.of(user("Three", "Three")))
                        .toArray(Message[]::new))
                .withForwardedProps(replacesNothing));
        bench.run(bench.input(seen[0]).withForwardedProps(replacesNothing));

        assertThat(cuts()).isEmpty();
        assertThat(said()).contains("One", "Two", "Three");
    }

    @Test
    void aListThatIsNotTheBeginningOfTheThreadReplacesNothing() {
        talk("One", "1", "Two", "2", "Three", "3");
        bench.model.says("4").says("5");

        bench.run(bench.input(user("Two", "Two"), user("Four", "Four")));
        bench.run(bench.input(user("One", "One"), user("never", "?"), user("Five", "Five")));

        assertThat(cuts()).isEmpty();
        assertThat(said()).contains("Three", "Four", "Five");
    }

    @Test
    void onlyTheOwnerReplacesSomething() {
        Bench shared = new Bench(builder -> builder.client(client -> client.editByHistory(true))
                .retention(Retention.DEFAULT.withThreads(Duration.ofDays(30)))
                .approvalAuthorizer(new ApprovalAuthorizer() {
                    @Override
                    public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                        return true;
                    }

                    @Override
                    public boolean mayDecide(Request request) {
                        return true;
                    }
                }));
        shared.model.says("1");
        shared.say("One");
        Everything before = shared.everything();
        String answer = shared.transcript().get(1).id();
        for (RunAgentInput input : List.of(
                naming(shared.input(), answer),
                naming(shared.input(user("One b", "One b")), "One"),
                shared.input(user("One", "One")),
                shared.input(
                        user("One", "One"),
                        new Message.Tool("result", "none", new MessageContent.Text("done"), null)))) {
            RecordingSink sink = new RecordingSink();

            shared.agent().as(Caller.of("guest")).run(input, sink).join();

            StreamRules.check(sink.events());
            assertThat(sink.errorCode()).isEqualTo("INTERRUPT_FORBIDDEN");
            assertThat(shared.everything()).isEqualTo(before);
        }

        shared.clock.advance(Duration.ofDays(31));
        assertThat(shared.agent().purge().threads()).isEqualTo(1);
        RecordingSink sink = new RecordingSink();
        RunAgentInput input = shared.input(
                user("Three", "Three"), new Message.Tool("result", "none", new MessageContent.Text("done"), null));
        shared.agent().as(Caller.of("guest")).run(input, sink).join();
        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_FORBIDDEN");
        assertThat(shared.transcript()).isEmpty();
    }
}
