package io.holdpoint.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.store.StoreException;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;

/**
 * Where the demo keeps threads and chat memories.
 *
 * @param pool its connections
 * @param threads the agent's store
 * @param memories the chat memories
 */
record DemoDatabase(HikariDataSource pool, JdbcStore threads, JdbcChatMemoryStore memories) implements AutoCloseable {

    /**
     * Connects, and creates the tables if there are none.
     *
     * @throws IllegalArgumentException naming {@code JDBC_URL}, if the database cannot be used
     */
    static DemoDatabase open(DemoSettings.Database settings) {
        requireReachable(settings);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(urlOf(settings));
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

    /** When the process is told to end, H2 would close the database at once, while runs still have to write. */
    private static String urlOf(DemoSettings.Database settings) {
        String url = settings.url();
        return url.startsWith("jdbc:h2:") && !url.toUpperCase(Locale.ROOT).contains("DB_CLOSE_ON_EXIT")
                ? url + ";DB_CLOSE_ON_EXIT=FALSE"
                : url;
    }

    /** The pool would say it too, but with a stack trace for everybody to read. */
    private static void requireReachable(DemoSettings.Database settings) {
        Properties login = new Properties();
        settings.user().ifPresent(user -> login.setProperty("user", user));
        settings.password().ifPresent(password -> login.setProperty("password", password));
        try {
            DriverManager.getConnection(urlOf(settings), login).close();
        } catch (SQLException e) {
            throw unusable(settings, e);
        }
    }

    private static IllegalArgumentException unusable(DemoSettings.Database settings, Exception cause) {
        return new IllegalArgumentException(
                "Cannot use the database " + settings
                        + " (a file that another process has open, a server that cannot be"
                        + " reached, a wrong login?). Set JDBC_URL, JDBC_USER and JDBC_PASSWORD. The database said: "
                        + String.valueOf(cause.getMessage()).lines().findFirst().orElse(""),
                cause);
    }

    @Override
    public void close() {
        pool.close();
    }
}
