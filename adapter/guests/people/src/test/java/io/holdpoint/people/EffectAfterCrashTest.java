package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.PendingInterrupt.UnknownOutcome;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.MortalStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server dies between the claim of a call and its result, and the call of an idempotent tool goes on by itself: only as it was approved. */
@Logs({"Run * on thread * failed", "Lease* could not be given back", "Tool 'pay' execution failed"})
class EffectAfterCrashTest {

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();
    private final MortalStore mortal = new MortalStore(bench.store);
    private int balance = 100;
    private boolean down = true;
    private Holdpoint other;

    /** Pays once, however often it is called. */
    final class Bank {

        @Tool
        @RequiresApproval(idempotent = true)
        String pay(int amount) {
            if (down) {
                throw new IllegalStateException("so is its body");
            }
            effects.add("pay " + amount);
            return "paid";
        }
    }

    private Holdpoint agent(Store store) {
        Effect effect = call ->
                Plan.of(Map.of("leaves", balance - 5)).holds("balance", balance).validFor(Duration.ofHours(4));
        return bench.another(builder -> builder.store(store)
                .tools(new Bank())
                .toolPolicies(ToolPolicy.named("pay").rules(effect)));
    }

    @BeforeEach
    void dieBetweenTheClaimAndTheBody() {
        Holdpoint agent = agent(mortal);
        other = agent(bench.store);
        bench.model.calls(call("p", "pay", "{\"amount\":5}"));
        Approval asked = agent.send(THREAD, "Pay").approvals().get(0);
        mortal.dieAfter(1);
        assertThat(agent.resume(THREAD, asked.approve())).isInstanceOf(RunResult.Failed.class);
        assertThat(bench.store.find(THREAD).orElseThrow().batch().orElseThrow().claimed())
                .hasSize(1);
        assertThat(effects).isEmpty();
        down = false;
        bench.clock.advance(Duration.ofMinutes(10));
        bench.model.says("Done.");
    }

    private UnknownOutcome goesOn() {
        return other.send(THREAD, "And?").interrupts().get(0).asUnknownOutcome();
    }

    @Test
    void asLongAsWhatWasShownHoldsItGoesOnByItself() {
        bench.model.says("Really.");

        assertThat(other.send(THREAD, "And?").text()).isEqualTo("Really.");

        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void whereItHoldsNoLongerAPersonIsAskedWhatHasComeOfIt() {
        balance = 7;

        UnknownOutcome asked = goesOn();

        assertThat(effects).isEmpty();
        UnknownOutcome again =
                other.resume(THREAD, asked.retry()).interrupts().get(0).asUnknownOutcome();
        assertThat(again.message()).contains("What was shown no longer holds.");
        assertThat(effects).isEmpty();
        other.resume(THREAD, again.retry());
        assertThat(effects).containsExactly("pay 5");
    }

    @Test
    void soTheyAreWhereItsTimeIsOver() {
        bench.clock.advance(Duration.ofDays(2));

        goesOn();

        assertThat(effects).isEmpty();
    }
}
