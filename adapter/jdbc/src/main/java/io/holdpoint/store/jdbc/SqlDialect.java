package io.holdpoint.store.jdbc;

import io.holdpoint.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The differences between the databases. */
enum SqlDialect {
    SQLITE("SQLite", "schema-sqlite.sql", "TRUE", "", "") {
        /** A transaction that has not written reads one snapshot of the write-ahead log. */
        @Override
        void beginSnapshot(Sql sql) throws SQLException {
            sql.update("BEGIN");
        }

        @Override
        void endSnapshot(Sql sql) throws SQLException {
            sql.update("ROLLBACK");
        }

        @Override
        void checkFile(Sql sql, Consumer<String> findings) throws SQLException {
            sql.list("PRAGMA integrity_check", row -> row.getString(1)).stream()
                    .filter(line -> !line.equals("ok"))
                    .forEach(line -> findings.accept("The SQLite file is damaged: " + line + "."));
        }

        @Override
        String lastValue(String table, String column) {
            return "SELECT seq FROM sqlite_sequence WHERE name = '" + table + "'";
        }

        @Override
        String hasTable(String name) {
            return "SELECT 1 FROM sqlite_master WHERE name = '" + name + "'";
        }

        /** The column counts. */
        @Override
        String epochAfter(long former) {
            return "NULL";
        }

        /** The write-ahead log is a property of the file; how a commit reaches the disk is one of each connection. */
        @Override
        void requireDurable(Sql sql) throws SQLException {
            if (!sql.connection.getAutoCommit()) {
                throw new StoreException(
                        "The data source gives connections to SQLite with auto-commit off. Let it give them in"
                                + " auto-commit mode, which is the default: the store begins its transactions itself.");
            }
            String journal = pragma(sql, "journal_mode = WAL");
            if (!journal.equalsIgnoreCase("wal")) {
                throw new StoreException("SQLite cannot keep a write-ahead log for " + url(sql)
                        + " (its journal mode is '" + journal + "'). The store needs a file on a local disk, such as"
                        + " jdbc:sqlite:holdpoint.db; for a store that may forget, take the InMemoryStore.");
            }
            if (Integer.parseInt(pragma(sql, "synchronous")) < FULL) {
                throw new StoreException("SQLite would acknowledge commits before they are on the disk, so that a power"
                        + " failure forgets approved calls. Remove the parameter synchronous from the JDBC URL, or"
                        + " set it to FULL: " + url(sql));
            }
        }
    },
    POSTGRESQL("PostgreSQL", "schema-postgresql.sql", Limits.SET + " <> ''", " FOR UPDATE", " FOR UPDATE SKIP LOCKED") {
        @Override
        String limitsOfLease() {
            return Limits.SET_FOR_LEASE + " <> ''";
        }

        @Override
        void setLimits(Sql sql) throws SQLException {
            // the transaction gets its number before its events get theirs: readers of the feed rely on that
            sql.list("SELECT " + Limits.SET + ", pg_current_xact_id()", row -> true);
        }

        /** Others speak the same protocol, and the driver says the same name for them. */
        @Override
        void requireKnown(Sql sql) throws SQLException {
            String version =
                    sql.first("SELECT version()", row -> row.getString(1)).orElse("");
            Matcher own = VERSION.matcher(version);
            if (!own.find() || version.contains("-YB-")) {
                throw new StoreException("JdbcStore works on SQLite and PostgreSQL, not on " + version
                        + ". It needs PostgreSQL's table locks and numbers of transactions: without them a halt could let"
                        + " a call start, and people would not be told of every question. Use PostgreSQL, or a service"
                        + " that runs its server (Aurora, AlloyDB, Cloud SQL).");
            }
            int major = Integer.parseInt(own.group(1));
            if (major < OLDEST) {
                throw new StoreException("JdbcStore needs PostgreSQL " + OLDEST + " or later, and the server is "
                        + version + ". Upgrade the server, or use another one.");
            }
            if (sql.exists(ESCAPES_IN_LITERALS)) {
                throw new StoreException("PostgreSQL reads a backslash in a literal as an escape here"
                        + " (standard_conforming_strings = off), and the store would find the threads of one agent as those"
                        + " of another. Set it to on, which is the default, for the store's role: ALTER ROLE ... SET"
                        + " standard_conforming_strings = on.");
            }
            String service = sql.first(SERVICE, row -> row.getString(1)).orElse("");
            if (major > NEWEST || !service.isEmpty()) {
                LOG.warn(
                        "The store was tried on PostgreSQL {} to {}, not on {}{}: run your own tests on it",
                        OLDEST,
                        NEWEST,
                        service,
                        version);
            }
        }

        /**
         * The store's statements lock the rows that they rely on, or say in their conditions what must still be so. A stricter level
         * would only make the database undo transactions of threads that share nothing.
         *
         * <p>Messages and audit events have the order of their numbers. Where a connection takes many at once, it forgets those that
         * are left, so that a thread's next transaction gets higher ones on any connection.
         */
        @Override
        List<String> firstStatements(Sql sql) throws SQLException {
            List<String> first = new ArrayList<>();
            if (sql.connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
                first.add(READ_COMMITTED);
            }
            if (sql.exists(CACHED_NUMBERS)) {
                first.add("DISCARD SEQUENCES");
            }
            return first;
        }

        @Override
        void beginSnapshot(Sql sql) throws SQLException {
            sql.update("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        }

        @Override
        void endSnapshot(Sql sql) throws SQLException {
            sql.connection.rollback();
        }

        @Override
        String lastValue(String table, String column) {
            return "SELECT CASE WHEN has_sequence_privilege(s, 'SELECT') THEN COALESCE(pg_sequence_last_value(s::regclass), 0) ELSE "
                    + Long.MAX_VALUE + " END FROM pg_get_serial_sequence('" + table + "', '" + column + "') s";
        }

        /**
         * A SELECT from a table that is not there would end the transaction. A session hears of tables that others have created while it
         * waited for the schema's lock when it locks a table, which is the catalog here; else it believes what it found before.
         */
        @Override
        String hasTable(String name) {
            return "SELECT 1 FROM pg_class WHERE oid = to_regclass('" + name + "')";
        }

        /**
         * The planner takes the equality of both columns for rarer than it is, as if one batch in thousands were found, and would read and
         * sort all of them for a page. It leaves the order of this as it is written: a batch by the index, and then its thread.
         */
        @Override
        String workedOn(String index) {
            return "holdpoint_batch h JOIN LATERAL (SELECT * FROM holdpoint_thread w"
                    + " WHERE w.agent = h.agent AND w.thread_id = h.thread_id AND w.batch_id = h.batch_id OFFSET 0) t ON TRUE";
        }

        @Override
        String present() {
            return "SELECT " + NOW;
        }

        /** A sequence would give a number again after a failover or a restore that has lost the last commits; the time does not. */
        @Override
        String epochAfter(long former) {
            return former == 0 ? NOW : "GREATEST(" + NOW + ", " + (former + 1) + ")";
        }

        /** Waits for as long as others take, unless they have stopped. */
        @Override
        void lockSchema(Sql sql) throws SQLException {
            sql.list("SELECT " + Limits.OF_IDLE + ", pg_advisory_xact_lock(?)", row -> true, SCHEMA_LOCK);
        }
    };

    private static final Logger LOG = LoggerFactory.getLogger(SqlDialect.class);

    /** The version that PostgreSQL says of itself. */
    private static final Pattern VERSION = Pattern.compile("^PostgreSQL (\\d+)");

    /** The versions that the tests were run on; docs/operate/database.md names them too. */
    private static final int OLDEST = 13;

    private static final int NEWEST = 18;

    /** Names the services that say no other version than PostgreSQL, and change more than its configuration. */
    private static final String SERVICE =
            "SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_proc WHERE proname = 'aurora_version') THEN 'Aurora, '"
                    + " WHEN EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'alloydbsuperuser') THEN 'AlloyDB, ' ELSE '' END";

    private static final String ESCAPES_IN_LITERALS =
            "SELECT 1 WHERE current_setting('standard_conforming_strings', TRUE) = 'off'";

    private static final String NOW = "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint";

    static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    private static final String CACHED_NUMBERS = "SELECT 1 FROM pg_sequence WHERE seqcache > 1 AND seqrelid IN"
            + " (to_regclass('holdpoint_message_position_seq'), to_regclass('holdpoint_audit_id_seq'))";

    /** SQLite's number for {@code synchronous=FULL}. */
    private static final int FULL = 2;

    /** A number that no other program in the database should use: "holdpnt" in ASCII. */
    private static final long SCHEMA_LOCK = 0x686f6c64706e74L;

    /**
     * Lets a PostgreSQL transaction give up when it waits for a lock, and the database end it when its node has stopped; and
     * makes its commit wait for the disk also where the server, the role or the pool says {@code synchronous_commit=off}: a claim
     * that a restart of the server forgets would let a call run twice. As a subquery it is done once, before the rows of its
     * statement are looked for.
     */
    private static final class Limits {

        /** Commits take milliseconds. */
        private static final int LOCK_TIMEOUT_MILLIS = 3_000;

        /** A transaction does no work between two statements: a node that takes so long has stopped. */
        private static final int IDLE_TIMEOUT_MILLIS = 20_000;

        private static final String OF_IDLE =
                "set_config('idle_in_transaction_session_timeout', '" + IDLE_TIMEOUT_MILLIS + "', TRUE)";

        private static final String TIMES = "(SELECT set_config('lock_timeout', '" + LOCK_TIMEOUT_MILLIS + "', TRUE)"
                + " || " + OF_IDLE + " || set_config('synchronous_commit', ";

        private static final String SET =
                TIMES + "COALESCE(NULLIF(current_setting('synchronous_commit'), 'off'), 'on'), TRUE))";

        private static final String SET_FOR_LEASE = TIMES + "'off', TRUE))";
    }

    private final String product;
    private final String schemaResource;
    private final String limits;
    private final String lockRow;
    private final String lockFreeRow;

    SqlDialect(String product, String schemaResource, String limits, String lockRow, String lockFreeRow) {
        this.product = product;
        this.schemaResource = schemaResource;
        this.limits = limits;
        this.lockRow = lockRow;
        this.lockFreeRow = lockFreeRow;
    }

    /**
     * Recognises the database of a connection.
     *
     * @throws StoreException if it is neither of both
     */
    static SqlDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        for (SqlDialect dialect : values()) {
            if (dialect.product.equals(product)) {
                dialect.requireKnown(new Sql(connection, dialect, "", false));
                return dialect;
            }
        }
        throw new StoreException("JdbcStore works on SQLite and PostgreSQL, not on " + product
                + (product.equals("H2")
                        ? ". H2 lost acknowledged commits and whole threads when its process was killed: use a file of"
                                + " SQLite instead (jdbc:sqlite:holdpoint.db, with org.xerial:sqlite-jdbc on the class"
                                + " path). What is in the H2 database stays there."
                        : "."));
    }

    /**
     * Asks the server what it is.
     *
     * @throws StoreException if the store does not work on it
     */
    void requireKnown(Sql sql) throws SQLException {}

    /** The resource with the tables' definitions, next to this class. */
    String schemaResource() {
        return schemaResource;
    }

    /** A condition, always true, of a transaction's first statement: it sets the limits of the transaction. */
    String limits() {
        return limits;
    }

    /**
     * The same for a transaction that only takes or renews a lease, whose commit need not wait for the disk: every later commit of
     * the run asks for the lease and waits, for this one too. A lease that the server has forgotten ends its run before it
     * has stored anything.
     */
    String limitsOfLease() {
        return limits;
    }

    /** The batches that threads work on, each with its thread, in the order of an index. */
    String workedOn(String index) {
        return "holdpoint_batch h" + indexedBy(index) + " JOIN holdpoint_thread t"
                + " ON t.agent = h.agent AND t.thread_id = h.thread_id AND t.batch_id = h.batch_id";
    }

    /**
     * Stands behind a table of which a page is read: SQLite has not counted the rows of a file, and takes a number for a better key than the
     * agent, and a time for one that is as good as the owner.
     */
    String indexedBy(String index) {
        return this == SQLITE ? " INDEXED BY " + index : "";
    }

    /** A SELECT of the present in microseconds, by a clock that is not that of every node; no row if there is none. */
    String present() {
        return "SELECT 1 WHERE FALSE";
    }

    /** The end of a SELECT of one row that no other transaction may change until this one ends. */
    String lockRow() {
        return lockRow;
    }

    /** The end of a SELECT that finds the row only if no other transaction has it locked. */
    String lockFreeRow() {
        return lockFreeRow;
    }

    /** Says whether one transaction writes at a time, to the whole database. */
    boolean hasOneWriter() {
        return this == SQLITE;
    }

    /** Sets the limits of a transaction whose first statement does not have {@link #limits}; the driver's busy_timeout is one. */
    void setLimits(Sql sql) throws SQLException {}

    /** The statements that have to come first in each transaction on connections such as this one, as it is now. */
    List<String> firstStatements(Sql sql) throws SQLException {
        return List.of();
    }

    /** Makes a transaction that has just begun read everything as it is now. */
    abstract void beginSnapshot(Sql sql) throws SQLException;

    /** Ends the transaction of a snapshot. */
    abstract void endSnapshot(Sql sql) throws SQLException;

    /** Checks what lies below the tables, unless that is an administrator's work. */
    void checkFile(Sql sql, Consumer<String> findings) throws SQLException {}

    /** A SELECT of the last number that the database gave to a column which counts; no row if it never did, the largest if this login may not know. */
    abstract String lastValue(String table, String column);

    /** A SELECT of a row if the table is there. */
    abstract String hasTable(String name);

    /** The number of a lease that comes after another one of its thread; 0: after none that is known. */
    abstract String epochAfter(long former);

    /** Lets others that want to create or upgrade the tables wait until the transaction ends, unless any that writes has to. */
    void lockSchema(Sql sql) throws SQLException {}

    /**
     * Checks that what is committed survives the end of the process. On PostgreSQL it does with the limits of the transactions,
     * unless an administrator has switched fsync off.
     */
    void requireDurable(Sql sql) throws SQLException {}

    private static String pragma(Sql sql, String pragma) throws SQLException {
        return sql.first("PRAGMA " + pragma, row -> row.getString(1)).orElse("");
    }

    private static String url(Sql sql) throws SQLException {
        return sql.connection.getMetaData().getURL();
    }
}
