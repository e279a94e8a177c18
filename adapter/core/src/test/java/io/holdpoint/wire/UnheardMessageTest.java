package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessagesSnapshotEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A message came with answers, but the run that went on from them holds again: the message waits, and is not lost. */
class UnheardMessageTest {

    private static final Message.User UNHEARD = user("hi", "And one more thing");

    private final Bench bench = new Bench();
    private RecordingSink held;

    @BeforeEach
    void holdAgain() {
        bench.model
                .calls(call("c1", "deleteRecords", "{\"table\":\"users\"}"))
                .calls(call("c2", "sendEmail", MAIL))
                .says("Sent.")
                .says("What is it?");
        bench.say("Go");
        held = bench.run(bench.input(UNHEARD)
                .withResume(List.of(bench.pending(0).asApproval().approve())));
        assertThat(held.interrupts()).hasSize(1);
    }

    private static List<Message> snapshot(RecordingSink sink) {
        List<MessagesSnapshotEvent> snapshots = sink.all(MessagesSnapshotEvent.class);
        return snapshots.get(snapshots.size() - 1).messages();
    }

    @Test
    void itStaysInTheMessagesThatTheClientGets() {
        assertThat(snapshot(held)).containsOnlyOnce(UNHEARD).endsWith(UNHEARD);
    }

    @Test
    void itIsHeardWhenTheClientSendsItsListWithTheNextAnswers() {
        RecordingSink heard = bench.run(bench.input(snapshot(held).toArray(Message[]::new))
                .withResume(List.of(bench.pending(0).asApproval().approve())));

        assertThat(heard.text()).isEqualTo("Sent.What is it?");
        assertThat(bench.model.lastMessages()).endsWith(UserMessage.from("And one more thing"));
        assertThat(snapshot(heard)).containsOnlyOnce(UNHEARD);
    }

    @Test
    void itIsHeardWhenTheClientCancelsWithItsListInsteadOfApproving() {
        bench.run(bench.input(snapshot(held).toArray(Message[]::new))
                .withResume(List.of(bench.pending(0).cancel())));

        assertThat(bench.model.lastMessages()).endsWith(UserMessage.from("And one more thing"));
        assertThat(bench.tools.effects()).containsExactly("deleteRecords users");
    }
}
