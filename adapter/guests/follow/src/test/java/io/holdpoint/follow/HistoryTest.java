package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.PRESENTED;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.SnapshotSettings;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import io.holdpoint.agui.ContentPart;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.PartSource;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.LiveModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The history of a thread shows it, and does nothing else. */
class HistoryTest {

    private final Bench bench = new Bench();

    private static RecordingSink shown(Holdpoint agent, ThreadStatus expected) {
        RecordingSink sink = new RecordingSink();
        ThreadStatus status = Follow.of(agent).history(THREAD, "look", sink).join();
        StreamRules.check(sink.events());
        assertThat(sink.types()).isEqualTo(PRESENTED);
        assertThat(status).isEqualTo(expected);
        assertThat(sink.events().get(0)).isInstanceOfSatisfying(RunEvent.Started.class, started -> assertThat(
                        List.of(started.threadId(), started.runId()))
                .containsExactly(THREAD, "look"));
        assertThat(AguiCodec.toTree(sink.last())
                        .at("/metadata/langchain4j/thread")
                        .asText())
                .isEqualTo(expected.wireName());
        return sink;
    }

    private RecordingSink shown(ThreadStatus expected) {
        Everything before = bench.everything();
        RecordingSink sink = shown(bench.agent(), expected);
        assertThat(bench.everything()).isEqualTo(before);
        return sink;
    }

