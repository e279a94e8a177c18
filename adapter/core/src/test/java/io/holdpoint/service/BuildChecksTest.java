package io.holdpoint.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What cannot work is found when the agent is built. */
class BuildChecksTest {

    private final ScriptedModel model = new ScriptedModel();

    interface Both {
        String chat(@UserMessage List<Content> message);

        TokenStream stream(@UserMessage List<Content> message);
    }

    private static void requireRefused(HoldpointBuilder<?> builder, String... parts) {
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalConfigurationException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(parts));
    }

    private static HoldpointBuilder<Both> both() {
        return Holdpoint.builder(Both.class).turn((assistant, turn) -> assistant.chat(turn.contents()));
    }

    @ParameterizedTest
    @EnumSource
    void compensationIsRefused(Shape shape) {
        requireRefused(
                shape.builder(model, service -> service.compensateOnToolErrors(true))
                        .tools(new OfficeTools()),
                "compensateOnToolErrors");
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryInTheCustomizerIsRefused(Shape shape) {
        requireRefused(
                shape.builder(model, service -> service.chatMemory(MessageWindowChatMemory.withMaxMessages(10))),
                "chatMemoryProvider");
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryProviderInTheCustomizerIsRefused(Shape shape) {
        requireRefused(
                shape.builder(
                        model,
                        service -> service.chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(10))),
                "chatMemoryProvider");
    }

    @Test
    void noModelIsRefused() {
        requireRefused(both(), Both.class.getName(), "chatModel");
    }

    @Test
    void aMethodThatReturnsAValueNeedsAChatModel() {
        requireRefused(both().streamingChatModel(model), "Both.chat()", "chatModel");
    }

    @Test
    void aMethodThatReturnsAStreamNeedsAStreamingModel() {
        requireRefused(both().chatModel(model), "Both.stream()", "streamingChatModel");
    }
}
