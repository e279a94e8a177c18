package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.reach.Links.Key;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A link says what came of a call whose server died while it ran: whoever reads that it failed pays once more. */
@Logs({"Run * on thread * failed", "Lease* could not be given back", "Tool 'pay' execution failed"})
class LinkOutcomeTest {

    private static final Caller GRACE = Caller.of("grace", "treasury");

    private final SignedLinks links =
            Links.signed(URI.create("https://agents.example.com/agent"), Key.of("k1", new byte[32]));
    private final Bench bench = new Bench(this::agent);
    private final MortalStore mortal = new MortalStore(bench.store);
    private boolean fails;
    private String token;
    private PendingInterrupt.UnknownOutcome asked;

    /** Pays. */
    final class Bank {

        @Tool
        @RequiresApproval(decideByLink = true)
        String pay(int amount) {
            if (fails) {
                throw new IllegalStateException("no money");
            }
            return "paid";
        }
    }

    private HoldpointBuilder<Bench.Assistant> agent(HoldpointBuilder<Bench.Assistant> builder) {
        return builder.tools(new Bank())
                .with(Reach.links(links))
                .approvalAuthorizer(ApprovalAuthorizer.role("treasury"));
    }

    @BeforeEach
    void dieWhileItRuns() {
        Holdpoint other = bench.another(builder -> agent(builder).store(mortal));
        bench.model.calls(call("c1", "pay", "{\"amount\":5}"));
        PendingInterrupt question =
                other.as(Caller.of("ada")).send(THREAD, "Pay").interrupts().get(0);
        String link = Reach.of(other.as(Caller.of("ada")))
                .link(THREAD, question.id(), "grace")
                .orElseThrow()
                .toString();
        token = link.substring(link.lastIndexOf('/') + 1);
        mortal.dieAfter(1);
        other.as(GRACE).resume(THREAD, question.asApproval().approve());
        bench.clock.advance(Duration.ofMinutes(10));
        bench.model.says("Done.");
        asked = agent().as(Caller.of("ada"))
                .send(THREAD, "And?")
                .interrupts()
                .get(0)
                .asUnknownOutcome();
    }

    private Holdpoint agent() {
        return bench.agent();
    }

    private String said() {
        return Reach.of(agent().as(GRACE)).openLink(token).sentence();
    }

    @Test
    void whatNobodyKnowsHasNotFailed() {
        assertThat(said()).isEqualTo("You have approved this. It is asked about again.");

        agent().as(GRACE).resume(THREAD, asked.cancel());

        assertThat(bench.store.find(THREAD).orElseThrow().batch()).isEmpty();
        assertThat(said()).isEqualTo("You have approved this. Nobody knows whether it was executed.");
    }

    @Test
    void whatSomebodyHasFoundOutIsSaid() {
        agent().as(GRACE).resume(THREAD, asked.done());

        assertThat(said()).isEqualTo("You have approved this. It was executed.");
    }

    @Test
    void whatHasFailedWhenItRanAgainHasFailed() {
        fails = true;

        agent().as(GRACE).resume(THREAD, asked.retry());

        assertThat(said()).isEqualTo("You have approved this. It was executed, and it failed.");
    }
}
