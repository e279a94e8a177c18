package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.PRESENTED;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entries for interrupts that are settled: replays, conflicts, and letting go of a stale card. */
class SettledAnswersTest {

    private final Bench bench = new Bench();
    private ResumeEntry first;
    private ResumeEntry second;

    @BeforeEach
    void hold() {
        bench.model.calls(
                call("c1", "transferMoney", "{\"amount\":20.50,\"to\":\"Bob\"}"), call("c2", "sendEmail", MAIL));
        bench.say("Go");
        first = bench.pending(0).asApproval().approve();
        second = bench.pending(1).asApproval().deny("no");
    }

    private void unchangedBy(RunAgentInput input, List<String> types) {
        Everything before = bench.everything();
        assertThat(bench.run(input).types()).isEqualTo(types);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void identicalAnswersInAnyOrderPresentTheThread() {
        bench.model.says("Done.");
        bench.resume(first, second);

        unchangedBy(bench.answers(second, first), PRESENTED);
    }

    @Test
    void onlySomeOfTheIdenticalAnswersAreAReplayToo() {
        bench.model.says("Done.");
        bench.resume(first, second);

        unchangedBy(bench.answers(second), PRESENTED);
    }

    @Test
    void identicalAnswersAreRecognisedAfterATripOverTheWire() {
        PendingInterrupt transfer = bench.pending(0);
        ResumeEntry edited = transfer.asApproval().approveWith(Map.of("amount", 7.5, "to", "Eve"));
        bench.model.says("Done.");
        bench.resume(edited, second);
        String json = AguiCodec.write(bench.answers(edited, second));

        unchangedBy(AguiCodec.readRunAgentInput(json), PRESENTED);
    }

    @Test
    void identicalAnswersOfAHoldThatWasFollowedByAnotherGiveTheNewInterrupts() {
        bench.model.calls(call("c3", "sendEmail", MAIL.replace("ada", "bob")));
        List<Interrupt> next = bench.resume(first, second).interrupts();

        RecordingSink again = bench.resume(first, second);

        assertThat(again.types()).isEqualTo(PRESENTED);
        assertThat(again.interrupts()).isEqualTo(next);
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void theSameInputAgainWithItsUnheardMessageGivesTheNewInterruptsToo() {
        bench.model.calls(call("c3", "sendEmail", MAIL.replace("ada", "bob")));
        List<Interrupt> next = bench.resumeAndSay("And then?", first, second).interrupts();

        assertThat(bench.resumeAndSay("And then?", first, second).interrupts()).isEqualTo(next);
    }

    @Test
    @Logs("Run * on thread * failed")
    void identicalAnswersAfterAFailedRunGoOnFromWhatIsStored() {
        bench.model.fails(new IllegalStateException("down")).says("Done.");
        assertThat(bench.resume(first, second).errorCode()).isEqualTo("RUN_FAILED");

        RecordingSink again = bench.resume(second, first);

        assertThat(again.text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    @Logs("Run * on thread * failed")
    void identicalAnswersDoNotRunALaterTurnThatFailed() {
        bench.model.says("Done.").fails(new IllegalStateException("down"));
        bench.resume(first, second);
        bench.say("Next");

        unchangedBy(bench.answers(first, second), PRESENTED);
    }

    @Test
    void theRunIdOfTheHeldRunMayBeUsedAgain() {
        bench.model.says("Done.");
        RunAgentInput sameRun =
                RunAgentInput.of(Bench.THREAD, "run-1", List.of()).withResume(List.of(first, second));

        assertThat(bench.run(sameRun).text()).isEqualTo("Done.");
    }

    @Test
    void anotherAnswerIsAConflict() {
        bench.model.says("Done.");
        bench.resume(first, second);
        Everything before = bench.everything();

        RecordingSink sink = bench.resume(ResumeEntry.resolved(first.interruptId(), second.payload()), second);

        assertThat(sink.types()).containsExactly("RUN_ERROR");
        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_ALREADY_RESOLVED");
        assertThat(sink.detail())
                .isEqualTo("The interrupt \"" + first.interruptId()
                        + "\" is settled: approved by anonymous at 2026-01-31T12:00:00Z.");
        assertThat(((RunEvent.Error) sink.last()).message())
                .isEqualTo("The question that you answered is settled already: approved by anonymous at"
                        + " 2026-01-31T12:00:00Z. That decision stands.");
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void anApprovalOfACancelledInterruptIsAConflict() {
        bench.model.says("Done.");
        bench.resume(ResumeEntry.cancelled(first.interruptId()), second);

        RecordingSink sink = bench.resume(first);

        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_ALREADY_RESOLVED");
        assertThat(sink.detail()).contains("settled: cancelled by anonymous");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void anAnswerWithoutAPayloadToACancelledInterruptIsAConflictToo() {
        bench.model.says("Done.");
        bench.resume(ResumeEntry.cancelled(first.interruptId()), second);

        RecordingSink sink =
                bench.resume(new ResumeEntry(first.interruptId(), ResumeEntry.Status.RESOLVED, null, null));

        assertThat(sink.errorCode()).isEqualTo("INTERRUPT_ALREADY_RESOLVED");
    }

    @Test
    void anAnswerToWhatHasExpiredIsToldThatNobodyAnswered() {
        Bench expiring = new Bench();
        expiring.model
                .calls(call("c1", "deleteRecords", "{\"table\":\"users\"}"))
                .says("Hello.");
        expiring.say("Delete");
        ResumeEntry late = expiring.pending(0).asApproval().approve();
        expiring.clock.advance(Duration.ofHours(1));
        expiring.say("Something else");

        assertThat(expiring.resume(late).detail()).endsWith("is settled: no answer came in time.");
    }

    @Test
    void unknownComesBeforeAConflictAndAConflictBeforeDuplicates() {
        bench.model.calls(call("c3", "sendEmail", MAIL.replace("ada", "bob")));
        bench.resume(first, second);
        PendingInterrupt open = bench.pending(0);
        ResumeEntry conflict = ResumeEntry.resolved(second.interruptId(), first.payload());

        assertThat(bench.resume(conflict, ResumeEntry.resolved("nope", first.payload()))
                        .errorCode())
                .isEqualTo("INTERRUPT_UNKNOWN");
        assertThat(bench.resume(open.asApproval().approve(), open.asApproval().approve(), conflict)
                        .interrupts()
                        .get(0)
                        .metadata()
                        .at("/langchain4j/refused/code")
                        .asText())
                .isEqualTo("INTERRUPT_ALREADY_RESOLVED");
        assertThat(bench.pending()).containsExactly(open);
    }

    @Test
    void cancellingASettledInterruptAloneIsNeverAnError() {
        bench.model.says("Done.");
        bench.resume(first, second);

        unchangedBy(bench.answers(ResumeEntry.cancelled(first.interruptId())), PRESENTED);
    }

    @Test
    void cancellingASettledInterruptWithANewMessageIsATurn() {
        bench.model.says("Done.").says("Hello.");
        bench.resume(first, second);

        RecordingSink sink = bench.resumeAndSay("Hi", ResumeEntry.cancelled(first.interruptId()));

        assertThat(sink.text()).isEqualTo("Hello.");
    }

    @Test
    void cancellingASettledInterruptMixedWithLiveAnswersCountsAsAbsent() {
        bench.model.calls(call("c3", "sendEmail", MAIL.replace("ada", "bob"))).says("Done.");
        bench.resume(first, second);

        RecordingSink sink = bench.resume(
                ResumeEntry.cancelled(first.interruptId()),
                bench.pending(0).asApproval().approve());

        assertThat(sink.text()).isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void cancellingAStaleCardWithANewMessageGivesTheInterruptsThatAreOpen() {
        bench.model.calls(call("c3", "sendEmail", MAIL.replace("ada", "bob"))).says("Fine.");
        bench.resume(first, second);
        PendingInterrupt open = bench.pending(0);

        RecordingSink sink = bench.resumeAndSay("Hi", ResumeEntry.cancelled(first.interruptId()));
        assertThat(sink.interrupts()).containsExactly(open.interrupt());

        RecordingSink heard = bench.run(bench.input(user("Hi", "Hi")).withResume(List.of(open.cancel())));
        assertThat(heard.text()).isEqualTo("Fine.");
    }

    @Test
    void twoEntriesForOneSettledInterruptAreADuplicate() {
        bench.model.says("Done.");
        bench.resume(first, second);
        ResumeEntry cancel = ResumeEntry.cancelled(first.interruptId());

        assertThat(bench.resume(cancel, cancel).errorCode()).isEqualTo("INTERRUPT_DUPLICATE");
        assertThat(bench.resume(first, first).errorCode()).isEqualTo("INTERRUPT_DUPLICATE");
        assertThat(bench.resume(first, cancel).errorCode()).isEqualTo("INTERRUPT_DUPLICATE");
        assertThat(bench.resumeAndSay("Hi", cancel, cancel).errorCode()).isEqualTo("INTERRUPT_DUPLICATE");
    }
}
