package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.TestDatabase;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteSchemaTest extends SchemaContract {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final Message MESSAGE = new Message.User("u1", MessageContent.text("Hi"));

    @TempDir
    private Path directory;

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.sqlite();
    }

    private static SQLiteDataSource source(String url) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl(url);
        return source;
    }

    private static void write(JdbcStore store) {
        Lease lease = store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow();
        store.commit(lease, Commit.empty().append(List.of(MESSAGE)), NOW);
    }

    @Test
    void theNativeLibraryThatAKilledProcessLeftIsRemoved() throws Exception {
        String library = "sqlite-3.54.1.0-%s-libsqlitejdbc.so%s";
        Path left = Files.createFile(directory.resolve(library.formatted("left", "")));
        Path lock = Files.createFile(directory.resolve(library.formatted("left", ".lck")));
        Path notes = Files.createFile(directory.resolve("sqlite-notes.txt"));
        for (Path old : List.of(left, lock, notes)) {
            Files.setLastModifiedTime(old, FileTime.fromMillis(0));
        }
        Path beingLoaded = Files.createFile(directory.resolve(library.formatted("new", "")));

        String folder = System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"));
        System.setProperty("org.sqlite.tmpdir", directory.toString());
        try (TestDatabase database = TestDatabase.sqlite()) {
            JdbcStore.create(database.dataSource());
        } finally {
            System.setProperty("org.sqlite.tmpdir", folder);
        }

        assertThat(left).doesNotExist();
        assertThat(lock).doesNotExist();
        assertThat(notes).exists();
        assertThat(beingLoaded).exists();
    }

    /** A killed process leaves the file and its log as they are at that moment, which is what a copy of them holds. */
    @Test
    void whatIsCommittedIsInTheFileAndItsLogAtOnce() throws Exception {
        try (TestDatabase database = TestDatabase.sqlite(directory.resolve("original"))) {
            write(JdbcStore.create(database.dataSource()));
            Files.copy(directory.resolve("original"), directory.resolve("copy"));
            Files.copy(directory.resolve("original-wal"), directory.resolve("copy-wal"));
        }
        try (TestDatabase copy = TestDatabase.sqlite(directory.resolve("copy"))) {
            assertThat(JdbcStore.open(copy.dataSource()).transcript("t")).containsExactly(MESSAGE);
        }
    }

    @Test
    void aBackupIsMadeWhileTheStoreIsInUse() throws Exception {
        try (TestDatabase database = TestDatabase.sqlite(directory.resolve("original"))) {
            write(JdbcStore.create(database.dataSource()));
            database.execute("VACUUM INTO '" + directory.resolve("backup") + "'");
        }
        try (TestDatabase backup = TestDatabase.sqlite(directory.resolve("backup"))) {
            assertThat(JdbcStore.create(backup.dataSource()).transcript("t")).containsExactly(MESSAGE);
        }
    }

    @Test
    void aConnectionThatAcknowledgesCommitsTooEarlyIsRefused() {
        String url = "jdbc:sqlite:" + directory.resolve("store");
        for (String setting : new String[] {"NORMAL", "OFF"}) {
            assertThatThrownBy(() -> JdbcStore.create(source(url + "?synchronous=" + setting)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("synchronous")
                    .hasMessageContaining("FULL");
        }
        write(JdbcStore.create(source(url + "?synchronous=FULL")));
    }

    @Test
    void aDatabaseInMemoryIsRefused() {
        assertThatThrownBy(() -> JdbcStore.create(source("jdbc:sqlite::memory:")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("needs a file on a local disk")
                .hasMessageContaining("InMemoryStore");
    }

    @Test
    void h2IsRefusedWithWhatToDoNow() {
        DatabaseMetaData h2 = (DatabaseMetaData) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, arguments) -> "H2");
        Connection connection = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getAutoCommit" -> true;
                    case "getMetaData" -> h2;
                    case "close" -> null;
                    default -> throw new AssertionError(method);
                });

        assertThatThrownBy(() -> JdbcStore.create(ConnectionSource.of(() -> connection)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("jdbc:sqlite:")
                .hasMessageContaining("org.xerial:sqlite-jdbc");
    }

    @Override
    boolean[] autoCommits() {
        return new boolean[] {true};
    }

    @Test
    void connectionsWithoutAutoCommitAreRefused() throws Exception {
        try (TestDatabase database = createDatabase();
                Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> JdbcStore.create(ConnectionSource.of(() -> connection)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("auto-commit");
        }
    }
}
