package io.holdpoint.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.store.Store.Place;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The store of a named agent is a store like any other. */
class NamedAgentStoreTest extends StoreContractTest {

    @Override
    protected Store createStore() {
        return new InMemoryStore().of("main");
    }

    /** The contract calls it by no name. */
    @Override
    void forAgent(String name) {
        super.forAgent(name.isEmpty() ? "main" : name);
    }

    @Test
    void nobodyElseFindsWhatItHas() {
        writesWhatNoRunDoes();
        put(Batches.hold("h1", "t"));
        give(grant("g", Instant.EPOCH, Instant.EPOCH));
        store.audit(Optional.empty(), List.of(event("t", 0)));

        for (String name : List.of("", "mai", "main~tool")) {
            Store other = store.of(name);
            assertThat(other.find("t")).isEmpty();
            assertThat(other.open(Optional.empty(), Place.FIRST, 9)).isEmpty();
            assertThat(other.purge(Store.Old.FACT, Instant.MAX, 9)).isZero();
            assertThat(other.purge(Store.Old.AUDIT_EVENT, Instant.MAX, 9)).isZero();
            assertThat(other.acquire("t", "r2", "ada", Instant.EPOCH, Instant.MAX))
                    .isPresent();
        }
        assertThat(store.acquire("t", "r2", "ada", Instant.EPOCH, Instant.MAX)).isEmpty();
    }
}
