package io.holdpoint.crash;

import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database that outlives processes. */
record Database(String url) {

    /** A file; open in one process at a time. */
    static Database h2(Path file) {
        return new Database("jdbc:h2:file:" + file.toAbsolutePath() + ";DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE");
    }

    DataSource dataSource() {
        if (isH2()) {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setURL(url);
            return h2;
        }
        PGSimpleDataSource postgres = new PGSimpleDataSource();
        postgres.setURL(url);
        return postgres;
    }

    Store store(DataSource database) {
        return JdbcStore.create(database);
    }

    ChatMemoryStore memories(DataSource database) {
        return JdbcChatMemoryStore.create(database);
    }

    /** Lets another process open it. */
    void close() {
        if (isH2()) {
            try (Connection connection = dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("SHUTDOWN");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private boolean isH2() {
        return url.startsWith("jdbc:h2:");
    }
}
