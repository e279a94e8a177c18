package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunFinishedOutcomeTest {

    @Test
    void anAbsentOutcomeIsASuccess() {
        Event event = AguiCodec.readEvent("{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}");

        assertThat(event).isEqualTo(new RunEvent.Finished("t", "r", RunFinishedOutcome.success(), null, List.of()));
    }

    @Test
    void aSuccessIsWrittenWithoutAnEmptyListAndWithoutUsage() {
        assertThat(AguiCodec.write(new RunEvent.Finished("t", "r", RunFinishedOutcome.success(), null, List.of())))
                .isEqualTo("{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\","
                        + "\"outcome\":{\"type\":\"success\"}}");
    }

    @Test
    void aCancelledOutcomeIsNothingButItsType() {
        assertThat(AguiCodec.write(RunFinishedOutcome.cancelled())).isEqualTo("{\"type\":\"cancelled\"}");
    }

    @Test
    void anInterruptWritesItsExpiryAsIsoText() {
        Interrupt interrupt =
                new Interrupt("i", "confirmation", null, null, null, Instant.parse("2026-01-31T12:00:00.5Z"), null);

        assertThat(AguiCodec.write(interrupt))
                .isEqualTo("{\"id\":\"i\",\"reason\":\"confirmation\",\"expiresAt\":\"2026-01-31T12:00:00.500Z\"}");
    }

    @Test
    void anExpiryWithAnOffsetIsRead() throws Exception {
        Interrupt interrupt = AguiCodec.mapper()
                .readValue(
                        "{\"id\":\"i\",\"reason\":\"x\",\"expiresAt\":\"2026-01-31T14:00:00+02:00\"}", Interrupt.class);

        assertThat(interrupt.expiresAt()).isEqualTo("2026-01-31T12:00:00Z");
    }

    @Test
    void anInterruptOutcomeNeedsAnInterrupt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunFinishedOutcome.interrupt(List.of()))
                .withMessage("interrupts: at least one is required");
    }

    @Test
    void interruptIdsAreUnique() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunFinishedOutcome.interrupt(List.of(Examples.INTERRUPT, Examples.INTERRUPT)))
                .withMessage("interrupts: the id int-1 is there twice");
    }

    @Test
    void anEmptyInterruptListIsNotRead() {
        assertThatThrownBy(() -> readOutcome("{\"type\":\"interrupt\",\"interrupts\":[]}"))
                .isInstanceOf(AguiFormatException.class)
                .hasMessage("outcome.interrupts: at least one is required");
    }

    @Test
    void anInterruptOutcomeWithoutInterruptsIsNotRead() {
        assertThatThrownBy(() -> readOutcome("{\"type\":\"interrupt\"}"))
                .isInstanceOf(AguiFormatException.class)
                .hasMessage("outcome.interrupts: required, an array");
    }

    @Test
    void anUnknownOutcomeIsNotRead() {
        assertThatThrownBy(() -> readOutcome("{\"type\":\"paused\"}"))
                .isInstanceOf(AguiFormatException.class)
                .hasMessage("outcome.type: must be \"success\", \"interrupt\" or \"cancelled\", was \"paused\"");
    }

    @Test
    void anInterruptOfTheDraftIsRead() {
        Interrupt asked = new Interrupt(
                "i",
                "tool_call",
                "Pay?",
                "c",
                null,
                Instant.parse("2026-01-31T12:00:00Z"),
                Examples.object("{\"a\":1,\"holdpoint\":{\"dialect\":\"interrupts_draft\"}}"));
        Event event = new RunEvent.Finished("t", "r", RunFinishedOutcome.interrupt(List.of(asked)), null, List.of());
        String draft = new String(Dialect.INTERRUPTS_DRAFT.write(event), StandardCharsets.UTF_8);

        assertThat(AguiCodec.readEvent(draft)).isEqualTo(event);
    }

    @Test
    void severalInterruptsOfTheDraftAreRead() {
        Event event = new RunEvent.Finished(
                "t",
                "r",
                RunFinishedOutcome.interrupt(List.of(
                        Examples.INTERRUPT, new Interrupt("int-2", "input_required", null, null, null, null, null))),
                null,
                List.of());
        String draft = new String(Dialect.INTERRUPTS_DRAFT.write(event), StandardCharsets.UTF_8);

        assertThat(AguiCodec.toTree(AguiCodec.readEvent(draft)))
                .isEqualTo(Examples.json(AguiCodec.write(event)
                        .replace("\"sendMail\"}}", "\"sendMail\"},\"holdpoint\":{\"dialect\":\"interrupts_draft\"}}")
                        .replace(
                                "\"input_required\"",
                                "\"input_required\",\"metadata\":{\"holdpoint\":{\"dialect\":\"interrupts_draft\"}}")));
    }

    @Test
    void anInterruptWithoutAnOutcomeIsNoSuccess() {
        RunEvent.Finished event = (RunEvent.Finished)
                AguiCodec.readEvent(
                        "{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"interrupt\":{\"id\":\"i\",\"payload\":[1.50]}}");

        assertThat(event.outcome())
                .isEqualTo(RunFinishedOutcome.interrupt(List.of(new Interrupt(
                        "i",
                        "interrupt",
                        null,
                        null,
                        null,
                        null,
                        Examples.object("{\"holdpoint\":{\"dialect\":\"interrupts_draft\"},\"payload\":[1.50]}")))));
    }

    @Test
    void aPayloadOfTheDraftKeepsWhatThisVersionDoesNotKnow() {
        RunEvent.Finished event = (RunEvent.Finished)
                AguiCodec.readEvent(
                        "{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"outcome\":\"interrupt\",\"interrupt\":"
                                + "{\"reason\":\"human_approval\",\"payload\":{\"message\":\"Pay?\",\"expiresAt\":\"soon\",\"proposal\":{\"to\":\"Ada\"}}}}");

        assertThat(event.outcome())
                .isEqualTo(
                        RunFinishedOutcome.interrupt(
                                List.of(
                                        new Interrupt(
                                                "",
                                                "human_approval",
                                                "Pay?",
                                                null,
                                                null,
                                                null,
                                                Examples.object(
                                                        "{\"holdpoint\":{\"dialect\":\"interrupts_draft\"},\"payload\":{\"expiresAt\":\"soon\",\"proposal\":{\"to\":\"Ada\"}}}")))));
    }

    @Test
    void aSuccessOfTheDraftIsRead() {
        Event event = AguiCodec.readEvent(
                "{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"outcome\":\"success\",\"result\":7}");

        assertThat(event)
                .isEqualTo(
                        new RunEvent.Finished("t", "r", RunFinishedOutcome.success(), Examples.json("7"), List.of()));
    }

    @Test
    void anExpiryThatIsNoTimeIsNotRead() {
        assertThatThrownBy(() -> readOutcome("{\"type\":\"interrupt\",\"interrupts\":"
                        + "[{\"id\":\"i\",\"reason\":\"x\",\"expiresAt\":\"soon\"}]}"))
                .hasMessage("outcome.interrupts[0].expiresAt: must be an ISO-8601 time such as 2026-01-31T12:00:00Z,"
                        + " was \"soon\"");
    }

    private static void readOutcome(String outcome) {
        AguiCodec.readEvent(
                "{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"outcome\":" + outcome + "}");
    }
}
