package io.holdpoint.question;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A person gives the result of a tool that asked in the middle, in place of the tool. */
class ToolInterruptResponseTest {

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final ScriptedModel model = new ScriptedModel();

    /** Tools with questions of their own. */
    public final class Work {

        @Tool
        public String migrate(ToolCallContext call) {
            effects.add("migrate " + call.answers());
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.confirmation("The migration takes an hour. Now?")
                        .respond());
            }
            return "migrated";
        }

        @Tool
        public String ask(ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.of("acme:free", "Well?").respond());
            }
            return "heard " + call.resumed().get();
        }

        @Tool
        public String confirm(ToolCallContext call) {
            throw call.interrupt(ToolInterrupt.confirmation("Sure?"));
        }
    }

    private Holdpoint agent(Shape shape) {
        return shape.builder(model).tools(new Work()).build();
    }

    private static PendingInterrupt only(Holdpoint agent) {
        List<PendingInterrupt> pending = agent.pending("t");
        assertThat(pending).hasSize(1);
        return pending.get(0);
    }

    @ParameterizedTest
    @EnumSource
    void aPersonMayGiveTheResultInPlaceOfATool(Shape shape) {
        model.calls(call("c1", "migrate", "{}")).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");
        PendingInterrupt.Input question = only(agent).asInput();
        assertThat(question.takesResponse()).isTrue();
        assertThat(question.interrupt().responseSchema().at("/anyOf/0"))
                .isEqualTo(JsonNodeFactory.instance.objectNode().put("type", "boolean"));

        agent.resume("t", question.respond("migrated by hand"));

        assertThat(effects).containsExactly("migrate []");
        assertThat(model.lastResult("c1"))
                .startsWith("Note: \"migrate\" asked a person and was not finished.")
                .endsWith("\n\nmigrated by hand");
        assertThat(agent.pending("t")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void orTheAnswerStartsTheToolAgain(Shape shape) {
        model.calls(call("c1", "migrate", "{}")).says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        agent.resume("t", only(agent).asInput().answer(true));

        assertThat(effects).containsExactly("migrate []", "migrate [true]");
        assertThat(model.lastResult("c1")).isEqualTo("migrated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"response\":null}",
                "{\"response\":1,\"approved\":true}",
                "{\"respond\":1}",
                "{}",
                "\"yes\"",
                "[{\"response\":1}]"
            })
    void anythingElseIsNeitherAndConsumesNothing(String payload) throws JsonProcessingException {
        model.calls(call("c1", "migrate", "{}"));
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Go");

        RunResult refused =
                agent.resume("t", only(agent).answer(AguiCodec.mapper().readTree(payload)));

        assertThat(refused).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
        assertThat(only(agent).asInput().takesResponse()).isTrue();
        assertThat(effects).containsExactly("migrate []");
    }

    @Test
    void aToolThatDoesNotSaySoTakesNoResponse() {
        model.calls(call("c1", "confirm", "{}"));
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Go");
        assertThat(only(agent).asInput().takesResponse()).isFalse();

        RunResult refused = agent.resume("t", only(agent).asInput().respond("confirmed"));

        assertThat(refused).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
        assertThat(effects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"response\":{\"rows\":0}}", "{\"rows\":0}"})
    void ofAQuestionThatTakesAnyAnswerTheFieldDecides(String payload) throws JsonProcessingException {
        model.calls(call("c1", "ask", "{}")).says("Done.");
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Go");

        agent.resume("t", only(agent).answer(AguiCodec.mapper().readTree(payload)));

        assertThat(model.lastResult("c1"))
                .endsWith(payload.contains("response") ? "person.\n\n{\"rows\":0}" : "heard {\"rows\":0}");
    }

    @Test
    void nullIsNoResult() {
        model.calls(call("c1", "migrate", "{}"));
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Go");
        PendingInterrupt.Input question = only(agent).asInput();

        assertThatIllegalArgumentException().isThrownBy(() -> question.respond(JsonNodeFactory.instance.nullNode()));
    }

    @Test
    void aQuestionThatTakesAnyAnswerIsDeclinedByADenial() {
        model.calls(call("c1", "ask", "{}")).says("Done.");
        Holdpoint agent = agent(Shape.STREAMING);
        agent.send("t", "Go");

        agent.resume("t", only(agent).asInput().answer(Map.of("approved", false)));

        assertThat(model.lastResult("c1")).contains("was not finished", "a person declined");
    }
}
