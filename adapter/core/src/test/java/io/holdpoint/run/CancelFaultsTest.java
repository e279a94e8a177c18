package io.holdpoint.run;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store fails while somebody cancels a run in the middle of its first payment. */
@Logs("*")
class CancelFaultsTest {

    private final Bench bench = new Bench();
    private final List<String> effects = new ArrayList<>();
    private final AtomicBoolean away = new AtomicBoolean();

    /** Does not write while it is away. */
    private final class ReadOnly extends ForwardingStore {

        private final boolean commits;

        ReadOnly(boolean commits) {
            this.commits = commits;
        }

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            requireThere(!commits);
            super.commit(lease, commit, now);
        }

        @Override
        public boolean requestCancel(String threadId, Instant now) {
            requireThere(commits);
            return super.requestCancel(threadId, now);
        }

        private void requireThere(boolean fails) {
            if (fails && away.get()) {
                throw new StoreException("read only", new IllegalStateException("disk full"));
            }
        }
    }

    private final class Payments {

        private final boolean ofRun;
        private Holdpoint asked = bench.agent();

        Payments(boolean ofRun) {
            this.ofRun = ofRun;
        }

        @Tool
        @RequiresApproval
        String pay(@P("amount") int amount) {
            effects.add("pay " + amount);
            if (amount == 20) {
                away.set(true);
                assertThat(ofRun ? asked.cancel(THREAD, "r") : asked.cancel(THREAD))
                        .isTrue();
            }
            return "paid";
        }
    }

    private Holdpoint cancelled(boolean ofRun, boolean commits) {
        Payments payments = new Payments(ofRun);
        Holdpoint node = bench.another(builder -> builder.tools(payments).store(new ReadOnly(commits)));
        payments.asked = node;
        bench.model.calls(call("c1", "pay", "{\"amount\":20}"), call("c2", "pay", "{\"amount\":30}"));
        List<ResumeEntry> approvals = new ArrayList<>();
        node.send(THREAD, "Pay").approvals().forEach(question -> approvals.add(question.approve()));
        node.run(RunAgentInput.of(THREAD, "r", List.of()).withResume(approvals), event -> {})
                .join();
        away.set(false);
        return node;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRunStopsThoughTheStoreCannotNoteThat(boolean ofRun) {
        Holdpoint node = cancelled(ofRun, true);

        assertThat(effects).containsExactly("pay 20");
        bench.model.says("Hello.");
        assertThat(node.send(THREAD, "Hi").text()).isEqualTo("Hello.");
        assertThat(bench.model.lastResult("c2")).contains("cancelled");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRunThatCannotGiveUpLeavesThatToTheNext(boolean ofRun) {
        Holdpoint node = cancelled(ofRun, false);

        assertThat(node.resume(THREAD)).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("pay 20");
        assertThat(bench.model.requests()).hasSize(1);
    }
}
