package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are refused: one RUN_ERROR, and everything stays as it was. */
class RejectedAnswersTest {

    private final Bench bench = new Bench();
    private PendingInterrupt mail;
    private PendingInterrupt delete;

    @BeforeEach
    void hold() {
        bench.model.calls(call("c1", "sendEmail", MAIL), call("c2", "deleteRecords", "{\"table\":\"users\"}"));
        bench.say("Go");
        mail = bench.pending(0);
        delete = bench.pending(1);
    }

    private void refused(ErrorCode code, RunAgentInput input) {
        Everything before = bench.everything();
        RecordingSink sink = bench.run(input);
        assertThat(sink.types()).containsExactly("RUN_ERROR");
        assertThat(sink.errorCode()).isEqualTo(code.name());
        assertThat(bench.everything()).isEqualTo(before);
        assertThat(bench.pending()).containsExactly(mail, delete);
    }

    private void refused(ErrorCode code, ResumeEntry... answers) {
        refused(code, bench.answers(answers));
    }

    private static ResumeEntry unknown() {
        return ResumeEntry.resolved("int_never_issued", JsonNodeFactory.instance.objectNode());
    }

    private ResumeEntry invalid() {
        return ResumeEntry.resolved(mail.id(), AguiCodec.mapper().createArrayNode());
    }

    @Test
    void aNewMessageWithoutAnswers() {
        refused(ErrorCode.INTERRUPT_PENDING, bench.input(user("u2", "Forget it")));
    }

    @Test
    void itsAuthorReadsThatItComesAlongWithTheAnswer() {
        RecordingSink sink = bench.run(bench.input(user("u2", "Forget it")));

        assertThat(((RunEvent.Error) sink.last()).message())
                .endsWith("Your message is kept and sent with your answer.");
    }

    @Test
    void aNewMessageWithAnEmptyListOfAnswers() {
        refused(
                ErrorCode.INTERRUPT_PENDING,
                bench.input(user("u2", "Forget it")).withResume(List.of()));
    }

    @Test
    void aNewMessageWhileOnlySomeInterruptsHaveExpired() {
        bench.clock.advance(Duration.ofHours(2));

        refused(ErrorCode.INTERRUPT_PENDING, bench.input(user("u2", "Forget it")));
    }

    @Test
    void anIdThatWasNeverIssued() {
        refused(
                ErrorCode.INTERRUPT_UNKNOWN,
                mail.asApproval().approve(),
                delete.asApproval().approve(),
                unknown());
    }

    @Test
    void anIdOfAnotherThread() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send("other", "Go");
        ResumeEntry foreign = bench.agent().pending("other").get(0).asApproval().approve();

