package io.holdpoint.testing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * A database of a test's own, empty at first, with a pool of connections. PostgreSQL is a real server, started once for all
 * tests of a process, in which every test has a schema.
 */
public final class TestDatabase implements AutoCloseable {

    private static final int POOL_SIZE = 8;

    private final HikariDataSource pool;
    private final String atTheEnd;

    private TestDatabase(HikariConfig config, String atTheEnd) {
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(0);
        this.pool = new HikariDataSource(config);
        this.atTheEnd = atTheEnd;
    }

    /** A database in memory. */
    public static TestDatabase h2() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return new TestDatabase(config, "SET DB_CLOSE_DELAY 0");
    }

    /** A database in a file, {@code <file>.mv.db}; the same one if it is there already. */
    public static TestDatabase h2(Path file) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:file:" + file.toAbsolutePath() + ";DB_CLOSE_DELAY=-1");
        return new TestDatabase(config, "SET DB_CLOSE_DELAY 0");
    }

    /** A schema on a PostgreSQL server. */
    public static TestDatabase postgres() {
        String schema = "test_" + UUID.randomUUID().toString().replace("-", "");
        execute(Server.INSTANCE.getPostgresDatabase(), "CREATE SCHEMA " + schema);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(Server.INSTANCE.getJdbcUrl("postgres", "postgres") + "&currentSchema=" + schema);
        return new TestDatabase(config, "DROP SCHEMA " + schema + " CASCADE");
    }

    public DataSource dataSource() {
        return pool;
    }

    /** Where other processes and other pools find the database; the user {@code postgres} needs no password. */
    public String url() {
        return pool.getJdbcUrl();
    }

    /** Executes one statement. */
    public void execute(String sql) {
        execute(pool, sql);
    }

    @Override
    public void close() {
        execute(atTheEnd);
        pool.close();
    }

    private static void execute(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static final class Server {

        static final EmbeddedPostgres INSTANCE = start();

        /** Stopped by its own shutdown hook. */
        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
