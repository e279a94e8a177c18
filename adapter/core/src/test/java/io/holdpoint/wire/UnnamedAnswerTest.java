package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.PRESENTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.AguiCodec;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import org.junit.jupiter.api.Test;

/** The draft dialect's answer may leave out which interrupt it is for: it must not approve what its client cannot have seen. */
class UnnamedAnswerTest {

    private static final String ADA = "{\"amount\":1,\"to\":\"Ada\"}";
    private static final String EVE = "{\"amount\":1000000,\"to\":\"Eve\"}";

    private final Bench bench = new Bench();

    private RecordingSink approves(String runId) {
        return answers(runId, "\"payload\":{\"approved\":true}");
    }

    private RecordingSink answers(String runId, String resume) {
        return bench.run(AguiCodec.readRunAgentInput("{\"protocolVersion\":\"1.0\",\"threadId\":\"t\",\"runId\":\""
                + runId + "\",\"messages\":[],\"resume\":{" + resume + "}}"));
    }

    private void isRefused(String runId) {
        Everything before = bench.everything();
        RecordingSink sink = approves(runId);
        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_UNKNOWN");
        assertThat(sink.detail()).contains("Name the interruptId");
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void itAnswersTheOnlyInterrupt() {
        bench.model.calls(call("c1", "transferMoney", ADA)).says("Done.");
        bench.say("Pay Ada");

        assertThat(approves("r2").text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).containsExactly("transferMoney 1|Ada");
    }

    @Test
    void whenItComesTwiceItApprovesOneCall() {
        bench.model.calls(call("c1", "transferMoney", ADA)).calls(call("c2", "transferMoney", EVE));
        bench.say("Pay Ada");
        approves("r2");

        isRefused("r2");

        assertThat(bench.tools.effects()).containsExactly("transferMoney 1|Ada");
    }

    @Test
    void fromAnotherTabItDoesNotApproveWhatCameAfterwards() {
        bench.model.calls(call("c1", "transferMoney", ADA)).calls(call("c2", "transferMoney", EVE));
        bench.say("Pay Ada");
        approves("r2");

        isRefused("r3");
    }

    @Test
    void itDoesNotApproveACallOfALaterTurn() {
        bench.model.calls(call("c1", "transferMoney", ADA)).says("Done.").calls(call("c2", "transferMoney", EVE));
        bench.say("Pay Ada");
        approves("r2");
        bench.say("Pay Eve");

        isRefused("r2");
    }

    @Test
    void withTheIdItAnswersALaterInterrupt() {
        bench.model
                .calls(call("c1", "transferMoney", ADA))
                .calls(call("c2", "transferMoney", EVE))
                .says("Done.");
        bench.say("Pay Ada");
        approves("r2");

        answers("r3", "\"interruptId\":\"" + bench.pending(0).id() + "\",\"payload\":{\"approved\":true}");

        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void ofSeveralInterruptsItMeansNone() {
        bench.model.calls(call("c1", "transferMoney", ADA), call("c2", "transferMoney", EVE));
        bench.say("Pay");

        isRefused("r2");
    }

    @Test
    @Logs("Run * on thread * failed")
    void afterAFailureItGoesOnFromWhatItDecided() {
        bench.model
                .calls(call("c1", "transferMoney", ADA))
                .fails(new IllegalStateException("down"))
                .says("Done.");
        bench.say("Pay Ada");
        approves("r2");

        assertThat(approves("r2").text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(bench.agent().auditTrail(Bench.THREAD, 0, 100))
                .extracting(AuditEvent::kind)
                .containsOnlyOnce(AuditEvent.Kind.REPLAYED);
    }

    @Test
    void whenEverythingIsSettledTheThreadCanStillBeSeen() {
        bench.model.calls(call("c1", "transferMoney", ADA)).says("Done.");
        bench.say("Pay Ada");
        approves("r2");

        isRefused("r2");

        assertThat(bench.nothingNew().types()).isEqualTo(PRESENTED);
    }
}
