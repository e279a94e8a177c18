package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.request.ChatRequest;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.StoreConflictException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.CheckedMemory;
import io.holdpoint.testing.FailingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The store fails at every commit there is; the client sends its input again until it is heard, and a person says what came
 * of a call if the server does not know.
 */
class AtMostOnceTest {

    private static final int ATTEMPTS = 4;
    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";
    private static final Message QUESTION = new Message.User("m1", MessageContent.text("Write to Ada"));
    private static final Message NEXT = new Message.User("m2", MessageContent.text("Thanks"));

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final CheckedMemory memory = new CheckedMemory(MessageWindowChatMemory.withMaxMessages(50));
    private final List<Throwable> causes = new ArrayList<>();

    static Stream<Arguments> everyCommit() {
        return Stream.of(Shape.values()).flatMap(shape -> Stream.of(FailingStore.When.values())
                .flatMap(when -> Stream.iterate(1, n -> n <= commitsWithoutFailure(shape), n -> n + 1)
                        .map(n -> Arguments.of(shape, when, n))));
    }

    private static int commitsWithoutFailure(Shape shape) {
        FailingStore store = new FailingStore(0, FailingStore.When.BEFORE_WRITING);
        new AtMostOnceTest().conversation(shape, store);
        return store.commits();
    }

    @ParameterizedTest
    @MethodSource("everyCommit")
    @Logs("Run * on thread * failed")
    void theSameInputAgainEndsWithEveryToolExecutedOnce(Shape shape, FailingStore.When when, int failing) {
        conversation(shape, new FailingStore(failing, when));

        assertThat(tools.effects())
                .containsExactlyInAnyOrder("searchContacts Ada", "sendEmail ada@example.com|Hi|Hello");
        assertThat(causes).allSatisfy(cause -> assertThat(cause)
                .isInstanceOfAny(FailingStore.Down.class, LeaseLostException.class, StoreConflictException.class));
        assertThat(memory.violations()).isEmpty();
        assertThat(memory.messages().stream().filter(UserMessage.class::isInstance))
                .hasSize(2);
        ScriptedModel.requireWellFormed(memory.messages());
    }

    @ParameterizedTest
    @MethodSource("everyCommit")
    @Logs({"Run * on thread * failed", "The batch * could not be continued"})
    void aMessageThatCameWithTheAnswersIsHeardOnceAndNothingIsLostSilently(
            Shape shape, FailingStore.When when, int failing) {
        FailingStore store = new FailingStore(failing, when);
        Collections.nCopies(30, 0).forEach(any -> model.answers(AtMostOnceTest::answer));
        Holdpoint agent = agent(shape, store);
        repeat(agent, RunAgentInput.of("t", "r1", List.of(QUESTION)));
        ResumeEntry approval = agent.pending("t").get(0).asApproval().approve();
        RunAgentInput both = RunAgentInput.of("t", "r2", List.of(QUESTION, NEXT));
        repeat(agent, both.withResume(List.of(approval)));
        whilePending(agent, both);

        assertThat(tools.effects()).doesNotHaveDuplicates();
        for (String tool : List.of("searchContacts", "sendEmail")) {
            boolean executed = tools.effects().stream().anyMatch(effect -> effect.startsWith(tool));
            assertThat(model.requests().toString().contains("The call of \"" + tool + "\" was not executed"))
                    .as("the model knows that " + tool + " did not run")
                    .isEqualTo(!executed);
        }
        assertThat(memory.violations()).isEmpty();
        assertThat(memory.messages().stream().filter(UserMessage.class::isInstance))
                .hasSize(2);
        ScriptedModel.requireWellFormed(memory.messages());
        assertThat(store.find("t").orElseThrow().turn()).isEmpty();
    }

    private Holdpoint agent(Shape shape, FailingStore store) {
        return shape.builder(model)
                .tools(tools)
                .store(store)
                .chatMemoryProvider(id -> memory)
                .build();
    }

    private void whilePending(Holdpoint agent, RunAgentInput input) {
        while (!agent.pending("t").isEmpty()) {
            ResumeEntry[] found =
                    agent.pending("t").stream().map(this::whatHappened).toArray(ResumeEntry[]::new);
            repeat(agent, input.withResume(List.of(found)));
        }
    }

    private void conversation(Shape shape, FailingStore store) {
        Collections.nCopies(30, 0).forEach(any -> model.answers(AtMostOnceTest::answer));
        Holdpoint agent = agent(shape, store);
        repeat(agent, RunAgentInput.of("t", "r1", List.of(QUESTION)));
        ResumeEntry approval = agent.pending("t").get(0).asApproval().approve();
        repeat(agent, RunAgentInput.of("t", "r2", List.of(QUESTION)).withResume(List.of(approval)));
        whilePending(agent, RunAgentInput.of("t", "r2", List.of(QUESTION)));
        repeat(agent, RunAgentInput.of("t", "r3", List.of(QUESTION, NEXT)));
    }

    private void repeat(Holdpoint agent, RunAgentInput input) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            RunResult result = agent.run(input, new RecordingSink()).join();
            if (!(result instanceof RunResult.Failed failed)) {
                return;
            }
            failed.cause().ifPresent(causes::add);
        }
        throw new AssertionError("the thread is stuck: " + causes);
    }

    /** A batch of an ungated and a gated call for the first message, a text for everything else. */
    private static AiMessage answer(ChatRequest request) {
        boolean asked = request.messages().stream()
                .anyMatch(message -> message instanceof AiMessage ai && ai.hasToolExecutionRequests());
        return asked
                ? AiMessage.from("Done.")
                : AiMessage.from(call("c1", "searchContacts", "{\"query\":\"Ada\"}"), call("c2", "sendEmail", MAIL));
    }

    /** A person who is asked about an interrupted call looks, and tells the truth. */
    private ResumeEntry whatHappened(PendingInterrupt asked) {
        boolean done = tools.effects().stream().anyMatch(effect -> effect.startsWith(asked.toolName()));
        return done
                ? asked.asUnknownOutcome().done(null)
                : asked.asUnknownOutcome().retry();
    }
}
