package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Terms;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.Bench;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An approval that has to repeat the value of an argument. */
class ConfirmTest {

    private static final String ARGUMENTS = "{\"iban\":\"DE89 3704\",\"amount\":500}";

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private final Holdpoint agent = bench.another(builder -> builder.tools(new Bank()));

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval(confirm = "iban")
        String pay(@P("to whom") String iban, BigDecimal amount) {
            effects.add(iban + " " + amount);
            return "paid";
        }
    }

    private PendingInterrupt.Approval asked(Holdpoint of) {
        bench.model.calls(call("c1", "pay", ARGUMENTS));
        bench.model.says("Done.");
        return of.send(THREAD, "Pay").interrupts().get(0).asApproval();
    }

    private void refused(Holdpoint of, ResumeEntry answer) {
        assertThat(of.resume(THREAD, answer)).isInstanceOfSatisfying(RunResult.Failed.class, failed -> {
            assertThat(failed.code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
            assertThat(failed.message()).contains("confirm");
        });
        assertThat(of.pending(THREAD)).hasSize(1);
        assertThat(effects).isEmpty();
    }

    @Test
    void theFormHasOneMoreRequiredField() {
        assertThat(asked(agent).interrupt().responseSchema().path("required"))
                .extracting(name -> name.asText())
                .containsExactly("approved", "confirm");
    }

    @Test
    void whoCannotRepeatAnEmptyValueIsToldWhatToDo() {
        bench.model.calls(call("c1", "pay", "{\"iban\":\" \",\"amount\":500}")).says("Done.");
        PendingInterrupt.Approval question = agent.send(THREAD, "Pay").approval();

        RunResult refused = agent.resume(THREAD, question.with(question.approve(), "confirm", " "));
        assertThat(refused.failure().orElseThrow().message())
                .contains("iban is empty", "approve it with another value, or deny it");

        agent.resume(THREAD, question.with(question.edit("iban", "DE89"), "confirm", "DE89"))
                .orThrow();
        assertThat(effects).containsExactly("DE89 500");
    }

    @Test
    void anApprovalThatRepeatsTheValueRunsTheCall() {
        PendingInterrupt.Approval question = asked(agent);

        agent.resume(THREAD, question.with(question.approve(), "confirm", "DE89 3704"));

        assertThat(effects).containsExactly("DE89 3704 500");
    }

    @Test
    void anApprovalThatRepeatsNothingIsRefusedAndTheQuestionStaysOpen() {
        refused(agent, asked(agent).approve());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "DE89", "de89 3704", "DE89 3704 ]", "500", "null"})
    void anApprovalThatRepeatsAnotherValueIsRefused(String value) {
        PendingInterrupt.Approval question = asked(agent);

        refused(agent, question.with(question.approve(), "confirm", value));
    }

    @Test
    void whatIsEmptyCannotBeRepeated() {
        PendingInterrupt.Approval question = asked(agent);
        ResumeEntry edited = question.approveWith(Map.of("iban", "", "amount", 500));

        refused(agent, question.with(edited, "confirm", ""));
    }

    /** Pays somebody, or nobody. */
    static final class Lenient {

        @Tool
        @RequiresApproval(confirm = "iban")
        String pay(@P(value = "to whom", required = false) String iban) {
            return "paid " + iban;
        }
    }

    @Test
    void anArgumentThatMayBeMissingIsFoundWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Lenient())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("confirm names \"iban\"");
    }

    @Test
    void theValueIsThatAfterEdits() {
        PendingInterrupt.Approval question = asked(agent);
        ResumeEntry edited = question.approveWith(Map.of("iban", "FR76", "amount", 500));

        refused(agent, question.with(edited, "confirm", "DE89 3704"));
        agent.resume(THREAD, question.with(edited, "confirm", "FR76"));

        assertThat(effects).containsExactly("FR76 500");
    }

    @Test
    void aDenialAndACancellationNeedNothing() {
        assertThat(agent.resume(THREAD, asked(agent).deny("No."))).isInstanceOf(RunResult.Completed.class);
        asked(agent);

        assertThat(agent.cancel(THREAD)).isTrue();

        assertThat(agent.pending(THREAD)).isEmpty();
        assertThat(effects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"500", "500.00", " 5e2 "})
    void aNumberMayBeWrittenInAnotherWay(String value) {
        Holdpoint other = bench.another(builder -> builder.tools(new Unmarked())
                .toolPolicies(ToolPolicy.named("pay").rules(Confirmation.of("amount"))));
        PendingInterrupt.Approval question = asked(other);

        other.resume(THREAD, question.with(question.approve(), "confirm", value));

        assertThat(effects).containsExactly("500");
    }

    /** Pays, and says nothing of it. */
    final class Unmarked {

        @Tool
        String pay(String iban, BigDecimal amount) {
            effects.add(String.valueOf(amount));
            return "paid";
        }
    }

    @Test
    void anArgumentThatDoesNotExistIsFoundWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Unmarked())
                        .toolPolicies(ToolPolicy.named("pay").rules(Confirmation.of("ibam")))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("confirm names \"ibam\"")
                .hasMessageContaining("iban");
    }

    @Test
    void policiesThatNameTwoArgumentsAndRememberedConfirmationsAreRefused() {
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Bank())
                        .toolPolicies(ToolPolicy.named("pay").rules(Confirmation.of("amount")))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("the same argument");
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Unmarked())
                        .toolPolicies(ToolPolicy.named("pay")
                                .rules(Confirmation.of("iban"))
                                .remember(java.time.Duration.ofMinutes(5), Grant.Scope.TOOL))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("cannot be remembered");
    }

    record Party(String iban) {}

    record Payment(Party to, BigDecimal amount, List<String> lines) {}

    /** Pays in parts. */
    final class Parts {

        @Tool
        String pay(Payment p, @P(value = "an alternative", required = false) Payment q) {
            effects.add(p.to().iban() + " " + p.amount());
            return "paid";
        }
    }

    private Holdpoint parts(String path) {
        return bench.another(builder ->
                builder.tools(new Parts()).toolPolicies(ToolPolicy.named("pay").rules(Confirmation.of(path))));
    }

    @Test
    void thePartThatIsRepeatedIsThatAfterEdits() {
        Holdpoint other = parts("p.to.iban");
        bench.model
                .calls(call("c1", "pay", "{\"p\":{\"to\":{\"iban\":\"DE1\"},\"amount\":5,\"lines\":[\"a\"]}}"))
                .says("Done.");
        PendingInterrupt.Approval question =
                other.send(THREAD, "Pay").approvals().get(0);

        assertThat(question.interrupt()
                        .responseSchema()
                        .at("/properties/confirm/title")
                        .asText())
                .isEqualTo("p.to.iban");
        assertThat(other.resume(THREAD, question.with(question.approve(), "confirm", "DE2")))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
        other.resume(THREAD, question.with(question.edit("p.to.iban", "DE2"), "confirm", "DE2"));
        assertThat(effects).containsExactly("DE2 5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p.iban", "p.to", "p.lines", "p.lines.0", "q.to.iban", "p"})
    void aPathToNothingThatEveryCallHasIsRefusedWhenTheAgentIsBuilt(String path) {
        assertThatThrownBy(() -> parts(path)).hasMessageContaining("confirm names \"" + path + "\"");
    }

    /** A rule of the application that has the same name. */
    record Ticked() implements Rule {

        @Override
        public String name() {
            return "confirm";
        }

        @Override
        public Terms terms() {
            return Terms.field(JsonNodeFactory.instance.objectNode().put("type", "string"));
        }
    }

    /** Mails. */
    static final class Post {

        @Tool
        @RequiresApproval
        String mail(String to) {
            return "sent";
        }
    }

    @Test
    void aRuleOfThatNameForAnotherToolTakesNoAnswerHere() {
        Holdpoint both = bench.another(builder -> builder.tools(new Bank(), new Post())
                .toolPolicies(ToolPolicy.named("mail").rules(new Ticked())));
        PendingInterrupt.Approval asked = asked(both);

        refused(both, asked.with(asked.approve(), "confirm", "whatever"));
    }

    @Test
    void aRuleOfThatNameForTheSameToolIsRefusedWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Bank())
                        .toolPolicies(ToolPolicy.named("pay").rules(new Ticked()))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("two rules have the name \"confirm\"");
    }
}
