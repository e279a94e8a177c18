package io.holdpoint.memory;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.memory.chat.TokenWindowChatMemory;
import dev.langchain4j.model.TokenCountEstimator;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Memories that are too small for what happens in a turn. */
class SmallMemoryTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    /** Counts a token for every message. */
    private static final class MessageCounter implements TokenCountEstimator {

        @Override
        public int estimateTokenCountInText(String text) {
            return 1;
        }

        @Override
        public int estimateTokenCountInMessage(ChatMessage message) {
            return 1;
        }

        @Override
        public int estimateTokenCountInMessages(Iterable<ChatMessage> messages) {
            return (int) StreamSupport.stream(messages.spliterator(), false).count();
        }
    }

    static Stream<Arguments> shapesAndSizes() {
        return Stream.of(Shape.values())
                .flatMap(shape -> Stream.of(1, 2, 3, 4, 5).map(size -> Arguments.of(shape, size)));
    }

    private void holdAndResumeTwoRounds(Shape shape, ChatMemory memory) {
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"), call("c2", "sendEmail", MAIL))
                .calls(call("c3", "searchContacts", "{\"query\":\"Bob\"}"))
                .calls(call("c4", "transferMoney", "{\"amount\":5,\"to\":\"Bob\"}"))
                .says("Done.");
        Holdpoint agent = shape.builder(model, service -> service.systemMessage("Be brief."))
                .tools(tools)
                .chatMemoryProvider(id -> memory)
                .build();
        agent.send("t", "Go");
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        RunResult done =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        assertThat(done).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).hasSize(4);
    }

    @ParameterizedTest
    @MethodSource("shapesAndSizes")
    void theModelAlwaysSeesInstructionsQuestionAndTheLastBatch(Shape shape, int size) {
        holdAndResumeTwoRounds(shape, MessageWindowChatMemory.withMaxMessages(size));

        assertThat(model.requests()).hasSize(4).allSatisfy(request -> assertThat(request.messages())
                .contains(SystemMessage.from("Be brief."), UserMessage.from("Go")));
        assertThat(model.lastResult("c4")).isEqualTo("transferred 5");
    }

    @ParameterizedTest
    @MethodSource("shapesAndSizes")
    void aWindowOfMessagesStaysWellFormed(Shape shape, int size) {
        ChatMemory memory = MessageWindowChatMemory.withMaxMessages(size);

        holdAndResumeTwoRounds(shape, memory);

        ScriptedModel.requireWellFormed(memory.messages());
        assertThat(memory.messages().stream().filter(AiMessage.class::isInstance))
                .hasSizeLessThanOrEqualTo(size);
    }

    @ParameterizedTest
    @MethodSource("shapesAndSizes")
    void aWindowOfTokensStaysWellFormed(Shape shape, int size) {
        ChatMemory memory = TokenWindowChatMemory.withMaxTokens(size, new MessageCounter());

        holdAndResumeTwoRounds(shape, memory);

        ScriptedModel.requireWellFormed(memory.messages());
        assertThat(model.requests())
                .allSatisfy(request -> assertThat(request.messages()).contains(UserMessage.from("Go")));
    }

    @ParameterizedTest
    @EnumSource
    void theModelSeesTheQuestionOfTheTurnAlsoBehindAMessageThatTheApplicationHasAdded(Shape shape) {
        ChatMemory memory = MessageWindowChatMemory.withMaxMessages(4);
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"), call("c2", "sendEmail", MAIL))
                .calls(call("c3", "searchContacts", "{\"query\":\"Bob\"}"))
                .says("Done.");
        Holdpoint agent = shape.builder(model)
                .tools(tools)
                .chatMemoryProvider(id -> memory)
                .build();
        agent.send("t", "Go");
        memory.add(UserMessage.from("By the way"));

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(model.requests()).hasSize(3).allSatisfy(request -> assertThat(request.messages())
                .contains(UserMessage.from("Go")));
    }
}
