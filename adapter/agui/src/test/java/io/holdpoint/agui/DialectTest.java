package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the draft dialect looks like; each number and each name as the agent has it. */
class DialectTest {

    private static final Interrupt APPROVAL = new Interrupt(
            "int_1",
            "tool_call",
            "Pay 100.00?",
            "call_1",
            Examples.object("{\"type\":\"object\"}"),
            Instant.parse("2026-11-21T10:00:00Z"),
            Examples.object("{\"langchain4j\":{\"toolName\":\"pay\",\"args\":{\"amount\":100.00},\"risk\":\"high\"}}"));
    private static final Interrupt QUESTION =
            new Interrupt("int_2", "input_required", "Which quarter?", null, null, null, null);

    private static String beforeV1(Event event) {
        return new String(Dialect.BEFORE_1_0.write(event), StandardCharsets.UTF_8);
    }

    /** What the strict schemas of the older client refuse is left out; an interrupt and a plain success are known to it. */
    @Test
    void aClientFromBefore10GetsTheOutcomesThatItKnows() {
        assertThat(beforeV1(finished(RunFinishedOutcome.success())))
                .isEqualTo(AguiCodec.write(finished(RunFinishedOutcome.success())));
        assertThat(beforeV1(finished(new RunFinishedOutcome.Success(List.of("call_1")))))
                .isEqualTo(beforeV1(finished(RunFinishedOutcome.cancelled())))
                .isEqualTo("{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}");
        RunEvent.Finished held = finished(RunFinishedOutcome.interrupt(List.of(APPROVAL)));
        assertThat(beforeV1(held).replaceAll(",\"tanstack:interruptBinding\":\\{[^}]+}", ""))
                .isEqualTo(AguiCodec.write(held).replace(",\"expiresAt\":\"2026-11-21T10:00:00Z\"", ""));
        assertThat(beforeV1(new RunEvent.Started("t", "r"))).isEqualTo(AguiCodec.write(new RunEvent.Started("t", "r")));
    }

    @Test
    void aFormIsTakenFromTheVersionOrForcedOnTheInput() {
        RunAgentInput named = RunAgentInput.of("t", "r", List.of());
        RunAgentInput unnamed = named.withProtocolVersion(null);

        assertThat(Dialect.of("1.7")).isEqualTo(Dialect.V1_0);
        assertThat(Dialect.of(null)).isEqualTo(Dialect.BEFORE_1_0);
        assertThat(Dialect.V1_0.spokenIn(unnamed)).isEqualTo(named);
        assertThat(Dialect.BEFORE_1_0.spokenIn(named)).isEqualTo(unnamed);
        assertThat(Dialect.INTERRUPTS_DRAFT.spokenIn(named)).isEqualTo(unnamed);
        assertThat(Dialect.V1_0.spokenIn(named)).isSameAs(named);
        assertThat(Dialect.INTERRUPTS_DRAFT.spokenIn(unnamed)).isSameAs(unnamed);
    }

    private static String draft(Event event) {
        return new String(Dialect.INTERRUPTS_DRAFT.write(event), StandardCharsets.UTF_8);
    }

    private static RunEvent.Finished finished(RunFinishedOutcome outcome) {
        return new RunEvent.Finished("t", "r", outcome, null, List.of());
    }

    @Test
    void oneInterruptHasItsProposalInThePayload() {
        assertThat(draft(finished(RunFinishedOutcome.interrupt(List.of(APPROVAL)))))
                .isEqualTo("{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"outcome\":\"interrupt\","
                        + "\"interrupt\":{\"id\":\"int_1\",\"reason\":\"tool_call\",\"payload\":{\"message\":\"Pay"
                        + " 100.00?\",\"toolCallId\":\"call_1\",\"responseSchema\":{\"type\":\"object\"},"
                        + "\"expiresAt\":\"2026-11-21T10:00:00Z\",\"metadata\":{\"langchain4j\":{\"toolName\":\"pay\","
                        + "\"args\":{\"amount\":100.00},\"risk\":\"high\"}},"
                        + "\"proposal\":{\"tool\":\"pay\",\"args\":{\"amount\":100.00}},"
                        + "\"functionName\":\"pay\",\"functionArguments\":{\"amount\":100.00}}}}");
    }

