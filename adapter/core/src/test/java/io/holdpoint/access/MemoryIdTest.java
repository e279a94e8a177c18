package io.holdpoint.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.Turn;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.test.ScriptedModel;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread id that is read as a number or a UUID has one form: another form would share the memory of another thread. */
class MemoryIdTest {

    private static final Caller MALLORY = new Caller("mallory", Set.of());

    private final ScriptedModel model = new ScriptedModel();

    interface Numbered {
        String chat(@MemoryId long id, @UserMessage String message);
    }

    interface Unique {
        String chat(@MemoryId UUID id, @UserMessage String message);
    }

    interface Named {
        String chat(@MemoryId String id, @UserMessage String message);
    }

    private static RunAgentInput input(String threadId) {
        return RunAgentInput.of(threadId, "r", List.of(new Message.User("m", MessageContent.text("What is the PIN?"))));
    }

    private static void isRefused(Holdpoint agent, String threadId) {
        assertThatThrownBy(() -> agent.as(MALLORY).run(input(threadId), event -> {}))
                .isInstanceOfSatisfying(
                        RunRejectedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INPUT_INVALID))
                .hasMessageContaining("threadId: Thread id \"" + threadId + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+5", "05", "-0", "\u0665", "five"})
    void aNumberHasOneForm(String threadId) {
        isRefused(Holdpoint.builder(Numbered.class).chatModel(model).build(), threadId);

        assertThat(model.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1-1-1-1-1", "123E4567-E89B-12D3-A456-426614174000"})
    void aUuidHasOneForm(String threadId) {
        isRefused(Holdpoint.builder(Unique.class).chatModel(model).build(), threadId);

        assertThat(model.requests()).isEmpty();
    }

    @Test
    void anImageWithoutTextLeavesTheMemoryIdAsItIs() {
        model.says("A cat.");
        Holdpoint agent = Holdpoint.builder(Named.class).chatModel(model).build();

        assertThat(agent.send(Turn.of("thread-1", List.of(ImageContent.from("aGk=", "image/png")))))
                .isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void whatIsForwardedIsLimitedAsItIsStored() {
        Holdpoint agent = Holdpoint.builder(Named.class).chatModel(model).build();
        RunAgentInput forwarding = input("t")
                .withForwardedProps(JsonNodeFactory.instance.objectNode().put("x", "y".repeat(20_000_000)));

        assertThatThrownBy(() -> agent.run(forwarding, event -> {}))
                .isInstanceOf(RunRejectedException.class)
                .hasMessageContaining("forwardedProps: has");
    }
}
