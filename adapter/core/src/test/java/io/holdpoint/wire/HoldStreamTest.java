package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.EventBase;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The stream of a run that ends with interrupts. */
class HoldStreamTest {

    private final Bench bench = new Bench();

    private RecordingSink held() {
        bench.model.saysAndCalls(
                "On it.",
                call("c1", "sendEmail", MAIL),
                call("c2", "searchContacts", "{\"query\":\"Ada\"}"),
                call("c3", "deleteRecords", "{\"table\":\"users\"}"));
        return bench.say("Go");
    }

    @Test
    void textIsClosedThenAllCallsThenTheSnapshotsThenTheInterrupt() {
        assertThat(held().types().stream().distinct())
                .containsExactly(
                        "RUN_STARTED",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "TOOL_CALL_START",
                        "TOOL_CALL_ARGS",
                        "TOOL_CALL_END",
                        "STATE_SNAPSHOT",
                        "MESSAGES_SNAPSHOT",
                        "RUN_FINISHED");
    }

    @Test
    void theRunThatAnInputContinuesFromIsEchoedAlsoWhereTheQuestionIsAskedAgain() {
        assertThat(held().events().get(0)).isEqualTo(new RunEvent.Started("t", "run-1"));
        RunAgentInput answer =
                AguiCodec.readRunAgentInput("{\"threadId\":\"t\",\"runId\":\"r2\",\"parentRunId\":\"run-1\","
                        + "\"messages\":[],\"resume\":[{\"interruptId\":\"int_unknown\",\"status\":\"resolved\"}]}");

        for (RunAgentInput input : List.of(answer, answer.withResume(List.of()))) {
            RecordingSink sink = new RecordingSink();
            bench.agent().run(input, sink).join();

            assertThat(sink.events().get(0))
                    .isEqualTo(new RunEvent.Started("t", "r2", "1.0", "run-1", null, EventBase.NONE));
            assertThat(sink.interrupts()).hasSize(2);
        }
    }

    @Test
    void argumentsAreStreamedExactlyAsTheModelProposedThem() {
        String odd = "{ \"to\" : \"Bob\",\n\"amount\": 20.10 }";
        bench.model.calls(call("c1", "transferMoney", odd));

        RecordingSink sink = bench.say("Go");

        assertThat(sink.all(ToolCallEvent.Args.class).stream()
                        .map(ToolCallEvent.Args::delta)
                        .collect(Collectors.joining()))
                .isEqualTo(odd);
    }

    @Test
    void theRunFinishesWithAnInterruptForEachGatedCallInModelOrder() {
        assertThat(held().interrupts()).extracting(Interrupt::toolCallId).containsExactly("c1", "c3");
    }

    @Test
    void theSnapshotHasTheUserMessageAndTheAssistantMessageWithItsCalls() {
        RecordingSink sink = held();

        List<Message> messages = sink.all(MessagesSnapshotEvent.class).get(0).messages();

        assertThat(messages).hasSize(2);
        assertThat(messages.get(0).id()).isEqualTo("Go");
        Message.Assistant assistant = (Message.Assistant) messages.get(1);
        assertThat(assistant.content()).isEqualTo("On it.");
        assertThat(assistant.toolCalls()).extracting(ToolCall::id).containsExactly("c1", "c2", "c3");
        assertThat(assistant.id())
                .isEqualTo(sink.all(TextMessageEvent.Start.class).get(0).messageId());
        assertThat(sink.all(ToolCallEvent.Start.class))
                .extracting(ToolCallEvent.Start::parentMessageId)
                .containsOnly(assistant.id());
    }

    @Test
    void theRunStartsWithThisImplementationsProtocolVersionAndTheInputsIds() {
        RunEvent.Started started = held().all(RunEvent.Started.class).get(0);

        assertThat(started.protocolVersion()).isEqualTo("1.0");
        assertThat(started.threadId()).isEqualTo("t");
        assertThat(started.runId()).isEqualTo("run-1");
    }

    @Test
    void theOutcomeIsStrictlyTypeAndInterrupts() {
        JsonNode outcome = AguiCodec.toTree(held().last()).get("outcome");

        assertThat(outcome.fieldNames()).toIterable().containsExactlyInAnyOrder("type", "interrupts");
    }

    @Test
    void theResponseSchemaIsPlainAndClosedOnlyInsideTheEditedArguments() {
        ObjectNode schema = held().interrupts().get(0).responseSchema();

        assertThat(schema.fieldNames()).toIterable().containsExactlyInAnyOrder("type", "properties", "required");
        assertThat(schema.at("/properties/approved")).hasToString("{\"type\":\"boolean\"}");
        assertThat(schema.at("/properties/reason")).hasToString("{\"type\":\"string\"}");
        assertThat(schema.get("required")).hasToString("[\"approved\"]");
        assertThat(schema.at("/properties/editedArgs/additionalProperties").isBoolean())
                .isTrue();
        assertThat(schema.at("/properties/editedArgs/required")).hasSize(3);
    }

    @Test
    void aToolThatIsNotEditableOffersNoEdit() {
        ObjectNode schema = held().interrupts().get(1).responseSchema();

        assertThat(schema.get("properties").fieldNames()).toIterable().containsExactly("approved", "reason");
    }

    @Test
    void metadataCarriesToolArgumentsAndTheHashOfTheirCanonicalText() throws Exception {
        JsonNode metadata = held().interrupts().get(0).metadata().get("langchain4j");

        String canonical = "{\"body\":\"Hello\",\"subject\":\"Hi\",\"to\":\"ada@example.com\"}";
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
        assertThat(metadata.get("toolName").asText()).isEqualTo("sendEmail");
        assertThat(metadata.get("args")).hasToString(canonical);
        assertThat(metadata.get("argsSha256").asText()).isEqualTo(HexFormat.of().formatHex(hash));
    }

    @Test
    void anInterruptExpiresOnlyIfTheToolSaysSo() {
        List<Interrupt> interrupts = held().interrupts();

        assertThat(interrupts.get(0).expiresAt()).isNull();
        assertThat(interrupts.get(1).expiresAt()).isEqualTo(Instant.parse("2026-01-31T13:00:00Z"));
    }

    @Test
    void theReasonIsToolCallAndTheMessageIsTheTemplates() {
        Interrupt interrupt = held().interrupts().get(0);

        assertThat(interrupt.reason()).isEqualTo("tool_call");
        assertThat(interrupt.message()).isEqualTo("Send email to \"ada@example.com\" with subject 'Hi'?");
    }

    @Test
    void usageIsWhatThisRunsOwnCallsReported() {
        RunEvent.Finished finished = (RunEvent.Finished) held().last();

        assertThat(finished.usage()).hasSize(1);
        assertThat(finished.usage().get(0).inputTokens()).isEqualTo(10);
        assertThat(finished.usage().get(0).outputTokens()).isEqualTo(5);
        assertThat(finished.usage().get(0).model()).isEqualTo("scripted");
    }
}
