package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventRoundTripTest {

    static Stream<Event> events() {
        return Stream.concat(Examples.fullEvents().stream(), Examples.bareEvents().stream());
    }

    @ParameterizedTest
    @MethodSource("events")
    void anEventIsReadBackAsItWasWritten(Event event) {
        assertThat(AguiCodec.readEvent(AguiCodec.write(event))).isEqualTo(event);
    }

    @ParameterizedTest
    @MethodSource("events")
    void unknownFieldsAreIgnored(Event event) {
        ObjectNode tree = (ObjectNode) AguiCodec.toTree(event);
        tree.putObject("fromTheFuture").put("type", "x");

        assertThat(AguiCodec.readEvent(tree.toString())).isEqualTo(event);
    }

    @ParameterizedTest
    @MethodSource("events")
    void textBytesAndTreeAgree(Event event) throws IOException {
        JsonNode tree = AguiCodec.toTree(event);

        assertThat(Examples.json(AguiCodec.write(event))).isEqualTo(tree);
        assertThat(AguiCodec.mapper().readTree(AguiCodec.writeEventBytes(event)))
                .isEqualTo(tree);
    }

    @ParameterizedTest
    @MethodSource("events")
    void theTypeComesFirst(Event event) {
        assertThat(AguiCodec.write(event)).startsWith("{\"type\":\"" + event.type() + "\"");
    }

    static Stream<Event> bareEvents() {
        return Examples.bareEvents().stream();
    }

    @ParameterizedTest
    @MethodSource("bareEvents")
    void absentFieldsAreNotWrittenAsNull(Event event) {
        assertThat(nulls(AguiCodec.toTree(event))).isZero();
    }

    private static long nulls(JsonNode node) {
        long own = node.isNull() ? 1 : 0;
        return own + node.valueStream().mapToLong(EventRoundTripTest::nulls).sum();
    }

    @Test
    void theExamplesCoverEveryEvent() {
        Set<Class<?>> all = records(Event.class).collect(Collectors.toSet());

        assertThat(all).hasSize(31);
        assertThat(classes(Examples.fullEvents())).isEqualTo(all);
        assertThat(classes(Examples.bareEvents())).isEqualTo(all);
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Arrays.stream(type.getPermittedSubclasses()).flatMap(EventRoundTripTest::records);
    }

    private static Set<Class<?>> classes(List<Event> events) {
        return events.stream().map(Event::getClass).collect(Collectors.toSet());
    }

    @Test
    void aRunStartsWithTheProtocolVersion() {
        assertThat(AguiCodec.write(new RunEvent.Started("t", "r")))
                .isEqualTo("{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\",\"protocolVersion\":\"1.0\"}");
    }

    @Test
    void baseFieldsAreFlattened() {
        Event event = new StepEvent.Started("plan", new EventBase(5L, null, Examples.object("{\"a\":null}"), "sub-1"));

        assertThat(AguiCodec.write(event))
                .isEqualTo("{\"type\":\"STEP_STARTED\",\"stepName\":\"plan\",\"timestamp\":5,"
                        + "\"metadata\":{\"a\":null},\"subagentRunId\":\"sub-1\"}");
    }

    @Test
    void aToolResultCarriesTheRoleTool() {
        assertThat(AguiCodec.toTree(new ToolCallEvent.Result("m", "c", MessageContent.text("ok"), EventBase.NONE)))
                .isEqualTo(Examples.json("{\"type\":\"TOOL_CALL_RESULT\",\"messageId\":\"m\",\"toolCallId\":\"c\","
                        + "\"content\":\"ok\",\"role\":\"tool\"}"));
    }

    @Test
    void aTextMessageWithoutRoleIsTheAssistants() {
        Event event = AguiCodec.readEvent("{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\"}");

        assertThat(event).isEqualTo(new TextMessageEvent.Start("m"));
    }

    /** Every character, and texts of all kinds of them, short and longer than any first buffer. */
    @Test
    void aFragmentIsWrittenAsJacksonWritesIt() throws IOException {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            assertWrittenAlike("m" + (char) c, (char) c + "b");
        }
        Random random = new Random(20);
        char[] bounds = {0x20, 0x7f, 0x100, 0x800, 0xffff};
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(i % 50 == 0 ? 5_000 : 30);
            for (int j = 0; j < length; j++) {
                text.append((char) random.nextInt(bounds[random.nextInt(1 + i % bounds.length)]));
            }
            assertWrittenAlike(i % 2 == 0 ? "m" : text + "m", text.toString());
        }
    }

    private static void assertWrittenAlike(String id, String delta) throws IOException {
        EventBase base = new EventBase(7L, null, null, null);
        for (Event event : List.of(
                new TextMessageEvent.Content(id, delta),
                new TextMessageEvent.Content(id, delta, base),
                new ToolCallEvent.Args(id, delta),
                new ReasoningEvent.MessageContent(id, delta))) {
            assertThat(AguiCodec.writeEventBytes(event))
                    .isEqualTo(AguiCodec.mapper().writeValueAsBytes(event));
        }
    }
}
