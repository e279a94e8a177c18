package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
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
    void onlyThreadAndRunAreRequired() {
        assertThat(AguiCodec.readRunAgentInput("{\"threadId\":\"t\",\"runId\":\"r\"}"))
                .isEqualTo(AguiCodec.readRunAgentInput("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":null}"))
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
        assertThat(read("\"tools\":[{\"name\":\"pick\"}]").tools())
                .containsExactly(new ClientToolSpec("pick", "", null, null));
    }

    @Test
    void toolParametersThatAreNullCountAsAbsent() {
        assertThat(read("\"tools\":[{\"name\":\"pick\",\"description\":\"d\",\"parameters\":null}]")
                        .tools())
                .containsExactly(new ClientToolSpec("pick", "d", null, null));
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
        ResumeEntry only = read("\"resume\":{\"interruptId\":\"a\",\"payload\":{\"approved\":true}}")
                .resume()
                .get(0);

        assertThat(only)
                .isEqualTo(new ResumeEntry(
                        "a", ResumeEntry.Status.RESOLVED, Examples.json("{\"approved\":true}"), only.metadata()));
        assertThat(Dialect.isDraft(only)).isTrue();
    }

    @Test
    void anAnswerInTheFormOf10CannotSayThatItIsADraft() {
        ResumeEntry only = read("\"resume\":[{\"interruptId\":\"a\",\"status\":\"resolved\",\"payload\":1,\"metadata\":"
                        + Dialect.draftMetadata() + "}]")
                .resume()
                .get(0);

        assertThat(only).isEqualTo(ResumeEntry.resolved("a", Examples.json("1")));
    }

    @Test
    void aDraftResumeMayNameNoInterrupt() {
        assertThat(read("\"resume\":{\"payload\":false}").resume())
                .containsExactly(ResumeEntry.resolved("", Examples.json("false")));
        assertThat(read("\"resume\":{}").resume())
                .containsExactly(new ResumeEntry("", ResumeEntry.Status.RESOLVED, null, null));
    }

    @Test
    void aDraftResumeThatSaysNothingAboutTheInterruptItNamesLetsGoOfIt() {
        assertThat(read("\"resume\":{\"interruptId\":\"a\"}").resume()).containsExactly(ResumeEntry.cancelled("a"));
        assertThat(read("\"resume\":{\"interruptId\":\"\"}").resume())
                .containsExactly(new ResumeEntry("", ResumeEntry.Status.RESOLVED, null, null));
    }

    @Test
    void aStatusCountsInTheFormOfTheDraftTooWhichHasNone() {
        String approval = "\"payload\":{\"approved\":true}";

        assertThat(read("\"resume\":{\"interruptId\":\"a\",\"status\":\"cancelled\"," + approval + "}")
                        .resume())
                .containsExactly(ResumeEntry.cancelled("a"));
        assertThat(read("\"resume\":{\"status\":\"cancelled\"," + approval + "}")
                        .resume())
                .containsExactly(ResumeEntry.cancelled(""));
        assertThat(read("\"resume\":{\"interruptId\":\"a\",\"status\":\"resolved\"," + approval + "}")
                        .resume())
                .isEqualTo(read("\"resume\":{\"interruptId\":\"a\"," + approval + "}")
                        .resume());
        for (String other : List.of("\"Cancelled\"", "\"denied\"", "false", "{}")) {
            assertThatThrownBy(
                            () -> read("\"resume\":{\"interruptId\":\"a\",\"status\":" + other + "," + approval + "}"))
                    .as(other)
                    .hasMessageStartingWith("resume.status: ")
                    .hasMessageContaining("\"resolved\" or \"cancelled\"");
        }
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
        {"threadId":"t","runId":"r","messages":{}}               | messages: must be an array, was object
        []                                                       | the JSON: must be an object, was array
        "t"                                                      | the JSON: must be an object, was string
        null                                                     | the JSON: must be an object, was null
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
        "tools":[null]                                               | tools[0]: must be an object, was null
        "context":[{"description":"d","value":1}]                    | context[0].value: must be a string, was the number 1
        "resume":"yes"                                               | resume: must be an array, was string
        "resume":[{"status":"resolved"}]                             | resume[0].interruptId: required, a string
        "resume":[{"interruptId":"","status":"resolved"}]            | resume[0].interruptId: required, a string that is not empty
        "resume":[{"interruptId":"a"}]                               | resume[0].status: required, a string
        "resume":[{"interruptId":"a","status":"maybe"}]              | resume[0].status: must be "resolved" or "cancelled", was "maybe"
            "resume":[{"interruptId":"a","status":"resolved "}]          | resume[0].status: must be "resolved" or "cancelled", was "resolved "
            "resume":[{"interruptId":"a","status":1}]                    | resume[0].status: must be a string, was the number 1
        "resume":[{"interruptId":"a","status":"cancelled","metadata":[]}] | resume[0].metadata: must be an object, was array
        "resume":[{"interruptId":"a","status":"cancelled","metadata":null}] | resume[0].metadata: must be an object, was null. Leave it out where there is none.
        "tools":[{"name":"a","metadata":null}]                       | tools[0].metadata: must be an object, was null. Leave it out where there is none.
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
        assertThatThrownBy(() -> read("\"state\":" + nested(AguiCodec.MAX_INPUT_DEPTH)))
                .isInstanceOf(AguiFormatException.class)
                .hasMessageContaining("nesting depth (201) exceeds the maximum allowed (200)");
    }

    @Test
    void whatIsReadAtTheDeepestLevelCanBeKeptAndReadInsideOfSomethingElse() throws Exception {
        RunAgentInput input = read("\"state\":" + nested(AguiCodec.MAX_INPUT_DEPTH - 1));
        String kept = AguiCodec.write(AguiCodec.mapper().createArrayNode().add(AguiCodec.toTree(input)));

        assertThat(AguiCodec.mapper().readTree(kept).get(0).get("state")).isEqualTo(input.state());
    }

    static Stream<String> noIds() {
        return Stream.of("x".repeat(256), "a\u0000b", "a\nb", "a\u0085b", "a\ud800b", "\udc00");
    }

    @ParameterizedTest
    @MethodSource("noIds")
    void whatNoDatabaseKeepsIsNoId(String text) throws Exception {
        String quoted = AguiCodec.mapper().writeValueAsString(text);
        for (String json : List.of(
                "{\"threadId\":" + quoted + ",\"runId\":\"r\",\"messages\":[]}",
                "{\"threadId\":\"t\",\"runId\":" + quoted + ",\"messages\":[]}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[{\"role\":\"later\"},{\"role\":\"user\",\"id\":"
                        + quoted + ",\"content\":\"Hi\"}]}")) {
            assertThatThrownBy(() -> AguiCodec.readRunAgentInput(json))
                    .isInstanceOf(AguiFormatException.class)
                    .hasMessageMatching("(threadId|runId|messages\\[1]\\.id): must have 1 to 255 characters, .*");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "state":{"a":["\\ud800"]}                                  | state.a[0]: must have no NUL and no unpaired surrogates
        "state":{"a\\u0000":1}                                     | state: the name of a field must have no NUL and no unpaired surrogates
        "forwardedProps":"\\udc00x"                                | forwardedProps: must have no NUL and no unpaired surrogates
        "context":[{"description":"d","value":"a\\u0000"}]         | context[0].value: must have no NUL and no unpaired surrogates
        "tools":[{"name":"\\ud83d"}]                               | tools[0].name: must have no NUL and no unpaired surrogates
        "resume":[{"interruptId":"i\\u0000","status":"cancelled"}] | resume[0].interruptId: must have no NUL and no unpaired surrogates
        "resume":{"payload":{"editedArgs":{"to":"\\udc00"}}}       | resume.payload.editedArgs.to: must have no NUL and no unpaired surrogates
        """)
    void aTextThatNoDatabaseKeepsIsRefused(String field, String error) {
        assertThatThrownBy(() -> read(field))
                .isInstanceOf(AguiFormatException.class)
                .hasMessage(error);
    }

    @Test
    void aTextMayHaveAnythingElse() {
        assertThat(read("\"forwardedProps\":\"\\ud83d\\ude00\\u0001\\n\"")
                        .forwardedProps()
                        .textValue())
                .isEqualTo("\ud83d\ude00\u0001\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "a\ud800b", "\udc00"})
    void aMessageThatNoDatabaseKeepsIsRefused(String text) throws Exception {
        String quoted = AguiCodec.mapper().writeValueAsString(text);
        assertThatThrownBy(() -> AguiCodec.readRunAgentInput("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":"
                        + "[{\"role\":\"user\",\"id\":\"u\",\"content\":" + quoted + "}]}"))
                .isInstanceOf(AguiFormatException.class)
                .hasMessage("messages[0].content: must have no NUL and no unpaired surrogates");
    }

    @ParameterizedTest
    @MethodSource("noIds")
    void anInputThatIsMadeInJavaHasTheSameIds(String text) {
        Message.User message = new Message.User(text, MessageContent.text("Hi"));

        assertThatThrownBy(() -> RunAgentInput.of(text, "r", List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("threadId: ");
        assertThatThrownBy(() -> RunAgentInput.of("t", text, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("runId: ");
        assertThatThrownBy(() -> RunAgentInput.of("t", "r", List.of(message)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("messages[0].id: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", " ", "../../etc", "'; drop table threads; --", "\ud83d\ude00", "a\u202eb"})
    void otherwiseIdsAreOpaque(String id) {
        assertThat(RunAgentInput.of(id, id, List.of()).threadId()).isEqualTo(id);
    }

    private static String nested(int levels) {
        return "[".repeat(levels) + "]".repeat(levels);
    }

    private static RunAgentInput read(String field) {
        return AguiCodec.readRunAgentInput("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]," + field + "}");
    }
}
