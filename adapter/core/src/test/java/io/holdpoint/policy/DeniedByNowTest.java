package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a condition denies when it is about to run does not run, whoever has approved it before, and the model is told what was refused. */
class DeniedByNowTest {

    private static final String PAY = "{\"amount\":500}";

    private final List<String> effects = new ArrayList<>();
    private final ScriptedModel model = new ScriptedModel();
    private boolean frozen;
    private boolean broken;

    public final class Bank {

        @Tool
        @RequiresApproval
        public String pay(int amount) {
            effects.add("pay " + amount);
            if (broken) {
                throw new IllegalStateException("no line");
            }
            return "paid";
        }

        @Tool
        @RequiresApproval
        public String close(String account, ToolCallContext call) {
            if (call.resumed().isEmpty()) {
                throw call.interrupt(ToolInterrupt.confirmation("Close it for ever?"));
            }
            effects.add("close " + account);
            return "closed";
        }
    }

    private ApprovalVerdict verdict() {
        return frozen ? ApprovalVerdict.deny("The account is frozen.") : ApprovalVerdict.requireApproval();
    }

    private Holdpoint agent(Shape shape) {
        return shape.builder(model)
                .tools(new Bank())
                .toolPolicies(
                        ToolPolicy.named("pay").when(call -> verdict()).askOnFailure(),
                        ToolPolicy.named("close").when(call -> verdict()))
                .build();
    }

    private Holdpoint asked(Shape shape) {
        model.calls(call("c1", "pay", PAY)).says("Well.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Pay");
        frozen = true;
        return agent;
    }

    private static PendingInterrupt only(Holdpoint agent) {
        assertThat(agent.pending("t")).hasSize(1);
        return agent.pending("t").get(0);
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatWasApprovedAsProposed(Shape shape) {
        Holdpoint agent = asked(shape);

        agent.resume("t", only(agent).asApproval().approve());

        assertThat(effects).isEmpty();
        assertThat(model.lastResult("c1"))
                .isEqualTo(
                        "The call of \"pay\" was not executed. A person approved this call, but by now it is not allowed:"
                                + " \"The account is frozen.\". Do not repeat this call with the same arguments.");
        assertThat(agent.auditTrail("t", 0, 100).stream()
                        .filter(event -> event.kind() == AuditEvent.Kind.NOT_EXECUTED)
                        .map(event -> event.detail().toString()))
                .singleElement()
                .asString()
                .contains("A person approved this call", "The account is frozen.");
    }

    @ParameterizedTest
    @EnumSource
    void anEdit(Shape shape) {
        Holdpoint agent = asked(shape);

        agent.resume("t", only(agent).asApproval().edit("amount", 499));

        assertThat(effects).isEmpty();
        assertThat(model.lastResult("c1"))
                .contains(
                        "A person approved this call with edited arguments, {\"amount\":499}, but with those it is not allowed:"
                                + " \"The account is frozen.\"")
                .doesNotContainIgnoringCase("nobody was asked");
    }

    @Test
    void whatAConditionWantsApprovedByNowStaysApproved() {
        Holdpoint agent = asked(Shape.BLOCKING);
        frozen = false;

        agent.resume("t", only(agent).asApproval().approve());

        assertThat(effects).containsExactly("pay 500");
    }

    @Test
    @Logs("Tool 'pay' execution failed")
    void aFailedCallThatIsToBeTriedAgain() {
        broken = true;
        model.calls(call("c1", "pay", PAY)).says("Well.");
        Holdpoint agent = agent(Shape.BLOCKING);
        agent.send("t", "Pay");
        agent.resume("t", only(agent).asApproval().approve());
        frozen = true;

        agent.resume("t", only(agent).asFailure().retry());

        assertThat(effects).containsExactly("pay 500");
        assertThat(model.lastResult("c1"))
                .contains("no line", "A person decided to try it again. But by now it is not allowed")
                .doesNotContain("go on after an answer");
    }

    @Test
    @Logs("Tool 'pay' execution failed")
    void aFailedCallThatIsToBeTriedAgainWithOtherArguments() {
        broken = true;
        model.calls(call("c1", "pay", PAY)).says("Well.");
        Holdpoint agent = agent(Shape.BLOCKING);
        agent.send("t", "Pay");
        agent.resume("t", only(agent).asApproval().approve());
        frozen = true;

        agent.resume("t", only(agent).asFailure().retryWith(Map.of("amount", 3)));

        assertThat(effects).containsExactly("pay 500");
        assertThat(model.lastResult("c1"))
                .contains(
                        "no line",
                        "A person decided to try it again. They edited the arguments to {\"amount\":3}, but with those it is"
                                + " not allowed")
                .doesNotContainIgnoringCase("nobody was asked");
    }

    @Test
    void aToolThatGoesOnAfterAnAnswer() {
        model.calls(call("c1", "close", "{\"account\":\"a\"}")).says("Well.");
        Holdpoint agent = agent(Shape.BLOCKING);
        agent.send("t", "Close it");
        agent.resume("t", only(agent).asApproval().approve());
        frozen = true;

        agent.resume("t", only(agent).asInput().answer(true));

        assertThat(effects).isEmpty();
        assertThat(model.lastResult("c1"))
                .contains("was not finished. It was to go on after an answer. But by now it is not allowed");
    }

    @Test
    @Logs({"Lease* could not be given back", "Run * on thread * failed"})
    void aCallOfUnknownOutcomeThatIsToRunAgain() {
        Crash crash = new Crash();
        crash.whilePaying();
        crash.bench.nothingNew();
        crash.bench.model.says("Well.");
        PendingInterrupt unknown = crash.bench.pending(0);
        Holdpoint later = crash.bench.another(builder -> builder.tools(crash.new Bank())
                .toolPolicies(ToolPolicy.named("pay").when(call -> ApprovalVerdict.deny("frozen"))));

        later.resume(Bench.THREAD, unknown.asUnknownOutcome().retry());

        assertThat(crash.effects()).containsExactly("pay 20");
        assertThat(crash.bench.model.lastResult("c1"))
                .contains(
                        "outcome of the call of \"pay\" is unknown",
                        "It was to be run again. But by now it is not allowed");
    }
}
