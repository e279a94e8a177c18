package io.holdpoint.time;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.TrailRules;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that was told to stop, and whose node died before it could. */
class CancelledDeadRunTest {

    private final Crash crash = new Crash();

    /** The trail names the owner for what nobody decides who only finds it: the store does not keep who has cancelled. */
    @ParameterizedTest
    @ValueSource(strings = {"time", "somebody else"})
    void whoeverFindsWhatWasCancelledHasNotDecidedIt(String next) {
        Holdpoint agent = crash.bench.another(builder -> builder.tools(crash.new Bank())
                .approvalAuthorizer(ApprovalAuthorizer.role("boss"))
                .toolPolicies(ToolPolicy.named("pay").timeline(Timeline.expiresAfter(Duration.ofMinutes(5)))));
        crash.bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        agent.send(THREAD, "Pay");
        Holdpoint eve = agent.as(Caller.of("eve", "boss"));
        ResumeEntry approval = eve.pending(THREAD).get(0).asApproval().approve();
        Instant now = crash.bench.clock.instant();
        crash.bench.store.acquire(THREAD, "of a node that dies", "eve", now, now.plusSeconds(30));
        assertThat(agent.cancel(THREAD)).isTrue();
        crash.leasePasses();

        if (next.equals("time")) {
            crash.bench.clock.advance(Duration.ofMinutes(10));
            agent.actOnTime();
        } else {
            assertThat(eve.decide(THREAD, approval)).isInstanceOf(Decided.Refused.class);
        }

        assertThat(crash.bench.pending()).isEmpty();
        assertThat(crash.bench.store.auditTrail(THREAD, 0, 100))
                .extracting(event -> event.kind() + " " + event.caller())
                .endsWith("DECIDED anonymous", "NOT_EXECUTED anonymous");
        TrailRules.check(crash.bench.store, THREAD);
    }
}
