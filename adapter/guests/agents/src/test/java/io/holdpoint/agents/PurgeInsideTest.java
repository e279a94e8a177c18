package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Retention;
import io.holdpoint.store.Change;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.Wanted;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an agent in a tool has stored is kept as long as its retention says, whether it is called again or not. */
class PurgeInsideTest {

    private static final Retention A_DAY = new Retention(Duration.ofDays(1), Duration.ofDays(1))
            .withThreads(Duration.ofDays(1))
            .withAudit(Duration.ofDays(1));

    private final Bench bench = new Bench();

    private final ScriptedModel inside = new ScriptedModel();
    private final Holdpoint clerk = Holdpoint.builder(Bench.Assistant.class)
            .streamingChatModel(inside)
            .store(bench.store)
            .clock(bench.clock)
            .name("clerk")
            .retention(A_DAY)
            .executor(Runnable::run)
            .tools(bench.tools)
            .build();
    private final ToolProvider tool = LocalAgent.of("clerk", "Works", clerk);

    @Test
    void whatAnAgentInAToolHasStoredGoesWhenTheAgentAroundItPurges() {
        Holdpoint agent = bench.another(builder -> builder.retention(A_DAY).toolProviders(tool));
        bench.model
                .calls(call("c1", "clerk", "{\"task\":\"Look up the secret\"}"))
                .says("Done.");
        inside.says("It is 4711.");
        agent.send(THREAD, "Go");
        assertThat(idleInside()).hasSize(1);
        bench.clock.advance(Duration.ofDays(2));

        Retention.Purged purged = agent.purge();

        assertThat(idleInside()).isEmpty();
        assertThat(purged.threads()).as("one of each").isEqualTo(2);
        assertThat(agent.purge().threads()).isZero();
    }

    private PendingInterrupt.Approval asked(Holdpoint agent) {
        bench.model.calls(call("c1", "clerk", "{\"task\":\"Pay Bob\"}")).says("Done.");
        inside.calls(call("i1", "transferMoney", "{\"amount\":2,\"to\":\"Bob\"}"))
                .says("Paid.");
        return agent.send(THREAD, "Go").approval();
    }

    @Test
    void whatIsAskedInsideStaysAsLongAsTheAgentAroundItAsksIt() {
        Holdpoint agent = bench.another(builder -> builder.toolProviders(tool));
        PendingInterrupt.Approval question = asked(agent);
        bench.clock.advance(Duration.ofDays(2));

        assertThat(agent.purge().expired()).isZero();

        agent.resume(THREAD, question.approve()).orThrow();
        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Bob");
    }

    @Test
    void theAgentAroundItThatAsksLongestCounts() {
        Holdpoint agent = bench.another(builder -> builder.toolProviders(tool));
        Holdpoint other =
                bench.another(builder -> builder.name("other").retention(A_DAY).toolProviders(tool));
        PendingInterrupt.Approval question = asked(agent);
        bench.clock.advance(Duration.ofDays(2));

        assertThat(other.purge().expired()).isZero();

        agent.resume(THREAD, question.approve()).orThrow();
        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Bob");
    }

    /** After a run the agent inside purges by itself. */
    @Test
    void whatIsAskedInsideStaysWhenTheAgentInsideHasWorkedForAnotherThread() {
        Holdpoint agent = bench.another(builder -> builder.toolProviders(tool));
        bench.model.calls(call("c1", "clerk", "{\"task\":\"Pay Bob\"}"));
        inside.calls(call("i1", "transferMoney", "{\"amount\":2,\"to\":\"Bob\"}"));
        PendingInterrupt.Approval question = agent.send(THREAD, "Go").approval();
        bench.clock.advance(Duration.ofDays(2));
        bench.model
                .calls(call("c2", "clerk", "{\"task\":\"Look up the secret\"}"))
                .says("It is 4711.");
        inside.says("4711.");
        agent.send("another", "Go").orThrow();

        inside.says("Paid.");
        bench.model.says("Done.");
        agent.resume(THREAD, question.approve()).orThrow();

        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Bob");
    }

    @Test
    void whatIsAskedInsideTwoAgentsStaysAsLongAsTheOuterOneAsksIt() {
        ScriptedModel deputy = new ScriptedModel();
        Holdpoint between = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(deputy)
                .store(bench.store)
                .clock(bench.clock)
                .name("deputy")
                .retention(A_DAY)
                .toolProviders(tool)
                .build();
        Holdpoint agent =
                bench.another(builder -> builder.toolProviders(LocalAgent.of("deputy", "Passes it on", between)));
        bench.model.calls(call("c1", "deputy", "{\"task\":\"Pay Bob\"}")).says("Done.");
        deputy.calls(call("d1", "clerk", "{\"task\":\"Pay Bob\"}")).says("Paid.");
        inside.calls(call("i1", "transferMoney", "{\"amount\":2,\"to\":\"Bob\"}"))
                .says("Paid.");
        PendingInterrupt.Approval question = agent.send(THREAD, "Go").approval();
        bench.clock.advance(Duration.ofDays(2));

        assertThat(agent.purge().expired()).isZero();

        agent.resume(THREAD, question.approve()).orThrow();
        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Bob");
    }

    /** The one that purges does not know how long the other one asks. */
    @Test
    @Logs("Tool '*' execution failed")
    void anApprovalOfWhatHasEndedInsideIsNoResult() {
        Holdpoint agent = bench.another(builder -> builder.toolProviders(tool));
        Holdpoint other = bench.another(builder ->
                builder.name("other").retention(A_DAY).toolProviders(LocalAgent.of("clerk", "Works", clerk)));
        PendingInterrupt.Approval question = asked(agent);
        bench.clock.advance(Duration.ofDays(2));
        assertThat(other.purge().expired()).isEqualTo(1);

        agent.resume(THREAD, question.approve()).orThrow();

        assertThat(bench.tools.effects()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("has ended without an answer (INTERRUPT_EXPIRED)");
    }

    /** Its result was lost on its way to the record outside, and the one inside is idle. */
    @Test
    @Logs({"Run * on thread * failed", "Tool '*' execution failed"})
    void aTaskThatIsNotKeptAnyMoreHasNoEmptyResult() {
        AtomicInteger refusals = new AtomicInteger();
        Holdpoint agent = bench.another(builder -> builder.toolProviders(tool).store(new ForwardingStore() {
            @Override
            protected Store store() {
                return bench.store;
            }

            @Override
            public void commit(Lease lease, Commit commit, Instant now) {
                boolean isResult = commit.batches().stream()
                        .flatMap(batch -> batch.changes().stream())
                        .anyMatch(Change.Settled.class::isInstance);
                if (isResult && refusals.getAndDecrement() > 0) {
                    throw new StoreException("the commit is lost", new IllegalStateException("no connection"));
                }
                super.commit(lease, commit, now);
            }
        }));
        PendingInterrupt.Approval question = asked(agent);
        refusals.set(2); // a result is written once more
        agent.resume(THREAD, question.approve());
        bench.clock.advance(Duration.ofDays(2));
        agent.purge();
        assertThat(idleInside()).isEmpty();

        agent.resume(THREAD).orThrow();

        assertThat(bench.tools.effects()).containsExactly("transferMoney 2|Bob");
        assertThat(bench.model.lastResult("c1")).contains("ended without an answer");
    }

    private List<Place> idleInside() {
        Store inside = bench.store.of("clerk~tool");
        return inside.threads(Wanted.IDLE, Place.FIRST, bench.clock.instant().plusSeconds(1), 10);
    }
}
