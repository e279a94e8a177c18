package io.holdpoint.memory;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.service.Result;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request that some provider refuses would be refused in every later turn of the thread as well. */
class EveryProviderTest {

    private final Bench bench = new Bench();
    private final ScriptedModel model = new ScriptedModel();
    private final List<String> effects = new ArrayList<>();

    /** The AI Service of a tool that ends the turn. */
    interface Direct {
        Result<String> chat(String message);
    }

    /** Ends the turn. */
    public static final class Bank {

        @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
        @RequiresApproval
        public String pay() {
            return "paid";
        }
    }

    /** Gives a picture. */
    public final class Scanner {

        @Tool
        @RequiresApproval
        public Image scan() {
            effects.add("scan");
            return Image.builder().base64Data("AAAA").mimeType("image/png").build();
        }
    }

    /** Mistral: "Unexpected role 'user' after role 'tool'". */
    @AfterEach
    void noUserMessageFollowsAResult() {
        for (ScriptedModel each : List.of(bench.model, model)) {
            each.requests().forEach(request -> {
                List<ChatMessage> messages = request.messages();
                for (int i = 1; i < messages.size(); i++) {
                    assertThat(messages.get(i) instanceof UserMessage
                                    && messages.get(i - 1) instanceof ToolExecutionResultMessage)
                            .as("a user message after a result in %s", messages)
                            .isFalse();
                }
            });
        }
    }

    private void held() {
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL));
        bench.say("Go");
        bench.model.says("Hello.");
    }

    @Test
    void typedAfterTheThreadWasCancelled() {
        held();
        bench.agent().cancel(Bench.THREAD);

        assertThat(bench.say("Hi").text()).isEqualTo("Hello.");
    }

    @Test
    void typedAfterTimeHasGivenUp() {
        Bench expiring = new Bench(builder -> builder.toolPolicies(
                ToolPolicy.named("sendEmail").timeline(Timeline.expiresAfter(Duration.ofHours(1)))));
        expiring.model.calls(call("c1", "sendEmail", Bench.MAIL));
        expiring.say("Go");
        expiring.clock.advance(Duration.ofHours(2));
        expiring.agent().actOnTime();
        expiring.model.says("Hello.").says("Hello again.");

        expiring.say("Hi");
        expiring.say("Once more");

        List<ChatMessage> messages = expiring.model.lastMessages();
        assertThat(messages)
                .extracting(message -> message.type().name())
                .containsExactly("USER", "AI", "TOOL_EXECUTION_RESULT", "AI", "USER", "AI", "USER");
    }

    @Test
    void typedAfterAToolThatEndsTheTurn() {
        model.calls(call("c1", "pay", "{}")).says("Hello.");
        Holdpoint agent = Holdpoint.builder(Direct.class)
                .chatModel(model)
                .tools(new Bank())
                .build();
        agent.resume("t", agent.send("t", "Pay").approval().approve());

        assertThat(agent.send("t", "Hi").text()).isEqualTo("Hello.");
    }

    @ParameterizedTest
    @EnumSource
    @Logs("Run * on thread * failed")
    void aPictureThatTheModelCannotTakeIsLeftOutAfterTheFirstRefusal(Shape shape) {
        model.calls(call("c1", "scan", "{}"))
                .fails(new UnsupportedFeatureException("no pictures in results"))
                .says("Seen.");
        Holdpoint agent = shape.builder(model).tools(new Scanner()).build();

        RunResult refused = agent.resume("t", agent.send("t", "Scan").approval().approve());
        RunResult again = agent.resume("t");

        assertThat(refused.failure().orElseThrow().code()).isEqualTo(ErrorCode.MODEL_REQUEST_INVALID);
        assertThat(again.text()).isEqualTo("Seen.");
        assertThat(effects).containsExactly("scan");
        assertThat(model.lastMessages())
                .filteredOn(ToolExecutionResultMessage.class::isInstance)
                .singleElement()
                .satisfies(result -> assertThat(((ToolExecutionResultMessage) result).contents())
                        .noneMatch(ImageContent.class::isInstance)
                        .allMatch(TextContent.class::isInstance));
    }
}