    @Test
    void whatIsAbsentIsLeftOut() {
        assertThat(draft(finished(RunFinishedOutcome.interrupt(List.of(QUESTION)))))
                .endsWith("\"interrupt\":{\"id\":\"int_2\",\"reason\":\"input_required\","
                        + "\"payload\":{\"message\":\"Which quarter?\"}}}");
    }

    @Test
    void severalInterruptsAreOneWithoutAnId() {
        JsonNode asked = Examples.json(draft(finished(RunFinishedOutcome.interrupt(List.of(APPROVAL, QUESTION)))))
                .path("interrupt");

        assertThat(asked.fieldNames()).toIterable().containsExactly("payload");
        assertThat(asked.at("/payload/interrupts").findValuesAsText("id")).containsExactly("int_1", "int_2");
        assertThat(asked.at("/payload/interrupts/0"))
                .isEqualTo(Examples.json(draft(finished(RunFinishedOutcome.interrupt(List.of(APPROVAL)))))
                        .path("interrupt"));
    }

    @Test
    void aSuccessIsAWordAndKeepsItsResult() {
        RunEvent.Finished event = new RunEvent.Finished(
                "t", "r", RunFinishedOutcome.success(), Examples.json("{\"total\":7}"), List.of());

        assertThat(draft(event))
                .isEqualTo("{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"outcome\":\"success\","
                        + "\"result\":{\"total\":7}}");
    }

    @Test
    void aStoppedRunHasNoOutcome() {
        assertThat(draft(finished(RunFinishedOutcome.cancelled())))
                .isEqualTo("{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}");
    }

    @Test
    void aRunThatStartsDoesNotClaimToSpeak10() {
        ObjectNode started = (ObjectNode) AguiCodec.toTree(new RunEvent.Started("t", "r"));
        assertThat(started.remove("protocolVersion").asText()).isEqualTo("1.0");

        assertThat(Examples.json(draft(new RunEvent.Started("t", "r")))).isEqualTo(started);
    }

    static Stream<Event> others() {
        return Examples.fullEvents().stream()
                .filter(event -> !(event instanceof RunEvent.Started || event instanceof RunEvent.Finished));
    }

    @ParameterizedTest
    @MethodSource("others")
    void everyOtherEventIsTheSame(Event event) {
        assertThat(Dialect.INTERRUPTS_DRAFT.write(event)).isEqualTo(AguiCodec.writeEventBytes(event));
    }

    @Test
    void version10IsWhatTheCodecWrites() {
        RunEvent.Finished event = finished(RunFinishedOutcome.interrupt(List.of(APPROVAL)));

        assertThat(Dialect.V1_0.write(event)).isEqualTo(AguiCodec.writeEventBytes(event));
    }

    private static Interrupt asked(String interrupt) {
        RunEvent.Finished finished = (RunEvent.Finished) AguiCodec.readEvent(
                "{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"outcome\":\"interrupt\",\"interrupt\":"
                        + interrupt + "}");
        return ((RunFinishedOutcome.Interrupted) finished.outcome())
                .interrupts()
                .get(0);
    }

    @Test
    void aProposalOfAnotherMakeIsAnApprovalWithModifications() {
        Interrupt asked = asked("""
                {"id":"int-abc123","reason":"human_approval","payload":{"proposal":{"tool":"sendEmail",
                "args":{"to":"a@b.com","copies":2}}}}""");

        assertThat(asked.reason()).isEqualTo("tool_call");
        assertThat(asked.message()).isEqualTo("Run sendEmail? {\"to\":\"a@b.com\",\"copies\":2}");
        assertThat(asked.responseSchema()).isEqualTo(Examples.object("""
                {"type":"object","properties":{"approved":{"type":"boolean"},"reason":{"type":"string"},
                "modifications":{"type":"object","properties":{"to":{"type":"string"},"copies":{}}}},
                "required":["approved"]}"""));
        assertThat(asked.edits()).contains("modifications");
        assertThat(asked.metadata()).isEqualTo(Examples.object("""
                {"reason":"human_approval","langchain4j":{"toolName":"sendEmail","args":{"to":"a@b.com","copies":2}},
                "holdpoint":{"dialect":"interrupts_draft"}}"""));
    }

