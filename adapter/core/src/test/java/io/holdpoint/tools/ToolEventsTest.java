package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.rag.AugmentationRequest;
import dev.langchain4j.rag.AugmentationResult;
import dev.langchain4j.rag.RetrievalAugmentor;
import io.holdpoint.Limits;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.SnapshotSettings;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.ActivityEvent;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.FreeEvent;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.StepEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.Shape;
import io.holdpoint.testing.StreamRules;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events besides the conversation: those that tools send, and the steps of a run. */
@Logs("Tool '*' execution failed")
class ToolEventsTest {

    /** A tool that says how far it is. */
    static final class Export {

        private final CyclicBarrier together;

        Export(int atOnce) {
            together = new CyclicBarrier(atOnce);
        }

        @Tool("Export")
        public String export(ToolCallContext call) {
            ObjectNode progress = JsonNodeFactory.instance.objectNode().put("percent", 50);
            call.emit("progress", progress);
            progress.put("percent", 100);
            call.emitRaw(progress, "exporter");
            return "exported";
        }

        @Tool("Say a lot")
        public String chatter(ToolCallContext call) {
            call.emit("said", TextNode.valueOf("x".repeat(60)));
            call.emit("said", TextNode.valueOf("x".repeat(60)));
            return "said";
        }

        @Tool("Say nothing")
        public String nameless(ToolCallContext call) {
            call.emit(" ", TextNode.valueOf("x"));
            return "said";
        }

        @Tool("Meet")
        public String meet() throws InterruptedException, BrokenBarrierException {
            together.await();
            return "met";
        }

        @Tool("Fail")
        public String fail() {
            throw new IllegalStateException("no");
        }
    }

    private static final RetrievalAugmentor NOTHING_FOUND = new RetrievalAugmentor() {
        @Override
        public AugmentationResult augment(AugmentationRequest request) {
            return new AugmentationResult(request.chatMessage(), List.of());
        }
    };

    private final Bench bench = bench(Limits.DEFAULT);

    private static Bench bench(Limits limits) {
        return new Bench(builder -> builder.tools(new Export(1)).limits(limits));
    }

    @Test
    void aToolSendsEventsOfItsOwn() {
        bench.model.calls(call("c1", "export", "{}")).says("Done.");

        RecordingSink sink = bench.say("Export");

        assertThat(sink.types()).containsSubsequence("TOOL_CALL_END", "CUSTOM", "RAW", "TOOL_CALL_RESULT");
        assertThat(sink.all(FreeEvent.Custom.class))
                .singleElement()
                .isEqualTo(new FreeEvent.Custom(
                        "progress", JsonNodeFactory.instance.objectNode().put("percent", 50)));
        assertThat(sink.all(FreeEvent.Raw.class))
                .singleElement()
                .isEqualTo(
                        new FreeEvent.Raw(JsonNodeFactory.instance.objectNode().put("percent", 100), "exporter"));
    }

    @Test
    void eventsOfACallAreBounded() {
        Bench small = bench(Limits.DEFAULT.withResultLength(100));
        small.model.calls(call("c1", "chatter", "{}")).says("Too much.");

        RecordingSink sink = small.say("Say it");

        assertThat(sink.all(FreeEvent.Custom.class)).hasSize(1);
        assertThat(small.model.lastResult("c1")).contains("at most 100");
    }

    @Test
    void anEventHasAName() {
        bench.model.calls(call("c1", "nameless", "{}")).says("Sorry.");

        assertThat(bench.say("Say it").all(FreeEvent.Custom.class)).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("must not be blank");
    }

    @Test
    void stepsAreNotToldUnlessAskedFor() {
        bench.model.calls(call("c1", "export", "{}")).says("Done.");

        assertThat(bench.say("Export").types()).doesNotContain("STEP_STARTED");
    }

    @Test
    void aToolsExecutionIsAStep() {
        Bench told = new Bench(builder -> builder.tools(new Export(1)).client(client -> client.steps(true)));
        told.model.calls(call("c1", "export", "{}"), call("c2", "fail", "{}")).says("Done.");

        RecordingSink sink = told.say("Export");

        assertThat(sink.types())
                .containsSubsequence(
                        "STEP_STARTED", "CUSTOM", "STEP_FINISHED", "TOOL_CALL_RESULT", "STEP_STARTED", "STEP_FINISHED");
        assertThat(sink.all(StepEvent.Started.class))
                .extracting(StepEvent.Started::stepName)
                .containsExactly("export", "fail");
    }

