package io.holdpoint.laws;

import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.testing.Depth;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.TestDatabase;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What random histories do to the store in memory they do to a database too: whatever is read, both say the same. {@code -Dholdpoint.stores=5000}
 * tries as many, {@code -Dholdpoint.store=17} begins with that one.
 */
@Logs({
    "Run * on thread * failed",
    "Run * could not be started",
    "Tool '*' execution failed",
    "The batch * could not be continued",
    "The chat memory of thread * was not kept",
    "Lease* could not be given back",
    "Purging failed",
    "There is no thread to purge on",
    "A call of the tool * was refused to the model because of its arguments"
})
class StoresAgreeTest {

    private static final int TRIES = Integer.getInteger("holdpoint.stores", Depth.of(5, 20));
    private static final int FIRST = Integer.getInteger("holdpoint.store", 0);

    @Test
    void sqliteKeepsWhatTheStoreInMemoryKeeps() {
        agree(TestDatabase::sqlite);
    }

    @Test
    @Tag("deep")
    void postgresqlKeepsWhatTheStoreInMemoryKeeps() {
        agree(TestDatabase::postgres);
    }

    private static void agree(Supplier<TestDatabase> databases) {
        for (int seed = FIRST; seed < FIRST + TRIES; seed++) {
            try (TestDatabase database = databases.get()) {
                History.agreeing(seed, JdbcStore.create(database.dataSource()));
            }
        }
    }
}
