package io.holdpoint.question;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.PRESENTED;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server died while a tool was running: nobody but a person can say what came of it. */
@Logs({"Lease* could not be given back", "Run * on thread * failed"})
class OutcomeUnknownTest {

    private final Crash crash = new Crash();
    private final ResumeEntry approval = crash.whilePaying();

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private PendingInterrupt asked() {
        crash.bench.nothingNew();
        return crash.bench.pending(0);
    }

    @Test
    void theSameAnswerAgainLeadsToAQuestionAndExecutesNothing() {
        RecordingSink sink = crash.bench.resume(approval);

        assertThat(sink.types()).isEqualTo(PRESENTED);
        assertThat(sink.interrupts()).hasSize(1);
        assertThat(crash.effects()).containsExactly("pay 20");
    }

    @Test
    void theQuestionSaysWhatIsKnown() {
        Interrupt asked = crash.bench.nothingNew().interrupts().get(0);

        assertThat(asked.id()).isNotEqualTo(approval.interruptId());
        assertThat(asked.reason()).isEqualTo("langchain4j:outcome_unknown");
        assertThat(asked.toolCallId()).isEqualTo("c1");
        assertThat(asked.expiresAt()).isNull();
        assertThat(asked.message())
                .isEqualTo("The run was stopped while \"pay\" was running. It is not known whether it took effect.");
        JsonNode metadata = Objects.requireNonNull(asked.metadata()).get("langchain4j");
        assertThat(metadata.get("toolName").asText()).isEqualTo("pay");
        assertThat(metadata.get("args")).isEqualTo(json("{\"amount\":20}"));
        assertThat(metadata.get("argsSha256").asText()).hasSize(64);
        assertThat(metadata.get("attempts").asInt()).isEqualTo(1);
        assertThat(metadata.get("idempotencyKey").asText()).isEqualTo(approval.interruptId());
        JsonNode schema = Objects.requireNonNull(asked.responseSchema());
        assertThat(schema.at("/properties/action/enum")).isEqualTo(json("[\"retry\",\"done\",\"not_done\"]"));
        assertThat(schema.get("required")).isEqualTo(json("[\"action\"]"));
        assertThat(schema.get("additionalProperties")).isEqualTo(json("false"));
    }

    @Test
    void theQuestionIsAskedOnce() {
        PendingInterrupt first = asked();

        assertThat(crash.bench.resume(approval).interrupts()).containsExactly(first.interrupt());
        assertThat(crash.bench.nothingNew().interrupts()).containsExactly(first.interrupt());
    }

    @Test
    void retryRunsItAgainWithTheSameArguments() {
        crash.bench.model.says("Paid.");

        RecordingSink sink = crash.bench.resume(asked().asUnknownOutcome().retry());

        assertThat(sink.text()).isEqualTo("Paid.");
        assertThat(crash.effects()).containsExactly("pay 20", "pay 20");
        assertThat(crash.bench.model.lastResult("c1")).isEqualTo("paid 20");
    }

    @Test
    void everyAttemptHasTheFirstInterruptAsItsIdempotencyKey() {
        crash.bench.model.says("Paid.");

        crash.bench.resume(asked().asUnknownOutcome().retry());

        assertThat(crash.keys()).containsExactly(approval.interruptId(), approval.interruptId());
    }

    @Test
    void doneIsAResultSuppliedByAPerson() {
        crash.bench.model.says("Good.");

        RecordingSink sink = crash.bench.resume(asked().asUnknownOutcome().done("receipt 7\" and more"));

        assertThat(crash.effects()).hasSize(1);
        assertThat(crash.bench.model.lastResult("c1"))
                .contains("took effect", "supplied by that person", "\"receipt 7\\\" and more\"");
        assertThat(sink.all(ToolCallEvent.Result.class)).hasSize(1);
        assertThat(crash.bench.transcript().toString()).doesNotContain("was not executed");
    }

    @Test
    void notDoneTellsTheModelThatNothingCameOfIt() {
        crash.bench.model.says("A pity.");

        crash.bench.resume(asked().asUnknownOutcome().notDone("the bank knows nothing of it"));

        assertThat(crash.effects()).hasSize(1);
        assertThat(crash.bench.model.lastResult("c1")).contains("had no effect", "\"the bank knows nothing of it\"");
    }

    @Test
    void aNoteIsOptional() {
        crash.bench.model.says("Good.");

        crash.bench.resume(asked().asUnknownOutcome().done(null));

        assertThat(crash.bench.model.lastResult("c1")).contains("left no note");
    }

