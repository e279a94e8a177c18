package io.holdpoint.memory;

import static dev.langchain4j.data.message.ChatMessageType.AI;
import static dev.langchain4j.data.message.ChatMessageType.TOOL_EXECUTION_RESULT;
import static dev.langchain4j.data.message.ChatMessageType.USER;
import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.FailingMemory;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chat memory fails at one write, and the client sends the same input again: no message is missing then. */
@Logs("Run * on thread * failed")
class MemoryFailureTest {

    private static final Message.User ONE = user("m1", "One");
    private static final Message.Assistant TWO = new Message.Assistant("a1", "Two", List.of());
    private static final Message.User THREE = user("m2", "Three");

    private final ScriptedModel model = new ScriptedModel();

    private static Message.User user(String id, String text) {
        return new Message.User(id, MessageContent.text(text));
    }

    private static RunAgentInput input(Message... messages) {
        return RunAgentInput.of("t", "r", List.of(messages));
    }

    private Holdpoint agent(ChatMemory memory) {
        return Shape.BLOCKING
                .builder(model)
                .tools(new OfficeTools())
                .chatMemoryProvider(id -> memory)
                .build();
    }

    /** Sets its messages one by one, as LangChain4j does for a memory that has no better way, and fails at one of them. */
    private static final class OneByOne implements ChatMemory {

        private final List<ChatMessage> messages = new ArrayList<>();
        private int left = Integer.MAX_VALUE;

        @Override
        public Object id() {
            return "t";
        }

        @Override
        public void add(ChatMessage message) {
            if (--left == 0) {
                throw new IllegalStateException("memory down");
            }
            messages.add(message);
        }

        @Override
        public List<ChatMessage> messages() {
            return List.copyOf(messages);
        }

        @Override
        public void clear() {
            messages.clear();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void aBatchOfWhichAMemoryHasAPartIsWrittenWhole(int failing) {
        OneByOne memory = new OneByOne();
        Holdpoint agent = agent(memory);
        model.calls(call("c1", "sendEmail", Bench.MAIL), call("c2", "sendEmail", Bench.MAIL))
                .says("Sent.")
                .says("Bye.");
        List<ResumeEntry> approvals = agent.send("t", "Write twice").approvals().stream()
                .map(Approval::approve)
                .toList();
        memory.left = failing;

        assertThat(agent.resume("t", approvals)).isInstanceOf(RunResult.Failed.class);
        assertThat(agent.send("t", "Bye").orThrow().text()).isEqualTo("Sent.");

        assertThat(memory.messages().stream().map(ChatMessage::type))
                .containsSequence(AI, TOOL_EXECUTION_RESULT, TOOL_EXECUTION_RESULT, AI, USER, AI)
                .filteredOn(AI::equals)
                .hasSize(3);
    }

    private static void repeat(Holdpoint agent, RunAgentInput input) {
        for (int attempt = 0; attempt < 3; attempt++) {
            if (agent.run(input, event -> {}).join() instanceof RunResult.Completed) {
                return;
            }
        }
        throw new AssertionError("the thread is stuck");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void theMessagesThatAThreadStartsWithAreKept(int failing) {
        FailingMemory memory = new FailingMemory(failing);
        model.says("Hello.").says("Hello.");

        repeat(agent(memory), input(ONE, TWO, THREE));

        assertThat(memory.messages())
                .containsExactly(
                        UserMessage.from("One"),
                        AiMessage.from("Two"),
                        UserMessage.from("Three"),
                        AiMessage.from("Hello."));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theMessagesOfAThreadThatNeedsNoAnswerAreKept(int failing) {
        FailingMemory memory = new FailingMemory(failing);

        repeat(agent(memory), input(ONE, TWO));

        assertThat(memory.messages()).containsExactly(UserMessage.from("One"), AiMessage.from("Two"));
    }

    @Test
    void theSameWordsTwiceStayTwoMessages() {
        FailingMemory memory = new FailingMemory(3);
        model.says("First.").says("Second.");
        Holdpoint agent = agent(memory);
        agent.send("t", "Yes");

        assertThat(agent.send("t", "Yes")).isInstanceOf(RunResult.Failed.class);
        agent.resume("t");

        assertThat(memory.messages())
                .containsExactly(
                        UserMessage.from("Yes"),
                        AiMessage.from("First."),
                        UserMessage.from("Yes"),
                        AiMessage.from("Second."));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void theEarlierOfSeveralNewUserMessagesAreKept(int failing) {
        FailingMemory memory = new FailingMemory(failing);
        model.says("Two").says("Hello.").says("Hello.");
        Holdpoint agent = agent(memory);
        repeat(agent, input(ONE));

        repeat(agent, input(ONE, user("m2", "Also"), user("m3", "Three")));

        List<ChatMessage> added = memory.messages().subList(2, memory.messages().size());
        assertThat(added)
                .containsExactly(UserMessage.from("Also"), UserMessage.from("Three"), AiMessage.from("Hello."));
    }
}
