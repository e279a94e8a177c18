package io.holdpoint.memory;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stored model message of a held batch cannot be read by this version: the thread moves on all the same. */
@Logs({"Run * on thread * failed", "The batch * could not be continued", "The batch * is finished without entering"})
class UnreadableRecordTest {

    private final Bench bench = new Bench();
    private final Holdpoint other = bench.another(builder -> builder.store(new Illegible()));
    private PendingInterrupt asked;
    private String message = "";

    /** Gives batches whose assistant message is in a form that nobody knows. */
    private final class Illegible extends ForwardingStore {

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public Optional<ThreadRecord> find(String threadId) {
            return super.find(threadId)
                    .map(found -> new ThreadRecord(
                            found.threadId(),
                            found.owner(),
                            found.state(),
                            found.turn(),
                            found.batch().map(batch -> withMessage(batch, "{\"type\":\"AI_OF_THE_FUTURE\"}")),
                            found.changedAt(),
                            found.purged()));
        }

        /** What is in the store stays as it is. */
        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            List<Batch> batches = commit.batches().stream()
                    .map(batch -> withMessage(batch, message))
                    .toList();
            super.commit(
                    lease,
                    new Commit(
                            batches,
                            commit.messages(),
                            commit.cut(),
                            commit.state(),
                            commit.turn(),
                            commit.audit(),
                            commit.facts(),
                            commit.releases()),
                    now);
        }

        private Batch withMessage(Batch batch, String assistantMessage) {
            return new Batch(
                    batch.id(),
                    batch.threadId(),
                    batch.version(),
                    batch.state(),
                    batch.turn(),
                    new Batch.ModelMessage(batch.message().id(), assistantMessage),
                    batch.calls(),
                    batch.givenUp(),
                    batch.changes());
        }
    }

    @BeforeEach
    void hold() {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.say("Go");
        asked = bench.pending(0);
        message = bench.store
                .find(THREAD)
                .flatMap(ThreadRecord::batch)
                .orElseThrow()
                .message()
                .json();
    }

    private RecordingSink run(RunAgentInput input) {
        RecordingSink sink = new RecordingSink();
        other.run(input, sink).join();
        StreamRules.check(sink.events());
        return sink;
    }

    @Test
    void anApprovalFailsCleanlyAndExecutesNothing() {
        RecordingSink sink = run(bench.answers(asked.asApproval().approve()));

        assertThat(sink.last()).isInstanceOf(RunEvent.Error.class);
        assertThat(sink.types()).startsWith("RUN_STARTED");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void aVersionThatCanReadItGoesOnFromTheApproval() {
        run(bench.answers(asked.asApproval().approve()));
        bench.model.says("Sent.");

        assertThat(bench.nothingNew().text()).isEqualTo("Sent.");
        assertThat(bench.tools.effects()).hasSize(1);
    }

    @Test
    void cancellingEndsIt() {
        RecordingSink sink = run(bench.answers(asked.cancel()));

        assertThat(sink.last()).isInstanceOf(RunEvent.Finished.class);
        assertThat(bench.store.find(THREAD).flatMap(ThreadRecord::batch)).isEmpty();
        assertThat(bench.memory()).extracting(ChatMessage::type).containsExactly(ChatMessageType.USER);
    }

    @Test
    void aNewMessageIsHeardAfterTheFailure() {
        run(bench.answers(asked.asApproval().approve()));
        bench.model.says("Hello.");

        assertThat(run(bench.input(Bench.user("u2", "Hi"))).text()).isEqualTo("Hello.");
        assertThat(bench.tools.effects()).isEmpty();
    }

    @Test
    void steeringAwayIsHeard() {
        bench.model.says("Hello.");

        assertThat(run(bench.input(Bench.user("u2", "Hi")).withResume(List.of(asked.cancel())))
                        .text())
                .isEqualTo("Hello.");
    }
}
