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
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The store fails while somebody cancels a run in the middle of its first payment. */
@Logs("*")
class CancelFaultsTest {

    private final Bench bench = new Bench();
    private final List<String> effects = new ArrayList<>();
    private final AtomicBoolean away = new AtomicBoolean();

    /** While it is away, it notes no cancel, or refuses the commits of these numbers. */
    private final class ReadOnly extends ForwardingStore {

        private final Set<Integer> refused;
        private final AtomicInteger commits = new AtomicInteger();

        ReadOnly(Set<Integer> refused) {
            this.refused = refused;
        }

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            requireThere(away.get() && refused.contains(commits.incrementAndGet()));
            super.commit(lease, commit, now);
        }

        @Override
        public boolean requestCancel(String threadId, Instant now) {
            requireThere(away.get() && refused.isEmpty());
            return super.requestCancel(threadId, now);
        }

        private void requireThere(boolean fails) {
            if (fails) {
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

    private Holdpoint cancelled(boolean ofRun, Set<Integer> refused) {
        Payments payments = new Payments(ofRun);
        Holdpoint node = bench.another(builder -> builder.tools(payments).store(new ReadOnly(refused)));
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
        Holdpoint node = cancelled(ofRun, Set.of());

        assertThat(effects).containsExactly("pay 20");
        bench.model.says("Hello.");
        assertThat(node.send(THREAD, "Hi").text()).isEqualTo("Hello.");
        assertThat(bench.model.lastResult("c2")).contains("cancelled");
    }

    /** The result of the first call is tried twice, and so is that nobody knows it; then come the other call, and the end of the turn. */
    @ParameterizedTest
    @CsvSource({
        "2, true",
        "3, true",
        "4, true",
        "5, true",
        "99, true",
        "2, false",
        "3, false",
        "4, false",
        "5, false",
        "99, false"
    })
    void aRunThatCannotGiveUpLeavesThatToTheNext(int refused, boolean ofRun) {
        Holdpoint node =
                cancelled(ofRun, IntStream.rangeClosed(1, refused).boxed().collect(Collectors.toSet()));

        isGivenUp(node);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void soDoesOneThatCannotEnd(int last) {
        Holdpoint node = cancelled(true, Set.of(1, 2, last));

        isGivenUp(node);
    }

    private void isGivenUp(Holdpoint node) {
        assertThat(node.resume(THREAD)).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("pay 20");
        assertThat(bench.model.requests()).hasSize(1);
    }
}
