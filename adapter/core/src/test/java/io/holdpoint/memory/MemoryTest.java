package io.holdpoint.memory;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.CheckedMemory;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of the chat memory while a turn is held, and by whoever else writes to it. */
class MemoryTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private ChatMemory memory = MessageWindowChatMemory.withMaxMessages(20);

    private Holdpoint agent(Shape shape) {
        return shape.builder(model)
                .tools(tools)
                .chatMemoryProvider(id -> memory)
                .build();
    }

    private void approve(Holdpoint agent) {
        assertThat(agent.resume("t", agent.pending("t").get(0).asApproval().approve()))
                .isInstanceOf(RunResult.Completed.class);
    }

    @ParameterizedTest
    @EnumSource
    void aProviderOfMemoriesWithoutAStoreRemembersFromRunToRun(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.").says("You are welcome.");
        Holdpoint agent = shape.builder(model)
                .tools(tools)
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(10))
                .build();

        agent.send("t", "Go");
        approve(agent);
        agent.send("t", "Thanks");

        assertThat(model.lastMessages()).hasSize(5);
    }

    @ParameterizedTest
    @EnumSource
    void theMemoryNeverHoldsACallWithoutItsResultNorMoreThanTheQuestionDuringAHold(Shape shape) {
        CheckedMemory checked = new CheckedMemory(memory);
        memory = checked;
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .calls(call("c2", "searchContacts", "{\"query\":\"Bob\"}"), call("c3", "sendEmail", MAIL))
                .says("Done.");
        Holdpoint agent = agent(shape);

        agent.send("t", "Go");
        List<ChatMessage> held = memory.messages();
        approve(agent);

        assertThat(held).hasSize(3);
        assertThat(memory.messages()).hasSize(7);
        assertThat(checked.violations()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryThatWasClearedWhileAPersonThoughtGetsTheQuestionBack(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        memory.clear();
        approve(agent);

        assertThat(memory.messages()).hasSize(4).first().isEqualTo(UserMessage.from("Go"));
        assertThat(model.lastMessages()).hasSize(3).first().isEqualTo(UserMessage.from("Go"));
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryOfWhichTheQuestionWasEvictedGetsItBack(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        memory.set(SystemMessage.from("Be brief."), AiMessage.from("By the way."));
        approve(agent);

        assertThat(memory.messages())
                .startsWith(SystemMessage.from("Be brief."), AiMessage.from("By the way."), UserMessage.from("Go"))
                .hasSize(6);
    }

    @ParameterizedTest
    @EnumSource
    void whatTheApplicationAddsWhileAPersonThinksStaysAndTheQuestionIsNotDoubled(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        memory.add(UserMessage.from("A note of the application."));
        approve(agent);

        assertThat(memory.messages())
                .startsWith(UserMessage.from("Go"), UserMessage.from("A note of the application."))
                .hasSize(5);
    }

    @ParameterizedTest
    @EnumSource
    void whenTheSameIsSaidTwiceBothMessagesAreRemembered(Shape shape) {
        model.says("Once.").calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        agent.send("t", "Go");
        approve(agent);

        assertThat(memory.messages().stream().filter(UserMessage.class::isInstance))
                .hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void aRunThatFailsInTheMiddleLeavesTheMemoryWellFormed(Shape shape) {
        CheckedMemory checked = new CheckedMemory(memory);
        memory = checked;
        model.calls(call("c1", "sendEmail", MAIL))
                .fails(new IllegalStateException("down"))
                .says("Hello again.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        RunResult next = agent.send("t", "Never mind");

        assertThat(next).isInstanceOf(RunResult.Completed.class);
        assertThat(checked.violations()).isEmpty();
        assertThat(tools.effects()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryWithNothingButTheRequiredMethodsWorks(Shape shape) {
        List<ChatMessage> kept = new ArrayList<>();
        memory = new ListMemory(kept);
        model.calls(call("c1", "searchContacts", "{\"query\":\"Bob\"}"), call("c2", "sendEmail", MAIL))
                .says("Done.");
        Holdpoint agent = agent(shape);

        agent.send("t", "Go");
        approve(agent);

        assertThat(kept).hasSize(5);
        ScriptedModel.requireWellFormed(kept);
    }

    interface Instructed {
        @dev.langchain4j.service.SystemMessage("Be brief.")
        String chat(@dev.langchain4j.service.UserMessage String message);
    }

    /** LangChain4j adds the instructions whenever it is called; most memories know them. */
    @Test
    void aContinuedTurnAddsNoInstructionsToAMemoryThatKeepsWhatever() {
        List<ChatMessage> kept = new ArrayList<>();
        model.calls(call("c1", "sendEmail", MAIL))
                .calls(call("c2", "sendEmail", MAIL))
                .says("Done.");
        Holdpoint agent = Holdpoint.builder(Instructed.class)
                .chatModel(model)
                .tools(tools)
                .chatMemoryProvider(id -> new ListMemory(kept))
                .build();

        agent.send("t", "Go");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        approve(agent);

        assertThat(kept)
                .extracting(ChatMessage::type)
                .containsExactly(
                        ChatMessageType.SYSTEM,
                        ChatMessageType.USER,
                        ChatMessageType.AI,
                        ChatMessageType.TOOL_EXECUTION_RESULT,
                        ChatMessageType.AI,
                        ChatMessageType.TOOL_EXECUTION_RESULT,
                        ChatMessageType.AI);
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void aMemoryThatKeepsNoThinkingGetsABatchOnceAndTheModelReadsAllOfIt(Shape shape) {
        List<ChatMessage> kept = new ArrayList<>();
        memory = new WithoutThinking(new ListMemory(kept));
        model.says("Hello.")
                .thinksAndCalls("I must write.", call("c1", "sendEmail", MAIL))
                .fails(new IllegalStateException("down"))
                .says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Hi");
        agent.send("t", "Go");
        var approval = agent.pending("t").get(0).asApproval().approve();

        agent.resume("t", approval);
        List<ChatMessage> firstTime = model.lastMessages();
        agent.resume("t", approval);

        assertThat(firstTime)
                .hasSize(5)
                .startsWith(UserMessage.from("Hi"), AiMessage.from("Hello."), UserMessage.from("Go"));
        assertThat(((AiMessage) firstTime.get(3)).thinking()).isEqualTo("I must write.");
        assertThat(model.lastMessages()).isEqualTo(firstTime);
        assertThat(kept).hasSize(6).endsWith(AiMessage.from("Done."));
    }

    /** Keeps of a message what it has columns for. */
    private record WithoutThinking(ListMemory memory) implements ChatMemory {

        @Override
        public Object id() {
            return "t";
        }

        @Override
        public void add(ChatMessage message) {
            memory.add(
                    message instanceof AiMessage ai
                            ? ai.toBuilder().thinking(null).build()
                            : message);
        }

        @Override
        public List<ChatMessage> messages() {
            return memory.messages();
        }

        @Override
        public void clear() {
            memory.clear();
        }
    }

    /** Implements what it must, and inherits set(). */
    private record ListMemory(List<ChatMessage> kept) implements ChatMemory {

        @Override
        public Object id() {
            return "t";
        }

        @Override
        public void add(ChatMessage message) {
            kept.add(message);
        }

        @Override
        public List<ChatMessage> messages() {
            return List.copyOf(kept);
        }

        @Override
        public void clear() {
            kept.clear();
        }
    }
}
