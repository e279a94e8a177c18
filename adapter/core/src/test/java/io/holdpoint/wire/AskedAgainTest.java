package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that names no version sends nothing more after an error, so that an answer of it that is not taken is asked for again. */
class AskedAgainTest {

    private static final List<String> ASKED_AGAIN = List.of(
            "RUN_STARTED",
            "STATE_SNAPSHOT",
            "MESSAGES_SNAPSHOT",
            "TOOL_CALL_START",
            "TOOL_CALL_ARGS",
            "TOOL_CALL_END",
            "RUN_FINISHED");

    private final Bench bench = new Bench();

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    private RecordingSink run(RunAgentInput input) {
        return run(bench.agent(), input, ErrorCode.RUN_FAILED);
    }

    private RecordingSink refused(RunAgentInput input, ErrorCode code) {
        Bench.Everything before = bench.everything();
        RecordingSink sink = run(bench.agent(), input, code);
        assertThat(bench.everything()).isEqualTo(before);
        return sink;
    }

    private static RecordingSink run(Holdpoint agent, RunAgentInput input, ErrorCode ifFailed) {
        RecordingSink sink = new RecordingSink();
        RunResult result = agent.run(input.withProtocolVersion(null), sink).join();
        result.failure().ifPresent(failure -> assertThat(failure.code()).isEqualTo(ifFailed));
        return sink;
    }

    private Interrupt holdTransfer() {
        bench.model.calls(call("c1", "transferMoney", "{\"amount\":1,\"to\":\"Ada\"}"));
        return run(bench.input(user("Pay", "Pay"))).interrupts().get(0);
    }

    private RunAgentInput answer(Interrupt asked, String payload) {
        return bench.answers(ResumeEntry.resolved(asked.id(), json(payload)));
    }

