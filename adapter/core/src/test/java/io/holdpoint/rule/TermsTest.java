package io.holdpoint.rule;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeQuestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The terms of a rule are kept with a question, and its approvals are held to them. */
class TermsTest {

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private PendingInterrupt.Approval paying(Holdpoint agent, int amount) {
        bench.model.calls(call("p" + amount, "pay", "{\"amount\":" + amount + "}"));
        return agent.send(THREAD, "Pay, please").interrupts().get(0).asApproval();
    }

    /** Wants a word in each approval. */
    record Word(String word) implements Rule {

        @Override
        public String name() {
            return "word";
        }

        @Override
        public Terms terms() {
            return Terms.field(
                    JsonNodeFactory.instance.objectNode().put("type", "string").put("const", word));
        }

        @Override
        public Optional<String> onAnswer(Answering answer) {
            return answer.payload().path("word").equals(answer.terms().path("const"))
                    ? Optional.empty()
                    : Optional.of("is another one");
        }
    }

    private Holdpoint wanting(Rule... rules) {
        return bench.another(builder ->
                builder.tools(new Bank()).toolPolicies(ToolPolicy.named("pay").rules(rules)));
    }

    @Test
    void theFieldOfARuleIsNeededByApprovalsOnly() {
        Holdpoint agent = wanting(new Word("please"));
        PendingInterrupt.Approval first = paying(agent, 1);

        assertThat(agent.resume(THREAD, first.approve())).isInstanceOfSatisfying(RunResult.Failed.class, failed -> {
            assertThat(failed.code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
            assertThat(failed.message()).contains("payload/word: is another one");
        });
        bench.model.says("Well.");
        assertThat(agent.resume(THREAD, first.deny())).isInstanceOf(RunResult.Completed.class);
        PendingInterrupt.Approval second = paying(agent, 2);
        bench.model.says("Well.");
        agent.resume(THREAD, second.with(second.approve(), "word", "please"));

        assertThat(effects).containsExactly("pay 2");
    }

    @Test
    void theFieldIsThatOfTheQuestionAndNotOfTheSettingsOfToday() {
        PendingInterrupt.Approval asked = paying(wanting(new Word("please")), 1);
        Holdpoint today = wanting(new Word("now"));

        assertThat(today.resume(THREAD, asked.with(asked.approve(), "word", "now")))
                .isInstanceOf(RunResult.Failed.class);
        bench.model.says("Done.");
        today.resume(THREAD, asked.with(asked.approve(), "word", "please"));

        assertThat(effects).containsExactly("pay 1");
    }

    @Test
    void aServerWithoutTheRuleOfAQuestionTakesNoApproval() {
        PendingInterrupt.Approval asked = paying(wanting(new Word("please")), 1);
        Holdpoint without = wanting();

        assertThat(without.resume(THREAD, asked.with(asked.approve(), "word", "please")))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.message())
                        .contains("this server has no rule \"word\""));
        assertThat(effects).isEmpty();
        assertThat(without.cancel(THREAD)).isTrue();
    }

    @Test
    void twoRulesOfOneNameMustFitEachOtherWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> wanting(new Word("please"), new Word("now")))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("two rules have the name \"word\"");
    }

    @Test
    void aRuleOfAPolicyIsNotCalledAsAMemberOfTheForm() {
        Rule named = new Rule() {
            @Override
            public String name() {
                return "approved";
            }

            @Override
            public Terms terms() {
                return new Word("please").terms();
            }
        };
        assertThatThrownBy(() -> wanting(named))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("the name of the rule is \"approved\"");
    }

    /** Pays if somebody has read to whom. */
    static final class Annotated {

        @Tool
        @RequiresApproval(confirm = "iban")
        String pay(String iban) {
            return "paid";
        }
    }

    @Test
    void anAttributeThatOnlyAModuleReadsIsRefusedWithoutItWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Annotated())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("pay")
                .hasMessageContaining("confirm needs Holdpoint's module")
                .hasMessageContaining("holdpoint-people");
    }

    @Test
    void questionsOfAnInterfaceNeedTheModuleThatReadsThem() {
        assertThatThrownBy(() -> new Bench(builder -> builder.questions(OfficeQuestions.class)))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("OfficeQuestions.class) needs Holdpoint's module")
                .hasMessageContaining("holdpoint-people");
    }
}
