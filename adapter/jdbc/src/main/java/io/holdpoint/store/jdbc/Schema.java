package io.holdpoint.store.jdbc;

import io.holdpoint.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The tables, and which version of them the database has. Version 1 stands in {@code schema-<database>.sql}; a change of a later version
 * stands in a script of its own, {@code schema-<database>-<version>.sql}. An upgrade runs what is missing, in one transaction with the
 * number.
 */
final class Schema {

    /** The ends of the resources' names, from the first version on; this code works with the last one. */
    static final List<String> STEPS = List.of("");

    /** The version of the tables that this code works with. */
    static final int VERSION = last(STEPS);

    /** The version is a fact of no thread. */
    private static final String VERSION_KEY =
            " WHERE agent = '' AND thread_id = '' AND kind = 'SCHEMA' AND name = 'VERSION'";

    private static final String INSERT_VERSION =
            "INSERT INTO holdpoint_fact (agent, thread_id, kind, name, value) VALUES ('', '', 'SCHEMA', 'VERSION', ";

    /** Several processes may create a SQLite file at once: those that come too late find it complete. */
    private static final int MAX_ATTEMPTS = 10;

    private final Database database;
    private final SqlDialect dialect;
    private final List<String> steps;

    private Schema(DataSource dataSource, List<String> steps) {
        this.steps = steps;
        record Kind(SqlDialect dialect, String url, List<String> first) {}
        Database unknown = new Database(dataSource);
        Kind kind = unknown.statement("connect", sql -> {
            SqlDialect found = SqlDialect.of(sql.connection);
            found.requireDurable(sql);
            return new Kind(found, sql.connection.getMetaData().getURL(), found.firstStatements(sql));
        });
        this.dialect = kind.dialect();
        if (dialect == SqlDialect.SQLITE) {
            SqliteLibrary.removeOldCopies();
        }
        this.database = unknown.of(dialect, kind.url(), kind.first());
    }

    /** Creates or upgrades the tables; needs no right to change them if they are up to date. */
    static Database create(DataSource dataSource) {
        return create(dataSource, STEPS);
    }

    /** The same with steps of the caller's choice. */
    static Database create(DataSource dataSource, List<String> steps) {
        Schema schema = new Schema(dataSource, steps);
        for (int attempt = 1; schema.version().orElse(0) < last(steps); attempt++) {
            try {
                schema.database.write("create the tables", schema::upgrade);
            } catch (StoreException e) {
                if (e.getCause() instanceof SQLException cause && SqlStates.isForbidden(cause)) {
                    throw new StoreException(
                            e.getMessage()
                                    + ". Give this login the right to create tables in the schema (GRANT CREATE ON"
                                    + " SCHEMA ... TO ...), or let one that has it call create(dataSource) once, and use"
                                    + " open(dataSource) with this one.",
                            cause);
                }
                if (attempt == MAX_ATTEMPTS || !schema.dialect.hasOneWriter()) {
                    throw e;
                }
            }
        }
        return schema.checked();
    }

    /**
     * Uses the tables as they are.
     *
     * @throws StoreException if they are missing or of another version
     */
    static Database open(DataSource dataSource) {
        return new Schema(dataSource, STEPS).checked();
    }

    private Database checked() {
        int version = version()
                .orElseThrow(
                        () -> new StoreException("The database has no tables of Holdpoint. Use create(dataSource), or"
                                + " run " + Schema.class.getPackageName().replace('.', '/') + "/"
                                + String.join(", then ", resources()) + " from the library's jar and " + INSERT_VERSION
                                + "'" + last(steps) + "')."));
        if (version != last(steps)) {
            throw new StoreException("The tables of Holdpoint in the database are of version " + version
                    + ", this library works with version " + last(steps) + ". "
                    + (version > last(steps)
                            ? "Use a newer library, or another database or schema."
                            : "Use create(dataSource), which upgrades them."));
        }
        return database;
    }

    private static int last(List<String> steps) {
        return steps.size();
    }

    private Optional<Integer> version() {
        Optional<Integer> present = read();
        if (present.isEmpty()
                && database.statement("look for tables", sql -> sql.exists(dialect.hasTable("holdpoint_schema")))) {
            throw new StoreException("The tables of Holdpoint in the database are those of a snapshot before the first"
                    + " release, and are not upgraded. Use another database or schema, or drop the tables whose names"
                    + " begin with holdpoint_.");
        }
        return present;
    }

    private Optional<Integer> read() {
        try {
            return database.statement("read the version of the tables", Schema::version);
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && SqlStates.isNoSuchTable(cause)) {
                return Optional.empty();
            } else if (e.getCause() instanceof SQLException cause && SqlStates.isForbidden(cause)) {
                throw new StoreException(
                        e.getMessage()
                                + ". Let this login use the tables whose names begin with holdpoint_: GRANT SELECT, INSERT,"
                                + " UPDATE, DELETE ON ... TO ...",
                        cause);
            }
            throw e;
        }
    }

    static Optional<Integer> version(Sql sql) throws SQLException {
        return sql.first("SELECT value FROM holdpoint_fact" + VERSION_KEY, row -> row.getInt(1));
    }

    private void upgrade(Sql sql) throws SQLException {
        dialect.lockSchema(sql);
        int present = sql.exists(dialect.hasTable("holdpoint_fact"))
                ? version(sql).orElse(0)
                : 0; // another node may have been first
        if (present >= last(steps)) {
            return;
        }
        for (String resource : resources().subList(Math.max(0, present), steps.size())) {
            run(sql.connection, resource);
        }
        sql.update("DELETE FROM holdpoint_fact" + VERSION_KEY);
        sql.update(INSERT_VERSION + "'" + last(steps) + "')");
    }

    private List<String> resources() {
        return steps.stream()
                .map(step -> dialect.schemaResource().replace(".sql", step + ".sql"))
                .toList();
    }

    private static void run(Connection connection, String resource) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String definition : read(resource).split(";\\R")) {
                statement.execute(definition);
            }
        }
    }

    private static String read(String name) {
        try (InputStream resource = Schema.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException(name + " is missing from the library's jar");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
