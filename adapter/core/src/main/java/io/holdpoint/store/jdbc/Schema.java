package io.holdpoint.store.jdbc;

import io.holdpoint.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** The tables, and which version of them the database has. */
final class Schema {

    /** The version that this code works with. */
    static final int VERSION = 1;

    /** Creating twice at once fails on H2 for one of both, which finds the tables when it tries again. */
    private static final int MAX_ATTEMPTS = 10;

    private final Database database;
    private final SqlDialect dialect;

    private Schema(Database database, SqlDialect dialect) {
        this.database = database;
        this.dialect = dialect;
    }

    /** Finds out what database it is, and sees to it that its commits last. */
    static Schema of(Database database) {
        return new Schema(database, database.statement("connect", connection -> {
            SqlDialect dialect = SqlDialect.of(connection);
            dialect.makeDurable(connection);
            return dialect;
        }));
    }

    SqlDialect dialect() {
        return dialect;
    }

    /** Creates what is missing; changes nothing, and needs no right to, if nothing is. */
    Schema create() {
        for (int attempt = 1; version().isEmpty(); attempt++) {
            try {
                database.write("create the tables", this::createTables);
            } catch (StoreException e) {
                if (attempt == MAX_ATTEMPTS || dialect != SqlDialect.H2) {
                    throw e;
                }
            }
        }
        return check();
    }

    /**
     * Checks that the tables are there.
     *
     * @throws StoreException if they are missing or of another version
     */
    Schema check() {
        int version = version()
                .orElseThrow(
                        () -> new StoreException("The database has no tables of Holdpoint. Use create(dataSource), or"
                                + " run " + Schema.class.getPackageName().replace('.', '/') + "/"
                                + dialect.schemaResource()
                                + " from the library's jar and INSERT INTO holdpoint_schema VALUES (1, " + VERSION
                                + ")."));
        if (version != VERSION) {
            throw new StoreException("The tables of Holdpoint in the database are of version " + version
                    + ", this library works with version " + VERSION
                    + (version > VERSION ? ". Use a newer library, or another database or schema." : "."));
        }
        return this;
    }

    private Optional<Integer> version() {
        try {
            return database.statement(
                    "read the version of the tables",
                    connection -> Sql.first(
                            connection, "SELECT version FROM holdpoint_schema WHERE id = 1", row -> row.getInt(1)));
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && SqlStates.isNoSuchTable(cause)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void createTables(Connection connection) throws SQLException {
        dialect.lockSchema(connection);
        try (Statement statement = connection.createStatement()) {
            for (String definition : definitions().split(";\\R")) {
                statement.execute(definition);
            }
        }
        // last, so that the version says that everything is there
        dialect.insertIfAbsent(connection, "INSERT INTO holdpoint_schema (id, version) VALUES (1, ?)", VERSION);
    }

    private String definitions() {
        try (InputStream resource = Schema.class.getResourceAsStream(dialect.schemaResource())) {
            if (resource == null) {
                throw new IllegalStateException(dialect.schemaResource() + " is missing from the library's jar");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