    private static void empty(Holdpoint agent) {
        RecordingSink sink = shown(agent, ThreadStatus.IDLE);
        assertThat(sink.all(StateEvent.Snapshot.class).get(0).snapshot()).isEmpty();
        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).isEmpty();
        assertThat(sink.interrupts()).isEmpty();
        RecordingSink followed = new RecordingSink();
        assertThat(Follow.of(agent).follow(THREAD, "look", followed).join()).isEqualTo(ThreadStatus.IDLE);
        assertThat(followed.events()).isEqualTo(sink.events());
    }

    @Test
    void aHeldThreadComesWithItsInterrupts() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        List<Interrupt> interrupts = bench.say("Go").interrupts();

        assertThat(shown(ThreadStatus.HELD).interrupts()).isEqualTo(interrupts);
        assertThat(shown(ThreadStatus.HELD).interrupts()).isEqualTo(interrupts);
    }

    @Test
    void aThreadThatWaitsForItsClientNamesTheCalls() {
        ClientToolSpec offered = new ClientToolSpec("setColour", "Of the client", null, null);
        bench.model.calls(call("c1", "setColour", "{}"), call("c2", "sendEmail", MAIL));
        bench.run(bench.input(user("u1", "Go")).withTools(List.of(offered)));
        shown(ThreadStatus.HELD);
        bench.resume(bench.pending(0).asApproval().approve());

        RecordingSink sink = shown(ThreadStatus.LEFT_TO_CLIENT);

        assertThat(sink.last()).isInstanceOfSatisfying(RunEvent.Finished.class, end -> assertThat(end.outcome())
                .isEqualTo(new RunFinishedOutcome.Success(List.of("c1"))));
        bench.agent().cancel(THREAD);
        shown(ThreadStatus.IDLE);
    }

    @Test
    void aFinishedThreadComesWithStateAndMessages() {
        bench.model.says("Hello.");
        bench.run(bench.input(user("u1", "Hi"))
                .withState(AguiCodec.mapper().createObjectNode().put("x", 1)));

        RecordingSink sink = shown(ThreadStatus.IDLE);

        assertThat(sink.interrupts()).isEmpty();
        assertThat(sink.all(StateEvent.Snapshot.class).get(0).snapshot()).hasToString("{\"x\":1}");
        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).isEqualTo(bench.transcript());
    }

    @Test
    @Logs("Run * on thread * failed")
    void aTurnThatFailedIsShownAndNotRunAgain() {
        bench.model.fails(new IllegalStateException("down")).says("Hello.");
        bench.say("Hi");

        shown(ThreadStatus.UNFINISHED);

        assertThat(bench.model.requests()).hasSize(1);
        assertThat(bench.nothingNew().text()).isEqualTo("Hello.");
        shown(ThreadStatus.IDLE);
    }

    @Test
    void anActiveRunIsNotInTheWayAndItsTextSoFarIsThere() {
        LiveModel live = new LiveModel();
        Holdpoint agent =
                bench.another(builder -> builder.streamingChatModel(live).with(Follow.settings()));
        RecordingSink client = new RecordingSink();
        CompletableFuture<RunResult> run = agent.run(bench.input(Bench.user("u1", "Hi")), client);
        live.says("Hel").says("lo");

        List<Message> soFar = shown(agent, ThreadStatus.RUNNING)
                .all(MessagesSnapshotEvent.class)
                .get(0)
                .messages();
        live.says(" Ada.").ends();

        String id = client.all(TextMessageEvent.Start.class).get(0).messageId();
        assertThat(soFar).containsExactly(Bench.user("u1", "Hi"), new Message.Assistant(id, "Hello", List.of()));
        assertThat(run).isDone();
        assertThat(bench.transcript())
                .containsExactly(Bench.user("u1", "Hi"), new Message.Assistant(id, "Hello Ada.", List.of()));
        assertThat(shown(agent, ThreadStatus.IDLE)
                        .all(MessagesSnapshotEvent.class)
                        .get(0)
                        .messages())
                .isEqualTo(bench.transcript());
    }

    @Test
    void aThreadThatIsNotThereYetIsEmptyAndDoesNotComeIntoBeing() {
        empty(bench.agent());

        assertThat(bench.store.find(THREAD)).isEmpty();
    }

    @Test
    void theThreadOfSomebodyElseLooksLikeOneThatIsNotThereYetAlsoWhileItIsAtWork() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().as(Caller.of("ada")).send(THREAD, "Go");
        List<AuditEvent> before = bench.store.auditTrail(THREAD, 0, 100);

        empty(bench.agent().as(Caller.of("grace")));
        empty(bench.agent());
        shown(bench.agent().as(Caller.of("ada")), ThreadStatus.HELD);
        Instant now = bench.clock.instant();
        bench.store.acquireOwn(THREAD, "run-of-ada", "ada", now, now.plusSeconds(60));
        empty(bench.agent().as(Caller.of("grace")));

        assertThat(bench.store.auditTrail(THREAD, 0, 100).subList(0, before.size()))
                .isEqualTo(before);
        assertThat(bench.store.auditTrail(THREAD, 0, 100))
                .extracting(AuditEvent::caller)
                .containsOnly("ada");
    }

    @Test
    void whoMayAccessAThreadSeesItAndIsNotedOnce() {
        Holdpoint agent = bench.another(builder -> builder.approvalAuthorizer(ApprovalAuthorizer.role("boss")));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        agent.as(Caller.of("ada")).send(THREAD, "Go");
        Holdpoint boss = agent.as(Caller.of("grace", "boss"));

        shown(boss, ThreadStatus.HELD);
        shown(boss, ThreadStatus.HELD);

        assertThat(bench.store.auditTrail(THREAD, 0, 100))
                .filteredOn(event -> event.kind() == AuditEvent.Kind.PRESENTED)
                .singleElement()
                .satisfies(event -> assertThat(event.caller()).isEqualTo("grace"));
    }

    @Test
    void anIdThatCannotBeOneIsRefused() {
        assertThatThrownBy(() -> Follow.of(bench.agent()).history("", "look", event -> {}))
                .isInstanceOfSatisfying(
                        RunRejectedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INPUT_INVALID));
        assertThatThrownBy(() -> Follow.of(bench.agent()).follow(THREAD, "\n", event -> {}))
                .isInstanceOfSatisfying(
                        RunRejectedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INPUT_INVALID));
    }

    @Test
    @Logs("The thread * could not be followed")
    void aStoreThatFailsIsSaidInTheStream() {
        bench.model.says("Hello.");
        bench.say("Hi");
        boolean[] down = {false};
        Holdpoint agent = bench.another(builder -> builder.executor(task -> {
                    down[0] = true;
                    task.run();
                })
                .store(new ForwardingStore() {

                    @Override
                    protected Store store() {
                        return bench.store;
                    }

                    @Override
                    public Optional<ThreadRecord> find(String threadId) {
                        if (down[0]) {
                            throw new IllegalStateException("down");
                        }
                        return super.find(threadId);
                    }
                }));
        RecordingSink history = new RecordingSink();
        CompletableFuture<ThreadStatus> shown = Follow.of(agent).history(THREAD, "look", history);
        down[0] = false;
        RecordingSink followed = new RecordingSink();
        CompletableFuture<ThreadStatus> following = Follow.of(agent).follow(THREAD, "look", followed);

        assertThat(shown).isCompletedExceptionally();
        assertThat(following).isCompletedExceptionally();
        for (RecordingSink sink : List.of(history, followed)) {
            assertThat(sink.types()).containsExactly("RUN_STARTED", "RUN_ERROR");
            assertThat(sink.errorCode()).isEqualTo("RUN_FAILED");
        }
    }

    @Test
    void aThreadOnWhichNothingRunsIsFollowedByShowingIt() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go");
        RecordingSink sink = new RecordingSink();

        assertThat(Follow.of(bench.agent()).follow(THREAD, "look", sink).join()).isEqualTo(ThreadStatus.HELD);

        assertThat(sink.types()).isEqualTo(PRESENTED);
        assertThat(((RunEvent.Finished) sink.last()).runId()).isEqualTo("look");
        assertThat(sink.interrupts()).hasSize(1);
    }

    @Test
    void mediaAreShownAsTheApplicationSays() {
        ContentPart inline = new ContentPart.Media(
                ContentPart.Media.Kind.IMAGE, new PartSource.Data("iVBORw0KGgo=", "image/png"), "i1", null);
        ContentPart linked = new ContentPart.Media(
                ContentPart.Media.Kind.IMAGE, new PartSource.Url("https://example.com/i1", "image/png"), "i1", null);
        Bench linking = new Bench(builder ->
                builder.client(client -> client.snapshots(SnapshotSettings.DEFAULT.withMedia(part -> linked))));
        linking.model.calls(call("c1", "sendEmail", MAIL));
        linking.run(linking.input(new Message.User("u1", new MessageContent.Parts(List.of(inline)))));

        Message first = shown(linking.agent(), ThreadStatus.HELD)
                .all(MessagesSnapshotEvent.class)
                .get(0)
                .messages()
                .get(0);

        assertThat(((MessageContent.Parts) ((Message.User) first).content()).parts())
                .containsExactly(linked);
    }
}
