package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunAgentInputTest {

    @Test
    void anInputIsReadBackAsItWasWritten() {
        RunAgentInput input = Examples.fullInput();
        String json = AguiCodec.write(input);

        assertThat(AguiCodec.readRunAgentInput(json)).isEqualTo(input);
        assertThat(AguiCodec.readRunAgentInput(json.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(input);
    }

    @Test
    void onlyThreadRunAndMessagesAreRequired() {
        RunAgentInput input = AguiCodec.readRunAgentInput("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]}");

        assertThat(input)
                .isEqualTo(new RunAgentInput(
                        "t", "r", null, null, null, List.of(), List.of(), List.of(), null, List.of()));
    }

    @Test
    void nullsOfOlderClientsCountAsAbsentExceptWhereAnyJsonIsAllowed() {
        RunAgentInput input = read("\"parentRunId\":null,\"tools\":null,\"context\":null,\"resume\":null,"
                + "\"state\":null,\"forwardedProps\":null");

        assertThat(input)
                .isEqualTo(new RunAgentInput(
                        "t",
                        "r",
                        null,
                        null,
                        Examples.json("null"),
                        List.of(),
                        List.of(),
                        List.of(),
                        Examples.json("null"),
                        List.of()));
    }

    @Test
    void unknownFieldsAreIgnored() {
        assertThat(read("\"fromTheFuture\":[1]"))
                .isEqualTo(AguiCodec.readRunAgentInput("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]}"));
    }

    @Test
    void aNewerProtocolVersionIsRead() {
        assertThat(read("\"protocolVersion\":\"1.7\"").protocolVersion()).isEqualTo("1.7");
    }

    @Test
    void aToolWithoutDescriptionIsRead() {
        assertThat(read("\"tools\":[{\"name\":\"pick\"}]").tools()).containsExactly(new Tool("pick", "", null, null));
    }

    @Test
    void toolParametersThatAreNullCountAsAbsent() {
        assertThat(read("\"tools\":[{\"name\":\"pick\",\"description\":\"d\",\"parameters\":null}]")
                        .tools())
                .containsExactly(new Tool("pick", "d", null, null));
    }

    @Test
    void anAbsentPayloadIsNotAnExplicitNull() {
        List<ResumeEntry> resume = read("\"resume\":[{\"interruptId\":\"a\",\"status\":\"resolved\"},"
                        + "{\"interruptId\":\"b\",\"status\":\"resolved\",\"payload\":null},"
                        + "{\"interruptId\":\"c\",\"status\":\"cancelled\",\"metadata\":{\"by\":null}}]")
                .resume();

        assertThat(resume)
                .containsExactly(
                        new ResumeEntry("a", ResumeEntry.Status.RESOLVED, null, null),
                        ResumeEntry.resolved("b", Examples.json("null")),
                        new ResumeEntry("c", ResumeEntry.Status.CANCELLED, null, Examples.object("{\"by\":null}")));
        assertThat(AguiCodec.write(resume.get(0))).isEqualTo("{\"interruptId\":\"a\",\"status\":\"resolved\"}");
        assertThat(AguiCodec.write(resume.get(1)))
                .isEqualTo("{\"interruptId\":\"b\",\"status\":\"resolved\",\"payload\":null}");
    }

    @Test
    void aDraftResumeBecomesOneResolvedEntry() {
        assertThat(read("\"resume\":{\"interruptId\":\"a\",\"payload\":{\"approved\":true}}")
                        .resume())
                .containsExactly(ResumeEntry.resolved("a", Examples.json("{\"approved\":true}")));
    }

    @Test
    void aDraftResumeMayNameNoInterrupt() {
        assertThat(read("\"resume\":{\"payload\":false}").resume())
                .containsExactly(ResumeEntry.resolved("", Examples.json("false")));
        assertThat(read("\"resume\":{}").resume())
                .containsExactly(new ResumeEntry("", ResumeEntry.Status.RESOLVED, null, null));
    }

    @Test
    void theShortFormSpeaksThisVersion() {
        RunAgentInput input = RunAgentInput.of("t", "r", Examples.bareMessages())
                .withResume(List.of(ResumeEntry.cancelled("i")))
                .withState(Examples.json("{}"));

        assertThat(input.protocolVersion()).isEqualTo("1.0");
        assertThat(AguiCodec.readRunAgentInput(AguiCodec.write(input))).isEqualTo(input);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"runId":"r","messages":[]}                              | threadId: required, a string
            {"threadId":null,"runId":"r","messages":[]}              | threadId: required, a string
            {"threadId":"","runId":"r","messages":[]}                | threadId: required, a string that is not empty
            {"threadId":5,"runId":"r","messages":[]}                 | threadId: must be a string, was the number 5
            {"threadId":"t","messages":[]}                           | runId: required, a string
            {"threadId":"t","runId":"","messages":[]}                | runId: required, a string that is not empty
            {"threadId":"t","runId":true,"messages":[]}              | runId: must be a string, was boolean
            {"threadId":"t","runId":"r"}                             | messages: required, an array
            {"threadId":"t","runId":"r","messages":{}}               | messages: must be an array, was object
            {"threadId":"t","runId":"r","messages":null}             | messages: required, an array
            []                                                       | the JSON: must be an object, was array
            "t"                                                      | the JSON: must be an object, was string
            """)
    void aMalformedInputIsRefused(String json, String error) {
        assertThatThrownBy(() -> AguiCodec.readRunAgentInput(json))
                .isInstanceOf(AguiFormatException.class)
                .hasMessage(error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "protocolVersion":1.0                                        | protocolVersion: must be a string, was the number 1.0
            "tools":{}                                                   | tools: must be an array, was object
            "tools":[{"description":"d"}]                                | tools[0].name: required, a string
            "context":[{"description":"d","value":1}]                    | context[0].value: must be a string, was the number 1
            "resume":"yes"                                               | resume: must be an array, was string
            "resume":[{"status":"resolved"}]                             | resume[0].interruptId: required, a string
            "resume":[{"interruptId":"","status":"resolved"}]            | resume[0].interruptId: required, a string that is not empty
            "resume":[{"interruptId":"a"}]                               | resume[0].status: required, a string
            "resume":[{"interruptId":"a","status":"maybe"}]              | resume[0].status: must be "resolved" or "cancelled", was "maybe"
            "resume":[{"interruptId":"a","status":"cancelled","metadata":[]}] | resume[0].metadata: must be an object, was array
            """)
    void aMalformedFieldIsRefused(String field, String error) {
        assertThatThrownBy(() -> read(field))
                .isInstanceOf(AguiFormatException.class)
                .hasMessage(error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "{",
                "{'threadId':'t'}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]} x",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]}{}",
                "{\"threadId\":\"t\",\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[],\"state\":{\"a\":1,\"a\":2}}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[],\"state\":NaN}"
            })
    void whatIsNotOneJsonTextWithUniqueKeysIsRefused(String json) {
        assertThatThrownBy(() -> AguiCodec.readRunAgentInput(json))
                .isInstanceOf(AguiFormatException.class)
                .hasMessageStartingWith("not readable as JSON: ");
        assertThatThrownBy(() -> AguiCodec.readRunAgentInput(json.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(AguiFormatException.class)
                .hasMessageStartingWith("not readable as JSON: ");
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        byte[] json = "{\"threadId\":\"\u00ff\",\"runId\":\"r\",\"messages\":[]}".getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> AguiCodec.readRunAgentInput(json)).isInstanceOf(AguiFormatException.class);
    }

    @Test
    void nestingBeyondTheLimitIsRefused() {
        String deep = "[".repeat(1001) + "]".repeat(1001);

        assertThatThrownBy(() -> read("\"state\":" + deep))
                .isInstanceOf(AguiFormatException.class)
                .hasMessageContaining("nesting depth");
    }

    private static RunAgentInput read(String field) {
        return AguiCodec.readRunAgentInput("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]," + field + "}");
    }
}
