package io.holdpoint.follow;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ClientView;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.LiveModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another node sees a text grow, as far as the run's node flushes it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlushIntervalTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration FLUSH = Duration.ofMillis(500);

    private final Threads threads = new Threads();
    private final ManualTimer timer = new ManualTimer();
    private final ManualTimer otherTimer = new ManualTimer();
    private final LiveModel live = new LiveModel();
    private final Bench bench = new Bench();
    private final RecordingSink client = new RecordingSink();
    private final RecordingSink follower = new RecordingSink();
    private final Holdpoint agent = bench.another(builder -> flushing(timer.in(builder)));
    private final Holdpoint otherNode = bench.another(builder -> flushing(otherTimer.in(builder)));

    private HoldpointBuilder<Bench.Assistant> flushing(HoldpointBuilder<Bench.Assistant> builder) {
        return builder.streamingChatModel(live).with(Follow.settings().flushInterval(FLUSH));
    }

    @AfterEach
    void stop() {
        threads.close();
    }

    private CompletableFuture<ThreadStatus> begin() {
        agent.run(bench.input(user("u1", "Hi")), client);
        return Follow.of(otherNode).follow(THREAD, "look", follower);
    }

    /** One look of the follower, which comes after a flush if one is due. */
    private void look() {
        timer.ring(FLUSH);
        otherTimer.ring(LOOK);
    }

    private void endedAs(CompletableFuture<ThreadStatus> following, ThreadStatus expected) {
        assertThat(following).isCompletedWithValue(expected);
        StreamRules.checkFollowed(follower.events());
    }

    private void endedWithoutTheText(CompletableFuture<ThreadStatus> following) {
        assertThat(following).isCompletedWithValue(ThreadStatus.UNFINISHED);
        assertThat(follower.types())
                .endsWith("TEXT_MESSAGE_END", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
        assertThat(follower.all(MessagesSnapshotEvent.class))
                .allSatisfy(shown ->
                        assertThat(shown.messages()).extracting(Message::id).containsExactly("u1"));
        assertThat(history()).extracting(Message::id).containsExactly("u1");
    }

    /** The messages of the thread as the other node shows them. */
    private List<Message> history() {
        RecordingSink sink = new RecordingSink();
        assertThat(Follow.of(otherNode).history(THREAD, "look", sink)).isCompleted();
        assertThat(sink.last()).isInstanceOf(RunEvent.Finished.class);
        return sink.all(MessagesSnapshotEvent.class).get(0).messages();
    }

    private Message.Assistant written(String text) {
        String id = client.all(TextMessageEvent.Start.class).get(0).messageId();
        return new Message.Assistant(id, text, List.of());
    }

    @Test
    void aTextGrowsAsFarAsItIsFlushed() {
        CompletableFuture<ThreadStatus> following = begin();
        live.says("Hel");
        otherTimer.ring(LOOK);
        assertThat(follower.text()).as("not flushed yet").isEmpty();
        look();
        assertThat(follower.text()).isEqualTo("Hel");
        look();
        live.says("lo").says(" Ad");
        look();

        assertThat(follower.types())
                .containsExactly(
                        "RUN_STARTED",
                        "STATE_SNAPSHOT",
                        "MESSAGES_SNAPSHOT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_CONTENT");
        assertThat(follower.text()).isEqualTo("Hello Ad");
        assertThat(history()).hasSize(2).last().isEqualTo(written("Hello Ad"));
        assertThat(bench.transcript()).hasSize(1);
        live.says("a.").ends();
        look();

        endedAs(following, ThreadStatus.IDLE);
        assertThat(follower.types())
                .endsWith("TEXT_MESSAGE_END", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
        assertThat(history()).isEqualTo(bench.transcript()).hasSize(2).last().isEqualTo(written("Hello Ada."));
        ClientView.assertConverged(follower.events());
    }

    @Test
    void aTextThatIsStoredIsShownOnceAndTheNextOneGrowsAfterIt() {
        CompletableFuture<ThreadStatus> following = begin();
        live.says("Looking.");
        look();
        live.ends(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
        look();
        assertThat(history()).isEqualTo(bench.transcript()).hasSize(3);
        live.says("Found");
        look();
        assertThat(history()).hasSize(4);

        assertThat(follower.types().subList(3, follower.types().size()))
                .containsExactly(
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "STATE_SNAPSHOT",
                        "MESSAGES_SNAPSHOT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT");
        live.says(" her.").ends();
        look();
        assertThat(follower.text()).isEqualTo("Looking.Found her.");
        endedAs(following, ThreadStatus.IDLE);
        ClientView.assertConverged(follower.events());
    }

    @Test
    void whoComesInTheMiddleGetsTheTextSoFarAndOneThatStaysTooLongIsLeftWithAClosedStream() {
        agent.run(bench.input(user("u1", "Hi")), client);
        live.says("Hello");
        timer.ring(FLUSH);
        CompletableFuture<ThreadStatus> following = Follow.of(otherNode).follow(THREAD, "look", follower);
        assertThat(follower.text()).isEqualTo("Hello");

        otherTimer.ring(Duration.ofMinutes(5));

        endedAs(following, ThreadStatus.RUNNING);
        assertThat(follower.types()).endsWith("TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED");
    }

    @Test
    @Logs("Run * on thread * failed")
    void aTextOfARunThatFailedStaysNowhere() {
        CompletableFuture<ThreadStatus> following = begin();
        live.says("Hel");
        look();
        live.fails(new IllegalStateException("down"));
        look();

        endedWithoutTheText(following);
    }

    @Test
    void aTextOfANodeThatDiedIsGoneWithItsLease() {
        CompletableFuture<ThreadStatus> following = begin();
        live.says("Hel");
        look();
        bench.clock.advance(LEASE);
        otherTimer.ring(LOOK);

        endedWithoutTheText(following);
        bench.model.says("Hello again.");
        assertThat(bench.nothingNew().text()).isEqualTo("Hello again.");
        live.says("lo");
        timer.ring(FLUSH);
        assertThat(history()).isEqualTo(bench.transcript()).hasSize(2);
    }

    @Test
    void aRunWithoutItsClientIsTakenOverAlthoughItIsFlushed() {
        Holdpoint onThreads =
                bench.another(builder -> flushing(timer.in(builder)).executor(threads));
        CompletableFuture<RunResult> left = onThreads.run(bench.input(user("u1", "Hi")), new EventSink() {

            @Override
            public void send(Event event) {
                client.send(event);
            }

            @Override
            public boolean isRead() {
                return false;
            }
        });
        live.awaitAsked();
        live.says("Hel");

        CompletableFuture<RunResult> next = onThreads.run(bench.input(user("u2", "Stop that")), follower);
        live.awaitAskedAgain();
        live.says("Well.").ends();

        assertThat(left.join()).isInstanceOf(RunResult.Cancelled.class);
        assertThat(next.join()).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void whatComesWhileTheStoreIsSlowIsFlushedAfterwards() {
        Holdpoint slow = bench.another(builder -> flushing(timer.in(builder)).store(new ForwardingStore() {

            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public void say(Lease lease, Message.Assistant text) {
                if (text.equals(written("Hel"))) {
                    live.says("lo");
                    assertThat(timer.delays())
                            .filteredOn(FLUSH::equals)
                            .as("one at a time")
                            .hasSize(1);
                }
                super.say(lease, text);
            }
        }));
        slow.run(bench.input(user("u1", "Hi")), client);
        live.says("Hel");
        timer.ring(FLUSH);
        assertThat(history()).last().isEqualTo(written("Hel"));

        timer.ring(FLUSH);

        assertThat(history()).last().isEqualTo(written("Hello"));
        timer.ring(FLUSH);
        assertThat(timer.delays()).filteredOn(FLUSH::equals).as("nothing new").hasSize(2);
    }

    /** A store that refuses to have anything to do with what runs are writing. */
    private final class Mute extends ForwardingStore {

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public void say(Lease lease, Message.Assistant text) {
            throw new IllegalStateException("mute");
        }
    }

    @Test
    @Logs("Other nodes do not see what run * on thread * is writing")
    void aFlushThatFailsIsNothingToTheRun() {
        Holdpoint muted = bench.another(builder -> flushing(timer.in(builder)).store(new Mute()));
        CompletableFuture<RunResult> run = muted.run(bench.input(user("u1", "Hi")), client);
        live.says("Hel");
        timer.ring(FLUSH);
        live.says("lo.").ends();

        assertThat(run.join().text()).isEqualTo("Hello.");
        assertThat(bench.transcript()).last().isEqualTo(written("Hello."));
    }

    @Test
    void aRunThatHasEndedIsNotFlushedBecauseTheStoreMayBeClosedByThen() {
        Holdpoint muted = bench.another(builder -> flushing(timer.in(builder)).store(new Mute()));
        CompletableFuture<RunResult> run = muted.run(bench.input(user("u1", "Hi")), client);
        live.says("Hello.").ends();
        assertThat(run).isCompleted();

        timer.ring(FLUSH);

        assertThat(timer.delays()).filteredOn(FLUSH::equals).hasSize(1);
    }

    @Test
    void withoutAnIntervalTheStoreIsNeitherToldNorAsked() {
        Holdpoint writing = bench.another(builder ->
                timer.in(builder).streamingChatModel(live).store(new Mute()).with(Follow.settings()));
        Holdpoint looking = bench.another(builder -> otherTimer.in(builder).store(new Mute()));
        writing.run(bench.input(user("u1", "Hi")), client);
        CompletableFuture<ThreadStatus> following = Follow.of(looking).follow(THREAD, "look", follower);
        live.says("Hel");
        timer.ring();
        otherTimer.ring(LOOK);
        assertThat(Follow.of(looking).history(THREAD, "look", new RecordingSink()))
                .isCompleted();
        live.says("lo.").ends();
        otherTimer.ring(LOOK);

        endedAs(following, ThreadStatus.IDLE);
        assertThat(follower.types()).doesNotContain("TEXT_MESSAGE_START");
    }

    @Test
    void aTimeThatCannotBeIsRefusedByItsName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Follow.settings().flushInterval(Duration.ofNanos(-1)))
                .withMessage("flushInterval: zero or longer, not PT-0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Follow.settings().longest(Duration.ZERO))
                .withMessage("longest: longer than zero, not PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Follow.settings().lookEvery(Duration.ofSeconds(-1)))
                .withMessage("lookEvery: longer than zero, not PT-1S");
    }
}
