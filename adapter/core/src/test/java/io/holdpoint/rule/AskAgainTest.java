package io.holdpoint.rule;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule keeps something with a question, and may have it asked again in place of the claim. */
class AskAgainTest {

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private int rate = 1;

    /** Pays, and fails where it is told to. */
    final class Bank {

        private boolean fails;

        @Tool
        @RequiresApproval(message = "Pay {{amount}}?")
        String pay(int amount) {
            if (fails) {
                fails = false;
                throw new IllegalStateException("no line");
            }
            effects.add("pay " + amount);
            return "paid";
        }

        @Tool
        String look() {
            effects.add("look");
            return "seen";
        }
    }

    /** Shows a rate, and wants the question asked again at another one, and about other amounts than the one it was shown for. */
    final class Rate implements Rule {

        @Override
        public String name() {
            return "rate";
        }

        @Override
        public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
            return Say.remark(section());
        }

        private ObjectNode section() {
            return JsonNodeFactory.instance.objectNode().put("rate", rate);
        }

        @Override
        public Say beforeClaim(Approved approved) {
            if (rate == 99) {
                return Say.deny("there is no rate");
            }
            JsonNode shown = approved.shown().path("rate");
            return shown.intValue() == rate && !approved.edited()
                    ? Say.NOTHING
                    : Say.ask(
                            "The rate was " + shown + " and is " + rate + ".",
                            section().put("was", shown.asInt()));
        }
    }

    private final Bank bank = new Bank();

    private Holdpoint agent(Store store) {
        return bench.another(builder -> builder.tools(bank).rules(new Rate()).store(store));
    }

    private Holdpoint agent() {
        return agent(bench.store);
    }

    private Approval held(Holdpoint agent) {
        bench.model.calls(call("l", "look", "{}"), call("p", "pay", "{\"amount\":5}"));
        Approval asked = agent.send(THREAD, "Pay, please").approvals().get(0);
        bench.model.says("Done.");
        return asked;
    }

    private static JsonNode said(PendingInterrupt asked) {
        return asked.interrupt().metadata().path("langchain4j");
    }

    private static RunResult runs(Decided decided) {
        assertThat(decided).isInstanceOf(Decided.Runs.class);
        return ((Decided.Runs) decided).result().join();
    }

    private List<AuditEvent> trail(AuditEvent.Kind kind) {
        return bench.store.auditTrail(THREAD, 0, 100).stream()
                .filter(event -> event.kind() == kind)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNewQuestionStandsInThePlaceOfTheClaim(boolean inDatabase) {
        Store store = inDatabase ? JdbcStore.create(TestDatabase.sqlite().dataSource()) : bench.store;
        Holdpoint agent = agent(store);
        Approval first = held(agent);
        assertThat(said(first).at("/rate/rate").intValue()).isEqualTo(1);

        rate = 2;
        Approval second = agent.resume(THREAD, first.approve()).approvals().get(0);

        assertThat(effects).containsExactly("look");
        assertThat(second.message()).isEqualTo("The rate was 1 and is 2. Pay 5?");
        assertThat(said(second).path("rate")).hasToString("{\"rate\":2,\"was\":1}");
        assertThat(second.arguments()).isEqualTo(first.arguments());
        assertThat(second.interrupt().id()).isNotEqualTo(first.interrupt().id());
        assertThat(store.check()).isEmpty();
        Holdpoint after = agent(store);
        assertThat(after.resume(THREAD, second.approve())).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("look", "pay 5");
        assertThat(store.check()).isEmpty();
    }

    @Test
    void theTrailSaysThatItWasAskedTwiceAndWhatWasShown() {
        Holdpoint agent = agent();
        Approval first = held(agent);
        rate = 2;
        runs(agent.decide(THREAD, first.approve()));

        assertThat(trail(AuditEvent.Kind.HELD))
                .extracting(event -> event.detail().at("/rate/rate").intValue())
                .containsExactly(1, 2);
        assertThat(trail(AuditEvent.Kind.CLAIMED)).hasSize(1);
    }

    @Test
    void itCanBeDeniedAndCancelledAndTheThreadGoesOn() {
        Holdpoint agent = agent();
        Approval first = held(agent);
        rate = 2;
        Approval second = agent.resume(THREAD, first.approve()).approvals().get(0);

        assertThat(agent.resume(THREAD, second.deny("not at this rate"))).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("look");
        assertThat(bench.model.requests().get(1).messages().toString()).contains("not at this rate");
    }

    @Test
    void aRuleMayDenyInsteadAndOneThatThrowsDoes() {
        Holdpoint agent = agent();
        Approval first = held(agent);
        rate = 99;

        assertThat(agent.resume(THREAD, first.approve())).isInstanceOf(RunResult.Completed.class);

        assertThat(effects).containsExactly("look");
        assertThat(bench.model.requests().get(1).messages().toString()).contains("there is no rate");
    }

    @Test
    @Logs({
        "The rule \"rate\" failed on a call of pay, which does not run",
        "The rule \"rate\" failed on a question about pay, which does not show what it says"
    })
    void whatThrowsIsTheStrictSide() {
        Rule broken = new Rule() {
            @Override
            public String name() {
                return "rate";
            }

            @Override
            public Say onQuestion(ProposedCall call, Optional<ObjectNode> before) {
                throw new IllegalStateException("no");
            }

            @Override
            public Say beforeClaim(Approved approved) {
                assertThat(approved.shown().isMissingNode()).isTrue();
                assertThat(approved.edited()).isTrue();
                throw new IllegalStateException("no");
            }
        };
        Holdpoint agent = bench.another(builder -> builder.tools(bank).rules(broken));

        assertThat(agent.resume(THREAD, held(agent).approve())).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("look");
    }

    @Test
    void anEditIsAskedAboutOnceMoreOfItsEditor() {
        Holdpoint agent = agent();
        Approval first = held(agent);

        Approval second =
                agent.resume(THREAD, first.edit("amount", 7)).approvals().get(0);

        assertThat(effects).containsExactly("look");
        assertThat(second.arguments().path("amount").intValue()).isEqualTo(7);
        assertThat(second.message())
                .startsWith("The rate was 1 and is 1. anonymous has edited this call")
                .endsWith("Pay 7?");
        rate = 3;
        Approval third = agent.resume(THREAD, second.approve()).approvals().get(0);
        assertThat(third.arguments().path("amount").intValue()).isEqualTo(7);
        assertThat(third.editedBy()).isPresent();
        agent.resume(THREAD, third.approve());
        assertThat(effects).containsExactly("look", "pay 7");
    }

    @Test
    @Logs("Tool 'pay' execution failed*")
    void aCallThatIsTriedAgainIsLookedAtAgain() {
        bank.fails = true;
        Holdpoint agent = bench.another(builder -> builder.tools(bank)
                .rules(new Rate())
                .toolPolicies(ToolPolicy.named("pay").withoutApproval().askOnFailure()));
        PendingInterrupt failed =
                agent.resume(THREAD, held(agent).approve()).interrupts().get(0);
        assertThat(failed).isInstanceOf(PendingInterrupt.Failure.class);

        rate = 2;
        PendingInterrupt again = agent.resume(THREAD, ((PendingInterrupt.Failure) failed).retry())
                .interrupts()
                .get(0);

        assertThat(again).isInstanceOf(PendingInterrupt.Failure.class);
        assertThat(said(again).path("error")).isEqualTo(said(failed).path("error"));
        assertThat(effects).containsExactly("look");
        agent.resume(THREAD, ((PendingInterrupt.Failure) again).retry());
        assertThat(effects).containsExactly("look", "pay 5");
    }

    @Test
    @Logs("Tool 'pay' execution failed*")
    void aCallThatIsTriedAgainWithEditsIsAskedAboutWithThemAsOftenAsThatChanges() {
        Holdpoint agent = bench.another(builder -> builder.tools(bank)
                .rules(new Rate())
                .toolPolicies(ToolPolicy.named("pay").askOnFailure().message("Pay {{amount}}?")));
        bank.fails = true;
        Approval first = held(agent);
        PendingInterrupt.Failure failed = (PendingInterrupt.Failure)
                agent.resume(THREAD, first.approve()).interrupts().get(0);

        PendingInterrupt.Failure edited =
                (PendingInterrupt.Failure) agent.resume(THREAD, failed.retryWith(Map.of("amount", 6)))
                        .interrupts()
                        .get(0);
        assertThat(edited.arguments()).hasToString("{\"amount\":6}");
        rate = 2;
        PendingInterrupt.Failure again = (PendingInterrupt.Failure)
                agent.resume(THREAD, edited.retry()).interrupts().get(0);

        assertThat(again.arguments()).hasToString("{\"amount\":6}");
        assertThat(agent.resume(THREAD, again.retry())).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("look", "pay 6");
    }

    @Test
    void votesAreForWhatTheySaw() {
        Caller ada = Caller.of("ada");
        Caller grace = Caller.of("grace", "approver");
        Caller dora = Caller.of("dora", "approver");
        Holdpoint agent = bench.another(builder -> builder.tools(bank)
                .rules(new Rate())
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(ToolPolicy.named("pay").approvals(Approvals.of(2))));
        bench.model.calls(call("p", "pay", "{\"amount\":5}"));
        Approval first = agent.as(ada).send(THREAD, "Pay").approvals().get(0);
        bench.model.says("Done.");
        assertThat(agent.as(grace).decide(THREAD, first.approve())).isInstanceOf(Decided.Waits.class);
        rate = 2;
        runs(agent.as(dora).decide(THREAD, first.approve()));
        assertThat(effects).isEmpty();

        Approval second = agent.as(grace).pending(THREAD).get(0).asApproval();
        assertThat(said(second).at("/approvals/have")).isEmpty();
        assertThat(agent.as(grace).decide(THREAD, second.approve())).isInstanceOf(Decided.Waits.class);
        runs(agent.as(dora).decide(THREAD, second.approve()));
        assertThat(effects).containsExactly("pay 5");
    }

    /** Who has edited is one of two voices, and there are two people. */
    @Test
    void whoeverHadAVoiceByAnEditHasOneAgain() {
        Caller grace = Caller.of("grace", "approver");
        Caller henry = Caller.of("henry", "approver");
        Holdpoint agent = bench.another(builder -> builder.tools(bank)
                .rules(new Rate())
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(ToolPolicy.named("pay").approvals(Approvals.of(2))));
        bench.model.calls(call("p", "pay", "{\"amount\":5}"));
        Approval first = agent.send(THREAD, "Pay").approvals().get(0);
        bench.model.says("Done.");
        agent.as(grace).resume(THREAD, first.edit("amount", 6));
        Approval edited = agent.as(henry).pending(THREAD).get(0).asApproval();
        agent.as(grace).resume(THREAD, edited.approve()); // the edit was no vote: the rule shows another rate of it
        rate = 2;
        agent.as(henry).resume(THREAD, edited.approve());
        Approval again = agent.as(henry).pending(THREAD).get(0).asApproval();

        agent.as(henry).resume(THREAD, again.approve());
        assertThat(effects).isEmpty();
        agent.as(grace).resume(THREAD, again.approve());

        assertThat(again.id()).isNotEqualTo(edited.id());
        assertThat(effects).containsExactly("pay 6");
    }

    @Test
    @Logs("Tool 'pay' execution failed*")
    void whoHasProposedItIsOnEveryQuestionAboutIt() {
        Holdpoint agent = bench.another(builder -> builder.tools(bank)
                .rules(new Rate())
                .toolPolicies(ToolPolicy.named("pay").withoutApproval().askOnFailure()));
        bank.fails = true;
        agent.as(Caller.of("billing"))
                .propose(THREAD, "pay", JsonNodeFactory.instance.objectNode().put("amount", 5), "p");
        Holdpoint billing = agent.as(Caller.of("billing"));
        Approval first = billing.pending(THREAD).get(0).asApproval();
        rate = 2;

        runs(billing.decide(THREAD, first.approve()));
        Approval again = billing.pending(THREAD).get(0).asApproval();
        runs(billing.decide(THREAD, again.approve()));
        PendingInterrupt failed = billing.pending(THREAD).get(0);

        assertThat(again.id()).isNotEqualTo(first.id());
        assertThat(said(again).path("proposedBy").asText()).isEqualTo("billing");
        assertThat(failed).isInstanceOf(PendingInterrupt.Failure.class);
        assertThat(said(failed).path("proposedBy").asText()).isEqualTo("billing");
    }

    @Test
    void itIsAskedAgainWhereAConditionWouldAskNobodyByNow() {
        List<Boolean> asks = new ArrayList<>(List.of(true));
        Holdpoint agent = bench.another(builder -> builder.tools(bank)
                .rules(new Rate())
                .toolPolicies(ToolPolicy.named("look").when(call -> ApprovalVerdict.requireApprovalIf(asks.get(0)))));
        bench.model.calls(call("l", "look", "{}"));
        Approval first = agent.send(THREAD, "Look").approvals().get(0);
        bench.model.says("Done.");
        rate = 2;
        asks.set(0, false);

        RunResult again = agent.resume(THREAD, first.approve());

        assertThat(again.approvals()).hasSize(1);
        assertThat(effects).isEmpty();
        agent.resume(THREAD, again.approvals().get(0).approve());
        assertThat(effects).containsExactly("look");
    }
}
