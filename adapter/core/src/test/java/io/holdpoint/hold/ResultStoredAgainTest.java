package io.holdpoint.hold;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreConflictException;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store is away for the moment in which it is to keep what came of a call: this server knows it, so nobody has to find out. */
@Logs("Tool * execution failed*")
class ResultStoredAgainTest {

    private final List<String> effects = new ArrayList<>();
    private final List<AuditEvent.Kind> observed = new ArrayList<>();
    private final Bench bench = new Bench();

    private final class Bank {

        @Tool
        @RequiresApproval
        String pay(@P("amount") int amount, ToolCallContext call) {
            effects.add("pay " + amount);
            if (amount == 1) {
                throw new IllegalStateException("no money");
            } else if (amount == 2 && call.answers().isEmpty()) {
                throw call.interrupt(ToolInterrupt.confirmation("Sure?"));
            }
            return "paid";
        }
    }

    /** Fails at the first commit after an effect, which it may have written. */
    private class UnluckyStore extends ForwardingStore {

        private final boolean writes;
        protected boolean failed;

        UnluckyStore(boolean writes) {
            this.writes = writes;
        }

        @Override
        protected Store store() {
            return bench.store;
        }

        @Override
        public void commit(Lease lease, Commit commit, Instant now) {
            boolean fails = !failed && !effects.isEmpty();
            if (!fails || writes) {
                super.commit(lease, commit, now);
            }
            if (fails) {
                failed = true;
                throw new StoreException("the commit is lost", new IllegalStateException("no connection"));
            }
        }
    }

    private RunResult approved(int amount, boolean writes) {
        Holdpoint agent = bench.another(builder -> builder.tools(new Bank())
                .store(new UnluckyStore(writes))
                .observers(RunObserver.ofTrail(event -> observed.add(event.kind()))));
        bench.model.calls(call("c1", "pay", "{\"amount\":" + amount + "}")).says("Done.");
        agent.send(THREAD, "Pay");
        return agent.resume(THREAD, agent.pending(THREAD).get(0).asApproval().approve());
    }

    /** What the store has then is not what this run wanted to write. */
    @Test
    @Logs("Run * on thread * failed")
    void aSecondTryThatIsRefusedStoresNothing() {
        Holdpoint agent = bench.another(builder -> builder.tools(new Bank())
                .store(new UnluckyStore(false) {
                    @Override
                    public void commit(Lease lease, Commit commit, Instant now) {
                        if (failed) {
                            throw new StoreConflictException("changed");
                        }
                        super.commit(lease, commit, now);
                    }
                })
                .observers(RunObserver.ofTrail(event -> observed.add(event.kind()))));
        bench.model.calls(call("c1", "pay", "{\"amount\":3}"));
        agent.send(THREAD, "Pay");

        assertThat(agent.resume(
                        THREAD, agent.pending(THREAD).get(0).asApproval().approve()))
                .isInstanceOf(RunResult.Failed.class);

        assertThat(observed).doesNotContain(AuditEvent.Kind.EXECUTED);
        assertThat(bench.model.requests()).hasSize(1);
    }

    private List<AuditEvent.Kind> trail() {
        return bench.store.auditTrail(THREAD, 0, 100).stream()
                .map(AuditEvent::kind)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aResultIsKept(boolean writes) {
        assertThat(approved(3, writes).text()).isEqualTo("Done.");

        assertThat(effects).containsExactly("pay 3");
        assertThat(bench.model.lastResult("c1")).isEqualTo("paid");
        assertThat(trail()).containsOnlyOnce(AuditEvent.Kind.EXECUTED);
        assertThat(observed).containsOnlyOnce(AuditEvent.Kind.EXECUTED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void soIsAFailure(boolean writes) {
        assertThat(approved(1, writes).text()).isEqualTo("Done.");

        assertThat(effects).containsExactly("pay 1");
        assertThat(bench.model.lastResult("c1")).contains("no money");
        assertThat(trail()).containsOnlyOnce(AuditEvent.Kind.FAILED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void soIsWhatAToolAsks(boolean writes) {
        List<PendingInterrupt> asked = approved(2, writes).interrupts();

        assertThat(asked).singleElement().isInstanceOf(PendingInterrupt.Input.class);
        assertThat(effects).containsExactly("pay 2");
    }
}