        refused(
                ErrorCode.INTERRUPT_UNKNOWN,
                mail.asApproval().approve(),
                delete.asApproval().approve(),
                foreign);
    }

    @Test
    void twoAnswersToOneInterrupt() {
        refused(
                ErrorCode.INTERRUPT_DUPLICATE,
                mail.asApproval().approve(),
                mail.asApproval().deny(),
                delete.asApproval().approve());
    }

    @Test
    void theSameAnswerTwice() {
        refused(
                ErrorCode.INTERRUPT_DUPLICATE,
                mail.asApproval().approve(),
                mail.asApproval().approve(),
                delete.asApproval().approve());
    }

    @Test
    void notEveryInterruptAnswered() {
        refused(ErrorCode.INTERRUPT_PARTIAL_RESUME, mail.asApproval().approve());
    }

    @Test
    void notEveryInterruptCancelledBeforeSteeringAway() {
        refused(
                ErrorCode.INTERRUPT_PARTIAL_RESUME,
                bench.input(user("u2", "No")).withResume(List.of(mail.cancel())));
    }

    @Test
    void anApprovalAfterTheInterruptExpired() {
        bench.clock.advance(Duration.ofHours(1));

        refused(
                ErrorCode.INTERRUPT_EXPIRED,
                mail.asApproval().approve(),
                delete.asApproval().approve());
    }

    @Test
    void anApprovalJustBeforeTheInterruptExpiresCounts() {
        bench.clock.advance(Duration.ofHours(1).minusNanos(1));
        bench.model.says("Done.");

        assertThat(bench.resume(mail.asApproval().approve(), delete.asApproval().approve())
                        .text())
                .isEqualTo("Done.");
        assertThat(bench.tools.effects()).hasSize(2);
    }

    @Test
    void aDenialIsTakenAfterTheInterruptExpired() {
        bench.clock.advance(Duration.ofHours(1));
        bench.model.says("Fine.");

        RecordingSink sink =
                bench.resume(mail.asApproval().approve(), delete.asApproval().deny("too late"));

        assertThat(sink.text()).isEqualTo("Fine.");
        assertThat(bench.tools.effects()).containsExactly("sendEmail ada@example.com|Hi|Hello");
        assertThat(bench.model.lastResult("c2")).contains("A person declined", "too late");
        assertThat(bench.store.auditTrail(THREAD, 0, 100))
                .filteredOn(event -> event.kind() == AuditEvent.Kind.DECIDED
                        && event.toolCallId().equals(Optional.of("c2")))
                .singleElement()
                .satisfies(event -> assertThat(event.detail().path("payload").toString())
                        .isEqualTo("{\"approved\":false,\"reason\":\"too late\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"approved\":\"false\"}", "{\"approved\":0}", "{}", "null", "[false]", "false"})
    void anAnswerThatOnlyLooksLikeADenialExpires(String payload) throws JsonProcessingException {
        bench.clock.advance(Duration.ofHours(1));

        refused(
                ErrorCode.INTERRUPT_EXPIRED,
                mail.asApproval().approve(),
                ResumeEntry.resolved(delete.id(), AguiCodec.mapper().readTree(payload)));
    }

    @Test
    void unknownComesBeforeDuplicateAndPartial() {
        refused(
                ErrorCode.INTERRUPT_UNKNOWN,
                mail.asApproval().approve(),
                mail.asApproval().approve(),
                unknown());
    }

    @Test
    void duplicateComesBeforePartial() {
        refused(ErrorCode.INTERRUPT_DUPLICATE, invalid(), mail.asApproval().approve());
    }

    @Test
    void partialComesBeforeExpiredAndInvalid() {
        bench.clock.advance(Duration.ofHours(2));

        refused(ErrorCode.INTERRUPT_PARTIAL_RESUME, delete.asApproval().approve());
        refused(ErrorCode.INTERRUPT_PARTIAL_RESUME, invalid());
    }

    @Test
    void expiredComesBeforeInvalid() {
        bench.clock.advance(Duration.ofHours(2));

        refused(ErrorCode.INTERRUPT_EXPIRED, invalid(), delete.asApproval().approve());
    }

    @Test
    void oneInvalidAnswerKeepsTheOthersOpen() {
        refused(ErrorCode.INTERRUPT_PAYLOAD_INVALID, delete.asApproval().approve(), invalid());
    }

    @Test
    void cancellingIsAcceptedAfterTheInterruptExpired() {
        bench.clock.advance(Duration.ofHours(2));
        bench.model.says("Fine.");

        assertThat(bench.resume(mail.asApproval().approve(), delete.cancel()).text())
                .isEqualTo("Fine.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void anAnswerIsAcceptedAfterARefusedOne() {
        refused(ErrorCode.INTERRUPT_PAYLOAD_INVALID, delete.asApproval().approve(), invalid());
        bench.model.says("Done.");

        assertThat(bench.resume(delete.asApproval().approve(), mail.asApproval().approve())
                        .text())
                .isEqualTo("Done.");
    }

    @Test
    void anAnswerOnAThreadThatDoesNotExistStartsNoRun() {
        RunAgentInput input = RunAgentInput.of("nowhere", "r", List.of()).withResume(List.of(unknown()));
        RecordingSink sink = new RecordingSink();

        assertThatThrownBy(() -> bench.agent().run(input, sink))
                .isInstanceOfSatisfying(
                        RunRejectedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.THREAD_NOT_FOUND));
        assertThat(sink.events()).isEmpty();
        assertThat(bench.store.find("nowhere")).isEmpty();
    }
}
