package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailRequest;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.DamagedException;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.PuppetModel;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stopping a run that streams, and what is left of it. */
class CancelTest {

    private final PuppetModel model = new PuppetModel();
    private final ManualTimer timer = new ManualTimer();
    private final Bench bench = new Bench(builder -> timer.in(builder.streamingChatModel(model)));
    private final RecordingSink sink = new RecordingSink();

    private CompletableFuture<RunResult> start(String text) {
        return bench.agent().run(bench.input(user(text, text)), sink);
    }

    private boolean cancel() {
        return bench.agent().cancel(THREAD);
    }

    private void isCancelled(CompletableFuture<RunResult> run) {
        assertThat(run).isCompletedWithValue(new RunResult.Cancelled());
        assertThat(sink.last()).isInstanceOfSatisfying(RunEvent.Finished.class, end -> assertThat(end.outcome())
                .isEqualTo(RunFinishedOutcome.cancelled()));
        StreamRules.checkWithAbandoned(sink.events());
        ScriptedModel.requireWellFormed(bench.memory());
        assertThat(bench.store.find(THREAD).orElseThrow().batch()).isEmpty();
        assertThat(bench.store.find(THREAD).orElseThrow().turn()).isEmpty();
    }

    private static List<String> texts(List<ChatMessage> memory) {
        return memory.stream()
                .map(each -> each instanceof UserMessage said ? said.singleText() : ((AiMessage) each).text())
                .toList();
    }

    /** Cancels when an event comes that fits, in the middle of the run. */
    private CompletableFuture<RunResult> cancelledAt(Predicate<Event> when, AtomicBoolean accepted, String text) {
        AtomicBoolean before = new AtomicBoolean();
        return bench.agent().run(bench.input(user(text, text)), event -> {
            sink.send(event);
            if (when.test(event) && before.compareAndSet(false, true)) {
                accepted.set(cancel());
            }
        });
    }

