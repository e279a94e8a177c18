package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import io.holdpoint.Caller;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Models that give no ids, or the same ones again and again. */
class ToolCallIdsAcrossRoundsTest {

    private static final String ADA = "{\"query\":\"Ada\"}";
    private static final String MAIL = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final RecordingSink sink = new RecordingSink();

    private RunResult run(Shape shape) {
        return shape.builder(model)
                .tools(tools)
                .build()
                .run(RunAgentInput.of("t", "r1", List.of(new Message.User("m1", MessageContent.text("Hi")))), sink)
                .join();
    }

    private void requireCallsAnnouncedOnceAndWhole(List<ToolExecutionRequest> proposed) {
        List<ToolCallEvent.Start> starts = sink.all(ToolCallEvent.Start.class);
        assertThat(starts).extracting(ToolCallEvent.Start::toolCallId).doesNotHaveDuplicates();
        assertThat(sink.all(ToolCallEvent.End.class))
                .extracting(ToolCallEvent.End::toolCallId)
                .containsExactlyInAnyOrderElementsOf(
                        starts.stream().map(ToolCallEvent.Start::toolCallId).toList());
        assertThat(starts.stream().map(start -> start.toolCallName() + arguments(start.toolCallId())))
                .containsExactlyElementsOf(proposed.stream()
                        .map(call -> call.name() + call.arguments())
                        .toList());
    }

    private String arguments(String toolCallId) {
        return sink.all(ToolCallEvent.Args.class).stream()
                .filter(event -> event.toolCallId().equals(toolCallId))
                .map(ToolCallEvent.Args::delta)
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @EnumSource
    void callsWithoutIdsOrWithTheSameIdAreToldApart(Shape shape) {
        List<ToolExecutionRequest> calls = List.of(
                call(null, "searchContacts", ADA),
                call("", "searchContacts", "{\"query\":\"Bob\"}"),
                call(" ", "sendEmail", MAIL),
                call("x", "searchContacts", ADA),
                call("x", "sendEmail", MAIL));
        model.calls(calls.toArray(ToolExecutionRequest[]::new));

        RunResult held = run(shape);

        assertThat(((RunResult.Interrupted) held).interrupts()).hasSize(2);
        requireCallsAnnouncedOnceAndWhole(calls);
        assertThat(sink.interrupts())
                .extracting(interrupt -> interrupt.toolCallId())
                .containsExactly(
                        sink.all(ToolCallEvent.Start.class).get(2).toolCallId(),
                        sink.all(ToolCallEvent.Start.class).get(4).toolCallId());
    }

    @ParameterizedTest
    @EnumSource
    void twoIdenticalCallsAreTwoCalls(Shape shape) {
        model.calls(call("x", "searchContacts", ADA), call("x", "searchContacts", ADA))
                .says("Done.");

        run(shape);

        assertThat(tools.effects()).containsExactly("searchContacts Ada", "searchContacts Ada");
        ScriptedModel.requireWellFormed(model.lastMessages());
    }

    @ParameterizedTest
    @EnumSource
    void anIdOfAnEarlierRoundIsReplacedAndItsResultIsNotReused(Shape shape) {
        model.calls(call("x", "searchContacts", ADA))
                .calls(call("x", "searchContacts", "{\"query\":\"Bob\"}"))
                .says("Done.");

        run(shape);

        assertThat(tools.effects()).containsExactly("searchContacts Ada", "searchContacts Bob");
        assertThat(sink.all(ToolCallEvent.Start.class))
                .extracting(ToolCallEvent.Start::toolCallId)
                .doesNotHaveDuplicates();
        assertThat(model.lastResult("x")).isEqualTo("ada@example.com");
    }

    @ParameterizedTest
    @EnumSource
    void anIdWithOddCharactersIsKept(Shape shape) {
        String odd = "call/1 \"<ü>\u202e{{x}}%";
        model.calls(call(odd, "sendEmail", MAIL));

        run(shape);

        assertThat(sink.interrupts()).singleElement().satisfies(interrupt -> assertThat(interrupt.toolCallId())
                .isEqualTo(odd));
    }

    @Test
    void attributesKeyedByAnIdMoveWithIt() {
        model.calls(call("x", "searchContacts", ADA))
                .answers(request -> AiMessage.builder()
                        .toolExecutionRequests(List.of(call("x", "searchContacts", ADA)))
                        .attributes(Map.of("x", "signature", "other", "kept"))
                        .build())
                .says("Done.");

        run(Shape.STREAMING);

        AiMessage second = (AiMessage) model.lastMessages().get(3);
        String id = second.toolExecutionRequests().get(0).id();
        assertThat(id).isNotEqualTo("x");
        assertThat(second.attributes()).isEqualTo(Map.of(id, "signature", "other", "kept"));
    }

    /** The process was started again with a store that forgot, and a model that counts its calls from nought. */
    @ParameterizedTest
    @EnumSource
    void aMemoryThatIsOlderThanTheStoreKeepsBothBatches(Shape shape) {
        ChatMemory memory = MessageWindowChatMemory.withMaxMessages(50);
        for (String text : List.of("First.", "Second.")) {
            model.calls(call("call_0", "searchContacts", ADA)).says(text);

            shape.builder(model)
                    .tools(tools)
                    .chatMemoryProvider(id -> memory)
                    .store(Bench.owned(new InMemoryStore(), "t", Caller.ANONYMOUS))
                    .build()
                    .send("t", "Who is Ada?");
        }

        assertThat(memory.messages()).hasSize(8).contains(AiMessage.from("First."), AiMessage.from("Second."));
        ScriptedModel.requireWellFormed(memory.messages());
        assertThat(tools.effects()).hasSize(2);
    }
}
