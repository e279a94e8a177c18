package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.FailingMemory;
import io.holdpoint.testing.FailingStore;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients, stores and messages that do what they should not: the run ends all the same. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Logs({
    "Attributes of a * message cannot be stored",
    "Lease* could not be given back",
    "Run * on thread * failed",
    "The model's message * has attributes that do not survive"
})
class FailingSurroundingsTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    private static RunAgentInput input() {
        return RunAgentInput.of("t", "r1", List.of(new Message.User("m1", MessageContent.text("Go"))));
    }

    @ParameterizedTest
    @EnumSource
    void aSinkThatThrowsAnErrorDoesNotKeepTheRunFromItsHold(Shape shape) {
        model.saysAndCalls("On it.", call("c1", "sendEmail", MAIL));
        Holdpoint agent = shape.builder(model).tools(tools).build();

        RunResult result = agent.run(input(), event -> {
                    throw new AssertionError("a broken sink");
                })
                .join();

        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
    }

    @ParameterizedTest
    @EnumSource
    void aStoreThatCannotTakeTheLeaseBackDoesNotKeepTheRunFromEnding(Shape shape) {
        model.says("Hello.");
        FailingStore store = FailingStore.thatCannotRelease();
        Holdpoint agent = shape.builder(model).tools(tools).store(store).build();

        RunResult result = agent.send("t", "Hi");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
    }

    /** The driver of a database has lost its classes, or is not written in Java. */
    static Stream<Arguments> whatAStoreThrows() {
        return Arrays.stream(Shape.values())
                .flatMap(shape -> Stream.of(new NoClassDefFoundError("gone"), new IOException("gone"))
                        .map(thrown -> Arguments.of(shape, thrown)));
    }

    @ParameterizedTest
    @MethodSource("whatAStoreThrows")
    void aStoreThatThrowsWhateverFromSomeMomentOnDoesNotKeepTheRunFromEnding(Shape shape, Throwable thrown) {
        AtomicBoolean broken = new AtomicBoolean();
        InMemoryStore whole = new InMemoryStore();
        Store store = new ForwardingStore() {
            @Override
            protected Store store() {
                if (broken.get()) {
                    throw Unchecked.<RuntimeException>of(thrown);
                }
                return whole;
            }
        };
        model.answers(request -> {
            broken.set(true);
            return AiMessage.from("Hello.");
        });
        Holdpoint agent = shape.builder(model).tools(tools).store(store).build();

        RunResult result = agent.send("t", "Hi");

        assertThat(result).isInstanceOf(RunResult.Failed.class);
    }

    @ParameterizedTest
    @MethodSource("whatAStoreThrows")
    @Logs("Run * on thread * could not be started")
    void aThreadThatCouldNotBeReadForAReviewerIsFreeAtOnce(Shape shape, Throwable thrown) {
        isFreeAtOnce(shape, thrown, new Caller("eve", Set.of("r")), 1); // it was read before the lease was taken
    }

    @ParameterizedTest
    @MethodSource("whatAStoreThrows")
    @Logs("Run * on thread * could not be started")
    void aThreadThatCouldNotBeReadForItsOwnerIsFreeAtOnce(Shape shape, Throwable thrown) {
        isFreeAtOnce(shape, thrown, Caller.of("ada"), 0);
    }

    private void isFreeAtOnce(Shape shape, Throwable thrown, Caller caller, int readBefore) {
        AtomicInteger readable = new AtomicInteger(Integer.MAX_VALUE);
        InMemoryStore whole = new InMemoryStore();
        Store store = new ForwardingStore() {
            @Override
            protected Store store() {
                return whole;
            }

            @Override
            public Optional<ThreadRecord> find(String threadId) {
                if (readable.getAndDecrement() == 0) {
                    throw Unchecked.<RuntimeException>of(thrown);
                }
                return super.find(threadId);
            }
        };
        model.saysAndCalls("On it.", call("c1", "sendEmail", MAIL));
        Holdpoint agent = shape.builder(model)
                .tools(tools)
                .store(store)
                .approvalAuthorizer(ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("r")))
                .build();
        agent.as(Caller.of("ada")).send("t", "Hi");
        readable.set(readBefore);
        Holdpoint bound = agent.as(caller);
        assertThat(bound.run(RunAgentInput.of("t", "r2", List.of()), event -> {})
                        .join())
                .isInstanceOf(RunResult.Failed.class);
        assertThat(readable).hasNegativeValue();

        assertThat(bound.run(RunAgentInput.of("t", "r3", List.of()), event -> {})
                        .join())
                .isInstanceOf(RunResult.Interrupted.class);
    }

    /** A store that is not written in Java. */
    @ParameterizedTest
    @EnumSource
    void aCheckedExceptionOfTheStoreIsNotTheToolsResult(Shape shape) {
        InMemoryStore whole = new InMemoryStore();
        Store store = new ForwardingStore() {
            private int left = 2; // a result is written once more

            @Override
            protected Store store() {
                return whole;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                if (!tools.effects().isEmpty() && left > 0) {
                    left--;
                    throw Unchecked.<RuntimeException>of(new IOException("connection reset"));
                }
                super.commit(lease, commit, now);
            }
        };
        Holdpoint agent = shape.builder(model).tools(tools).store(store).build();
        model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");
        ResumeEntry approval = agent.send("t", "Go").approval().approve();

        assertThat(agent.resume("t", approval)).isInstanceOf(RunResult.Failed.class);
        agent.actOnTime();
        RunResult asked = agent.resume("t");
        agent.resume("t", ((PendingInterrupt.UnknownOutcome) asked.interrupts().get(0)).done());

        assertThat(model.lastResult("c1")).contains("took effect");
        assertThat(model.requests()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * could not be started")
    void aMemoryThatThrowsAtFirstKeepsNoThread(Shape shape) {
        AtomicBoolean broken = new AtomicBoolean(true);
        Holdpoint agent = shape.builder(model)
                .tools(tools)
                .chatMemoryProvider(id -> {
                    if (broken.getAndSet(false)) {
                        throw Unchecked.<RuntimeException>of(new IOException("connection reset"));
                    }
                    return MessageWindowChatMemory.withMaxMessages(20);
                })
                .build();
        model.says("Hello.");

        assertThat(agent.send("t", "Hi")).isInstanceOf(RunResult.Failed.class);
        assertThat(agent.send("t", "Hi").text()).isEqualTo("Hello.");
    }

    @ParameterizedTest
    @EnumSource
    void aFailureThatIsItsOwnCauseEndsTheRun(Shape shape) {
        RuntimeException failure = new IllegalStateException("first");
        failure.initCause(new IllegalStateException("second", failure));
        model.fails(failure);

        assertThat(shape.builder(model).build().send("t", "Hi")).isInstanceOf(RunResult.Failed.class);
    }

    @ParameterizedTest
    @EnumSource
    void attributesThatAreNotJsonAreDroppedFromTheModelsMessage(Shape shape) {
        model.answers(request -> signed(call("c1", "searchContacts", "{\"query\":\"Ada\"}")))
                .answers(request -> signed(call("c2", "sendEmail", MAIL)))
                .says("Done.");
        Holdpoint agent = shape.builder(model).tools(tools).build();
        agent.send("t", "Go");
        assertThat(attributes(1)).as("in the same run").isEqualTo(Map.of("signature", "abc"));

        RunResult result =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(attributes(1)).isEqualTo(Map.of("signature", "abc"));
        assertThat(attributes(3)).as("in the next run").isEqualTo(Map.of("signature", "abc"));
    }

    private static AiMessage signed(ToolExecutionRequest call) {
        return AiMessage.builder()
                .toolExecutionRequests(List.of(call))
                .attributes(Map.of("raw", new Object(), "signature", "abc"))
                .build();
    }

    private Map<String, Object> attributes(int message) {
        return ((AiMessage) model.lastMessages().get(message)).attributes();
    }

    @ParameterizedTest
    @EnumSource
    void attributesThatAreNotJsonAreDroppedFromAToolsResult(Shape shape) {
        ToolExecutor executor = new ToolExecutor() {
            @Override
            public String execute(ToolExecutionRequest request, Object memoryId) {
                return "ok";
            }

            @Override
            public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
                return ToolExecutionResult.builder()
                        .resultText("ok")
                        .attributes(Map.of("raw", new Object()))
                        .build();
            }
        };
        model.calls(call("c1", "raw", "{}")).says("Done.");
        Holdpoint agent = shape.builder(
                        model,
                        service -> service.tools(
                                Map.of(ToolSpecification.builder().name("raw").build(), executor)))
                .build();

        RunResult result = agent.send("t", "Go");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastResult("c1")).isEqualTo("ok");
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryThatFailsAtOneWriteLosesNothingAndDoublesNothing(Shape shape) {
        for (int failing = 1; failing <= 4; failing++) {
            ScriptedModel script = new ScriptedModel();
            script.calls(call("c1", "sendEmail", MAIL));
            for (int i = 0; i < 4; i++) {
                script.says("Done.");
            }
            OfficeTools office = new OfficeTools();
            FailingMemory memory = new FailingMemory(failing);
            Holdpoint agent = shape.builder(script)
                    .tools(office)
                    .chatMemoryProvider(id -> memory)
                    .build();
            RunResult result = agent.send("t", "Go");
            for (int attempt = 0; attempt < 3 && result instanceof RunResult.Failed; attempt++) {
                result = agent.resume("t");
            }
            var approval = ((RunResult.Interrupted) result)
                    .interrupts()
                    .get(0)
                    .asApproval()
                    .approve();
            do {
                result = agent.resume("t", approval);
            } while (result instanceof RunResult.Failed);

            assertThat(office.effects()).as("failing write %s", failing).hasSize(1);
            assertThat(memory.messages().stream().filter(UserMessage.class::isInstance))
                    .hasSize(1);
            assertThat(memory.messages()).hasSize(4);
            ScriptedModel.requireWellFormed(memory.messages());
        }
    }
}