    @Test
    void theModelIsToldToStopAndWhatWasReadIsKept() {
        CompletableFuture<RunResult> run = start("Hi");
        model.says("Hello ");
        model.says("there, ");

        assertThat(cancel()).isTrue();

        isCancelled(run);
        assertThat(model.isCancelled()).isTrue();
        assertThat(sink.types())
                .endsWith("TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
        assertThat(bench.transcript()).last().isInstanceOfSatisfying(Message.Assistant.class, said -> assertThat(
                        said.content())
                .isEqualTo("Hello there, "));
        assertThat(texts(bench.memory())).containsExactly("Hi", "Hello there, ");
    }

    @Test
    void whatWasReadOfItsThinkingIsKeptToo() {
        CompletableFuture<RunResult> run = start("Hi");
        model.thinks("Somebody ");
        model.thinks("greets me.");
        model.says("Hello ");

        cancel();

        isCancelled(run);
        assertThat(bench.transcript()).extracting(Message::role).containsExactly("user", "reasoning", "assistant");
        assertThat(bench.transcript()).element(1).isInstanceOfSatisfying(Message.Reasoning.class, thought -> assertThat(
                        thought.content())
                .isEqualTo("Somebody greets me."));
        Bench.Everything before = bench.everything();
        int events = sink.events().size();
        model.thinks("Or not.");
        assertThat(bench.everything()).isEqualTo(before);
        assertThat(sink.events()).hasSize(events);
    }

    @Test
    void whatHasNothingToReadIsNoAnswer() {
        CompletableFuture<RunResult> run = start("Hi");
        model.says("\n");

        cancel();

        isCancelled(run);
        assertThat(bench.transcript()).extracting(Message::role).containsExactly("user");
        assertThat(texts(bench.memory())).containsExactly("Hi");
    }

    @Test
    void whatTheModelSaysLaterChangesNothing() {
        start("Hi");
        model.says("Hello ");
        cancel();
        Bench.Everything before = bench.everything();
        int events = sink.events().size();

        model.says("there.");
        model.beginsToCall("c1", "searchContacts", "{");
        model.ends("Hello there.");
        model.fails(new IllegalStateException("closed"));

        assertThat(bench.everything()).isEqualTo(before);
        assertThat(sink.events()).hasSize(events);
    }

    @Test
    void theThreadGoesOnFromWhatWasRead() {
        start("Hi");
        model.says("Hello ");
        cancel();

        RecordingSink next = new RecordingSink();
        CompletableFuture<RunResult> run = bench.agent().run(bench.input(user("u2", "Shorter")), next);
        model.ends("Hi.");

        assertThat(run.join()).isEqualTo(new RunResult.Completed(((RunResult.Completed) run.join()).value(), "Hi."));
        assertThat(texts(model.requests().get(1).messages())).containsExactly("Hi", "Hello ", "Shorter");
        StreamRules.check(next.events());
    }

    @Test
    void aModelThatHasSaidNothingIsToldWithItsFirstWord() {
        CompletableFuture<RunResult> run = start("Hi");
        cancel();
        isCancelled(run);
        assertThat(model.isCancelled()).isFalse();

        model.says("Hello ");

        assertThat(model.isCancelled()).isTrue();
        assertThat(sink.text()).isEmpty();
        assertThat(texts(bench.memory())).containsExactly("Hi");
    }

    static Stream<Throwable> failuresOfAModel() {
        return Stream.of(new IllegalStateException("gone"), new IOException("gone"), new NoClassDefFoundError("gone"));
    }

    /** Asks again until the text is polite, and waits for it. */
    private static final class Politeness implements OutputGuardrail {

        @Override
        public OutputGuardrailResult validate(OutputGuardrailRequest request) {
            return request.responseFromLLM().aiMessage().text().contains("please")
                    ? success()
                    : reprompt("impolite", "Say please.");
        }
    }

    @ParameterizedTest
    @MethodSource("failuresOfAModel")
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Logs("The model could not be told to stop; *")
    void aModelThatCannotBeToldToStopKeepsNoThreadThatWaitsForIt(Throwable failure) throws Exception {
        List<CompletableFuture<Void>> tasks = new CopyOnWriteArrayList<>();
        Holdpoint agent = bench.another(builder -> timer.in(builder.streamingChatModel(model))
                .aiService(service -> service.outputGuardrails(new Politeness()))
                .executor(task -> tasks.add(CompletableFuture.runAsync(task))));
        model.failsToStop(failure);
        CompletableFuture<RunResult> run = agent.run(bench.input(user("u1", "Hi")), sink);
        awaitRequests(1);
        model.says("Give me that.");
        model.ends("Give me that.");
        awaitRequests(2);

        assertThat(agent.cancel(THREAD)).isTrue();

        for (CompletableFuture<Void> task : tasks) {
            assertThat(task).succeedsWithin(Duration.ofSeconds(30));
        }
        isCancelled(run);
    }

    private void awaitRequests(int number) {
        while (model.requests().size() < number) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aCallThatTheModelIsWritingIsClosedAndForgotten() {
        CompletableFuture<RunResult> run = start("Find Ada");
        model.says("I look. ");
        model.beginsToCall("c1", "searchContacts", "{\"que");

        cancel();

        isCancelled(run);
        assertThat(sink.all(ToolCallEvent.End.class)).hasSize(1);
        List<Message> snapshot = sink.all(MessagesSnapshotEvent.class).get(0).messages();
        assertThat(snapshot).last().isInstanceOfSatisfying(Message.Assistant.class, said -> {
            assertThat(said.content()).isEqualTo("I look. ");
            assertThat(said.toolCalls()).isEmpty();
        });
    }

    @Test
    void afterARoundOfToolsItsResultsAreKept() {
        CompletableFuture<RunResult> run = start("Find Ada");
        model.ends(call("c1", "searchContacts", "{\"query\":\"Ada\"}"));
        model.says("She is at ");

        cancel();

        isCancelled(run);
        assertThat(bench.tools.effects()).containsExactly("searchContacts Ada");
        assertThat(bench.memory()).hasSize(4);
        assertThat(bench.memory().get(3)).isEqualTo(AiMessage.from("She is at "));
    }

    @Test
    void cancellingTwiceIsCancellingOnce() {
        AtomicBoolean again = new AtomicBoolean();
        CompletableFuture<RunResult> run = bench.agent().run(bench.input(user("Hi", "Hi")), event -> {
            sink.send(event);
            if (event instanceof TextMessageEvent.End) {
                again.set(cancel());
            }
        });
        model.says("Hello ");

        assertThat(cancel()).isTrue();

        assertThat(again).as("while the first one is at work").isTrue();
        isCancelled(run);
        assertThat(cancel()).as("afterwards").isFalse();
    }

    @Test
    void aRunThatHasNotBegunItsTurnIsCancelledAndItsMessageIsNotLost() {
        AtomicBoolean accepted = new AtomicBoolean();
        CompletableFuture<RunResult> run = cancelledAt(event -> event instanceof RunEvent.Started, accepted, "Hi");

        assertThat(accepted).isTrue();
        assertThat(run).isCompletedWithValue(new RunResult.Cancelled());
        StreamRules.check(sink.events());
        assertThat(model.requests()).isEmpty();
        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).containsExactly(user("Hi", "Hi"));
    }

    @Test
    void aRunThatIsAboutToBeHeldIsCancelledInstead() {
        AtomicBoolean accepted = new AtomicBoolean();
        CompletableFuture<RunResult> run = cancelledAt(event -> event instanceof StateEvent.Snapshot, accepted, "Mail");
        model.ends(call("c1", "sendEmail", MAIL));

        assertThat(accepted).isTrue();
        isCancelled(run);
        assertThat(bench.pending()).isEmpty();
        assertThat(bench.tools.effects()).isEmpty();
        assertThat(sink.all(ToolCallEvent.Result.class)).hasSize(1);
    }

    @Test
    void aRunThatHasEndedIsNotThereAnyMore() {
        AtomicBoolean accepted = new AtomicBoolean(true);
        CompletableFuture<RunResult> run = cancelledAt(event -> event instanceof RunEvent.Finished, accepted, "Hi");
        model.ends("Hello.");

        assertThat(accepted).isFalse();
        assertThat(run.join()).isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void aRunOnAnotherNodeIsCancelledAtItsNextHeartbeat() {
        CompletableFuture<RunResult> run = start("Hi");
        model.says("Hello ");
        Holdpoint other = bench.another(builder -> builder);

        assertThat(other.cancel(THREAD)).isTrue();
        assertThat(run).isNotDone();
        timer.ring();

        isCancelled(run);
        assertThat(other.cancel(THREAD)).isFalse();
    }

    @Test
    void aThreadThatDoesNotExistForTheCallerHasNothingToCancel() {
        Caller ada = Caller.of("ada");
        CompletableFuture<RunResult> run = bench.agent().as(ada).run(bench.input(user("Hi", "Hi")), sink);

        assertThat(cancel()).isFalse();
        assertThat(bench.agent().as(Caller.of("bob")).cancel(THREAD)).isFalse();
        assertThat(bench.agent().cancel("nowhere")).isFalse();
        assertThat(bench.agent().cancel("")).isFalse();
        assertThat(run).isNotDone();
        assertThat(bench.agent().as(ada).cancel(THREAD)).isTrue();
        isCancelled(run);
    }

    @Test
    void onlyTheRunThatIsNamedIsStoppedAndOnlyByItsCaller() {
        CompletableFuture<RunResult> run = start("Hi");
        model.says("Hello ");

        assertThat(bench.agent().cancel(THREAD, "another-run")).isFalse();
        assertThat(bench.agent().as(Caller.of("eve")).cancel(THREAD, "run-1")).isFalse();
        assertThat(run).isNotDone();

        assertThat(bench.agent().cancel(THREAD, "run-1")).isTrue();
        isCancelled(run);
        assertThat(bench.agent().cancel(THREAD, "run-1")).isFalse();
    }

    @Test
    void whatARunHasLeftHeldIsNotTheRun() {
        start("Write");
        model.ends(call("c1", "sendEmail", MAIL));

        assertThat(bench.agent().cancel(THREAD, "run-1")).isFalse();
        assertThat(bench.pending()).hasSize(1);
    }

    /** The record of a conversation may be on a server that is away for a moment. */
    @Test
    void aMemoryThatIsAwayIsNotCleared() {
        UnreadMemory memory = new UnreadMemory();
        List<ChatMessage> kept = memory.kept;
        Bench other =
                new Bench(builder -> timer.in(builder.streamingChatModel(model)).chatMemoryProvider(id -> memory));
        other.agent().run(other.input(user("Write", "Write")), sink);
        model.ends(call("c1", "sendEmail", MAIL));
        int before = kept.size();

        memory.failure.set(new IllegalStateException("connection refused"));
        assertThatThrownBy(() -> other.agent().cancel(THREAD)).hasMessageContaining("connection refused");

        memory.failure.set(null);
        assertThat(kept).hasSize(before).isNotEmpty();
        assertThat(other.agent().cancel(THREAD)).isTrue();
        ScriptedModel.requireWellFormed(kept);
        assertThat(kept).hasSizeGreaterThan(before);
    }

    static Stream<RuntimeException> aRecordThatCannotBeReadNowIsNotGivenUp() {
        return Stream.of(
                new StoreException("slow", new SQLException("canceled by statement timeout", "57014")),
                new StoreException("no file", new SQLException("disk I/O error", null, 10)),
                new StoreException("late", new TimeoutException()),
                new StoreException("changed", new SQLException("cached plan must not change", "0A000")),
                new IllegalStateException("the pool is closed"));
    }

    /** What is short can be read, but the record itself cannot, for a reason that may pass. */
    @ParameterizedTest
    @MethodSource
    void aRecordThatCannotBeReadNowIsNotGivenUp(RuntimeException failure) {
        AtomicBoolean slow = new AtomicBoolean();
        Store all = new InMemoryStore();
        Bench other =
                new Bench(builder -> timer.in(builder.streamingChatModel(model)).store(new ForwardingStore() {
                    @Override
                    protected Store store() {
                        return all;
                    }

                    @Override
                    public Optional<ThreadRecord> find(String threadId) {
                        if (slow.get()) {
                            throw failure;
                        }
                        return super.find(threadId);
                    }
                }));
        other.agent().run(other.input(user("Write", "Write")), sink);
        model.ends(call("c1", "sendEmail", MAIL));

        slow.set(true);
        assertThatThrownBy(() -> other.agent().cancel(THREAD)).isSameAs(failure);

        slow.set(false);
        assertThat(other.pending()).hasSize(1);
        assertThat(other.agent().cancel(THREAD)).isTrue();
    }

    /** What has run stays known to the model. */
    @Test
    @Logs("The chat memory of thread t cannot be read and is cleared")
    void aDamagedMemoryTakesNoBatchAlong() {
        UnreadMemory memory = new UnreadMemory();
        Bench other =
                new Bench(builder -> timer.in(builder.streamingChatModel(model)).chatMemoryProvider(id -> memory));
        other.agent().run(other.input(user("Write", "Write")), sink);
        model.ends(call("c1", "sendEmail", MAIL));

        memory.failure.set(new DamagedException("a message is none", null));
        assertThat(other.agent().cancel(THREAD)).isTrue();

        assertThat(other.agent().auditTrail(THREAD, 0, 100))
                .extracting(AuditEvent::kind)
                .contains(AuditEvent.Kind.NOT_EXECUTED)
                .doesNotContain(AuditEvent.Kind.DISCARDED);
        assertThat(memory.kept).hasAtLeastOneElementOfType(ToolExecutionResultMessage.class);
    }

    /** Cannot be read while there is a failure, which goes with what is cleared. */
    private static final class UnreadMemory implements ChatMemory {

        private final List<ChatMessage> kept = new ArrayList<>();
        private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

        @Override
        public Object id() {
            return THREAD;
        }

        @Override
        public void add(ChatMessage message) {
            kept.add(message);
        }

        @Override
        public List<ChatMessage> messages() {
            RuntimeException now = failure.get();
            if (now != null) {
                throw now;
            }
            return List.copyOf(kept);
        }

        @Override
        public void clear() {
            failure.set(null);
            kept.clear();
        }
    }
}
