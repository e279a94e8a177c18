package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Shape;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A server that died before the agent in a tool had stored anything has left its lease: the task waits for its end. */
class BusyThreadTest {

    private final List<String> effects = new ArrayList<>();
    private final ScriptedModel bossModel =
            new ScriptedModel().calls(call("c1", "clerk", "{\"task\":\"Pay\"}")).says("Done.");
    private final ScriptedModel clerkModel =
            new ScriptedModel().calls(call("i1", "pay", "{\"amount\":5}")).says("Paid.");

    private final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    /** Refuses the first leases, as that of a dead server does. */
    private static final class BusyOnce extends ForwardingStore {

        private final Store store = new InMemoryStore();
        private int refusals = 8; // a lease is tried for more than once before a run is refused

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public Optional<Acquired> acquireOwn(String threadId, String runId, String caller, Instant now, Instant until) {
            return refusals-- > 0 ? Optional.empty() : super.acquireOwn(threadId, runId, caller, now, until);
        }

        @Override
        public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
            return refusals-- > 0 ? Optional.empty() : super.acquire(threadId, runId, caller, now, until);
        }
    }

    @Test
    void theTaskIsNotLost() {
        ToolProvider clerk = LocalAgent.of(
                "clerk",
                "Pays bills",
                Shape.BLOCKING
                        .builder(clerkModel)
                        .name("clerk")
                        .store(new BusyOnce())
                        .tools(new Bank())
                        .build());
        Holdpoint boss = Shape.BLOCKING
                .builder(bossModel)
                .name("boss")
                .toolProviders(clerk)
                .build();

        boss.resume("t", boss.send("t", "Go").approval().approve()).orThrow();

        assertThat(effects).containsExactly("pay 5");
        assertThat(bossModel.lastResult("c1")).isEqualTo("Paid.");
    }
}