    @Test
    void aHeldCallIsAStepWhenItIsExecuted() {
        Bench told = new Bench(builder -> builder.client(client -> client.steps(true)));
        told.model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");

        assertThat(told.say("Write").types()).doesNotContain("STEP_STARTED");
        assertThat(told.resume(told.pending(0).asApproval().approve()).types())
                .containsSubsequence("STEP_STARTED", "STEP_FINISHED", "TOOL_CALL_RESULT");
    }

    @Test
    void retrievalIsAStepOnce() {
        Bench told = new Bench(builder -> builder.client(client -> client.steps(true))
                .aiService(service -> service.retrievalAugmentor(NOTHING_FOUND)));
        told.model.calls(call("c1", "sendEmail", MAIL)).says("Sent.");

        assertThat(told.say("Write").all(StepEvent.Started.class))
                .extracting(StepEvent.Started::stepName)
                .containsExactly("retrieval");
        assertThat(told.resume(told.pending(0).asApproval().approve()).all(StepEvent.Started.class))
                .extracting(StepEvent.Started::stepName)
                .containsExactly("sendEmail");
    }

    private static List<String> activities(Bench bench) {
        return bench.transcript().stream()
                .filter(Message.Activity.class::isInstance)
                .map(Message.Activity.class::cast)
                .map(activity -> activity.activityType() + " "
                        + activity.content().path("toolName").asText() + " "
                        + activity.content().path("status").asText())
                .toList();
    }

    @Test
    void activitiesAreNotToldUnlessAskedFor() {
        bench.model.calls(call("c1", "export", "{}")).says("Done.");

        assertThat(bench.say("Export").types()).doesNotContain("ACTIVITY_SNAPSHOT");
        assertThat(activities(bench)).isEmpty();
    }

    @Test
    void aToolsExecutionIsAnActivityThatTheTranscriptKeepsWhereItWas() {
        Bench told = new Bench(builder -> builder.tools(new Export(1)).client(client -> client.activities(true)));
        told.model.calls(call("c1", "export", "{}"), call("c2", "fail", "{}")).says("Done.");

        RecordingSink sink = told.say("Export");

        assertThat(sink.types())
                .containsSubsequence(
                        "TOOL_CALL_END", "ACTIVITY_SNAPSHOT", "CUSTOM", "ACTIVITY_DELTA", "TOOL_CALL_RESULT");
        assertThat(activities(told)).containsExactly("tool_execution export executed", "tool_execution fail failed");
        assertThat(told.transcript())
                .extracting(Message::role)
                .containsExactly("user", "assistant", "activity", "tool", "activity", "tool", "assistant");
    }

    @Test
    @Logs("Run * on thread * failed")
    void anActivityThatFailedSaysWhyAsTheResultDoesAndNeverWhatAnExceptionSays() {
        Bench told = new Bench(builder -> builder.tools(new Export(1)).client(client -> client.activities(true)));
        told.model.calls(call("c1", "fail", "{}")).says("Done.");
        RecordingSink sink = told.say("Export");
        Message.Tool result = (Message.Tool) told.transcript().get(3);

        assertThat(((Message.Activity) told.transcript().get(2)).content().path("error"))
                .isEqualTo(TextNode.valueOf(result.error()));
        assertThat(AguiCodec.write(sink.all(ActivityEvent.Delta.class).get(0).patch()))
                .isEqualTo("[{\"op\":\"replace\",\"path\":\"/status\",\"value\":\"failed\"},"
                        + "{\"op\":\"add\",\"path\":\"/error\",\"value\":\"" + result.error() + "\"}]");

        Bench searching = new Bench(builder -> builder.client(client -> client.activities(true))
                .aiService(service -> service.retrievalAugmentor(request -> {
                    throw new IllegalStateException("password=secret");
                })));
        RecordingSink failed = searching.say("Go");

        assertThat(failed.errorCode()).isEqualTo("RUN_FAILED");
        assertThat(AguiCodec.write(failed.all(ActivityEvent.Delta.class).get(0).patch()))
                .contains("{\"op\":\"add\",\"path\":\"/error\",\"value\":\"Something went wrong.")
                .doesNotContain("secret");
    }

    @Test
    void aHeldRunShowsItsActivities() {
        Bench told = new Bench(builder -> builder.client(client -> client.activities(true))
                .aiService(service -> service.retrievalAugmentor(NOTHING_FOUND)));
        told.model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}")).calls(call("c2", "sendEmail", MAIL));