    @Test
    void cancellingLeavesTheOutcomeUnknown() {
        crash.bench.model.says("I see.");

        crash.bench.resume(asked().cancel());

        assertThat(crash.effects()).hasSize(1);
        assertThat(crash.bench.model.lastResult("c1")).contains("outcome", "unknown");
    }

    @Test
    void aCrashOfTheRetryIsAskedAboutAgain() {
        PendingInterrupt first = asked();
        crash.again(first.asUnknownOutcome().retry());

        PendingInterrupt second = asked();

        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(Objects.requireNonNull(second.interrupt().metadata())
                        .at("/langchain4j/attempts")
                        .asInt())
                .isEqualTo(2);
        crash.bench.model.says("Good.");
        assertThat(crash.bench.resume(second.asUnknownOutcome().done(null)).text())
                .isEqualTo("Good.");
        assertThat(crash.effects()).hasSize(2);
        assertThat(crash.keys()).containsOnly(approval.interruptId());
    }

    @Test
    void anAnswerGivenBeforeIsAReplayAndAnotherAConflict() {
        ResumeEntry retry = asked().asUnknownOutcome().retry();
        crash.again(retry);
        PendingInterrupt second = asked();

        assertThat(crash.bench.resume(retry).interrupts()).containsExactly(second.interrupt());
        assertThat(crash.bench
                        .resume(ResumeEntry.resolved(retry.interruptId(), json("{\"action\":\"done\"}")))
                        .errorCode())
                .isEqualTo("INTERRUPT_ALREADY_RESOLVED");
    }

    @Test
    void aNewMessageWaitsForTheAnswer() {
        RecordingSink sink = crash.bench.say("And?");

        assertThat(sink.interrupts()).hasSize(1);
        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).contains(user("And?", "And?"));
        crash.bench.model.says("Good.").says("Yes?");
        RecordingSink heard = crash.bench.resumeAndSay(
                "And?", crash.bench.pending(0).asUnknownOutcome().done(null));
        assertThat(heard.text()).isEqualTo("Good.Yes?");
        assertThat(crash.bench.model.lastMessages()).endsWith(UserMessage.from("And?"));
    }

    @Test
    void aNewMessageWhileItIsOpenIsRefused() {
        asked();

        assertThat(crash.bench.say("And?").errorCode()).isEqualTo("INTERRUPT_PENDING");
    }

    @Test
    void steeringAwayLeavesTheOutcomeUnknown() {
        PendingInterrupt asked = asked();
        crash.bench.model.says("As you like.");

        RecordingSink sink = crash.bench.resumeAndSay("Forget it", asked.cancel());

        assertThat(sink.text()).isEqualTo("As you like.");
        assertThat(crash.effects()).hasSize(1);
        assertThat(crash.bench.model.lastResult("c1")).contains("outcome", "unknown");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"action\":\"again\"}",
                "{\"action\":true}",
                "{\"approved\":true}",
                "{\"action\":\"retry\",\"editedArgs\":{\"amount\":5}}",
                "{\"action\":\"done\",\"result\":\"paid\"}",
                "{\"action\":\"done\",\"note\":7}",
                "\"done\"",
                "null"
            })
    void anAnswerOfAnotherFormIsRefused(String payload) {
        PendingInterrupt asked = asked();
        Everything before = crash.bench.everything();

        RecordingSink sink = crash.bench.resume(asked.answer(json(payload)));

        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(sink.detail()).contains(asked.id()).doesNotContain("{\"approved\"");
        assertThat(crash.bench.everything()).isEqualTo(before);
    }

    @Test
    void eachReasonHasItsOwnAnswers() {
        PendingInterrupt asked = asked();

        assertThat(asked.reason()).isEqualTo("langchain4j:outcome_unknown");
        assertThatThrownBy(asked::asApproval)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("langchain4j:outcome_unknown");
        assertThatThrownBy(asked::asInput).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(asked::asFailure).isInstanceOf(IllegalStateException.class);
        crash.bench.model.says("Good.").calls(call("c2", "pay", "{\"amount\":5}"));
        crash.bench.resume(asked.asUnknownOutcome().done(null));
        crash.bench.say("More");
        PendingInterrupt gated = crash.bench.pending(0);
        assertThatThrownBy(gated::asUnknownOutcome).isInstanceOf(IllegalStateException.class);
        assertThat(gated.asApproval()).isSameAs(gated);
    }

    @Test
    void plainJavaGetsTheQuestionAsTheResult() {
        RunResult result = crash.bench.agent().resume("t");

        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
        List<PendingInterrupt> interrupts = ((RunResult.Interrupted) result).interrupts();
        assertThat(interrupts).extracting(PendingInterrupt::toolName).containsExactly("pay");
        assertThat(interrupts.get(0).arguments()).isEqualTo(json("{\"amount\":20}"));
    }
}
