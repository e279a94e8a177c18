package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.Bounds;
import io.holdpoint.testing.Bench;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A part of an argument is bounded by its path, as an argument is by its name. */
class BoundPartsTest {

    record Party(String iban, String note) {}

    record Payment(Party to, BigDecimal amount, List<String> lines) {}

    private final List<String> paid = new ArrayList<>();
    private final Bench bench = new Bench();
    private int calls;

    /** Pays. */
    final class Bank {

        @Tool
        String pay(Payment p, @P(value = "an alternative", required = false) Payment q) {
            paid.add(p.to().iban() + " " + p.amount());
            return "paid";
        }
    }

    private Holdpoint agent(ToolPolicy policy) {
        return bench.another(builder -> builder.tools(new Bank()).toolPolicies(policy));
    }

    private List<Approval> asked(Holdpoint agent, String iban, String amount) {
        bench.model
                .calls(call(
                        "c" + ++calls,
                        "pay",
                        "{\"p\":{\"to\":{\"iban\":\"%s\",\"note\":\"n%d\"},\"amount\":%s,\"lines\":[\"a\"]}}"
                                .formatted(iban, calls, amount)))
                .says("Done.");
        return agent.send(THREAD, "Pay").approvals();
    }

    @Test
    void callsWithTheSamePartsAndWithinTheSumAreNotAskedAbout() {
        Holdpoint agent = agent(ToolPolicy.named("pay")
                .rememberWithin(
                        Bounds.same("p.to.iban")
                                .sum("p.amount", Duration.ofDays(1))
                                .count(5),
                        Duration.ofDays(7)));
        Approval question = asked(agent, "DE1", "5").get(0);
        agent.resume(THREAD, question.approveWithin(Map.of("p.amount", 100)));

        assertThat(asked(agent, "DE1", "60")).isEmpty();
        assertThat(asked(agent, "DE1", "40")).isEmpty();
        assertThat(asked(agent, "DE1", "1")).as("the sum is used up").hasSize(1);
        assertThat(paid).containsExactly("DE1 5", "DE1 60", "DE1 40");
    }

    @Test
    void aCallWithAnotherPartIsAskedAbout() {
        Holdpoint agent = agent(
                ToolPolicy.named("pay").rememberWithin(Bounds.same("p.to.iban").count(5), Duration.ofDays(7)));
        Approval question = asked(agent, "DE1", "5").get(0);
        agent.resume(THREAD, question.approveWithin(Map.of()));

        assertThat(asked(agent, "DE2", "5")).hasSize(1);
    }

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Target(String bankAccount, @JsonProperty("for") String note) {}

    /** Its parts are shown by other names than those of their fields. */
    final class OtherBank {

        @Tool
        String pay(Target target) {
            paid.add(target.bankAccount() + " " + target.note());
            return "paid";
        }
    }

    private Holdpoint ofOtherBank(ToolPolicy policy) {
        return bench.another(builder -> builder.tools(new OtherBank()).toolPolicies(policy));
    }

    private List<Approval> askedByOther(Holdpoint agent, String account) {
        String arguments = "{\"target\":{\"bank_account\":\"%s\",\"for\":\"a\"}}".formatted(account);
        bench.model.calls(call("c" + ++calls, "pay", arguments)).says("Done.");
        return agent.send(THREAD, "Pay").approvals();
    }

    @Test
    void aPartIsBoundByTheNameByWhichItIsShown() {
        Holdpoint agent = ofOtherBank(ToolPolicy.named("pay")
                .rememberWithin(Bounds.same("target.bank_account").count(5), Duration.ofDays(7)));
        agent.resume(THREAD, askedByOther(agent, "DE1").get(0).approveWithin(Map.of()));

        assertThat(askedByOther(agent, "DE1")).isEmpty();
        assertThat(askedByOther(agent, "FR1")).hasSize(1);
        assertThat(paid).containsExactly("DE1 a", "DE1 a");
    }

    @Test
    void aMessageAndAnEditHaveThatNameAsWell() {
        Holdpoint agent = ofOtherBank(ToolPolicy.named("pay")
                .message("Pay to {{target.bank_account}}?")
                .editable("target.for"));
        Approval question = askedByOther(agent, "DE1").get(0);

        assertThat(question.message()).isEqualTo("Pay to \"DE1\"?");
        agent.resume(THREAD, question.edit("target.for", "b"));
        assertThat(paid).containsExactly("DE1 b");
    }

    record Chain(
            @JsonProperty("iban") String account, @Nullable Chain next) {}

    /** Takes a type that contains itself, of which a schema has a definition. */
    static final class ChainBank {

        @Tool
        String pay(Chain chain) {
            return "paid " + Objects.requireNonNull(chain.next()).account();
        }
    }

    @Test
    void aPartOfATypeThatContainsItselfHasThatNameAsWell() {
        Holdpoint agent = bench.another(builder -> builder.tools(new ChainBank())
                .toolPolicies(ToolPolicy.named("pay").editable("chain.next.iban")));
        bench.model
                .calls(call("c1", "pay", "{\"chain\":{\"iban\":\"DE1\",\"next\":{\"iban\":\"DE2\",\"next\":null}}}"))
                .says("Done.");
        Approval question = agent.send(THREAD, "Pay").approval();

        agent.resume(THREAD, question.edit("chain.next.iban", "DE3"));

        assertThat(bench.model.lastResult("c1")).endsWith("paid DE3");
    }

    @Test
    void theNameOfItsFieldIsNone() {
        assertThatThrownBy(() -> ofOtherBank(ToolPolicy.named("pay")
                        .rememberWithin(Bounds.same("target.bankAccount").count(5), Duration.ofDays(7))))
                .hasMessageContaining("rememberWithin names \"target.bankAccount\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p.iban", "p.to", "p.lines", "p.lines.0", "q.to.iban", "p"})
    void aPathToNothingThatEveryCallHasIsRefusedWhenTheAgentIsBuilt(String path) {
        assertThatThrownBy(() -> agent(ToolPolicy.named("pay")
                        .rememberWithin(Bounds.same(new String[0]).sum(path, Duration.ofDays(1)), Duration.ofDays(7))))
                .hasMessageContaining("\"" + path + "\", which is not a required number");
        if (path.equals("p.iban")) {
            assertThatThrownBy(() -> agent(ToolPolicy.named("pay")
                            .rememberWithin(Bounds.same(path).count(1), Duration.ofDays(7))))
                    .hasMessageContaining("rememberWithin names \"p.iban\"");
        }
    }
}
