package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.service.V;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.UserTurn;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the application's choice of a method does. */
@Logs({"Run * on thread * failed", "The batch * could not be continued"})
class ChosenMethodTest {

    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    interface Assistant {
        String chat(@dev.langchain4j.service.UserMessage List<Content> message);

        @dev.langchain4j.service.UserMessage("Shortly: {{m}}")
        String shortly(@V("m") String message);

        @dev.langchain4j.service.UserMessage("{{m}}, {{missing}}")
        String wrongly(@V("m") Object message);
    }

    private Holdpoint agent(Function<UserTurn, String> method) {
        return Holdpoint.builder(Assistant.class)
                .method(method)
                .chatModel(model)
                .tools(tools)
                .build();
    }

    /** All mistakes of this test are the application's: the same input again would fail again. */
    private static Throwable cause(RunResult result) {
        RunResult.Failed failed = result.failure().orElseThrow();
        assertThat(failed.code()).isEqualTo(ErrorCode.APPLICATION_FAULT);
        assertThat(failed.message()).doesNotContain("send the same input again");
        return failed.cause().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void whatTheUserSaysIsNotATemplate(Shape shape) {
        model.says("Fine.");

        RunResult result = shape.builder(model).build().send("t", "What is {{name}} and {{it}}?");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastMessages()).containsExactly(UserMessage.from("What is {{name}} and {{it}}?"));
    }

    @Test
    void aVariableOfATemplateMayHaveBraces() {
        model.says("Fine.");

        agent(turn -> "shortly").send("t", "What is {{name}}?");

        assertThat(model.lastMessages()).containsExactly(UserMessage.from("Shortly: What is {{name}}?"));
    }

    @Test
    void aMethodThatThereIsNotFailsTheRun() {
        RunResult result = agent(turn -> "briefly").send("t", "Go");

        assertThat(cause(result)).hasMessageContaining("\"briefly\"").hasMessageContaining("Assistant");
        assertThat(model.requests()).isEmpty();
    }

    @Test
    void aChoiceThatRefusesTheRunIsHeardInItsOwnWords() {
        RunResult.Failed refused = agent(turn -> {
                    throw new RunRejectedException(ErrorCode.INPUT_REJECTED, "Not on Sundays.");
                })
                .send("t", "Go")
                .failure()
                .orElseThrow();

        assertThat(refused.code()).isEqualTo(ErrorCode.INPUT_REJECTED);
        assertThat(refused.message()).isEqualTo("Not on Sundays.");
        assertThat(model.requests()).isEmpty();
    }

    @Test
    void aResumeThatReachesAnotherMethodClaimsNothing() {
        AtomicBoolean other = new AtomicBoolean();
        Holdpoint agent = heldAndThenAnother(other);
        var approval = agent.pending("t").get(0).asApproval().approve();

        RunResult failed = agent.resume("t", approval);

        assertThat(cause(failed)).hasMessageContaining("chat(").hasMessageContaining("shortly(");
        assertThat(tools.effects()).isEmpty();
        other.set(false);
        assertThat(agent.resume("t", approval)).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).hasSize(1);
    }

    @Test
    void aResumeThatReachesAnotherMethodCanBeLeftByANewMessage() {
        AtomicBoolean other = new AtomicBoolean();
        Holdpoint agent = heldAndThenAnother(other);
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        RunResult next = agent.send("t", "Never mind");

        assertThat(next).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).isEmpty();
        assertThat(model.lastResult("c1")).contains("was not executed", "was approved, but");
    }

    private Holdpoint heldAndThenAnother(AtomicBoolean other) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(turn -> other.get() ? "shortly" : "chat");
        agent.send("t", "Go");
        other.set(true);
        return agent;
    }

    @ParameterizedTest
    @EnumSource
    void aThreadMayHaveTheNameOfLangChain4jsDefaultMemory(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = shape.builder(model).tools(tools).build();
        assertThat(agent.send("default", "Go")).isInstanceOf(RunResult.Interrupted.class);

        RunResult result = agent.resume(
                "default", agent.pending("default").get(0).asApproval().approve());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastMessages()).hasSize(3);
    }

    @Test
    void aTemplateWithoutItsVariableFailsTheRun() {
        RunResult result = agent(turn -> "wrongly").send("t", "Go");

        assertThat(cause(result)).hasMessageContaining("wrongly()").cause().hasMessageContaining("missing");
        assertThat(model.requests()).isEmpty();
    }
}
