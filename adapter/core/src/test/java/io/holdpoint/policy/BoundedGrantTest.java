package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is allowed in advance has bounds, and is counted before it is used. */
class BoundedGrantTest {

    private static final Bounds BOUNDS =
            Bounds.same("vendor", "currency").sum("amount", Duration.ofDays(1)).count(5);
    private static final ToolPolicy PAY = ToolPolicy.named("pay").rememberWithin(BOUNDS, Duration.ofDays(7));

    private final List<String> paid = new ArrayList<>();
    private final Bench bench = new Bench();
    private int calls;

    /** Pays. */
    final class Bank {

        @Tool
        String pay(String vendor, String currency, BigDecimal amount) {
            paid.add(vendor + " " + amount + " " + currency);
            return "paid";
        }
    }

    private final Holdpoint agent = agent(PAY);

    private Holdpoint agent(ToolPolicy... policies) {
        return bench.another(builder -> builder.tools(new Bank()).toolPolicies(policies));
    }

    private ToolExecutionRequest pay(String vendor, String currency, String amount) {
        return call(
                "c" + ++calls,
                "pay",
                "{\"vendor\":\"%s\",\"currency\":\"%s\",\"amount\":%s}".formatted(vendor, currency, amount));
    }

    /** The model proposes the calls; empty if none is asked about. */
    private List<PendingInterrupt> proposes(ToolExecutionRequest... requests) {
        int left = bench.model.left();
        bench.model.calls(requests).says("Done.");
        List<PendingInterrupt> asked = agent.send(THREAD, "Pay").interrupts();
        assertThat(bench.model.left()).isEqualTo(asked.isEmpty() ? left : left + 1);
        return asked;
    }

    private RunResult approvedWithin(String most) {
        PendingInterrupt asked = proposes(pay("Acme", "EUR", "40")).get(0);
        return agent.resume(THREAD, asked.asApproval().approveWithin(Map.of("amount", new BigDecimal(most))));
    }

    private PendingInterrupt denied(PendingInterrupt asked) {
        agent.resume(THREAD, asked.asApproval().deny("No."));
        return asked;
    }

    private JsonNode last(Kind kind) {
        return bench.store.auditTrail(THREAD, 0, 1000).stream()
                .filter(event -> event.kind() == kind)
                .reduce((one, other) -> other)
                .orElseThrow()
                .detail();
    }

    @Test
    void callsWithinTheSumAreNotAskedAboutAndTheTrailSaysWhy() {
        approvedWithin("100");

        assertThat(proposes(pay("Acme", "EUR", "60.10"))).isEmpty();
        assertThat(proposes(pay("Acme", "EUR", "39.90"))).isEmpty();

        assertThat(paid).containsExactly("Acme 40 EUR", "Acme 60.10 EUR", "Acme 39.90 EUR");
        assertThat(last(Kind.GRANTED).path("within").asText())
                .isEqualTo("within 100 of amount in PT24H, 5 calls, the same vendor, the same currency");
        assertThat(last(Kind.ALLOWED).path("notAsked").asText()).startsWith("within 100 of amount");
    }

    private static final ToolPolicy OF_OWNER =
            ToolPolicy.named("pay").rememberWithin(BOUNDS.ofOwner(), Duration.ofDays(7));

    /** The calls of each thread have the same ids; empty if it runs unasked. */
    private List<PendingInterrupt> pays(Holdpoint by, String thread, String amount) {
        int left = bench.model.left();
        calls = 0;
        bench.model.calls(pay("Acme", "EUR", amount)).says("Done.");
        List<PendingInterrupt> asked = by.send(thread, "Pay").interrupts();
        assertThat(bench.model.left()).isEqualTo(asked.isEmpty() ? left : left + 1);
        return asked;
    }

