package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.BatchMode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In eager mode, calls that nobody is asked about do not wait for the others. */
class EagerBatchTest {

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    private Holdpoint agent(Shape shape) {
        return shape.builder(model)
                .tools(tools, new AtOnce())
                .batchMode(BatchMode.EAGER)
                .build();
    }

    /** A tool whose result ends the turn. */
    public static final class AtOnce {

        @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
        public String now() {
            return "now";
        }
    }

    private void proposesThree() {
        model.calls(
                call("c1", "searchContacts", "{\"query\":\"Ada\"}"),
                call("c2", "sendEmail", MAIL),
                call("c3", "searchContacts", "{\"query\":\"Bob\"}"));
    }

    @ParameterizedTest
    @EnumSource
    void ungatedSiblingsRunAtOnceAndTheGatedOneDoesNot(Shape shape) {
        proposesThree();
        Holdpoint agent = agent(shape);

        RunResult held = agent.send("t", "Go");

        assertThat(held).isInstanceOf(RunResult.Interrupted.class);
        assertThat(tools.effects()).containsExactlyInAnyOrder("searchContacts Ada", "searchContacts Bob");
        assertThat(agent.pending("t"))
                .singleElement()
                .extracting(PendingInterrupt::toolName)
                .isEqualTo("sendEmail");
        assertThat(model.requests()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void theirResultsAreKeptAndTheyDoNotRunAgain(Shape shape) {
        proposesThree();
        model.says("Done.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(tools.effects())
                .containsExactlyInAnyOrder(
                        "searchContacts Ada", "searchContacts Bob", "sendEmail ada@example.com|Hi|Hello");
        assertThat(model.lastResult("c1")).isEqualTo("ada@example.com");
        assertThat(model.lastResult("c2")).isEqualTo("sent to ada@example.com");
        assertThat(model.lastResult("c3")).isEqualTo("bob@example.com");
    }

    @ParameterizedTest
    @EnumSource
    void aSiblingThatReturnsAtOnceDoesNotEndTheTurn(Shape shape) {
        model.calls(call("c1", "now", "{}"), call("c2", "sendEmail", MAIL)).says("Done.");
        Holdpoint agent = agent(shape);

        RunResult held = agent.send("t", "Go");

        assertThat(held).isInstanceOf(RunResult.Interrupted.class);
        assertThat(agent.resume("t", agent.pending("t").get(0).asApproval().approve()))
                .isInstanceOf(RunResult.Completed.class);
    }

    @ParameterizedTest
    @EnumSource
    void steeringAwayLeavesTheResultsOfWhatRan(Shape shape) {
        proposesThree();
        model.says("As you like.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Go");

        agent.resume("t", agent.pending("t").get(0).asApproval().deny("not now"));

        assertThat(tools.effects()).hasSize(2);
        assertThat(model.lastResult("c1")).isEqualTo("ada@example.com");
        assertThat(model.lastResult("c2")).contains("declined");
        assertThat(model.lastResult("c3")).isEqualTo("bob@example.com");
    }

    @Test
    void resultsReachTheClientInTheModelsOrder() {
        Bench bench = new Bench(builder -> builder.batchMode(BatchMode.EAGER));
        bench.model.calls(
                call("c1", "searchContacts", "{\"query\":\"Ada\"}"),
                call("c2", "sendEmail", MAIL),
                call("c3", "searchContacts", "{\"query\":\"Bob\"}"));
        bench.model.says("Done.");

        RecordingSink held = bench.say("Go");
        RecordingSink resumed = bench.resume(bench.pending(0).asApproval().approve());

        assertThat(results(held)).containsExactly("c1");
        assertThat(results(resumed)).containsExactly("c2", "c3");
        ScriptedModel.requireWellFormed(bench.memory());
    }

    @Test
    void steeringAwayTellsTheModelWhatRanAndWhatDidNot() {
        Bench bench = new Bench(builder -> builder.batchMode(BatchMode.EAGER));
        bench.model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"), call("c2", "sendEmail", MAIL));
        bench.model.says("As you like.");
        bench.say("Go");

        bench.resumeAndSay("Something else", bench.pending(0).cancel());

        assertThat(bench.tools.effects()).containsExactly("searchContacts Ada");
        assertThat(bench.model.lastResult("c1")).isEqualTo("ada@example.com");
        assertThat(bench.model.lastResult("c2")).contains("was not executed");
    }

    @Test
    void whenEveryCallWaitsNothingRuns() {
        Bench bench = new Bench(builder -> builder.batchMode(BatchMode.EAGER));
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "transferMoney", "{\"amount\":1,\"to\":\"Bob\"}"));

        bench.say("Go");

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.pending()).hasSize(2);
    }

    private static List<String> results(RecordingSink sink) {
        return sink.all(ToolCallEvent.Result.class).stream()
                .map(ToolCallEvent.Result::toolCallId)
                .toList();
    }
}
