package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.Bench;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An edit by link does not get a call past a policy that lets no link decide about it as it was edited. */
class LinkEditsTest {

    private static final Caller ADA = Caller.of("ada");
    private static final Caller GRACE = Caller.of("grace", "approver");
    private static final Caller DORA = Caller.of("dora", "approver", "director");
    private static final ToolPolicy ALWAYS = ToolPolicy.named("pay").decideByLink();
    private static final ToolPolicy LARGE = ToolPolicy.named("pay")
            .when(call -> ApprovalVerdict.requireApprovalIf(
                    call.arguments().path("amount").decimalValue().compareTo(BigDecimal.valueOf(1_000)) > 0));

    private final Bench bench = new Bench();
    private final List<String> paid = new ArrayList<>();

    /** Pays. */
    final class Bank {

        @Tool
        String pay(BigDecimal amount, String to) {
            paid.add(amount + " to " + to);
            return "paid";
        }
    }

    private Holdpoint agent(UnaryOperator<HoldpointBuilder<Bench.Assistant>> custom) {
        return bench.another(builder -> custom.apply(builder.approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .people(person -> Optional.of(GRACE).filter(grace -> grace.id().equals(person)))
                .with(Reach.links(
                        Links.signed(URI.create("https://agents.example.com/a"), Links.Key.of("k", new byte[32]))))));
    }

    private static Approval open(Holdpoint agent, Caller caller) {
        return agent.as(caller).pending(THREAD).get(0).asApproval();
    }

    private static LinkView press(Holdpoint agent, Approval asked, ResumeEntry answer) {
        String address = Reach.of(agent.as(ADA))
                .link(THREAD, asked.id(), "grace")
                .orElseThrow()
                .toString();
        return Reach.of(agent).pressLink(address.substring(address.lastIndexOf('/') + 1), answer);
    }

    private static void runs(Decided decided) {
        assertThat(((Decided.Runs) decided).result().join().text()).isEqualTo("Done.");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsRememberedByLinkIsNotAboutCallsThatNoLinkDecides(boolean byLink) {
        Holdpoint agent = agent(builder -> builder.tools(new Bank())
                .toolPolicies(
                        ALWAYS.remember(Duration.ofHours(1), Grant.Scope.TOOL),
                        LARGE.remember(Duration.ofHours(1), Grant.Scope.TOOL)));
        bench.model.calls(call("c1", "pay", "{\"amount\":500,\"to\":\"Bob\"}")).says("Done.");
        Approval asked = agent.as(ADA).send(THREAD, "Pay Bob").approvals().get(0);
        ResumeEntry answer = asked.approveAndRemember(Grant.Scope.TOOL);

        if (byLink) {
            press(agent, asked, answer);
        } else {
            runs(agent.as(GRACE).decide(THREAD, answer));
        }
        bench.model
                .calls(call("c2", "pay", "{\"amount\":600,\"to\":\"Bob\"}"))
                .calls(call("c3", "pay", "{\"amount\":5000,\"to\":\"Bob\"}"))
                .says("Done.");
        agent.as(ADA).send(THREAD, "Pay Bob more");

        assertThat(paid).hasSize(byLink ? 2 : 3).startsWith("500 to Bob", "600 to Bob");
    }

    @Test
    void anEditByLinkDoesNotDecideWhatNoLinkDecides() {
        Holdpoint agent = agent(builder -> builder.tools(new Bank()).toolPolicies(ALWAYS, LARGE));
        bench.model.calls(call("c1", "pay", "{\"amount\":500,\"to\":\"Bob\"}"));
        Approval asked = agent.as(ADA).send(THREAD, "Pay Bob").approvals().get(0);
        bench.model.says("Done.");

        LinkView pressed = press(agent, asked, asked.edit("amount", 5_000));

        assertThat(pressed.sentence())
                .isEqualTo("You have changed this call and approved it. It is asked about again.");
        assertThat(paid).isEmpty();
        assertThat(open(agent, DORA).editedBy()).isEqualTo(Optional.of("grace"));
        runs(agent.as(GRACE).decide(THREAD, open(agent, GRACE).approve())); // signed in, as for a call of 5,000
        assertThat(paid).containsExactly("5000 to Bob");
    }
}