    @Test
    void aDecisionOfAnOwnerIsCountedOverAllThreadsOfTheOwnerAndOfNobodyElse() {
        Holdpoint agent =
                bench.another(builder -> builder.name("bank").tools(new Bank()).toolPolicies(OF_OWNER));
        Holdpoint ada = agent.as(Caller.of("ada"));
        PendingInterrupt asked = pays(ada, "t1", "40").get(0);
        ada.resume("t1", asked.asApproval().approveWithin(Map.of("amount", new BigDecimal("100"))));

        assertThat(pays(ada, "t2", "60.10")).isEmpty();
        assertThat(pays(ada, "t3", "39.90")).isEmpty();

        assertThat(ada.grants("t2")).hasSize(1).isEqualTo(ada.grants("t1"));
        assertThat(paid).containsExactly("Acme 40 EUR", "Acme 60.10 EUR", "Acme 39.90 EUR");
        Holdpoint bob = agent.as(Caller.of("bob"));
        PendingInterrupt ofBob = pays(bob, "t5", "1").get(0);
        bob.resume("t5", ofBob.asApproval().deny("No."));
        PendingInterrupt passing = pays(ada, "t4", "0.01").get(0);
        assertThat(passing.interrupt()
                        .metadata()
                        .at("/langchain4j/unusedGrant/why")
                        .asText())
                .isEqualTo("used_up");
        assertThat(paid).hasSize(3);
    }

