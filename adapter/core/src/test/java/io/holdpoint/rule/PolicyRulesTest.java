package io.holdpoint.rule;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rules of policies have their say about their own tools, whatever else has a rule of their name. */
class PolicyRulesTest {

    private static final String ENOUGH = "the invoice is from a known supplier, and it is due today";

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();

    /** Pays and mails. */
    final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }

        @Tool
        @RequiresApproval
        String mail(String to) {
            effects.add("mail " + to);
            return "sent";
        }
    }

    private static ObjectNode text() {
        return JsonNodeFactory.instance.objectNode().put("type", "string");
    }

    /** Wants a reason of at least so many characters in each approval. */
    record Because(int least) implements Rule {

        @Override
        public String name() {
            return "because";
        }

        @Override
        public Terms terms() {
            return Terms.field(text());
        }

        @Override
        public Rule and(Rule other) {
            return other instanceof Because too ? new Because(Math.max(least, too.least)) : Rule.super.and(other);
        }

        @Override
        public Optional<String> onAnswer(Answering answer) {
            return answer.payload().path("because").asText().length() < least
                    ? Optional.of("say more")
                    : Optional.empty();
        }
    }

    /** Says nothing but what it is made to say. */
    static class Named implements Rule {

        @Override
        public String name() {
            return "office";
        }
    }

    private Holdpoint agent(ToolPolicy... policies) {
        return bench.another(builder -> builder.tools(new Bank()).toolPolicies(policies));
    }

    private static ToolPolicy paying(Rule... rules) {
        return ToolPolicy.named("pay").rules(rules);
    }

    private static ToolPolicy mailing(Rule... rules) {
        return ToolPolicy.named("mail").rules(rules);
    }

    private PendingInterrupt.Approval asked(Holdpoint agent) {
        bench.model.calls(call("c1", "pay", "{\"amount\":1}")).says("Done.");
        return agent.send(THREAD, "Pay, please").interrupts().get(0).asApproval();
    }

    private void takesOnlyAGoodReason(Holdpoint agent) {
        PendingInterrupt.Approval asked = asked(agent);
        assertThat(agent.resume(THREAD, asked.with(asked.approve(), "because", "yes")))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> {
                    assertThat(failed.code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
                    assertThat(failed.message()).contains("because: say more");
                });
        assertThat(effects).isEmpty();

        agent.resume(THREAD, asked.with(asked.approve(), "because", ENOUGH));
        assertThat(effects).containsExactly("pay 1");
    }

    @Test
    void aToolsOwnRuleJudgesAndNotThatOfAnotherTool() {
        takesOnlyAGoodReason(agent(mailing(new Because(3)), paying(new Because(50))));
    }

    @Test
    void ofTwoPoliciesBothMustHaveWhatTheyWant() {
        takesOnlyAGoodReason(agent(paying(new Because(3)), paying(new Because(50))));
    }

    @Test
    void aPolicyThatLooksOnJudgesNothing() {
        takesOnlyAGoodReason(agent(mailing(new Because(0)).shadow(), paying(new Because(50))));
        effects.clear();
        takesOnlyAGoodReason(agent(paying(new Because(0)).shadow(), paying(new Because(50))));
    }

    @Test
    void anotherRuleOfTheSameNameForAToolIsRefusedWhenTheAgentIsBuilt() {
        Rule other = new Named() {
            @Override
            public String name() {
                return "because";
            }
        };
        assertThatThrownBy(() -> bench.another(
                        builder -> builder.tools(new Bank()).rules(other).toolPolicies(paying(new Because(50)))))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("two rules have the name \"because\"");
    }

    @Test
    void itDenies() {
        bench.model.calls(call("c1", "pay", "{\"amount\":1}")).says("Well.");
        Holdpoint agent = agent(paying(new Named() {
            @Override
            public Say onProposal(Proposal proposal) {
                return Say.deny("the office is closed");
            }
        }));

        assertThat(agent.send(THREAD, "Pay, please")).isInstanceOf(RunResult.Completed.class);

        assertThat(bench.model.lastResult("c1")).contains("the office is closed");
        assertThat(effects).isEmpty();
    }

    @Test
    void whatItRemarksStandsInTheQuestionAndTheTrail() {
        Holdpoint agent = agent(paying(new Named() {
            @Override
            public Say onProposal(Proposal proposal) {
                return Say.remark(JsonNodeFactory.instance.objectNode().put("open", true));
            }
        }));

        assertThat(asked(agent)
                        .interrupt()
                        .metadata()
                        .at("/langchain4j/office/open")
                        .asBoolean())
                .isTrue();
        assertThat(agent.auditTrail(THREAD, 0, 100)).anySatisfy(event -> assertThat(
                        event.detail().at("/office/open").asBoolean())
                .isTrue());
    }

    @Test
    void itRefusesAnAnswer() {
        Holdpoint agent = agent(paying(new Named() {
            @Override
            public Optional<String> onAnswer(Answering answer) {
                return Optional.of("the office is closed");
            }
        }));
        PendingInterrupt.Approval asked = asked(agent);

        assertThat(agent.resume(THREAD, asked.approve()))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.message())
                        .contains("the office is closed"));
        assertThat(agent.pending(THREAD)).hasSize(1);
        assertThat(effects).isEmpty();
    }

    @Test
    void itKeepsACallFromRunning() {
        Holdpoint agent = agent(paying(new Named() {
            @Override
            public Terms terms() {
                return Terms.field(text());
            }

            @Override
            public Optional<String> beforeBody(ProposedCall call) {
                return Optional.of("the office is closed");
            }
        }));
        PendingInterrupt.Approval asked = asked(agent);

        agent.resume(THREAD, asked.with(asked.approve(), "office", "now"));

        assertThat(bench.model.lastResult("c1")).contains("the office is closed");
        assertThat(effects).isEmpty();
    }

    @Test
    @Logs("The rule \"office\" failed on an answer about pay, which is not taken")
    void oneThatSaysNullRefuses() {
        Holdpoint agent = agent(paying(new Named() {
            @Override
            public Terms terms() {
                return Terms.field(text());
            }

            @Override
            public Optional<String> onAnswer(Answering answer) {
                return null;
            }
        }));
        PendingInterrupt.Approval asked = asked(agent);

        assertThat(agent.resume(THREAD, asked.with(asked.approve(), "office", "now")))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
        assertThat(effects).isEmpty();
    }

    @Test
    void aToolThatDoesNotFitTheRuleOfAnAgentIsRefusedWhenItIsBuilt() {
        Rule unfit = new Named() {
            @Override
            public void requireFitting(ToolSpecification tool) {
                throw new IllegalArgumentException("it does not fit " + tool.name());
            }
        };
        assertThatThrownBy(
                        () -> bench.another(builder -> builder.tools(new Bank()).rules(unfit)))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("it does not fit");
    }
}
