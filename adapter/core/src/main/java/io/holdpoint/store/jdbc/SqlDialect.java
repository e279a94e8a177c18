package io.holdpoint.store.jdbc;

import io.holdpoint.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Where the databases differ. */
enum SqlDialect {
    H2("H2", "schema-h2.sql", "SELECT NEXT VALUE FOR holdpoint_epoch") {

        @Override
        boolean insertIfAbsent(Connection connection, String insert, @Nullable Object... parameters)
                throws SQLException {
            try {
                return Sql.update(connection, insert, parameters) == 1;
            } catch (SQLException e) {
                if (SqlStates.isUniqueViolation(e)) {
                    return false;
                }
                throw e;
            }
        }

        /**
         * It waits two seconds for a lock unless its URL says otherwise, and where it is embedded, nobody else has connections.
         * The write delay is set each time, because H2 remembers the setting and does not heed it when it opens the file
         * again, which it does without being asked once all connections were closed.
         */
        @Override
        void beginTransaction(Connection connection) throws SQLException {
            makeDurable(connection);
        }

        @Override
        void lockSchema(Connection connection) {
            // data definition is not transactional here; creating twice at once is tried again by the caller
        }

        @Override
        void makeDurable(Connection connection) throws SQLException {
            if (connection.getMetaData().getURL().startsWith("jdbc:h2:mem:")) {
                return;
            }
            try {
                Sql.update(connection, "SET WRITE_DELAY 0");
            } catch (SQLException e) {
                throw new StoreException(
                        "This H2 database writes what is committed up to half a second later, so that a process that"
                                + " is killed would forget approved calls. It must write at once, and only an"
                                + " administrator may set that: let the store connect as one. H2 said: "
                                + e.getMessage(),
                        e);
            }
        }
    },

    POSTGRESQL("PostgreSQL", "schema-postgresql.sql", "SELECT nextval('holdpoint_epoch')") {

        @Override
        boolean insertIfAbsent(Connection connection, String insert, @Nullable Object... parameters)
                throws SQLException {
            return Sql.update(connection, insert + " ON CONFLICT DO NOTHING", parameters) == 1;
        }

        /** Lets it give up when it waits for a lock, and the database end it when its node has stopped. */
        @Override
        void beginTransaction(Connection connection) throws SQLException {
            Sql.list(
                    connection,
                    "SELECT set_config('lock_timeout', '" + LOCK_TIMEOUT_MILLIS + "', TRUE),"
                            + " set_config('idle_in_transaction_session_timeout', '" + IDLE_TIMEOUT_MILLIS + "', TRUE)",
                    row -> true);
        }

        @Override
        void lockSchema(Connection connection) throws SQLException {
            Sql.list(connection, "SELECT pg_advisory_xact_lock(?)", row -> true, SCHEMA_LOCK);
        }

        @Override
        void makeDurable(Connection connection) {
            // it is, unless an administrator switched it off
        }
    };

    /** Any number that nobody else in the database uses: "holdpnt" in ASCII. */
    private static final long SCHEMA_LOCK = 0x686f6c64706e74L;

    /** Commits take milliseconds. */
    private static final int LOCK_TIMEOUT_MILLIS = 3_000;

    /** Between two statements of a transaction nothing is done: a node that takes so long has stopped. */
    private static final int IDLE_TIMEOUT_MILLIS = 20_000;

    private final String product;
    private final String schemaResource;
    private final String nextEpoch;

    SqlDialect(String product, String schemaResource, String nextEpoch) {
        this.product = product;
        this.schemaResource = schemaResource;
        this.nextEpoch = nextEpoch;
    }

    /**
     * The dialect of a database.
     *
     * @throws StoreException if it is not one of ours
     */
    static SqlDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        for (SqlDialect dialect : values()) {
            if (dialect.product.equals(product)) {
                return dialect;
            }
        }
        throw new StoreException("JdbcStore works on H2 and PostgreSQL, not on " + product);
    }

    /** Where the tables are written down, next to this class. */
    String schemaResource() {
        return schemaResource;
    }

    long nextEpoch(Connection connection) throws SQLException {
        return Sql.first(connection, nextEpoch, row -> row.getLong(1))
                .orElseThrow(() -> new SQLException("the sequence holdpoint_epoch gave no value"));
    }

    /** Inserts one row, unless there is one of that key. */
    abstract boolean insertIfAbsent(Connection connection, String insert, @Nullable Object... parameters)
            throws SQLException;

    /** Sees to it that what the transaction commits lasts, and that nobody waits for others without end. */
    abstract void beginTransaction(Connection connection) throws SQLException;

    /** Lets others that want to create the tables wait until the transaction ends, if the database can. */
    abstract void lockSchema(Connection connection) throws SQLException;

    /** Sees to it that what is committed survives the end of the process. */
    abstract void makeDurable(Connection connection) throws SQLException;
}
