package io.holdpoint.question;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A call of unknown outcome among others, of every kind. */
@Logs({"Lease* could not be given back", "Run * on thread * failed"})
class OutcomeUnknownInBatchTest {

    private final Crash crash = new Crash();

    /** The second of four is interrupted: the first has its result, the others have not started. */
    private void holdFour() {
        crash.bench.model.calls(
                call("c1", "look", "{\"what\":\"balance\"}"),
                call("c2", "pay", "{\"amount\":20}"),
                call("c3", "pay", "{\"amount\":30}"),
                call("c4", "look", "{\"what\":\"receipt\"}"));
        crash.bench.say("Pay");
    }

    private ResumeEntry[] approvals() {
        return crash.bench.pending().stream()
                .map(asked -> asked.asApproval().approve())
                .toArray(ResumeEntry[]::new);
    }

    @Test
    void settledCallsKeepTheirResultsAndTheRestRunsAfterTheAnswer() {
        holdFour();
        crash.again(approvals());
        RecordingSink presented = crash.bench.nothingNew();
        assertThat(crash.bench.pending()).hasSize(1);
        assertThat(answered(presented)).containsExactly("c1");
        crash.bench.model.says("All paid.");

        RecordingSink sink =
                crash.bench.resume(crash.bench.pending(0).asUnknownOutcome().done("it went through"));

        assertThat(sink.text()).isEqualTo("All paid.");
        assertThat(crash.effects()).containsExactly("look balance", "pay 20", "pay 30", "look receipt");
        assertThat(crash.bench.model.lastResult("c1")).isEqualTo("seen balance");
        assertThat(crash.bench.model.lastResult("c2")).contains("it went through");
        assertThat(crash.bench.model.lastResult("c3")).isEqualTo("paid 30");
        assertThat(sink.all(ToolCallEvent.Result.class))
                .extracting(ToolCallEvent.Result::toolCallId)
                .as("what the client does not have yet")
                .containsExactly("c2", "c3", "c4");
        assertThat(answered(sink)).containsExactly("c1", "c2", "c3", "c4");
        ScriptedModel.requireWellFormed(crash.bench.memory());
    }

    /** The calls that have a result in a run's snapshot. */
    private static List<String> answered(RecordingSink sink) {
        return sink.all(MessagesSnapshotEvent.class).get(0).messages().stream()
                .filter(Message.Tool.class::isInstance)
                .map(message -> ((Message.Tool) message).toolCallId())
                .toList();
    }

    @Test
    void steeringAwayStartsNothingThatWasApproved() {
        holdFour();
        crash.again(approvals());
        crash.bench.nothingNew();
        crash.bench.model.says("As you like.");

        crash.bench.resumeAndSay("Stop", crash.bench.pending(0).cancel());

        assertThat(crash.effects()).containsExactly("look balance", "pay 20");
        assertThat(crash.bench.model.lastResult("c2")).contains("unknown");
        assertThat(crash.bench.model.lastResult("c3")).contains("was not executed");
        assertThat(crash.bench.model.lastResult("c4")).contains("was not executed");
    }

    @Test
    void steeringAwayIsNotTakenBackByACrash() {
        holdFour();
        crash.again(approvals());
        crash.bench.nothingNew();
        ResumeEntry cancel = crash.bench.pending(0).cancel();
        crash.accepting("Stop", cancel);
        crash.bench.model.says("As you like.");

        crash.bench.resumeAndSay("Stop", cancel);

        assertThat(crash.effects()).containsExactly("look balance", "pay 20");
        assertThat(crash.bench.model.lastResult("c3")).contains("was not executed");
    }

    @Test
    void anEditedCallIsShownAndRunAgainAsItWasEdited() {
        crash.bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        crash.bench.say("Pay");
        crash.again(crash.bench.pending(0).asApproval().approveWith(Map.of("amount", 7)));
        crash.bench.nothingNew();
        PendingInterrupt asked = crash.bench.pending(0);
        assertThat(asked.arguments().get("amount").asInt()).isEqualTo(7);
        crash.bench.model.says("Paid.");

        RecordingSink sink = crash.bench.resume(asked.asUnknownOutcome().retry());

        assertThat(crash.effects()).containsExactly("pay 7", "pay 7");
        assertThat(crash.bench.model.lastResult("c1")).contains("edited", "{\"amount\":7}", "paid 7");
        assertThat(sink.all(ToolCallEvent.Result.class).get(0).content().asText())
                .isEqualTo("paid 7");
    }

    @Test
    void theModelHearsOfTheEditsOfACallThatAPersonSaysWasDone() {
        crash.bench.model.calls(call("c1", "pay", "{\"amount\":20}"));
        crash.bench.say("Pay");
        crash.again(crash.bench.pending(0).asApproval().approveWith(Map.of("amount", 7)));
        crash.bench.nothingNew();
        crash.bench.model.says("Good.");

        RecordingSink sink =
                crash.bench.resume(crash.bench.pending(0).asUnknownOutcome().done(null));

        assertThat(crash.bench.model.lastResult("c1")).contains("edited", "{\"amount\":7}", "took effect");
        assertThat(sink.all(ToolCallEvent.Result.class).get(0).content().asText())
                .contains("took effect")
                .doesNotContain("edited");
    }

    @Test
    void anIdempotentToolIsExecutedAgainWithoutAskingAndWithTheSameKey() {
        crash.bench.model.calls(call("c1", "book", "{\"amount\":20}"));
        crash.bench.say("Book");
        ResumeEntry approval = crash.bench.pending(0).asApproval().approve();
        crash.in("book", approval);
        crash.bench.model.says("Booked.");

        RecordingSink sink = crash.bench.resume(approval);

        assertThat(sink.text()).isEqualTo("Booked.");
        assertThat(crash.effects()).containsExactly("book 20", "book 20");
        assertThat(crash.keys()).containsExactly(approval.interruptId(), approval.interruptId());
        assertThat(crash.bench.model.lastResult("c1")).isEqualTo("booked 20");
    }

    @Test
    void anUngatedCallIsAskedAboutTooAndKeepsItsKey() {
        crash.bench.model.calls(call("c1", "look", "{\"what\":\"balance\"}"));
        crash.hearing("look", "Look");
        crash.bench.nothingNew();
        PendingInterrupt asked = crash.bench.pending(0);
        assertThat(asked.toolName()).isEqualTo("look");
        crash.bench.model.says("Seen.");

        assertThat(crash.bench.resume(asked.asUnknownOutcome().retry()).text()).isEqualTo("Seen.");

        assertThat(crash.effects()).containsExactly("look balance", "look balance");
        assertThat(crash.keys().get(1)).isEqualTo(crash.keys().get(0));
        JsonNode metadata = Objects.requireNonNull(asked.interrupt().metadata());
        assertThat(metadata.at("/langchain4j/idempotencyKey").asText())
                .isEqualTo(crash.keys().get(0));
    }
}
