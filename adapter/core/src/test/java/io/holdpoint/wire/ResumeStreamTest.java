package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.agui.TextMessageEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The stream of a run that goes on from answers. */
class ResumeStreamTest {

    private final Bench bench = new Bench();

    private void hold() {
        bench.model.calls(
                call("c1", "sendEmail", MAIL),
                call("c2", "searchContacts", "{\"query\":\"Ada\"}"),
                call("c3", "transferMoney", "{\"amount\":20,\"to\":\"Bob\"}"));
        bench.say("Go");
    }

    @Test
    void resultsThenTextThenTheMessagesAndSuccess() {
        hold();
        bench.model.says("All done.");

        RecordingSink sink = bench.resume(
                bench.pending(0).asApproval().approve(),
                bench.pending(1).asApproval().deny());

        assertThat(sink.types())
                .containsExactly(
                        "RUN_STARTED",
                        "TOOL_CALL_RESULT",
                        "TOOL_CALL_RESULT",
                        "TOOL_CALL_RESULT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "MESSAGES_SNAPSHOT",
                        "RUN_FINISHED");
        assertThat(((RunEvent.Finished) sink.last()).outcome()).isEqualTo(RunFinishedOutcome.success());
        assertThat(AguiCodec.toTree(sink.last()).at("/outcome/type").asText()).isEqualTo("success");
    }

    @Test
    void resultsAnswerTheOriginalCallsInModelOrder() {
        hold();
        bench.model.says("All done.");

        RecordingSink sink = bench.resume(
                bench.pending(1).asApproval().approve(),
                bench.pending(0).asApproval().approve());

        assertThat(sink.all(ToolCallEvent.Result.class))
                .extracting(ToolCallEvent.Result::toolCallId, result -> result.content()
                        .asText())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("c1", "sent to ada@example.com"),
                        org.assertj.core.groups.Tuple.tuple("c2", "ada@example.com"),
                        org.assertj.core.groups.Tuple.tuple("c3", "transferred 20"));
    }

    @Test
    void aCallThatWasNotExecutedHasAResultThatSaysSo() {
        hold();
        bench.model.says("Fine.");

        RecordingSink sink = bench.resume(
                bench.pending(0).asApproval().deny("no"), bench.pending(1).cancel());

        List<ToolCallEvent.Result> results = sink.all(ToolCallEvent.Result.class);
        assertThat(results.get(0).content().asText()).contains("was not executed", "\"no\"");
        assertThat(results.get(2).content().asText()).contains("was not executed", "cancelled");
    }

    @Test
    void theEditIsInTheMetadataAndNotInTheClientsResult() {
        hold();
        bench.model.says("Fine.");

        RecordingSink sink = bench.resume(
                bench.pending(0)
                        .asApproval()
                        .approveWith(Map.of("to", "bob@example.com", "subject", "Hi", "body", "Yo")),
                bench.pending(1).asApproval().deny());

        ToolCallEvent.Result result = sink.all(ToolCallEvent.Result.class).get(0);
        assertThat(result.content().asText()).isEqualTo("sent to bob@example.com");
        JsonNode metadata = AguiCodec.toTree(result).at("/metadata/langchain4j");
        assertThat(metadata.get("edited").asBoolean()).isTrue();
        assertThat(metadata.at("/executedArgs/to").asText()).isEqualTo("bob@example.com");
        assertThat(bench.model.lastResult("c1")).startsWith("Note: a person edited the arguments");
    }

    @Test
    void messageIdsAreTheSameLiveAndInTheSnapshot() {
        hold();
        bench.model.says("Fine.");

        RecordingSink sink = bench.resume(
                bench.pending(0).asApproval().deny(),
                bench.pending(1).asApproval().deny());

        List<Message> messages = sink.all(MessagesSnapshotEvent.class).get(0).messages();
        assertThat(messages.subList(2, 5))
                .extracting(Message::id)
                .containsExactlyElementsOf(sink.all(ToolCallEvent.Result.class).stream()
                        .map(ToolCallEvent.Result::messageId)
                        .toList());
        assertThat(messages.get(5).id())
                .isEqualTo(sink.all(TextMessageEvent.Start.class).get(0).messageId());
    }

    @Test
    void usageIsNotCountedAgainOnResume() {
        hold();
        bench.model.says("Fine.");

        RecordingSink sink = bench.resume(
                bench.pending(0).asApproval().deny(),
                bench.pending(1).asApproval().deny());

        assertThat(((RunEvent.Finished) sink.last()).usage()).hasSize(1);
        assertThat(((RunEvent.Finished) sink.last()).usage().get(0).inputTokens())
                .isEqualTo(10);
    }

    @Test
    void usageIsAbsentIfTheModelReportsNone() {
        StreamingChatModel silent = new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                handler.onCompleteResponse(ChatResponse.builder()
                        .aiMessage(AiMessage.from("Hello."))
                        .build());
            }
        };
        Bench quiet = new Bench(builder -> builder.streamingChatModel(silent));

        assertThat(AguiCodec.toTree(quiet.say("Hi").last()).has("usage")).isFalse();
    }

    @Test
    void aChainOfHoldsGivesNewInterruptsAndUniqueMessageIds() {
        hold();
        String first = bench.pending(0).id();
        bench.model.calls(call("c4", "sendEmail", MAIL));

        RecordingSink again = bench.resume(
                bench.pending(0).asApproval().approve(),
                bench.pending(1).asApproval().approve());

        assertThat(again.interrupts()).hasSize(1);
        assertThat(again.interrupts().get(0).id()).isNotEqualTo(first);
        assertThat(bench.transcript()).extracting(Message::id).doesNotHaveDuplicates();
    }

    @Test
    void aPlainRunEndsInAnExplicitSuccess() {
        bench.model.says("Hello.");

        RecordingSink sink = bench.say("Hi");

        assertThat(AguiCodec.toTree(sink.last()).at("/outcome")).hasToString("{\"type\":\"success\"}");
    }
}
