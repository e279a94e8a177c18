package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ClientView;
import io.holdpoint.testing.LiveModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.PuppetModel;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whoever comes in the middle of a run of this process sees it from then on, and everything of it once. */
class FollowTest {

    private final LiveModel live = new LiveModel();
    private final Bench bench =
            new Bench(builder -> builder.streamingChatModel(live).with(Follow.settings()));
    private final RecordingSink client = new RecordingSink();

    /** Somebody who follows. */
    private record Follower(RecordingSink sink, CompletableFuture<ThreadStatus> status) {

        static Follower of(Holdpoint agent) {
            RecordingSink sink = new RecordingSink();
            return new Follower(sink, Follow.of(agent).follow(THREAD, "look", sink));
        }

        ThreadStatus ended() {
            assertThat(status).isDone();
            StreamRules.checkFollowed(sink.events());
            return status.join();
        }
    }

    private CompletableFuture<RunResult> begin() {
        return bench.agent().run(bench.input(user("u1", "Hi")), client);
    }

    private Follower follow() {
        return Follower.of(bench.agent());
    }

    @Test
    void inTheMiddleOfATextTheTextSoFarComesInOnePiece() {
        begin();
        live.says("Hel").says("lo");
        Follower follower = follow();

        assertThat(follower.sink().types())
                .containsExactly(
                        "RUN_STARTED",
                        "STATE_SNAPSHOT",
                        "MESSAGES_SNAPSHOT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT");
        assertThat(follower.sink().text()).isEqualTo("Hello");
        assertThat(follower.status()).isNotDone();
        live.says(" Ada.").ends();

        assertThat(follower.ended()).isEqualTo(ThreadStatus.IDLE);
        assertThat(follower.sink().text()).isEqualTo("Hello Ada.").isEqualTo(client.text());
        assertThat(texts(follower.sink())).isEqualTo(texts(client));
        assertThat(((RunEvent.Finished) follower.sink().last()).runId()).isEqualTo("look");
        ClientView.assertConverged(follower.sink().events());
    }

    @Test
    void aCallerFollowsSoManyThreadsAtATimeAndOthersAreNotAffected() {
        begin();
        live.says("Hel");
        for (int i = 0; i < 1_000; i++) { // everybody together whom nobody has told apart
            Follow.of(bench.agent()).follow(THREAD, "look", event -> {});
        }

        assertThatThrownBy(this::follow)
                .isInstanceOf(RunRejectedException.class)
                .hasMessage("This caller follows 1000 threads already. Close one of them.");
        live.ends();

        assertThat(follow().ended()).isEqualTo(ThreadStatus.IDLE);
    }

    @Test
    void inTheMiddleOfAToolCallItsArgumentsSoFarComeInOnePiece() {
        begin();
        live.says("I write.")
                .argues("c1", "sendEmail", MAIL.substring(0, 5))
                .argues("c1", "sendEmail", MAIL.substring(5, 9));
        Follower follower = follow();
        assertThat(follower.sink().types()).endsWith("TEXT_MESSAGE_END", "TOOL_CALL_START", "TOOL_CALL_ARGS");

        live.ends(call("c1", "sendEmail", MAIL));

        assertThat(follower.ended()).isEqualTo(ThreadStatus.HELD);
        assertThat(follower.sink().interrupts()).isEqualTo(client.interrupts()).hasSize(1);
        ClientView.assertConverged(follower.sink().events());
    }

    /** A card of a question that is answered would ask for something that nobody can say any more. */
    @Test
    void whoHearsLateThatARunHoldsIsNotShownAQuestionThatIsAnswered() {
        Deque<Runnable> tasks = new ArrayDeque<>();
        Holdpoint agent = bench.another(builder ->
                builder.streamingChatModel(live).with(Follow.settings()).executor(tasks::add));
        CompletableFuture<RunResult> held = agent.run(bench.input(user("u1", "Hi")), client);
        tasks.remove().run();
        live.says("I write.");
        Follower follower = Follower.of(agent);
        tasks.remove().run();
        live.ends(call("c1", "sendEmail", MAIL));
        assertThat(held.join()).isInstanceOf(RunResult.Interrupted.class);
        agent.decide(THREAD, agent.pending(THREAD).get(0).asApproval().approve());

        tasks.remove().run();

        assertThat(follower.ended()).isEqualTo(ThreadStatus.RUNNING);
        assertThat(((RunEvent.Finished) follower.sink().last()).outcome()).isEqualTo(RunFinishedOutcome.success());
    }

