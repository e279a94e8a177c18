package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.LiveModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Followers that stay too long, are too slow, come too late, or are on another node. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FollowLimitsTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Threads threads = new Threads();
    private final ManualTimer timer = new ManualTimer();
    private final ManualTimer otherTimer = new ManualTimer();
    private final LiveModel live = new LiveModel();
    private final Bench bench = new Bench();
    private final RecordingSink client = new RecordingSink();
    private final RecordingSink follower = new RecordingSink();
    private final Holdpoint agent = bench.another(builder -> timer.in(builder)
            .streamingChatModel(live)
            .with(Follow.settings().longest(Duration.ofMinutes(7)).lookEvery(Duration.ofSeconds(2))));
    private final Holdpoint otherNode = bench.another(otherTimer::in);

    @AfterEach
    void stop() {
        threads.close();
    }

    private CompletableFuture<RunResult> begin() {
        return agent.run(bench.input(user("u1", "Hi")), client);
    }

    private void endedAs(CompletableFuture<ThreadStatus> following, ThreadStatus expected) {
        assertThat(following).isCompletedWithValue(expected);
        StreamRules.checkFollowed(follower.events());
    }

    @Test
    void whoHasFollowedForTooLongIsToldThatTheRunGoesOn() {
        begin();
        live.says("Hel");
        CompletableFuture<ThreadStatus> following = Follow.of(agent).follow(THREAD, "look", follower);
        assertThat(timer.delays()).contains(Duration.ofMinutes(7));
        timer.ring(Duration.ofMinutes(7));

        endedAs(following, ThreadStatus.RUNNING);
        assertThat(follower.types()).endsWith("TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED");
        live.says("lo.").ends();
        assertThat(client.text()).isEqualTo("Hello.");
        assertThat(follower.text()).isEqualTo("Hel");
    }

    @Test
    void aFollowerThatDoesNotReadIsSentAwayAndTheRunDoesNotWait() {
        Holdpoint onThreads = bench.another(builder ->
                builder.streamingChatModel(live).with(Follow.settings()).executor(threads));
        Stop slow = new Stop().arm();
        CompletableFuture<RunResult> run = onThreads.run(bench.input(user("u1", "Hi")), client);
        live.awaitAsked();
        CompletableFuture<ThreadStatus> following = Follow.of(onThreads).follow(THREAD, "look", event -> {
            if (event instanceof MessagesSnapshotEvent) {
                slow.pass();
            }
            follower.send(event);
        });
        slow.awaitReached();
        for (int i = 0; i < 3_000; i++) {
            live.says(".");
        }
        live.ends();

        assertThat(run.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(client.text()).hasSize(3_000);
        assertThat(following).isNotDone();
        slow.letGo();
        assertThat(following.join()).isEqualTo(ThreadStatus.RUNNING);
        StreamRules.checkFollowed(follower.events());
        assertThat(follower.text().length()).isLessThan(3_000);
    }

    @Test
    void whatIsTooLongToBeSentAgainIsSeenInTheStore() {
        begin();
        String piece = ".".repeat(1_000_001);
        live.says(piece).says(piece);
        CompletableFuture<ThreadStatus> following = Follow.of(agent).follow(THREAD, "look", follower);
        assertThat(timer.delays()).contains(Duration.ofSeconds(2));
        live.ends();
        assertThat(follower.types()).containsExactly("RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT");
        timer.ring(Duration.ofSeconds(2));

        endedAs(following, ThreadStatus.IDLE);
        assertThat(follower.text()).isEmpty();
        assertThat(follower.all(MessagesSnapshotEvent.class).get(1).messages()).hasSize(2);
    }

    @Test
    void whoComesWhenTooManyFollowSeesWhatIsStored() {
        begin();
        List<CompletableFuture<ThreadStatus>> others = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            others.add(Follow.of(agent).follow(THREAD, "look", event -> {}));
        }
        CompletableFuture<ThreadStatus> following = Follow.of(agent).follow(THREAD, "look", follower);
        live.says("Hello.").ends();

        assertThat(others).allSatisfy(other -> assertThat(other).isCompletedWithValue(ThreadStatus.IDLE));
        assertThat(following).isNotDone();
        timer.ring(Duration.ofSeconds(2));
        endedAs(following, ThreadStatus.IDLE);
    }

    @Test
    void onAnotherNodeMessagesComeWhenTheyAreStored() {
        begin();
        CompletableFuture<ThreadStatus> following = Follow.of(otherNode).follow(THREAD, "look", follower);
        otherTimer.ring(LOOK);
        otherTimer.ring(LOOK);
        assertThat(follower.types()).containsExactly("RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT");

        live.says("Looking.").ends(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
        live.says("Fou");
        otherTimer.ring(LOOK);

        assertThat(follower.types().subList(3, follower.types().size()))
                .containsExactly("STATE_SNAPSHOT", "MESSAGES_SNAPSHOT");
        assertThat(follower.all(MessagesSnapshotEvent.class).get(1).messages())
                .extracting(Message::role)
                .containsExactly("user", "assistant", "tool");
        live.says("nd.").ends(call("c2", "sendEmail", Bench.MAIL));
        otherTimer.ring(LOOK);

        endedAs(following, ThreadStatus.HELD);
        assertThat(follower.interrupts()).isEqualTo(client.interrupts()).hasSize(1);
        assertThat(follower.types().subList(5, follower.types().size()))
                .containsExactly("STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
    }

    @Test
    void aRunWhoseNodeDiedIsFollowedUntilItsLeaseEnds() {
        begin();
        CompletableFuture<ThreadStatus> following = Follow.of(otherNode).follow(THREAD, "look", follower);
        bench.clock.advance(LEASE);
        otherTimer.ring(LOOK);

        endedAs(following, ThreadStatus.UNFINISHED);
        assertThat(follower.interrupts()).isEmpty();
        bench.model.says("Hello again.");
        assertThat(bench.nothingNew().text()).isEqualTo("Hello again.");
    }

    @Test
    void theNextRunOfAnotherNodeIsNotFollowed() {
        begin();
        CompletableFuture<ThreadStatus> following = Follow.of(otherNode).follow(THREAD, "look", follower);
        live.says("Hello.").ends();
        agent.run(bench.input(user("u2", "Hey")), event -> {});
        otherTimer.ring(LOOK);

        endedAs(following, ThreadStatus.RUNNING);
    }

    @Test
    @Logs("The agent's executor no longer takes tasks")
    void anExecutorThatTakesNothingMoreDoesNotStopAFollower() {
        boolean[] full = {false};
        Holdpoint busy = bench.another(builder -> timer.in(builder)
                .with(Follow.settings())
                .streamingChatModel(live)
                .executor(task -> {
                    if (full[0]) {
                        throw new RejectedExecutionException("full");
                    }
                    task.run();
                }));
        busy.run(bench.input(user("u1", "Hi")), client);
        CompletableFuture<ThreadStatus> following = Follow.of(busy).follow(THREAD, "look", follower);
        full[0] = true;
        live.says("Hello.").ends();

        endedAs(following, ThreadStatus.IDLE);
        assertThat(follower.all(TextMessageEvent.Content.class)).hasSize(1);
    }

    @Test
    void followingTakesTime() {
        FollowSettings settings = Follow.settings();

        assertThatIllegalArgumentException().isThrownBy(() -> settings.longest(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> settings.lookEvery(Duration.ofNanos(-1)));
    }

    @Test
    void settingsAreGivenOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bench.another(builder -> builder.with(Follow.settings(), Follow.settings())))
                .withMessageContaining("twice");
    }

    @Test
    void aRunThatBeganBeforeAnybodyJoinedIsSeenInTheStoreAndTheNextOneLive() {
        Holdpoint alone = bench.another(builder -> otherTimer.in(builder).streamingChatModel(live));
        alone.run(bench.input(user("u1", "Hi")), client);
        live.says("Hel");
        CompletableFuture<ThreadStatus> following = Follow.of(alone).follow(THREAD, "look", follower);
        live.says("lo.");
        assertThat(follower.types()).containsExactly("RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT");
        live.ends();
        otherTimer.ring(LOOK);

        endedAs(following, ThreadStatus.IDLE);
        assertThat(follower.all(MessagesSnapshotEvent.class).get(1).messages())
                .extracting(Message::role)
                .containsExactly("user", "assistant");

        alone.run(bench.input(user("u2", "Hey")), event -> {});
        RecordingSink next = new RecordingSink();
        Follow.of(alone).follow(THREAD, "look", next);
        live.says("Hello again.");
        assertThat(next.text()).isEqualTo("Hello again.");
        live.ends();
    }
}
