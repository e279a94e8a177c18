package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.CheckedMemory;
import io.holdpoint.testing.FailingStore;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A new message instead of an answer: nothing of the batch runs, not even if the store fails at some commit. */
@Logs("Run * on thread * failed")
class SteeringAwayTest {

    private static final int COMMITS = 14;
    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";
    private static final Message QUESTION = new Message.User("m1", MessageContent.text("Write to Ada"));
    private static final Message NEXT = new Message.User("m2", MessageContent.text("Never mind"));

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final CheckedMemory memory = new CheckedMemory(MessageWindowChatMemory.withMaxMessages(50));

    static Stream<Arguments> everyCommit() {
        return Stream.of(Shape.values()).flatMap(shape -> Stream.of(FailingStore.When.values())
                .flatMap(when -> IntStream.rangeClosed(1, COMMITS).mapToObj(n -> Arguments.of(shape, when, n))));
    }

    private Holdpoint heldAgent(Shape shape, FailingStore store) {
        for (int i = 0; i < 10; i++) {
            model.answers(request -> request.messages().size() == 1
                    ? AiMessage.from(call("c1", "searchContacts", "{\"query\":\"Ada\"}"), call("c2", "sendEmail", MAIL))
                    : AiMessage.from("As you like."));
        }
        Holdpoint agent = shape.builder(model)
                .tools(tools)
                .store(store)
                .chatMemoryProvider(id -> memory)
                .build();
        repeat(agent, RunAgentInput.of("t", "r1", List.of(QUESTION)));
        return agent;
    }

    @ParameterizedTest
    @MethodSource("everyCommit")
    void nothingOfTheBatchRuns(Shape shape, FailingStore.When when, int failing) {
        Holdpoint agent = heldAgent(shape, new FailingStore(failing, when));
        var cancel = agent.pending("t").get(0).cancel();

        RunResult result = repeat(
                agent, RunAgentInput.of("t", "r2", List.of(QUESTION, NEXT)).withResume(List.of(cancel)));

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).isEmpty();
        assertThat(memory.violations()).isEmpty();
        assertThat(memory.messages().stream().filter(UserMessage.class::isInstance))
                .hasSize(2);
        assertThat(memory.messages()).hasSize(7).endsWith(AiMessage.from("As you like."));
        assertThat(agent.pending("t")).isEmpty();
    }

    /** A store whose commits may fail. */
    private static final class HookedStore extends ForwardingStore {

        private final Store store = new InMemoryStore();
        private volatile Consumer<Commit> before = commit -> {};
        private volatile Runnable after = () -> {};

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            before.accept(commit);
            super.commit(lease, commit, now);
            after.run();
        }

        void losesWhatWasExecuted() {
            before = commit -> {
                if (commit.batches().stream()
                        .anyMatch(batch -> batch.calls().get(0).state() == Call.State.EXECUTED)) {
                    throw new IllegalStateException("down");
                }
            };
        }

        void works() {
            before = commit -> {};
        }

        void failsOnceAfterTheNextCommit() {
            after = () -> {
                after = () -> {};
                throw new IllegalStateException("down");
            };
        }
    }

    /** The first of two approved calls has an unknown outcome; asked about it, the person cancels everything. */
    @Test
    void whatWasApprovedBeforeDoesNotRunThoughTheClockOfTheNodeThatHeardItIsBehind() {
        Bench bench = new Bench();
        HookedStore store = new HookedStore();
        Holdpoint agent = bench.another(builder -> builder.store(store));
        bench.model
                .calls(
                        call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"),
                        call("c2", "transferMoney", "{\"amount\":2,\"to\":\"Bob\"}"))
                .says("As you like.");
        agent.send("t", "Pay");
        store.losesWhatWasExecuted();
        agent.resume(
                "t",
                agent.pending("t").stream()
                        .map(asked -> asked.asApproval().approve())
                        .toArray(ResumeEntry[]::new));
        store.works();
        agent.resume("t");
        PendingInterrupt unknown = agent.pending("t").get(0);
        bench.clock.advance(Duration.ofSeconds(-2));

        store.failsOnceAfterTheNextCommit();
        RunResult result =
                repeat(agent, RunAgentInput.of("t", "r9", List.of(NEXT)).withResume(List.of(unknown.cancel())));

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).containsExactly("transferMoney 1|Ada");
    }

    /** The page is loaded again after the failure: what its person said is gone from it, and not what was decided. */
    @ParameterizedTest
    @MethodSource("everyCommit")
    void nothingOfTheBatchRunsWithoutTheMessageEither(Shape shape, FailingStore.When when, int failing) {
        Holdpoint agent = heldAgent(shape, new FailingStore(failing, when));
        RunAgentInput steering = RunAgentInput.of("t", "r2", List.of(QUESTION, NEXT))
                .withResume(List.of(agent.pending("t").get(0).cancel()));
        agent.run(steering, new RecordingSink()).join();

        RunResult reloaded = repeat(agent, RunAgentInput.of("t", "r3", List.of()));

        assertThat(reloaded).isNotInstanceOf(RunResult.Failed.class);
        assertThat(tools.effects()).isEmpty();
        assertThat(repeat(agent, steering)).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).isEmpty();
        assertThat(memory.violations()).isEmpty();
        assertThat(memory.messages().stream().filter(UserMessage.class::isInstance))
                .hasSize(2);
    }

    private static RunResult repeat(Holdpoint agent, RunAgentInput input) {
        RunResult result = agent.run(input, new RecordingSink()).join();
        for (int attempt = 0; attempt < 4 && result instanceof RunResult.Failed; attempt++) {
            result = agent.run(input, new RecordingSink()).join();
        }
        return result;
    }
}