        assertThat(told.say("Write").interrupts()).hasSize(1);
        told.model.says("Sent.");
        told.resume(told.pending(0).asApproval().approve());

        assertThat(activities(told))
                .containsExactly(
                        "retrieval  done",
                        "tool_execution searchContacts executed",
                        "interrupt  open",
                        "interrupt  resolved",
                        "tool_execution sendEmail executed");
    }

    @Test
    void aQuestionAndItsAnswerAreActivities() {
        Bench told = new Bench(builder -> builder.client(client -> client.activities(true)));
        told.model.calls(call("c1", "sendEmail", MAIL)).says("Well.");
        RecordingSink asked = told.say("Write");
        PendingInterrupt question = told.pending(0);

        RecordingSink answered = told.resume(question.asApproval().deny("Not today"));

        assertThat(asked.all(ActivityEvent.Snapshot.class))
                .extracting(ActivityEvent.Snapshot::content)
                .containsExactly(JsonNodeFactory.instance
                        .objectNode()
                        .put("interruptId", question.id())
                        .put("toolCallId", "c1")
                        .put("reason", "tool_call")
                        .put("message", question.interrupt().message())
                        .put("status", "open"));
        assertThat(asked.all(MessagesSnapshotEvent.class).get(0).messages())
                .extracting(Message::role)
                .as("one snapshot with activities takes away those that it does not have")
                .containsExactly("user", "assistant", "activity");
        assertThat(answered.types()).startsWith("RUN_STARTED", "ACTIVITY_SNAPSHOT", "TOOL_CALL_RESULT");
        JsonNode answer = answered.all(ActivityEvent.Snapshot.class).get(0).content();
        assertThat(answer.path("interruptId").asText()).isEqualTo(question.id());
        assertThat(answer.path("status").asText()).isEqualTo("resolved");
        assertThat(answer.path("payload"))
                .isEqualTo(JsonNodeFactory.instance
                        .objectNode()
                        .put("approved", false)
                        .put("reason", "Not today"));
    }

    @Test
    void aQuestionThatIsShownAgainIsNoOtherActivity() {
        Bench told = new Bench(builder -> builder.client(client -> client.activities(true)));
        told.model
                .calls(call("c1", "sendEmail", MAIL), call("c2", "deleteRecords", "{\"table\":\"t\"}"))
                .says("Well.");
        told.say("Write");

        told.nothingNew();
        told.resume(
                ResumeEntry.cancelled(told.pending(0).id()),
                ResumeEntry.cancelled(told.pending(1).id()));

        assertThat(activities(told))
                .containsExactly("interrupt  open", "interrupt  open", "interrupt  cancelled", "interrupt  cancelled");
    }

    @Test
    void eventsThatAreNamedAreKept() {
        Bench keeping = new Bench(builder -> builder.tools(new Export(1))
                .client(client -> client.snapshots(SnapshotSettings.DEFAULT.withEvents("progress"))));
        keeping.model
                .calls(call("c1", "export", "{}"), call("c2", "chatter", "{}"))
                .says("Done.");

        RecordingSink live = keeping.say("Export");
        RecordingSink shown = keeping.nothingNew();

        assertThat(live.all(FreeEvent.Custom.class)).as("sent as ever").hasSize(3);
        List<Message> messages = shown.all(MessagesSnapshotEvent.class).get(0).messages();
        assertThat(messages)
                .extracting(Message::role)
                .containsExactly("user", "assistant", "activity", "tool", "tool", "assistant");
        Message.Activity kept = (Message.Activity) messages.get(2);
        assertThat(kept.activityType()).isEqualTo("CUSTOM");
        assertThat(kept.content().toString()).isEqualTo("{\"name\":\"progress\",\"value\":{\"percent\":50}}");
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void twoCallsOfOneToolAtOnceAreTwoSteps(Shape shape) {
        bench.model.calls(call("c1", "meet", "{}"), call("c2", "meet", "{}")).says("Met.");
        RecordingSink sink = new RecordingSink();

        shape.builder(bench.model)
                .tools(new Export(shape.isConcurrent() ? 2 : 1))
                .client(client -> client.steps(true))
                .build()
                .run(bench.input(user("u1", "Meet")), sink)
                .join();

        StreamRules.check(sink.events());
        assertThat(sink.all(StepEvent.Started.class)).hasSize(2);
        assertThat(sink.all(StepEvent.Started.class).stream()
                        .map(StepEvent.Started::stepName)
                        .distinct())
                .hasSize(shape.isConcurrent() ? 2 : 1);
    }
}
