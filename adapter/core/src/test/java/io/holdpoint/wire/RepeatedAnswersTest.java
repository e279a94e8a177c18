package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.Batch;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An input that names the same batch again and again costs what naming it once does. */
class RepeatedAnswersTest {

    private final AtomicInteger batches = new AtomicInteger();
    private final AtomicInteger ids = new AtomicInteger();
    private final Bench bench = new Bench(builder -> builder.store(new ForwardingStore() {
        private final Store store = new InMemoryStore();

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public Optional<Batch> findBatch(String threadId, Store.By by, String id) {
            batches.incrementAndGet();
            return super.findBatch(threadId, by, id);
        }

        @Override
        public boolean has(IdOf what, String threadId, String id) {
            ids.addAndGet(what == IdOf.INTERRUPT ? 1 : 0);
            return super.has(what, threadId, id);
        }
    }));

    private ResumeEntry[] settled() {
        bench.model
                .calls(call("c1", "sendEmail", MAIL), call("c2", "deleteRecords", "{\"table\":\"users\"}"))
                .says("Done.");
        bench.say("Go");
        ResumeEntry[] approvals = bench.pending().stream()
                .map(asked -> asked.asApproval().approve())
                .toArray(ResumeEntry[]::new);
        bench.resume(approvals);
        batches.set(0);
        return approvals;
    }

    private static ResumeEntry[] often(ResumeEntry entry) {
        return Collections.nCopies(256, entry).toArray(ResumeEntry[]::new);
    }

    @Test
    void oneIdOftenIsLookedUpOnce() {
        ResumeEntry approval = settled()[0];

        assertThat(bench.resume(often(approval)).errorCode()).isEqualTo("INTERRUPT_DUPLICATE");
        assertThat(batches).hasValue(1);
    }

    @Test
    void anUnknownIdOftenIsLookedUpOnce() {
        settled();

        assertThat(bench.resume(often(ResumeEntry.resolved("unheard-of", JsonNodeFactory.instance.objectNode())))
                        .errorCode())
                .isEqualTo("INTERRUPT_UNKNOWN");
        assertThat(batches).hasValue(1);
        assertThat(ids).hasValue(1);
    }

    @Test
    void theIdsOfOneBatchAreLookedUpTogether() {
        ResumeEntry[] approvals = settled();

        assertThat(bench.resume(approvals[0], ResumeEntry.cancelled(approvals[1].interruptId()), approvals[1])
                        .errorCode())
                .isEqualTo("INTERRUPT_DUPLICATE");
        assertThat(batches).hasValue(1);
    }
}
