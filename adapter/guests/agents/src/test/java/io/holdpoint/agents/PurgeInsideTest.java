package io.holdpoint.agents;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.Retention;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.Wanted;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an agent in a tool has stored is kept as long as its retention says, whether it is called again or not. */
class PurgeInsideTest {

    private static final Retention A_DAY =
            Retention.DEFAULT.withThreads(Duration.ofDays(1)).withAudit(Duration.ofDays(1));

    private final Bench bench = new Bench();

    @Test
    void whatAnAgentInAToolHasStoredGoesWhenTheAgentAroundItPurges() {
        ScriptedModel inside = new ScriptedModel();
        Holdpoint clerk = Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(inside)
                .store(bench.store)
                .clock(bench.clock)
                .name("clerk")
                .retention(A_DAY)
                .tools(bench.tools)
                .build();
        Holdpoint agent = bench.another(
                builder -> builder.retention(A_DAY).toolProviders(LocalAgent.of("clerk", "Works", clerk)));
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

    private List<Place> idleInside() {
        Store inside = bench.store.of("clerk~tool");
        return inside.threads(Wanted.IDLE, Place.FIRST, bench.clock.instant().plusSeconds(1), 10);
    }
}