    @Test
    void whoFollowsTheAnswerToAnEditedMessageSeesNothingOfTheOldOne() {
        begin();
        live.says("1").ends();
        CompletableFuture<RunResult> edited = bench.agent()
                .run(
                        bench.input(user("u2", "Hi there"))
                                .withForwardedProps(
                                        AguiCodec.mapper().valueToTree(Map.of("holdpoint", Map.of("replaces", "u1")))),
                        new RecordingSink());
        live.says("2");
        Follower follower = follow();
        live.ends();

        assertThat(edited.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(follower.ended()).isEqualTo(ThreadStatus.IDLE);
        assertThat(follower.sink().all(MessagesSnapshotEvent.class)).allSatisfy(shown -> assertThat(shown.messages())
                .noneMatch(message -> message.id().equals("u1")));
        ClientView.assertConverged(follower.sink().events());
    }

    @Test
    void whoGetsInterruptsAtTheEndIsNoted() {
        begin();
        Follower follower = follow();
        live.ends(call("c1", "sendEmail", MAIL));

        assertThat(follower.ended()).isEqualTo(ThreadStatus.HELD);
        assertThat(bench.store.auditTrail(THREAD, 0, 100))
                .filteredOn(event -> event.kind() == AuditEvent.Kind.PRESENTED)
                .hasSize(1);
    }

    @Test
    void whatTheTranscriptHasIsNotSentAgainAsEvents() {
        begin();
        live.ends(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
        live.says("Found");
        Follower follower = follow();
        live.says(" her.").ends();

        assertThat(follower.ended()).isEqualTo(ThreadStatus.IDLE);
        assertThat(follower.sink().types()).doesNotContain("TOOL_CALL_START", "TOOL_CALL_RESULT");
        assertThat(follower.sink().text()).isEqualTo("Found her.");
        ClientView.assertConverged(follower.sink().events());
    }

    /** A run with text, a call that runs, another text, and a call that is held. */
    private void story(Bench on) {
        on.model
                .saysAndCalls("Let me look for her.", call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .saysAndCalls(
                        "Found. I write and pay.",
                        call("c2", "sendEmail", MAIL),
                        call("c3", "transferMoney", "{\"amount\":20,\"to\":\"Bob\"}"));
    }

    @Test
    void whereverSomebodyComesInTheyEndUpWithTheSame() {
        Bench first = new Bench();
        story(first);
        int events = first.say("Go").events().size();
        assertThat(events).isGreaterThan(30);
        for (int at = 0; at < events; at++) {
            Bench on = new Bench(builder -> builder.with(Follow.settings()));
            story(on);
            int place = at;
            RecordingSink all = new RecordingSink();
            List<Follower> followers = new ArrayList<>();
            on.agent()
                    .run(on.input(user("u1", "Go")), event -> {
                        all.send(event);
                        if (all.events().size() == place + 1) {
                            followers.add(Follower.of(on.agent()));
                        }
                    })
                    .join();

            Follower follower = followers.get(0);
            assertThat(follower.ended()).as("at event %d", at).isEqualTo(ThreadStatus.HELD);
            assertThat(follower.sink().interrupts()).isEqualTo(all.interrupts());
            ClientView.assertConverged(follower.sink().events());
            assertThat(ClientView.of(follower.sink().events())).isEqualTo(ClientView.of(all.events()));
        }
    }

    @Test
    void whereverSomebodyComesInWhileAnAnswerIsCarriedOut() {
        AtomicInteger events = new AtomicInteger(1);
        for (int at = 0; at < events.get(); at++) {
            Bench on = new Bench(builder -> builder.with(Follow.settings()));
            story(on);
            on.model.says("All done.");
            on.say("Go");
            int place = at;
            RecordingSink all = new RecordingSink();
            List<Follower> followers = new ArrayList<>();
            on.agent()
                    .run(
                            on.answers(
                                    on.pending(0).asApproval().approve(),
                                    on.pending(1).asApproval().deny("no")),
                            event -> {
                                all.send(event);
                                if (all.events().size() == place + 1) {
                                    followers.add(Follower.of(on.agent()));
                                }
                            })
                    .join();
            events.set(all.events().size());

            assertThat(followers.get(0).ended()).as("at event %d", at).isEqualTo(ThreadStatus.IDLE);
            List<Event> seen = followers.get(0).sink().events();
            ClientView.assertConverged(seen);
            assertThat(ClientView.of(seen)).isEqualTo(ClientView.of(all.events()));
        }
        assertThat(events.get()).isGreaterThan(8);
    }

    @Test
    @Logs("Run * on thread * failed")
    void aRunThatFailsEndsForItsFollowersAsItDoesForItsClient() {
        begin();
        live.says("Hel");
        Follower follower = follow();
        live.fails(new IllegalStateException("down"));

        assertThat(follower.ended()).isEqualTo(ThreadStatus.UNFINISHED);
        assertThat(follower.sink().last()).isEqualTo(client.last());
        assertThat(follower.sink().errorCode()).isEqualTo("RUN_FAILED");
    }

    @Test
    void aRunWhoseClientIsGoneIsFollowedAllTheSame() {
        CompletableFuture<RunResult> run = bench.agent().run(bench.input(user("u1", "Hi")), event -> {
            throw new IllegalStateException("gone");
        });
        Follower follower = follow();
        live.says("Hello.").ends();

        assertThat(run.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(follower.ended()).isEqualTo(ThreadStatus.IDLE);
        assertThat(follower.sink().text()).isEqualTo("Hello.");
    }

    @Test
    void aFollowerThatIsGoneDoesNotDisturbTheRun() {
        CompletableFuture<RunResult> run = begin();
        CompletableFuture<ThreadStatus> following = Follow.of(bench.agent()).follow(THREAD, "look", event -> {
            if (event instanceof TextMessageEvent.Content) {
                throw new IllegalStateException("gone");
            }
        });
        Follower other = follow();
        live.says("Hel");
        assertThat(following).isCompletedWithValue(ThreadStatus.RUNNING);
        live.says("lo.").ends();

        assertThat(run.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(client.text()).isEqualTo("Hello.");
        assertThat(other.ended()).isEqualTo(ThreadStatus.IDLE);
    }

    /** What the agent does waits here until the test does it. */
    private final Deque<Runnable> todo = new ArrayDeque<>();

    private void work() {
        for (Runnable task = todo.poll(); task != null; task = todo.poll()) {
            task.run();
        }
    }

    @Test
    void theMessageOfTheUserComesBeforeTheAnswerToItEvenIfItIsStoredLater() {
        Holdpoint agent = bench.another(builder ->
                builder.streamingChatModel(live).with(Follow.settings()).executor(todo::add));
        agent.run(bench.input(user("u1", "Hi")), client);
        Runnable run = todo.remove();
        Follower follower = Follower.of(agent);
        work();
        assertThat(follower.sink().types()).containsExactly("RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT");
        assertThat(bench.transcript()).isEmpty();

        run.run();
        live.says("Hello.");
        work();

        assertThat(follower.sink().types().subList(3, 6))
                .containsExactly("MESSAGES_SNAPSHOT", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT");
        assertThat(follower.sink().all(MessagesSnapshotEvent.class).get(1).messages())
                .extracting(Message::id)
                .containsExactly("u1");
        live.ends();
        work();
        assertThat(follower.ended()).isEqualTo(ThreadStatus.IDLE);
    }

    @Test
    void anInputThatIsRefusedIsNothingToItsFollowers() {
        Holdpoint agent =
                bench.another(builder -> builder.with(Follow.settings()).executor(todo::add));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        agent.run(bench.input(user("u1", "Go")), event -> {});
        work();
        agent.run(bench.input(user("u2", "Well?")), client);
        Runnable run = todo.remove();
        Follower follower = Follower.of(agent);
        work();

        run.run();
        work();

        assertThat(client.errorCode()).isEqualTo("INTERRUPT_PENDING");
        assertThat(follower.ended()).isEqualTo(ThreadStatus.HELD);
        assertThat(follower.sink().interrupts()).hasSize(1);
    }

    @Test
    void aFollowerThatLagsBehindSeesWhatIsStoredOnceAndNotInPieces() {
        List<Runnable> later = new ArrayList<>();
        boolean[] isLate = {false};
        Holdpoint agent = bench.another(builder -> builder.with(Follow.settings())
                .executor(task -> {
                    if (isLate[0]) {
                        later.add(task);
                    } else {
                        task.run();
                    }
                })
                .streamingChatModel(live));
        agent.run(bench.input(user("u1", "Hi")), client);
        Follower follower = Follower.of(agent);
        isLate[0] = true;
        live.says("Looking.").ends(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
        live.says("Hello.").ends();
        assertThat(follower.status()).isNotDone();

        later.forEach(Runnable::run);

        assertThat(follower.ended()).isEqualTo(ThreadStatus.IDLE);
        assertThat(follower.sink().types()).doesNotContain("TEXT_MESSAGE_START", "TOOL_CALL_START", "TOOL_CALL_RESULT");
        assertThat(follower.sink().all(MessagesSnapshotEvent.class)).hasSize(2);

        assertThat(ClientView.of(follower.sink().events())).containsAllEntriesOf(ClientView.of(client.events()));
    }

    @Test
    void followersOfTheSameRunSeeTheSame() {
        begin();
        Follower early = follow();
        live.says("Hel");
        Follower late = follow();
        live.says("lo.").ends();

        assertThat(early.ended()).isEqualTo(late.ended());
        assertThat(ClientView.of(early.sink().events()))
                .isEqualTo(ClientView.of(late.sink().events()));
    }

    private static List<String> texts(RecordingSink sink) {
        return sink.all(TextMessageEvent.Start.class).stream()
                .map(TextMessageEvent.Start::messageId)
                .toList();
    }

    @Test
    void textsAreChangedForTheClientAndForWhoFollows() {
        PuppetModel puppet = new PuppetModel();
        Holdpoint agent = bench.another(builder -> builder.streamingChatModel(puppet)
                .with(Follow.settings())
                .interceptors(Interceptor.ofEvents((ran, event) -> event instanceof TextMessageEvent.Content text
                        ? List.of(new TextMessageEvent.Content(
                                text.messageId(), text.delta().toUpperCase(Locale.ROOT)))
                        : List.of(event))));
        RecordingSink follower = new RecordingSink();
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Hi")), client);
        puppet.says("Hello ");
        CompletableFuture<?> following = Follow.of(agent).follow(THREAD, "follower", follower);
        puppet.says("Ada.");
        puppet.ends("Hello Ada.");

        run.join();
        following.join();

        assertThat(client.text()).isEqualTo("HELLO ADA.");
        assertThat(follower.text()).isEqualTo("HELLO ADA.");
    }

    @Test
    void aRunThatIsFollowedIsNotTakenOver() {
        bench.agent().run(bench.input(user("u1", "Hi")), new EventSink() {

            @Override
            public void send(Event event) {}

            @Override
            public boolean isRead() {
                return false;
            }
        });
        live.says("Hel");
        Follower follower = follow();

        assertThatThrownBy(() -> bench.agent().run(bench.input(user("u2", "Stop")), client))
                .isInstanceOfSatisfying(
                        RunRejectedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RUN_IN_PROGRESS));

        live.says("lo.").ends();
        assertThat(follower.ended()).isEqualTo(ThreadStatus.IDLE);
        assertThat(follower.sink().text()).isEqualTo("Hello.");
    }
}
