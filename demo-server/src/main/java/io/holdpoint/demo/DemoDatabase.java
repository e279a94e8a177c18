package io.holdpoint.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.store.StoreException;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.store.jdbc.SqliteLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * Where the demo keeps threads and chat memories.
 *
 * @param pool its connections
 * @param threads the agent's store
 * @param memories the chat memories
 */
record DemoDatabase(HikariDataSource pool, JdbcStore threads, JdbcChatMemoryStore memories) implements AutoCloseable {

    private static final String SQLITE = "jdbc:sqlite:";

    /**
     * Connects, and creates the tables if there are none.
     *
     * @throws IllegalArgumentException naming {@code JDBC_URL}, if the database cannot be used
     */
    static DemoDatabase open(DemoSettings.Database settings) {
        prepareSqlite(settings);
        requireReachable(settings);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(settings.url());
        settings.user().ifPresent(config::setUsername);
        settings.password().ifPresent(config::setPassword);
        HikariDataSource pool = new HikariDataSource(config);
        try {
            return new DemoDatabase(pool, JdbcStore.create(pool), JdbcChatMemoryStore.create(pool));
        } catch (StoreException e) {
            pool.close();
            throw unusable(settings, e);
        }
    }

    /** SQLite creates the file, not its folder; next to the file, its native library survives a full or guarded /tmp. */
    private static void prepareSqlite(DemoSettings.Database settings) {
        if (!settings.url().startsWith(SQLITE)) {
            return;
        }
        Path file = Path.of(settings.url().substring(SQLITE.length()).split("\\?", 2)[0])
                .toAbsolutePath();
        try {
            Files.createDirectories(file.getParent());
            SqliteLibrary.loadFrom(file.resolveSibling("native"));
        } catch (IOException | StoreException e) {
            throw unusable(settings, e);
        }
    }

    /** The pool would say it too, but with a stack trace for everybody to read. */
    private static void requireReachable(DemoSettings.Database settings) {
        Properties login = new Properties();
        settings.user().ifPresent(user -> login.setProperty("user", user));
        settings.password().ifPresent(password -> login.setProperty("password", password));
        try (Connection connection = DriverManager.getConnection(settings.url(), login);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1"); // SQLite reads the file no sooner
        } catch (SQLException e) {
            throw unusable(settings, e);
        }
    }

    private static IllegalArgumentException unusable(DemoSettings.Database settings, Exception cause) {
        String said = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        String remedy = said.contains("SQLITE_BUSY") || said.contains("locked")
                ? "Another process holds it: end that one, or set JDBC_URL to another file."
                : "A folder that cannot be written to, a server that cannot be reached, a wrong login? Set JDBC_URL,"
                        + " JDBC_USER and JDBC_PASSWORD.";
        return new IllegalArgumentException(
                "Cannot use the database " + settings + ". " + remedy + " The database said: " + said, cause);
    }

    @Override
    public void close() {
        pool.close();
    }
}
