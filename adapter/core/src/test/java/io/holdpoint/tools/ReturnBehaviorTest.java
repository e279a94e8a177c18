package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tools whose result is the end of the turn. */
class ReturnBehaviorTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> effects = new ArrayList<>();
    private final ChatMemory memory = MessageWindowChatMemory.withMaxMessages(20);

    interface WithResult {
        Result<String> chat(@dev.langchain4j.service.UserMessage List<Content> message);
    }

    interface Streaming {
        TokenStream chat(@dev.langchain4j.service.UserMessage List<Content> message);
    }

    /** Two tools that return at once. */
    public final class Orders {

        @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
        @RequiresApproval
        public String order(String item) {
            effects.add("order " + item);
            return "ordered " + item;
        }

        @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
        public String look(String item) {
            effects.add("look " + item);
            return "seen " + item;
        }
    }

    static Stream<Named<HoldpointBuilder<?>>> builders() {
        return Stream.of(
                Named.of("Result", Holdpoint.builder(WithResult.class)),
                Named.of("TokenStream", Holdpoint.builder(Streaming.class)),
                Named.of(
                        "Result, concurrent tools",
                        Holdpoint.builder(WithResult.class).aiService(service -> service.executeToolsConcurrently())),
                Named.of(
                        "TokenStream, concurrent tools",
                        Holdpoint.builder(Streaming.class).aiService(service -> service.executeToolsConcurrently())));
    }

    private Holdpoint held(HoldpointBuilder<?> builder) {
        model.saysAndCalls(
                "Let me see.", call("c1", "look", "{\"item\":\"tea\"}"), call("c2", "order", "{\"item\":\"tea\"}"));
        Holdpoint agent = builder.chatModel(model)
                .streamingChatModel(model)
                .tools(new Orders())
                .chatMemoryProvider(id -> memory)
                .build();
        assertThat(agent.send("t", "Tea")).isInstanceOf(RunResult.Interrupted.class);
        assertThat(effects).isEmpty();
        return agent;
    }

    @ParameterizedTest
    @MethodSource("builders")
    void anApprovedOneEndsTheTurnWithoutAskingTheModel(HoldpointBuilder<?> builder) {
        Holdpoint agent = held(builder);

        RunResult done =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(done).isInstanceOfSatisfying(RunResult.Completed.class, completed -> assertThat(completed.text())
                .isEmpty());
        assertThat(effects).containsExactlyInAnyOrder("look tea", "order tea");
        assertThat(model.requests()).hasSize(1);
        ScriptedModel.requireWellFormed(memory.messages());
    }

    @ParameterizedTest
    @MethodSource("builders")
    void aDeniedOneGoesBackToTheModel(HoldpointBuilder<?> builder) {
        Holdpoint agent = held(builder);
        model.says("Then not.");

        RunResult done =
                agent.resume("t", agent.pending("t").get(0).asApproval().deny());

        assertThat(done).isInstanceOfSatisfying(RunResult.Completed.class, completed -> assertThat(completed.text())
                .isEqualTo("Then not."));
        assertThat(effects).containsExactly("look tea");
        assertThat(model.lastResult("c2")).contains("declined");
    }

    @ParameterizedTest
    @MethodSource("builders")
    void theThreadGoesOnAfterATurnThatAToolEnded(HoldpointBuilder<?> builder) {
        Holdpoint agent = held(builder);
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());
        model.says("You are welcome.");

        RunResult next = agent.send("t", "Thanks");

        assertThat(next).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastMessages().stream().filter(UserMessage.class::isInstance))
                .hasSize(2);
    }
}
