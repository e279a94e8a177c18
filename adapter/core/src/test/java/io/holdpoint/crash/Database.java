package io.holdpoint.crash;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/** A database that outlives processes. */
record Database(String url) {

    /** A file. */
    static Database sqlite(Path file) {
        return new Database("jdbc:sqlite:" + file.toAbsolutePath());
    }

    DataSource dataSource() {
        if (url.startsWith("jdbc:sqlite:")) {
            SQLiteDataSource sqlite = new SQLiteDataSource();
            sqlite.setUrl(url);
            return sqlite;
        }
        PGSimpleDataSource postgres = new PGSimpleDataSource();
        postgres.setURL(url);
        return postgres;
    }

    /** Connections that are used again: to begin one takes PostgreSQL longer than a run. */
    HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource());
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    Store store(DataSource database) {
        return JdbcStore.create(database);
    }

    ChatMemoryStore memories(DataSource database) {
        return JdbcChatMemoryStore.create(database);
    }
}
