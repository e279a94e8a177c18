package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.hook.Guest;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.LiveModel;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.SlowTool;
import io.holdpoint.testing.Stop;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.Threads;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever stops a stream and says something else is answered: a run that has no reader any more gives way. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TakeOverTest {

    /** Of a client that is gone, which the server learns when it looks. */
    private static final class Unread implements EventSink {

        @Override
        public void send(Event event) {}

        @Override
        public boolean isRead() {
            return false;
        }
    }

    private final Threads threads = new Threads();
    private final LiveModel live = new LiveModel();
    private final Stop stop = new Stop().arm();
    private final SlowTool slow = new SlowTool(stop);
    private final Bench bench = new Bench(builder -> builder.executor(threads));
    private final Holdpoint writing =
            bench.another(builder -> builder.streamingChatModel(live).executor(threads));
    private final Holdpoint working =
            bench.another(builder -> builder.tools(slow).executor(threads));

    @AfterEach
    void end() {
        stop.letGo();
        threads.close();
    }

    private void isInProgress(Holdpoint agent, RunAgentInput input) {
        assertThatThrownBy(() -> agent.run(input, new RecordingSink()))
                .isInstanceOfSatisfying(
                        RunRejectedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RUN_IN_PROGRESS));
    }

    @Test
    void aMessageIsAnsweredWhileTheModelStillWritesTheLastAnswer() {
        CompletableFuture<RunResult> first = writing.run(bench.input(user("Long", "Long")), new Unread());
        live.awaitAsked();
        live.says("Once upon ");
        RecordingSink sink = new RecordingSink();

        CompletableFuture<RunResult> second = writing.run(bench.input(user("Stop", "Stop")), sink);

        assertThat(first.join()).isInstanceOf(RunResult.Cancelled.class);
        live.awaitAskedAgain();
        live.says("Stopped.").ends();
        assertThat(second.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(sink.text()).isEqualTo("Stopped.");
        StreamRules.check(sink.events());
        assertThat(bench.transcript())
                .extracting(Message::role)
                .containsExactly("user", "assistant", "user", "assistant");
    }

    @Test
    void anAnswerThatIsAskedForAgainTakesThePlaceOfTheOneThatIsStillWritten() {
        RecordingSink heard = new RecordingSink();
        CompletableFuture<RunResult> first = writing.run(bench.input(user("Long", "Long")), new EventSink() {
            @Override
            public void send(Event event) {
                heard.send(event);
            }

            @Override
            public boolean isRead() {
                return false;
            }
        });
        live.awaitAsked();
        live.says("Once upon ");
        String answer = heard.all(TextMessageEvent.Start.class).get(0).messageId();
        RunAgentInput again = bench.input()
                .withForwardedProps(AguiCodec.mapper().valueToTree(Map.of("holdpoint", Map.of("replaces", answer))));

        CompletableFuture<RunResult> second = writing.run(again, new RecordingSink());

        assertThat(first.join()).isInstanceOf(RunResult.Cancelled.class);
        live.awaitAskedAgain();
        live.says("Short.").ends();
        assertThat(second.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.transcript()).extracting(Message::role).containsExactly("user", "assistant");
        assertThat(bench.store.transcript(THREAD, Store.Range.CUT))
                .extracting(Message::id)
                .containsExactly(answer);
    }

    @Test
    void aToolThatRunsIsLetFinishAndNothingElseStarts() {
        bench.model.calls(call("c1", "slow", "{\"what\":\"a\"}"), call("c2", "slow", "{\"what\":\"b\"}"));
        bench.model.says("Hello.");
        working.run(bench.input(user("Work", "Work")), new Unread());
        stop.awaitReached();
        RecordingSink sink = new RecordingSink();

        CompletableFuture<RunResult> second = working.run(bench.input(user("Hi", "Hi")), sink);

        assertThat(second).isNotDone();
        stop.letGo();
        second.join();
        assertThat(sink.text()).isEqualTo("Hello.");
        assertThat(slow.effects()).containsExactly("slow a");
        assertThat(bench.model.lastResult("c1")).isEqualTo("did a");
        assertThat(bench.model.lastResult("c2")).contains("not executed");
    }

    @Test
    void aRunThatSomebodyReadsStays() {
        writing.run(bench.input(user("Long", "Long")), event -> {});
        live.awaitAsked();

        isInProgress(writing, bench.input(user("Hi", "Hi")));

        live.says("Done.").ends();
    }

    @Test
    void aRunThatSomebodyLooksAtStays() {
        AtomicBoolean reads = new AtomicBoolean(true);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        List<Event> heard = new CopyOnWriteArrayList<>();
        Guest.Follower follower = new Guest.Follower() {

            @Override
            public void heard(Event event) {
                heard.add(event);
            }

            @Override
            public boolean isReading() {
                return reads.get();
            }

            @Override
            public void ended() {
                ended.complete(null);
            }
        };
        Holdpoint looked = bench.another(
                builder -> builder.streamingChatModel(live).executor(threads).with(agent -> new Guest() {

                    @Override
                    public Optional<Guest.Follower> follower(Store.Lease run) {
                        return Optional.of(follower);
                    }
                }));
        CompletableFuture<RunResult> first = looked.run(bench.input(user("Long", "Long")), new Unread());
        live.awaitAsked();
        live.says("Once ");

        isInProgress(looked, bench.input(user("Hi", "Hi")));
        assertThat(ended).isNotDone();
        reads.set(false);
        looked.run(bench.input(user("Hi", "Hi")), new RecordingSink());

        assertThat(first.join()).isInstanceOf(RunResult.Cancelled.class);
        ended.join();
        assertThat(heard).first().isInstanceOf(RunEvent.Started.class);
        live.awaitAskedAgain();
        live.says("Done.").ends();
    }

    @Test
    void anEditThatIsSentAgainDoesNotStopTheRunThatAnswersIt() {
        bench.model.says("1");
        bench.say("One");
        ObjectNode forwarded = AguiCodec.mapper().createObjectNode();
        forwarded.putObject("holdpoint").put("replaces", "One");
        RunAgentInput edit = bench.input(user("One b", "One b")).withForwardedProps(forwarded);
        CompletableFuture<RunResult> first = writing.run(edit, new Unread());
        live.awaitAsked();

        isInProgress(writing, edit);

        live.says("Done.").ends();
        assertThat(first.join()).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void onlyANewMessageOfTheOwnerTakesOver() {
        Holdpoint ada = writing.as(Caller.of("ada"));
        ada.run(bench.input(user("Long", "Long")), new Unread());
        live.awaitAsked();

        isInProgress(ada, bench.input());
        isInProgress(ada, bench.input(user("Long", "Long")));
        assertThatThrownBy(() -> writing.as(Caller.of("eve")).run(bench.input(user("Hi", "Hi")), event -> {}))
                .isInstanceOf(RunRejectedException.class);

        live.says("Done.").ends();
        assertThat(bench.transcript())
                .extracting(Message::id)
                .startsWith("Long")
                .hasSize(2);
    }
}
