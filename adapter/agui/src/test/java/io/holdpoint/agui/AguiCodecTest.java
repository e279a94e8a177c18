package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AguiCodecTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.10",
                "0.1",
                "12345678901234567890.123456789",
                "123456789012345678901234567890",
                "9007199254740993",
                "1E+400",
                "2.50E-7",
                "0"
            })
    void numbersKeepTheirDigits(String number) {
        String json = "{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":" + number + "}";

        assertThat(AguiCodec.write(AguiCodec.readEvent(json))).isEqualTo(json);
        assertThat(AguiCodec.toTree(AguiCodec.readEvent(json)).toString()).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99999999999999999999", "-1E-99999999999999999999", "{\"a\":[1e99999999999999999999]}"})
    void aNumberThatCannotBeIsNoJson(String text) {
        for (ObjectMapper mapper :
                List.of(AguiCodec.mapper(), AguiCodec.mapper().copy())) {
            assertThatThrownBy(() -> mapper.readTree(text))
                    .isInstanceOf(JsonProcessingException.class)
                    .hasMessageStartingWith("the exponent of a number is out of range");
            assertThatThrownBy(() -> mapper.readValue(text, JsonNode.class))
                    .isInstanceOf(JsonProcessingException.class);
        }
    }

    @Test
    void whatWasReadAtTheDeepestLevelCanBeEchoed() {
        String state = "[".repeat(AguiCodec.MAX_INPUT_DEPTH - 1) + "]".repeat(AguiCodec.MAX_INPUT_DEPTH - 1);
        RunAgentInput input = AguiCodec.readRunAgentInput(
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[],\"state\":" + state + "}");

        assertThat(AguiCodec.write(new RunEvent.Started("t", "r", "1.0", null, input, EventBase.NONE)))
                .contains(state);
    }

    /** The store's mapper is a copy too: what an application lets its own one read must not decide what that reads. */
    @Test
    void copiesOfTheMapperReadByTheirOwnSettings() throws Exception {
        ObjectMapper one = AguiCodec.mapper().copy().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
        ObjectMapper other = AguiCodec.mapper().copy();
        String said = """
                {"role":"user","id":"m","content":[{"type":"image","source":{"type":"url","value":"https://example.org","%s":"image/png"}}]}
                """;
        String finished = """
                {"type":"RUN_FINISHED","%s":"t","%s":"r","outcome":{"type":"success","%s":["c"]}}
                """;

        assertThat(one.readValue(said.formatted("mime_type"), Message.class))
                .isEqualTo(other.readValue(said.formatted("mimeType"), Message.class));
        assertThat(one.readValue(finished.formatted("thread_id", "run_id", "pending_tool_call_ids"), Event.class))
                .isEqualTo(other.readValue(finished.formatted("threadId", "runId", "pendingToolCallIds"), Event.class));
    }

    @Test
    void halfASurrogatePairIsWrittenAsAnEscape() {
        byte[] bytes = AguiCodec.writeEventBytes(new TextMessageEvent.Content("m", "\uD83D"));

        assertThat(bytes).asString().containsIgnoringCase("\"\\ud83d\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                               | type: required, a string
        null                                             | the JSON: must be an object, was null
        {"type":7}                                       | type: must be a string, was the number 7
        {"type":"SOMETHING"}                             | type: must be the name of an AG-UI 1.0 event such as "RUN_STARTED", was "SOMETHING"
        {"type":"TEXT_MESSAGE_ODD"}                      | type: must be the name of an AG-UI 1.0 event such as "RUN_STARTED", was "TEXT_MESSAGE_ODD"
        {"type":"RUN_STARTED","threadId":"t"}            | runId: required, a string
        {"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t"}} | input.runId: required, a string
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}  | delta: required, a string
        {"type":"TEXT_MESSAGE_START","messageId":"m","role":"tool"} | role: must be "assistant", "user", "system" or "developer", was "tool"
        {"type":"STATE_SNAPSHOT"}                        | snapshot: required, any JSON value
        {"type":"STATE_DELTA","delta":{}}                | delta: must be an array, was object
        {"type":"TOOL_CALL_END","toolCallId":"c","timestamp":"now"} | timestamp: must be a whole number of at most 64 bits, was string
        {"type":"TOOL_CALL_END","toolCallId":"c","metadata":1} | metadata: must be an object, was the number 1
        {"type":"RUN_ERROR","message":"m","usage":[{"inputTokens":-1}]} | usage[0].inputTokens: must be a whole number from 0 to 2147483647, was the number -1
        {"type":"SUBAGENT_ERROR","message":"m"}          | subagentRunId: required, a string
        {"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"a","content":{},"replace":"no"} | replace: must be a boolean, was string
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"x","entityId":"e","encryptedValue":"v"} | subtype: must be "tool-call" or "message", was "x"
        """)
    void aMalformedEventIsRefused(String json, String error) {
        assertThatThrownBy(() -> AguiCodec.readEvent(json))
                .isInstanceOf(AguiFormatException.class)
                .hasMessage(error);
    }

    @Test
    void anEventWithoutAFieldThatItMustHaveIsNotWritten() {
        for (Event event : List.of(
                new TextMessageEvent.End(null), new ReasoningEvent.Start(null), new ToolCallEvent.Args(null, "{}"))) {
            assertThatThrownBy(() -> AguiCodec.writeEventBytes(event))
                    .hasMessage("cannot write " + event.type())
                    .cause()
                    .hasMessageMatching("(?s)must not be null.*\\[\"(messageId|toolCallId)\"].*");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AguiCodec.toTree(new StateEvent.Snapshot(null)))
                .withMessageContaining("[\"snapshot\"]");
    }

    @Test
    void theParsersErrorNamesThePlaceAndNotTheContent() {
        assertThatThrownBy(() -> AguiCodec.readEvent("{\"type\":\"RUN_ERROR\",\"type\":\"RUN_ERROR\"}"))
                .isInstanceOf(AguiFormatException.class)
                .hasMessageStartingWith("not readable as JSON: Duplicate")
                .hasMessageContaining("'type'")
                .hasMessageContaining("line 1, column ");
    }

    @Test
    void aLongUnknownNameIsNotRepeatedInFull() {
        assertThatThrownBy(() -> AguiCodec.readEvent("{\"type\":\"" + "X".repeat(500) + "\"}"))
                .hasMessageEndingWith("was \"" + "X".repeat(40) + "…\"");
    }

    @Test
    void aRunScopedEventBelongsToNoSubagent() {
        EventBase base = new EventBase(null, null, null, "sub-1");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunEvent.Error("m", null, List.of(), base))
                .withMessage("base.subagentRunId: must be absent on this event");
    }

    @Test
    void aSubagentIdOnARunScopedEventIsIgnoredWhenRead() {
        assertThat(AguiCodec.readEvent("{\"type\":\"RUN_ERROR\",\"message\":\"m\",\"subagentRunId\":\"s\"}"))
                .isEqualTo(new RunEvent.Error("m", null));
    }
}
