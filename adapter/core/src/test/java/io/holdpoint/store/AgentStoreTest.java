package io.holdpoint.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.internal.agent.AgentStore;
import io.holdpoint.store.Store.Place;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The store of a named agent is a store like any other. */
class AgentStoreTest extends StoreContractTest {

    private final Store shared = new InMemoryStore();

    @Override
    protected Store createStore() {
        return new AgentStore(shared, "support");
    }

    @Override
    @Test
    void eachAgentFindsItsOwn() {

        put(Batches.hold("h1", "t"));

        assertThat(new AgentStore(shared, "sales").find("t")).isEmpty();
        assertThat(shared.find("t")).isEmpty();
        assertThat(store.find("t").orElseThrow().batch().orElseThrow().threadId())
                .isEqualTo("t");
        assertThat(shared.open("", Optional.empty(), Place.FIRST, 9)).isEmpty();
        assertThat(store.acquire("t", "r2", "ada", Instant.EPOCH, Instant.EPOCH))
                .isEmpty();
    }

    @Override
    @Test
    void eachAgentPurgesItsOwn() {
        putFinished("h", Instant.EPOCH);
        give(grant("g", Instant.EPOCH, Instant.EPOCH));
        store.audit(List.of(event("t", 0)));

        for (Store other : List.of(new AgentStore(shared, "sales"), new AgentStore(shared, ""))) {
            assertThat(other.purge(Store.Old.BATCH, "support", Instant.MAX, 9)).isZero();
            assertThat(other.purge(Store.Old.GRANT, "support", Instant.MAX, 9)).isZero();
            assertThat(other.purge(Store.Old.AUDIT_EVENT, "support", Instant.MAX, 9))
                    .isZero();
        }
        assertThat(store.purge(Store.Old.BATCH, "", Instant.MAX, 9)).isEqualTo(1);
        assertThat(store.purge(Store.Old.GRANT, "", Instant.MAX, 9)).isEqualTo(1);
        assertThat(store.purge(Store.Old.AUDIT_EVENT, "", Instant.MAX, 9)).isEqualTo(1);
    }

    @Override
    @Test
    void aHaltIsOfOneAgentAndOfItselfAsATool() {
        store.halt("", halt("", "why"), List.of());

        assertThat(store.halted("")).isPresent();
        assertThat(shared.halted("support~tool")).isPresent();
        assertThat(shared.halted("")).isEmpty();
        assertThat(new AgentStore(shared, "sales").halted("")).isEmpty();
    }

    @Override
    @Test
    void aHaltOfAllAgentsIsOneOfItsOwn() {
        shared.halt(Store.ALL_AGENTS, halt(Store.ALL_AGENTS, "all"), List.of());

        assertThat(store.halted("").map(Store.Halt::reason)).contains("all");
        assertThat(store.halt("", Optional.empty(), List.of())).isFalse();
        assertThat(store.halted("").map(Store.Halt::agent)).contains(Store.ALL_AGENTS);
    }
}
