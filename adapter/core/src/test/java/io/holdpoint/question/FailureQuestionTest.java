package io.holdpoint.question;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A person is asked what to do about a tool that failed. */
@Logs("Tool '*' execution failed")
class FailureQuestionTest {

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final ScriptedModel model = new ScriptedModel();
    private boolean broken = true;

    /** Works once it is repaired, and never with a bad address. */
    public final class Printer {

        @Tool
        public String print(String to) {
            effects.add("print " + to);
            if (broken || to.equals("bad")) {
                throw new IllegalStateException("out of paper");
            }
            return "printed";
        }

        @Tool
        public String erase(String what, ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.confirmation("Erase " + what + "?"));
            }
            effects.add("erase " + what + " " + call.answers());
            if (broken) {
                throw new IllegalStateException("locked");
            }
            return "erased";
        }

        @Tool
        @RequiresApproval(editable = {})
        public String shred(String what) {
            effects.add("shred " + what);
            throw new IllegalStateException("jammed");
        }
    }

    private Holdpoint agent(Shape shape) {
        return shape.builder(model)
                .tools(new Printer())
                .toolPolicies(
                        ToolPolicy.named("print").withoutApproval().askOnFailure(),
                        ToolPolicy.named("shred").withoutApproval().askOnFailure(),
                        ToolPolicy.named("erase").withoutApproval().askOnFailure())
                .toolPolicies(ToolPolicy.named("print")
                        .when(call -> call.argument("to", String.class)
                                        .filter("forbidden"::equals)
                                        .isPresent()
                                ? ApprovalVerdict.deny("not there")
                                : ApprovalVerdict.allow()))
                .build();
    }

    private static PendingInterrupt only(Holdpoint agent) {
        assertThat(agent.pending("t")).hasSize(1);
        return agent.pending("t").get(0);
    }

    private Holdpoint failed(Shape shape) {
        model.calls(call("c1", "print", "{\"to\":\"office\"}")).says("Well.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Print");
        return agent;
    }

    @ParameterizedTest
    @EnumSource
    void theFailureBecomesAQuestion(Shape shape) {
        PendingInterrupt asked = only(failed(shape));

        assertThat(asked.reason()).isEqualTo("langchain4j:tool_error");
        assertThat(asked.message()).contains("print").contains("failed");
        assertThat(asked.interrupt()
                        .metadata()
                        .path("langchain4j")
                        .path("error")
                        .asText())
                .contains("out of paper");
        JsonNode schema = asked.interrupt().responseSchema();
        assertThat(schema.path("properties")
                        .path("editedArgs")
                        .path("properties")
                        .has("to"))
                .isTrue();
        assertThat(model.requests()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void itIsTriedAgainAsItWas(Shape shape) {
        Holdpoint agent = failed(shape);
        broken = false;

        agent.resume("t", only(agent).asFailure().retry());

        assertThat(effects).containsExactly("print office", "print office");
        assertThat(model.lastResult("c1")).isEqualTo("printed");
    }

    @ParameterizedTest
    @EnumSource
    void itIsTriedAgainWithOtherArguments(Shape shape) {
        Holdpoint agent = failed(shape);
        broken = false;

        agent.resume("t", only(agent).asFailure().retryWith(Map.of("to", "home")));

        assertThat(effects).containsExactly("print office", "print home");
        assertThat(model.lastResult("c1")).contains("\"home\"").endsWith("printed");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsDeniedIsNotTriedEither(Shape shape) {
        Holdpoint agent = failed(shape);
        broken = false;

        agent.resume("t", only(agent).asFailure().retryWith(Map.of("to", "forbidden")));

        assertThat(effects).containsExactly("print office");
        assertThat(model.lastResult("c1")).contains("out of paper").contains("not there");
        assertThat(agent.auditTrail("t", 0, 100))
                .extracting(AuditEvent::kind)
                .contains(AuditEvent.Kind.FAILED)
                .doesNotContain(AuditEvent.Kind.NOT_EXECUTED);
    }

    @ParameterizedTest
    @EnumSource
    void whatWasConfirmedOfOtherArgumentsDoesNotCount(Shape shape) {
        model.calls(call("c1", "erase", "{\"what\":\"draft\"}")).says("Well.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Erase");
        agent.resume("t", only(agent).asInput().answer(BooleanNode.TRUE));

        agent.resume("t", only(agent).asFailure().retryWith(Map.of("what", "everything")));

        assertThat(effects).containsExactly("erase draft [true]");
        assertThat(only(agent).message()).isEqualTo("Erase everything?");
        broken = false;
        agent.resume("t", only(agent).asInput().answer(BooleanNode.TRUE));
        assertThat(effects).containsExactly("erase draft [true]", "erase everything [true]");
    }

    @ParameterizedTest
    @EnumSource
    void whatWasConfirmedStillCountsIfNothingIsEdited(Shape shape) {
        model.calls(call("c1", "erase", "{\"what\":\"draft\"}")).says("Well.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Erase");
        agent.resume("t", only(agent).asInput().answer(BooleanNode.TRUE));
        broken = false;

        agent.resume("t", only(agent).asFailure().retry());

        assertThat(effects).containsExactly("erase draft [true]", "erase draft [true]");
        assertThat(model.lastResult("c1")).isEqualTo("erased");
    }

    @ParameterizedTest
    @EnumSource
    void itMayFailAgainWhichIsAskedAboutAgain(Shape shape) {
        Holdpoint agent = failed(shape);
        String first = only(agent).id();

        agent.resume("t", only(agent).asFailure().retry());

        assertThat(only(agent).id()).isNotEqualTo(first);
        assertThat(only(agent)
                        .interrupt()
                        .metadata()
                        .path("langchain4j")
                        .path("attempts")
                        .asInt())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void givingUpTellsTheModelWhatFailedAndWhatThePersonSays(Shape shape) {
        Holdpoint agent = failed(shape);

        agent.resume("t", only(agent).asFailure().giveUp("the printer is broken"));

        assertThat(effects).containsExactly("print office");
        assertThat(model.lastResult("c1")).contains("out of paper").contains("\"the printer is broken\"");
    }

    @ParameterizedTest
    @EnumSource
    void lettingGoGivesUp(Shape shape) {
        Holdpoint agent = failed(shape);

        agent.resume("t", only(agent).cancel());

        assertThat(effects).containsExactly("print office");
        assertThat(model.lastResult("c1")).contains("out of paper");
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatIsNoneConsumesNothing(Shape shape) {
        Holdpoint agent = failed(shape);
        String id = only(agent).id();
        JsonNode approved = AguiCodec.mapper().createObjectNode().put("approved", true);

        RunResult result = agent.resume("t", only(agent).answer(approved));

        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
        assertThat(only(agent).id()).isEqualTo(id);
    }

    @ParameterizedTest
    @EnumSource
    void editsUnderAnotherNameAreRefusedAndNothingIsTriedAgain(Shape shape) {
        Holdpoint agent = failed(shape);
        assertThat(only(agent).interrupt().responseSchema().path("additionalProperties"))
                .isEqualTo(BooleanNode.FALSE);
        ObjectNode retry = AguiCodec.mapper().createObjectNode().put("action", "retry");
        retry.putObject("edited_args").put("to", "home");

        RunResult result = agent.resume("t", ResumeEntry.resolved(only(agent).id(), retry));

        assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        assertThat(result.failure().orElseThrow().message()).contains("/edited_args", "call it editedArgs");
        assertThat(effects).containsExactly("print office");
        assertThat(only(agent).reason()).isEqualTo("langchain4j:tool_error");
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeEditedCannotBeEditedHereEither(Shape shape) {
        model.calls(call("c1", "shred", "{\"what\":\"draft\"}")).says("Well.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Shred");
        agent.resume("t", only(agent).asApproval().approve());
        assertThat(only(agent).reason()).isEqualTo("langchain4j:tool_error");

        RunResult refused = agent.resume("t", only(agent).asFailure().retryWith(Map.of("what", "contract")));

        assertThat(refused).isInstanceOf(RunResult.Failed.class);
        assertThat(effects).containsExactly("shred draft");
    }

    @ParameterizedTest
    @EnumSource
    void withoutBeingAskedForTheFailureIsTheResult(Shape shape) {
        model.calls(call("c1", "print", "{\"to\":\"office\"}")).says("Well.");

        RunResult result = shape.builder(model).tools(new Printer()).build().send("t", "Print");

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastResult("c1")).contains("out of paper");
    }

    @ParameterizedTest
    @EnumSource
    void nobodyIsSaidToHaveGivenUpAQuestionThatWasCancelled(Shape shape) {
        Holdpoint agent = failed(shape);

        agent.resume("t", only(agent).cancel());

        assertThat(model.lastResult("c1"))
                .contains("out of paper", "It was not tried again: nobody answered whether to")
                .doesNotContain("A person decided");
    }
}
