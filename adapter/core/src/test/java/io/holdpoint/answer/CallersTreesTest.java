package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** JSON trees can be changed: what a caller does with one that it was given, or has given, changes nothing. */
class CallersTreesTest {

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Bench bench = new Bench(builder -> builder.executor(tasks::add));

    @BeforeEach
    void hold() {
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"users\"}"));
        bench.agent().send(Bench.THREAD, "Go");
    }

    private String stored() {
        return AguiCodec.write(bench.pending(0).interrupt());
    }

    /** Shows something else, and allows edits that the tool does not allow. */
    private static void tamperWith(Interrupt interrupt) {
        ((ObjectNode) interrupt.metadata().at("/langchain4j/args")).put("table", "nothing");
        ((ObjectNode) interrupt.responseSchema().get("properties")).putObject("editedArgs");
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    private static ObjectNode payload(boolean approved) {
        return AguiCodec.mapper().createObjectNode().put("approved", approved);
    }

    @Test
    void changingAPendingInterruptChangesNothingOfWhatIsStored() {
        String before = stored();

        tamperWith(bench.pending(0).interrupt());

        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void changingTheInterruptOfAResultChangesNothingOfWhatIsStored() {
        RunResult.Interrupted held = (RunResult.Interrupted) bench.agent().resume(Bench.THREAD);
        String before = stored();

        held.interrupts().forEach(pending -> tamperWith(pending.interrupt()));

        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void changingTheInterruptOfAnEventChangesNothingOfWhatIsStored() {
        RecordingSink sink = new RecordingSink();
        bench.agent().run(bench.input(), sink);
        runTasks();
        String before = stored();

        sink.interrupts().forEach(CallersTreesTest::tamperWith);

        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void changingTheSchemaOfOneInterruptDoesNotAllowAnEditOfAnother() {
        tamperWith(bench.pending(0).interrupt());
        bench.model.calls(call("c1", "deleteRecords", "{\"table\":\"users\"}"));
        bench.agent().send("other", "Go");

        RunResult refused = bench.agent()
                .resume(
                        "other",
                        bench.agent().pending("other").get(0).asApproval().approveWith(Map.of("table", "all")));

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(refused).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));
    }

    @Test
    void changingAnAnswerAfterTheCallDoesNotChangeWhatRuns() {
        ObjectNode payload = payload(false);
        RunAgentInput denial =
                bench.answers(ResumeEntry.resolved(bench.pending(0).id(), payload));
        bench.model.says("Fine.");

        CompletableFuture<RunResult> result = bench.agent().run(denial, event -> {});
        payload.put("approved", true);
        runTasks();

        assertThat(result.join()).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    @Logs("Run * on thread * failed")
    void changingAnAnswerThatWasTakenDoesNotChangeWhatWasAnswered() {
        ObjectNode payload = payload(true);
        String id = bench.pending(0).id();
        bench.model.fails(new IllegalStateException("down")).says("Done.");
        bench.agent().resume(Bench.THREAD, ResumeEntry.resolved(id, payload));

        payload.put("approved", false);

        assertThat(bench.agent().resume(Bench.THREAD, ResumeEntry.resolved(id, payload(true))))
                .isInstanceOf(RunResult.Completed.class);
    }

    @Test
    void changingTheEditedArgumentsAfterTheCallDoesNotChangeWhatRuns() {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        bench.agent().send("other", "Go");
        ObjectNode edited = AguiCodec.mapper()
                .createObjectNode()
                .put("to", "bob@example.com")
                .put("subject", "Hi")
                .put("body", "Hello");
        ObjectNode payload = payload(true);
        payload.set("editedArgs", edited);
        String id = bench.agent().pending("other").get(0).id();

        bench.agent()
                .run(
                        RunAgentInput.of("other", "r2", List.of())
                                .withResume(List.of(ResumeEntry.resolved(id, payload))),
                        event -> {});
        edited.put("to", "eve@example.com");
        runTasks();

        assertThat(bench.tools.effects()).containsExactly("sendEmail bob@example.com|Hi|Hello");
    }

    @Test
    void changingTheStateAfterTheCallDoesNotChangeTheThreads() {
        ObjectNode state = AguiCodec.mapper().createObjectNode().put("city", "Paris");
        RecordingSink sink = new RecordingSink();

        bench.agent().run(bench.input().withState(state), sink);
        state.put("city", "Rome");
        runTasks();

        assertThat(state(sink)).isEqualTo("{\"city\":\"Paris\"}");
    }

    @Test
    void changingAStateThatWasTakenDoesNotChangeTheThreads() {
        ObjectNode state = AguiCodec.mapper().createObjectNode().put("city", "Paris");
        bench.agent().run(bench.input().withState(state), event -> {});
        runTasks();
        RecordingSink sink = new RecordingSink();

        state.put("city", "Rome");
        bench.agent().run(bench.input(), sink);
        runTasks();

        assertThat(state(sink)).isEqualTo("{\"city\":\"Paris\"}");
    }

    private static String state(RecordingSink sink) {
        return sink.all(StateEvent.Snapshot.class).get(0).snapshot().toString();
    }
}