    /** A store that does something once, right before a call is claimed. */
    private Store beforeClaims(AtomicReference<Runnable> beforeClaim) {
        return new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                if (commit.batches().stream()
                        .flatMap(batch -> batch.claimed().stream())
                        .anyMatch(call -> call.toolName().equals("pay"))) {
                    beforeClaim.getAndSet(() -> {}).run();
                }
                super.commit(lease, commit, now);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDecisionThatIsRevokedOrUsedUpAfterTheGateHasLookedMakesAPersonBeAsked(boolean revoked) {
        AtomicReference<String> told = new AtomicReference<>();
        AtomicReference<Runnable> beforeClaim = new AtomicReference<>(() -> {});
        Holdpoint ada = bench.another(builder -> builder.name("bank")
                        .store(beforeClaims(beforeClaim))
                        .tools(new Bank())
                        .toolPolicies(OF_OWNER))
                .as(Caller.of("ada"));
        PendingInterrupt asked = pays(ada, "t1", "40").get(0);
        ada.resume("t1", asked.asApproval().approveWithin(Map.of("amount", new BigDecimal("100"))));
        calls = 0;
        bench.model.calls(pay("Acme", "EUR", "60"), pay("Acme", "EUR", "0.01"));
        beforeClaim.set(() -> {
            if (revoked) {
                ada.revoke("t1", ada.grants("t1").get(0).id());
            } else {
                assertThat(pays(ada, "t3", "50")).isEmpty();
            }
            bench.model.answers(request -> {
                told.set(bench.model.lastResult("c1"));
                return AiMessage.from(call("again", "pay", "{\"vendor\":\"Acme\",\"currency\":\"EUR\",\"amount\":60}"));
            });
        });

        RunResult result = ada.send("t2", "Pay");

        assertThat(result.orThrow().interrupts()).hasSize(1);
        assertThat(paid)
                .isEqualTo(revoked ? List.of("Acme 40 EUR") : List.of("Acme 40 EUR", "Acme 50 EUR", "Acme 0.01 EUR"));
        assertThat(told.get()).contains("\"pay\" was not executed", "needs the approval of a person by now");
        assertThat(ada.auditTrail("t2", 0, 1000))
                .extracting(AuditEvent::kind)
                .contains(Kind.NOT_EXECUTED)
                .doesNotContain(Kind.FAILED);
    }

    @Test
    void aDenialOnOneThreadEndsTheDecisionOfTheOwner() {
        Holdpoint ada = agent(OF_OWNER).as(Caller.of("ada"));
        PendingInterrupt asked = pays(ada, "t1", "40").get(0);
        ada.resume("t1", asked.asApproval().approveWithin(Map.of("amount", new BigDecimal("100"))));
        PendingInterrupt passing = pays(ada, "t2", "101").get(0);

        ada.resume("t2", passing.asApproval().deny("No."));

        assertThat(ada.grants("t1")).isEmpty();
        assertThat(pays(ada, "t3", "1")).hasSize(1);
    }

    @Test
    void aDecisionOfAnOwnerIsRevokedOnAnyOfTheirThreads() {
        Holdpoint ada = agent(OF_OWNER).as(Caller.of("ada"));
        PendingInterrupt asked = pays(ada, "t1", "40").get(0);
        ada.resume("t1", asked.asApproval().approveWithin(Map.of("amount", new BigDecimal("100"))));
        assertThat(pays(ada, "t2", "1")).isEmpty();

        assertThat(ada.revoke("t2", ada.grants("t2").get(0).id())).isTrue();

        assertThat(pays(ada, "t3", "1")).hasSize(1);
    }

    @Test
    void whoIsAnonymousDecidesForOneThreadOnly() {
        Holdpoint anonymous = agent(OF_OWNER);
        PendingInterrupt asked = pays(anonymous, "t1", "40").get(0);
        anonymous.resume("t1", asked.asApproval().approveWithin(Map.of("amount", new BigDecimal("100"))));

        assertThat(pays(anonymous, "t2", "1")).hasSize(1);
    }

    /** Of the same bounds, one counts apart. */
    @Test
    void aDecisionForOneThreadIsNoneForTheOwner() {
        approvedWithin("100");
        Holdpoint perOwner = agent(OF_OWNER);

        assertThat(pays(perOwner, THREAD, "1")).hasSize(1);
    }

    @Test
    void aCallThatWouldPassTheSumIsAskedAboutToTheLastDigit() {
        approvedWithin("100");
        assertThat(proposes(pay("Acme", "EUR", "60"))).isEmpty();

        PendingInterrupt asked =
                proposes(pay("Acme", "EUR", "40.0000000000000000001")).get(0);

        assertThat(asked.interrupt()
                        .metadata()
                        .at("/langchain4j/unusedGrant/why")
                        .asText())
                .isEqualTo("used_up");
        assertThat(paid).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Other|EUR|1", "Acme|USD|1", "Acme|EUR|-1", "acme|EUR|1"})
    void aCallThatIsNotLikeTheApprovedOneIsAskedAbout(String call) {
        approvedWithin("100");
        String[] parts = call.split("\\|");

        assertThat(proposes(pay(parts[0], parts[1], parts[2]))).hasSize(1);
    }

    @Test
    void theSumIsThatOfTheTimeBeforeEachCallAndTheDecisionEndsWhenThePersonSaid() {
        approvedWithin("100");
        proposes(pay("Acme", "EUR", "100"));
        bench.clock.advance(Duration.ofHours(24));
        assertThat(proposes(pay("Acme", "EUR", "100"))).isEmpty();

        bench.clock.advance(Duration.ofDays(6));

        assertThat(proposes(pay("Acme", "EUR", "1"))).hasSize(1);
    }

    @Test
    void noMoreCallsThanTheDeveloperSaysRunUnasked() {
        approvedWithin("100");
        for (int i = 0; i < 5; i++) {
            assertThat(proposes(pay("Acme", "EUR", "1"))).isEmpty();
        }

        assertThat(proposes(pay("Acme", "EUR", "1"))).hasSize(1);
    }

    @Test
    void allCallsOfOneMessageAreAddedUp() {
        approvedWithin("100");

        List<PendingInterrupt> asked =
                proposes(pay("Acme", "EUR", "60"), pay("Acme", "EUR", "60"), pay("Acme", "EUR", "40"));

        assertThat(asked).extracting(each -> each.interrupt().toolCallId()).containsExactly("c3");
    }

    @Test
    void aLaterDenialEndsTheDecision() {
        approvedWithin("100");

        denied(proposes(pay("Acme", "EUR", "1000")).get(0));

        assertThat(agent.grants(THREAD)).isEmpty();
        assertThat(last(Kind.REVOKED).path("grant").asText())
                .isEqualTo(last(Kind.GRANTED).path("grant").asText());
    }

    @Test
    void aDenialOfAnotherVendorsCallLeavesItAsItIs() {
        approvedWithin("100");

        denied(proposes(pay("Other", "EUR", "1")).get(0));

        assertThat(agent.grants(THREAD)).hasSize(1);
    }

    @Test
    void whatWasEditedIsWhatTheDecisionIsAbout() throws IOException {
        PendingInterrupt asked = proposes(pay("Acme", "EUR", "40")).get(0);
        JsonNode answer = AguiCodec.mapper()
                .readTree("{\"approved\":true,\"editedArgs\":{\"vendor\":\"Beta\",\"currency\":\"EUR\",\"amount\":1},"
                        + "\"remember\":\"within\",\"bounds\":{\"amount\":100},\"rememberMinutes\":10080}");
        agent.resume(THREAD, ResumeEntry.resolved(asked.id(), answer));

        assertThat(proposes(pay("Beta", "EUR", "9"))).isEmpty();
        assertThat(proposes(pay("Acme", "EUR", "9"))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"approved\":true,\"remember\":\"within\"}",
                "{\"approved\":true,\"remember\":\"within\",\"bounds\":{}}",
                "{\"approved\":true,\"remember\":\"within\",\"bounds\":{\"amount\":0}}",
                "{\"approved\":true,\"remember\":\"within\",\"bounds\":{\"amount\":\"100\"}}",
                "{\"approved\":true,\"remember\":\"within\",\"bounds\":{\"amount\":100,\"count\":1000}}",
                "{\"approved\":true,\"remember\":\"tool\"}",
                "{\"approved\":true,\"remember\":\"within\",\"bounds\":{\"amount\":100},\"rememberMinutes\":10081}"
            })
    void anAnswerWithOtherBoundsThanTheQuestionOffersIsRefused(String answer) throws IOException {
        PendingInterrupt asked = proposes(pay("Acme", "EUR", "40")).get(0);

        RunResult result = agent.resume(
                THREAD, ResumeEntry.resolved(asked.id(), AguiCodec.mapper().readTree(answer)));

        assertThat(((RunResult.Failed) result).code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        assertThat(paid).isEmpty();
        assertThat(agent.grants(THREAD)).isEmpty();
    }

    @Test
    void otherBoundsInTheNextVersionOfTheProgramMakeAPersonBeAsked() {
        approvedWithin("100");
        Holdpoint later = agent(ToolPolicy.named("pay").rememberWithin(BOUNDS.count(6), Duration.ofDays(7)));
        bench.model.calls(pay("Acme", "EUR", "1"));

        bench.model.says("");
        assertThat(later.send(THREAD, "Pay").interrupts()).hasSize(1);
    }

    @Test
    void whatIsIrreversibleIsNeverRemembered() {
        assertThatThrownBy(() -> agent(PAY.reversibility(Reversibility.IRREVERSIBLE)))
                .isInstanceOf(IllegalConfigurationException.class);
        Holdpoint strict =
                agent(PAY, ToolPolicy.named("pay").withoutApproval().reversibility(Reversibility.IRREVERSIBLE));
        bench.model.calls(pay("Acme", "EUR", "1"));

        PendingInterrupt asked = strict.send(THREAD, "Pay").interrupts().get(0);

        assertThat(asked.interrupt().responseSchema().path("properties").has("remember"))
                .isFalse();
    }

    @Test
    void boundsThatFitNoCallAreFoundWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> agent(ToolPolicy.named("pay")
                        .rememberWithin(Bounds.same("seller").count(1), Duration.ofDays(1))))
                .hasMessageContaining("rememberWithin names \"seller\"");
        assertThatThrownBy(
                        () -> agent(ToolPolicy.named("pay").rememberWithin(Bounds.same("vendor"), Duration.ofDays(1))))
                .hasMessageContaining("bounds nothing");
        assertThatThrownBy(() -> agent(ToolPolicy.named("pay")
                        .rememberWithin(Bounds.same("currency").sum("vendor", Duration.ofDays(1)), Duration.ofDays(1))))
                .hasMessageContaining("\"vendor\", which is not a required number");
        assertThatThrownBy(() -> agent(ToolPolicy.named("pay").remember(Duration.ofDays(1), Grant.Scope.WITHIN)))
                .hasMessageContaining("WITHIN needs bounds");
    }

    @Test
    void aCallThatFailedCountsAsWell() {
        approvedWithin("100");
        proposes(pay("Acme", "EUR", "60"));

        assertThat(agent.grants(THREAD).get(0).uses()).singleElement().satisfies(use -> assertThat(use.amount())
                .isEqualByComparingTo("60"));
        assertThat(bench.store.auditTrail(THREAD, 0, 1000))
                .extracting(AuditEvent::kind)
                .contains(Kind.GRANTED, Kind.ALLOWED);
    }
}
