package io.holdpoint.store.jdbc;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the codes of a failure say. */
final class SqlStates {

    private static final String UNIQUE_VIOLATION = "23505";

    /** Of PostgreSQL, and of H2. */
    private static final Set<String> NO_SUCH_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

    /**
     * Serialization failure and deadlock (both databases), lock not available (PostgreSQL), lock timeout and concurrent
     * update (H2).
     */
    private static final Set<String> ROLLED_BACK_FOR_OTHERS = Set.of("40001", "40P01", "55P03", "HYT00", "90131");

    /** Lock not available (PostgreSQL), lock timeout (H2). */
    private static final Set<String> LOCK_TIMEOUT = Set.of("55P03", "HYT00");

    private SqlStates() {}

    static boolean isUniqueViolation(SQLException e) {
        return UNIQUE_VIOLATION.equals(e.getSQLState());
    }

    static boolean isNoSuchTable(SQLException e) {
        return contains(NO_SUCH_TABLE, e.getSQLState());
    }

    /** Whether the statement was given up because of other transactions, so that nothing of it is done. */
    static boolean isRolledBackForOthers(SQLException e) {
        return anyIn(ROLLED_BACK_FOR_OTHERS, e);
    }

    /** Whether a lock was waited for as long as one may. */
    static boolean isLockTimeout(SQLException e) {
        return anyIn(LOCK_TIMEOUT, e);
    }

    private static boolean anyIn(Set<String> states, SQLException e) {
        for (SQLException each = e; each != null; each = each.getNextException()) {
            if (contains(states, each.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean contains(Set<String> states, @Nullable String state) {
        return state != null && states.contains(state);
    }
}
