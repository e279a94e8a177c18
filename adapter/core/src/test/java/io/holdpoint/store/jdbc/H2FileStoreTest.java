package io.holdpoint.store.jdbc;

import io.holdpoint.store.Store;
import io.holdpoint.store.StoreContractTest;
import io.holdpoint.testing.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The file is closed and opened again whenever the contract forgets what it can. */
class H2FileStoreTest extends StoreContractTest {

    @TempDir
    private Path directory;

    private TestDatabase database;

    @Override
    protected Store createStore() {
        database = TestDatabase.h2(directory.resolve("store"));
        return JdbcStore.create(database.dataSource());
    }

    @Override
    protected Store reopen(Store store) {
        database.close();
        return createStore();
    }

    @AfterEach
    void close() {
        database.close();
    }
}
