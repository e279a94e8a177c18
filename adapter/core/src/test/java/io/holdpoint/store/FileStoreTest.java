package io.holdpoint.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** A store that somebody else makes is one if it passes this. */
class FileStoreTest extends StoreContractTest {

    @TempDir
    private Path folder;

    private FileStore file;

    @Override
    protected Store createStore() {
        file = FileStore.open(folder.resolve("holdpoint.jsonl"));
        return file.store();
    }

    @Override
    protected Store reopen(Store open) {
        file.close();
        return createStore();
    }

    /** Whatever a test has done to it, the file has the same. */
    @Override
    protected void close() {
        List<Object> kept = kept(file.store());
        assertThat(kept(reopen(file.store()))).isEqualTo(kept);
        file.close();
    }

    private static List<Object> kept(Store store) {
        return List.of(
                store.find("t"),
                store.transcript("t"),
                store.transcript("t", Store.Range.CUT),
                Grant.of(store, "t"),
                store.feed(0, 10_000),
                store.open(Optional.empty(), Store.Place.FIRST, 1_000),
                store.halted());
    }
}
