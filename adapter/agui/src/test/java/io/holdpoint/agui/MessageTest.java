package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MessageTest {

    static Stream<Message> messages() {
        return Stream.concat(Examples.fullMessages().stream(), Examples.bareMessages().stream());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageIsReadBackAsItWasWritten(Message message) throws Exception {
        assertThat(AguiCodec.mapper().readValue(AguiCodec.write(message), Message.class))
                .isEqualTo(message);
    }

    @Test
    void aToolCallIsWrittenAsAFunction() {
        assertThat(AguiCodec.write(new Message.Assistant("a", null, List.of(new ToolCall("c", "mail", "{}")))))
                .isEqualTo("{\"id\":\"a\",\"role\":\"assistant\",\"toolCalls\":[{\"id\":\"c\",\"type\":\"function\","
                        + "\"function\":{\"name\":\"mail\",\"arguments\":\"{}\"}}]}");
    }

    @Test
    void extrasAreFlattened() {
        Message message = new Message.User(
                "u",
                MessageContent.text("hi"),
                new MessageExtras("Ada", "enc", Examples.object("{\"a\":null}"), "sub-1"));

        assertThat(AguiCodec.write(message))
                .isEqualTo("{\"id\":\"u\",\"role\":\"user\",\"content\":\"hi\",\"name\":\"Ada\","
                        + "\"encryptedValue\":\"enc\",\"metadata\":{\"a\":null},\"subagentRunId\":\"sub-1\"}");
    }

    @Test
    void aMessageOfAnUnknownRoleIsSkipped() {
        assertThat(read("{\"id\":\"1\",\"role\":\"oracle\"},{\"id\":\"2\",\"role\":\"user\",\"content\":\"hi\"}"))
                .containsExactly(new Message.User("2", MessageContent.text("hi")));
    }

    @Test
    void anAssistantMessageMayHaveNullContent() {
        assertThat(read("{\"id\":\"1\",\"role\":\"assistant\",\"content\":null,\"toolCalls\":null,\"x\":1}"))
                .containsExactly(new Message.Assistant("1", null, List.of()));
    }

    @Test
    void aLegacyBinaryPartIsRead() {
        assertThat(read("{\"id\":\"1\",\"role\":\"user\",\"content\":[{\"type\":\"binary\","
                        + "\"mimeType\":\"image/png\",\"data\":\"aGk=\",\"filename\":\"a.png\"}]}"))
                .containsExactly(new Message.User(
                        "1",
                        new MessageContent.Parts(
                                List.of(new ContentPart.Binary("image/png", null, null, "aGk=", "a.png")))));
    }

    @Test
    void partsAndSourcesOfUnknownTypesAreSkipped() {
        assertThat(read("{\"id\":\"1\",\"role\":\"user\",\"content\":[{\"type\":\"smell\"},"
                        + "{\"type\":\"image\",\"source\":{\"type\":\"dream\"}},{\"type\":\"text\",\"text\":\"hi\"}]}"))
                .containsExactly(new Message.User("1", new MessageContent.Parts(List.of(new ContentPart.Text("hi")))));
    }

    @Test
    void theTextOfPartsIsItsTextPartsOneAfterTheOther() {
        assertThat(new MessageContent.Parts(Examples.fullParts()).asText()).isEqualTo("look here");
        assertThat(MessageContent.text("plain").asText()).isEqualTo("plain");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"id":5,"role":"user","content":"x"}           | messages[0].id: must be a string, was the number 5
            {"id":"","role":"user","content":"x"}          | messages[0].id: required, a string that is not empty
            {"id":"1","content":"x"}                       | messages[0].role: required, a string
            {"id":"1","role":"user"}                       | messages[0].content: required, a string or an array of parts
            {"id":"1","role":"user","content":5}           | messages[0].content: must be a string or an array of parts, was the number 5
            {"id":"1","role":"user","content":[5]}         | messages[0].content[0]: must be an object, was the number 5
            {"id":"1","role":"user","content":[{"type":"image"}]} | messages[0].content[0].source: required, an object
            {"id":"1","role":"tool","content":"x"}         | messages[0].toolCallId: required, a string
            {"id":"1","role":"assistant","content":["x"]}  | messages[0].content: must be a string, was array
            {"id":"1","role":"assistant","toolCalls":[{"id":"c","function":{"name":"n","arguments":{}}}]} | messages[0].toolCalls[0].function.arguments: must be a string, was object
            {"id":"1","role":"user","content":"x","metadata":null} | messages[0].metadata: must be an object, was null. Leave it out where there is none.
            {"id":"1","role":"assistant","toolCalls":[{"id":"c","function":{"name":"n","arguments":"{}"},"metadata":null}]} | messages[0].toolCalls[0].metadata: must be an object, was null. Leave it out where there is none.
            "hi"                                           | messages[0]: must be an object, was string
            """)
    void aMalformedMessageIsRefused(String message, String error) {
        assertThatThrownBy(() -> read(message))
                .isInstanceOf(AguiFormatException.class)
                .hasMessage(error);
    }

    @Test
    void aMessageWithoutAnIdHasTheSameOneWheneverTheConversationIsSent() {
        String hello = "{\"role\":\"user\",\"content\":\"Hello\"}";
        String answer = "{\"role\":\"assistant\",\"content\":\"Hi\",\"id\":null}";

        List<Message> first = read(hello);
        List<Message> second = read(hello + "," + answer + "," + hello);

        assertThat(second.get(0)).isEqualTo(first.get(0));
        assertThat(second).extracting(Message::id).doesNotHaveDuplicates().allSatisfy(id -> assertThat(Agui.isId(id))
                .isTrue());
        assertThat(read(hello + "," + answer + "," + hello)).isEqualTo(second);
    }

    private static List<Message> read(String messages) {
        return AguiCodec.readRunAgentInput("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[" + messages + "]}")
                .messages();
    }
}