    @Test
    void aWrongAnswerGetsTheQuestionWithTheComplaintAndTheRightOneIsTaken() {
        Interrupt asked = holdTransfer();

        RecordingSink again = refused(answer(asked, "{\"approved\":\"yes\"}"), ErrorCode.INTERRUPT_PAYLOAD_INVALID);

        assertThat(again.types()).isEqualTo(ASKED_AGAIN);
        Interrupt complained = again.interrupts().get(0);
        assertThat(complained.id()).isEqualTo(asked.id());
        assertThat(complained.responseSchema()).isEqualTo(asked.responseSchema());
        assertThat(complained.message())
                .isEqualTo("The answer does not fit the question, and was not taken. approved: string found, boolean"
                        + " expected\n\n" + asked.message());
        assertThat(complained.metadata().at("/langchain4j/refused/code").asText())
                .isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(complained.metadata().at("/langchain4j/refused/message").asText())
                .contains("resume[interruptId=" + asked.id() + "].payload/approved");
        bench.model.says("Paid.");
        assertThat(run(answer(complained, "{\"approved\":true}")).text()).isEqualTo("Paid.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    /** Some clients show a card only for what was streamed: so the held message is not in the snapshot before it. */
    @Test
    void theHeldMessageIsStreamedAgainWithItsIds() {
        bench.model.saysAndCalls("I will write.", call("c1", "sendEmail", MAIL));
        RecordingSink held = run(bench.input(user("Write", "Write")));

        RecordingSink again = refused(bench.input(user("More", "More")), ErrorCode.INTERRUPT_PENDING);

        assertThat(again.all(MessagesSnapshotEvent.class))
                .extracting(snapshot ->
                        snapshot.messages().stream().map(Message::id).toList())
                .as("after a reload, a client would put the new message first, where it is not new any more")
                .containsExactly(List.of("Write"), List.of("Write", "More"));
        assertThat(again.text()).isEqualTo("I will write.");
        assertThat(again.all(ToolCallEvent.Start.class)).isEqualTo(held.all(ToolCallEvent.Start.class));
        assertThat(again.interrupts().get(0).id())
                .isEqualTo(held.interrupts().get(0).id());
    }

    @Test
    void aMessageThatCameTooEarlyIsAnsweredWithTheDecision() {
        Interrupt asked = holdTransfer();
        refused(bench.input(user("Hello?", "Hello?")), ErrorCode.INTERRUPT_PENDING);
        bench.model.says("Paid.").says("Hello!");

        RecordingSink sink = run(bench.input(user("Pay", "Pay"), user("Hello?", "Hello?"))
                .withResume(List.of(ResumeEntry.resolved(asked.id(), json("{\"approved\":true}")))));

        assertThat(sink.text()).endsWith("Hello!");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void anExpiredQuestionIsAskedAgainAndCanBeCancelled() {
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"Old\"}"));
        Interrupt asked = run(bench.input(user("Go", "Go"))).interrupts().get(0);
        bench.clock.advance(Duration.ofHours(2));

        RecordingSink again = refused(answer(asked, "{\"approved\":true}"), ErrorCode.INTERRUPT_EXPIRED);

        assertThat(again.interrupts().get(0).message()).startsWith("This question has expired");
        bench.model.says("Fine.");
        assertThat(run(bench.answers(ResumeEntry.cancelled(asked.id()))).text()).isEqualTo("Fine.");
        assertThat(bench.tools.effects()).isEmpty();
    }

    /** Such a client cannot let go of a card by itself: an end without a question takes it away, and a message says why. */
    @Test
    void anAnswerThatContradictsASettledOneIsToldWhatWasDecidedByWhomAndWhen() {
        Interrupt asked = holdTransfer();
        bench.model.says("Not paid.");
        run(answer(asked, "{\"approved\":false}"));

        RecordingSink late = refused(answer(asked, "{\"approved\":true}"), ErrorCode.INTERRUPT_ALREADY_RESOLVED);

        assertThat(late.types())
                .containsExactly(
                        "RUN_STARTED",
                        "STATE_SNAPSHOT",
                        "MESSAGES_SNAPSHOT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED");
        assertThat(late.interrupts()).isEmpty();
        assertThat(late.text())
                .isEqualTo("The question that you answered is settled already: denied by anonymous at"
                        + " 2026-01-31T12:00:00Z. That decision stands.");
        JsonNode told = metadata(late);
        assertThat(told.at("/refused/code").asText()).isEqualTo("INTERRUPT_ALREADY_RESOLVED");
        assertThat(told.path("settled"))
                .isEqualTo(json("[{\"interruptId\":\"" + asked.id()
                        + "\",\"decision\":\"denied\",\"by\":\"anonymous\",\"at\":\"2026-01-31T12:00:00Z\"}]"));
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void whileAnotherQuestionIsOpenItIsTheOneThatTellsIt() {
        Interrupt asked = holdTransfer();
        bench.model.calls(call("c2", "sendEmail", MAIL));
        run(answer(asked, "{\"approved\":true}"));

        RecordingSink late = refused(answer(asked, "{\"approved\":false}"), ErrorCode.INTERRUPT_ALREADY_RESOLVED);

        Interrupt open = late.interrupts().get(0);
        assertThat(open.message())
                .contains("approved by anonymous")
                .endsWith("\n\n" + bench.pending(0).message());
        assertThat(open.metadata().at("/langchain4j/settled/0/decision").asText())
                .isEqualTo("approved");
    }

    @Test
    void anAnswerToNothingSaysSo() {
        bench.model.says("Hello.");
        run(bench.input(user("Hi", "Hi")));

        RecordingSink unknown = refused(
                bench.answers(ResumeEntry.resolved("int_" + "0".repeat(64), json("{\"approved\":true}"))),
                ErrorCode.INTERRUPT_UNKNOWN);

        assertThat(unknown.text()).isEqualTo("This question is not open in this conversation.");
        assertThat(metadata(unknown).at("/refused/code").asText()).isEqualTo("INTERRUPT_UNKNOWN");
    }

    private static JsonNode metadata(RecordingSink sink) {
        return ((RunEvent.Finished) sink.last()).base().metadata().path("langchain4j");
    }

    @Test
    void aClientOf10GetsTheError() {
        Interrupt asked = holdTransfer();

        RecordingSink refused = bench.run(answer(asked, "{\"approved\":1}"));

        assertThat(refused.types()).containsExactly("RUN_ERROR");
    }

    /** After a restart without a database, or a purge. */
    @Test
    void anUnknownQuestionThatIsLetGoOfNeverBlocksAMessage() {
        bench.model.says("Hello.").says("Again.");
        ResumeEntry stale = ResumeEntry.cancelled("int_" + "0".repeat(64));

        assertThat(bench.resumeAndSay("Hi", stale).text()).isEqualTo("Hello.");
        assertThat(bench.resumeAndSay("There", stale).text()).isEqualTo("Again.");
        assertThat(bench.store.find(THREAD)).isPresent();
    }
}
