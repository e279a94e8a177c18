package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.PRESENTED;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.agui.StateEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Bench.Everything;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Inputs without answers and without a new message, and the state that inputs carry. */
class NothingNewTest {

    private final Bench bench = new Bench();

    @Test
    void aHeldThreadIsPresentedAgainWithTheSameInterrupts() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        List<Interrupt> interrupts = bench.say("Go").interrupts();
        Everything before = bench.everything();

        RecordingSink sink = bench.run(bench.input(user("Go", "Go")));

        assertThat(sink.types()).isEqualTo(PRESENTED);
        assertThat(sink.interrupts()).isEqualTo(interrupts);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    @Logs("Run * on thread * failed")
    void aTurnThatFailedIsRunAgainFromItsMessage() {
        bench.model.fails(new IllegalStateException("down")).says("Hello.");
        assertThat(bench.say("Hi").errorCode()).isEqualTo("RUN_FAILED");

        RecordingSink sink = bench.run(bench.input(user("Hi", "Hi")));

        assertThat(sink.text()).isEqualTo("Hello.");
        assertThat(bench.memory()).hasSize(2);
        assertThat(bench.transcript()).hasSize(2);
    }

    @Test
    void aThreadWithNothingToDoIsPresentedAsSuccess() {
        bench.model.says("Hello.");
        bench.say("Hi");
        Everything before = bench.everything();

        RecordingSink sink = bench.nothingNew();

        assertThat(sink.types()).isEqualTo(PRESENTED);
        assertThat(sink.interrupts()).isEmpty();
        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).hasSize(2);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void anUnknownThreadIsPresentedEmptyAndStaysUnknown() {
        RecordingSink sink = bench.nothingNew();

        assertThat(sink.types()).isEqualTo(PRESENTED);
        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages()).isEmpty();
        assertThat(bench.store.find(Bench.THREAD)).isEmpty();
    }

    @Test
    void anUnknownThreadWhoseListEndsWithAnAnswerIsSeededAndPresented() {
        Message.Assistant answered = new Message.Assistant("a1", "Hello.", List.of());

        RecordingSink sink = bench.run(bench.input(user("u1", "Hi"), answered));

        assertThat(sink.types()).isEqualTo(PRESENTED);
        assertThat(sink.all(MessagesSnapshotEvent.class).get(0).messages())
                .extracting(Message::id)
                .containsExactly("u1", "a1");
        assertThat(bench.memory()).hasSize(2);
    }

    @Test
    void withoutAnyStateTheSnapshotIsAnEmptyObject() {
        bench.model.calls(call("c1", "sendEmail", MAIL));

        assertThat(bench.say("Go").all(StateEvent.Snapshot.class).get(0).snapshot())
                .hasToString("{}");
    }

    @Test
    void theInputsStateBecomesTheThreads() {
        JsonNode state = AguiCodec.mapper().createObjectNode().put("city", "Paris");
        bench.model.calls(call("c1", "sendEmail", MAIL));

        RecordingSink held = bench.run(bench.input(user("Go", "Go")).withState(state));

        assertThat(held.all(StateEvent.Snapshot.class).get(0).snapshot()).isEqualTo(state);
        assertThat(bench.nothingNew().all(StateEvent.Snapshot.class).get(0).snapshot())
                .isEqualTo(state);
    }

    @Test
    void aRefusedInputDoesNotChangeTheState() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go");

        bench.run(bench.input(user("u2", "Hey"))
                .withState(AguiCodec.mapper().createObjectNode().put("x", 1)));

        assertThat(bench.nothingNew().all(StateEvent.Snapshot.class).get(0).snapshot())
                .hasToString("{}");
    }
}
