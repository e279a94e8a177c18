package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.Message;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import org.junit.jupiter.api.Test;

/** Calls that the gate refuses have a result like any other. */
class RefusedAtTheGateTest {

    private final Bench bench = new Bench();

    @Test
    void theTranscriptHasTheResultOfARefusedCall() {
        bench.model.calls(call("c1", "sendEmail", "[]")).says("Sorry.");

        bench.say("Go");

        assertThat(bench.transcript())
                .extracting(Message::role)
                .containsExactly("user", "assistant", "tool", "assistant");
    }

    @Test
    @Logs({"The batch * could not be continued", "Tool '*' execution failed"})
    void aResultIsAnnouncedOnceInARunThatGivesItsBatchUp() {
        bench.model
                .calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"), call("c2", "explode", "{\"why\":\"x\"}"))
                .fails(new IllegalStateException("down"))
                .says("Hello.");
        bench.say("Go");

        var sink = bench.resumeAndSay("Hi", bench.pending(0).asApproval().approve());

        assertThat(sink.types().stream().filter("TOOL_CALL_RESULT"::equals)).hasSize(2);
        assertThat(sink.text()).isEqualTo("Hello.");
    }
}