    /** No answer of the .NET plan has a field for changes, and a server that passes one over would run the call unchanged. */
    @Test
    void aFunctionOfAnotherMakeIsAnApprovalAsItIs() {
        Interrupt asked = asked("""
                {"id":"call-abc","payload":{"functionName":"get_weather","functionArguments":{"location":"Seattle"}}}""");

        assertThat(asked.reason()).isEqualTo("tool_call");
        assertThat(asked.message()).isEqualTo("Run get_weather? {\"location\":\"Seattle\"}");
        assertThat(asked.edits()).isEmpty();
        assertThat(asked.responseSchema().path("required")).isEqualTo(Examples.json("[\"approved\"]"));
        assertThat(asked.metadata().path("langchain4j"))
                .isEqualTo(Examples.json("{\"toolName\":\"get_weather\",\"args\":{\"location\":\"Seattle\"}}"));
        assertThat(asked.metadata().has("payload")).isFalse();
    }

    @Test
    void aFunctionWhoseSchemaNamesTheFieldForChangesTakesThemThere() {
        assertThat(asked("""
                        {"payload":{"functionName":"pay","message":"Pay?","responseSchema":{"type":"object","properties":
                        {"approved":{"type":"boolean"},"functionArguments":{"type":"object"}}}}}""").edits()).contains("functionArguments");
    }

    @Test
    void aPromptIsTheMessageAndTheRestIsKept() {
        Interrupt asked = asked("""
                {"id":"input-456","payload":{"prompt":"Please provide your email address","inputType":"email"}}""");

        assertThat(asked.reason()).isEqualTo("interrupt");
        assertThat(asked.message()).isEqualTo("Please provide your email address");
        assertThat(asked.responseSchema()).isNull();
        assertThat(asked.metadata().path("payload")).isEqualTo(Examples.json("{\"inputType\":\"email\"}"));
    }

    @Test
    void lettersThatHideOrTurnTextAreShownAsCodes() {
        assertThat(asked("{\"payload\":{\"functionName\":\"p\\n\\u202eay\",\"functionArguments\":[\"\\u200b\"]}}")
                        .message())
                .isEqualTo("Run p\\u000a\\u202eay? [\"\\u200b\"]");
    }

    @Test
    void anInterruptOfTheDraftIsAnsweredAsTheDraftHasIt() {
        RunAgentInput input = RunAgentInput.of("t", "r", List.of());
        Interrupt draft = asked("{\"id\":\"call-abc\",\"payload\":{\"functionName\":\"get_weather\"}}");
        Interrupt unnamed = asked("{\"payload\":{\"functionName\":\"get_weather\"}}");

        for (Dialect dialect : Dialect.values()) {
            ObjectNode answered = Examples.object(dialect.write(
                    input.withResume(List.of(ResumeEntry.resolved(draft, Examples.json("{\"approved\":true}"))))));
            assertThat(answered.path("resume"))
                    .isEqualTo(Examples.json("{\"interruptId\":\"call-abc\",\"payload\":{\"approved\":true}}"));
            assertThat(answered.has("protocolVersion")).isFalse();
            assertThat(Examples.json(dialect.write(input.withResume(List.of(ResumeEntry.cancelled(draft)))))
                            .path("resume"))
                    .isEqualTo(Examples.json("{\"interruptId\":\"call-abc\"}"));
            assertThat(Examples.json(dialect.write(
                                    input.withResume(List.of(ResumeEntry.resolved(unnamed, Examples.json("false"))))))
                            .path("resume"))
                    .isEqualTo(Examples.json("{\"payload\":false}"));
        }
        assertThat(Examples.json(Dialect.V1_0.write(
                                input.withResume(List.of(ResumeEntry.resolved(APPROVAL, Examples.json("1"))))))
                        .path("resume"))
                .isEqualTo(Examples.json("[{\"interruptId\":\"int_1\",\"status\":\"resolved\",\"payload\":1}]"));
    }
}
