package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.Limits;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A person who has said no is not asked the same again in the turn, and not asked for ever. */
class DeclinedCallsTest {

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    private Holdpoint agent(Shape shape) {
        return shape.builder(model)
                .tools(tools)
                .limits(Limits.DEFAULT.withDeclinedInARow(3))
                .build();
    }

    private static ResumeEntry deny(Holdpoint agent) {
        return agent.pending("t").get(0).asApproval().deny();
    }

    private static String transfer(int amount) {
        return "{\"amount\":" + amount + ",\"to\":\"Bob\"}";
    }

    @ParameterizedTest
    @EnumSource
    void theSameCallAgainIsAnsweredWithoutAsking(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL))
                .calls(call("c2", "sendEmail", MAIL.replace(":", " : ")))
                .says("As you like.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Write");

        RunResult result = agent.resume("t", deny(agent));

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).isEmpty();
        assertThat(model.lastResult("c2")).contains("was not approved before").contains("nobody was asked again");
    }

    @ParameterizedTest
    @EnumSource
    void alsoIfTheQuestionWasLetGoOf(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL))
                .calls(call("c2", "sendEmail", MAIL))
                .says("As you like.");
        Holdpoint agent = agent(shape);
        agent.send("t", "Write");

        agent.resume("t", agent.pending("t").get(0).cancel());

        assertThat(model.lastResult("c2")).contains("was not approved before").doesNotContain("declined");
        assertThat(agent.pending("t")).isEmpty();
        assertThat(tools.effects()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anotherCallIsAskedAbout(Shape shape) {
        model.calls(call("c1", "transferMoney", transfer(20))).calls(call("c2", "transferMoney", transfer(21)));
        Holdpoint agent = agent(shape);
        agent.send("t", "Pay");

        agent.resume("t", deny(agent));

        assertThat(agent.pending("t")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void theSameCallIsAskedAboutInTheNextTurn(Shape shape) {
        model.calls(call("c1", "sendEmail", MAIL)).says("As you like.").calls(call("c2", "sendEmail", MAIL));
        Holdpoint agent = agent(shape);
        agent.send("t", "Write");
        agent.resume("t", deny(agent));

        agent.send("t", "Do it after all");

        assertThat(agent.pending("t")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void oneDenialAfterAnotherEndsTheTurnWithAText(Shape shape) {
        model.calls(call("c1", "transferMoney", transfer(1)))
                .calls(call("c2", "transferMoney", transfer(2)))
                .calls(call("c3", "transferMoney", transfer(2)))
                .says("What else?");
        Holdpoint agent = agent(shape);
        agent.send("t", "Pay");
        agent.resume("t", deny(agent));

        RunResult result = agent.resume("t", deny(agent));

        assertThat(result).isInstanceOfSatisfying(RunResult.Completed.class, completed -> assertThat(completed.text())
                .contains("3 calls in a row were not approved"));
        assertThat(model.requests()).hasSize(3);
        assertThat(agent.send("t", "Go on")).isInstanceOf(RunResult.Completed.class);
        assertThat(model.lastMessages().toString()).contains("3 calls in a row");
    }

    @ParameterizedTest
    @EnumSource
    void noMoreIsAskedInATurnThanMayBe(Shape shape) {
        model.calls(
                        call("c1", "transferMoney", transfer(1)),
                        call("c2", "transferMoney", transfer(2)),
                        call("c3", "transferMoney", transfer(3)))
                .calls(call("c4", "transferMoney", transfer(4)))
                .says("That is all for now.")
                .calls(call("c5", "transferMoney", transfer(5)));
        Holdpoint agent = shape.builder(model)
                .tools(tools)
                .limits(Limits.DEFAULT.withQuestionsPerTurn(2))
                .build();
        assertThat(agent.send("t", "Pay").interrupts()).hasSize(2);

        RunResult result = agent.resume(
                "t",
                agent.pending("t").get(0).asApproval().approve(),
                agent.pending("t").get(1).asApproval().approve());

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).containsExactlyInAnyOrder("transferMoney 1|Bob", "transferMoney 2|Bob");
        for (String over : List.of("c3", "c4")) {
            assertThat(model.lastResult(over))
                    .contains("was not executed", "2 calls of this turn were asked about", "Nobody was asked");
        }
        assertThat(agent.send("t", "Go on").interrupts()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void anApprovedCallStartsTheCountAgain(Shape shape) {
        model.calls(call("c1", "transferMoney", transfer(1)))
                .calls(call("c2", "transferMoney", transfer(2)))
                .calls(call("c3", "transferMoney", transfer(3)))
                .calls(call("c4", "transferMoney", transfer(4)))
                .calls(call("c5", "transferMoney", transfer(5)));
        Holdpoint agent = agent(shape);
        agent.send("t", "Pay");
        agent.resume("t", deny(agent));
        agent.resume("t", deny(agent));
        agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        agent.resume("t", deny(agent));

        assertThat(agent.pending("t")).hasSize(1);
        assertThat(tools.effects()).containsExactly("transferMoney 3|Bob");
    }

    @Test
    void theTextIsStreamedAndKept() {
        Bench bench = new Bench(builder -> builder.limits(Limits.DEFAULT.withDeclinedInARow(1)));
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Write");

        RecordingSink sink = bench.resume(bench.pending(0).asApproval().deny());

        assertThat(sink.text()).contains("1 calls in a row were not approved");
        assertThat(bench.transcript().toString()).contains("in a row were not approved");
        assertThat(bench.memory().toString()).contains("in a row were not approved");
        ScriptedModel.requireWellFormed(bench.memory());
    }

    record Report(String title) {}

    interface Reporter {
        Report report(@UserMessage List<Content> message);
    }

    @Test
    void aMethodThatReturnsSomethingElseIsLeftToTheModel() {
        model.calls(call("c1", "sendEmail", MAIL)).says("{\"title\":\"Nothing sent\"}");
        Holdpoint agent = Holdpoint.builder(Reporter.class)
                .chatModel(model)
                .tools(tools)
                .limits(Limits.DEFAULT.withDeclinedInARow(1))
                .build();
        agent.send("t", "Report");

        RunResult result = agent.resume("t", deny(agent));

        assertThat(result).isInstanceOfSatisfying(RunResult.Completed.class, completed -> assertThat(completed.value())
                .isEqualTo(new Report("Nothing sent")));
    }
}
